"""The example of a judge, against a server on this machine that answers as models do."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest

from live_scoring.adapters.outside import Outside
from live_scoring.core.run import AgentRun
from live_scoring.core.score import CheckResult, Failure
from live_scoring.core.scoring import Answer, CallLimits, NamedScorer, Scorer
from live_scoring.examples.judge import JudgeError, judge
from tests.builders import call, run_calling, run_saying

QUESTION = "Was {it} kind?"
LIMITS = CallLimits()


@dataclass
class Model:
    """What the server answers, and what it was asked."""

    text: str = '{"score": 0.8, "reason": "Mostly kind."}'
    status: int = 200
    may_answer: Event = field(default_factory=Event)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""

    def reply(self, request: BaseHTTPRequestHandler) -> None:
        self.headers.append(dict(request.headers))
        length = int(request.headers["Content-Length"])
        self.requests.append({"path": request.path} | json.loads(request.rfile.read(length)))
        self.may_answer.wait()
        body = json.dumps({"choices": [{"message": {"content": self.text}}]}).encode()
        request.send_response(self.status)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)


@contextmanager
def serving(model: Model) -> Iterator[Model]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            model.reply(self)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        model.url = f"http://127.0.0.1:{server.server_port}/v1"
        try:
            yield model
        finally:
            model.may_answer.set()
            server.shutdown()
            thread.join()


@pytest.fixture
def model() -> Iterator[Model]:
    answering = Model()
    answering.may_answer.set()
    with serving(answering):
        yield answering


def judged(
    scorer: NamedScorer, run: AgentRun | None = None, limits: CallLimits = LIMITS
) -> Answer | None:
    """What the live worker would make of the judge's answer."""
    asked = Scorer("kind", "scorer", scorer.id, "f1", scorer.ask, limits=limits)

    async def ask() -> Answer | None:
        answer = await Outside().ask(asked, run or run_saying("hello"))
        given_up = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*given_up, return_exceptions=True)
        return answer

    return asyncio.run(ask())


def test_a_judgement_is_a_score_with_its_reason(model: Model) -> None:
    answer = judged(judge(model.url, "m1", QUESTION))
    assert isinstance(answer, CheckResult)
    assert (answer.score, answer.reason) == (0.8, "Mostly kind.")


def test_the_model_is_asked_the_question_about_the_whole_run(model: Model) -> None:
    run = run_calling(call("search", args={"q": "é\ud800"}), input="Be kind.")
    judged(judge(model.url, "m1", QUESTION, options={"temperature": 0}), run)
    (request,) = model.requests
    instructions, record = (message["content"] for message in request["messages"])
    assert (request["path"], request["model"]) == ("/v1/chat/completions", "m1")
    assert request["temperature"] == 0
    assert QUESTION in instructions
    assert json.loads(record)["input"] == "Be kind."
    assert json.loads(record)["output"][0]["tool_invocations"][0]["args"] == {"q": "é\ud800"}


def test_the_key_comes_from_the_environment(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_KEY", "secret")
    judged(judge(model.url, "m1", QUESTION, api_key_env="JUDGE_KEY"))
    assert model.headers[0]["Authorization"] == "Bearer secret"


def test_a_key_that_is_not_there_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JUDGE_KEY", raising=False)
    with pytest.raises(JudgeError, match="JUDGE_KEY is not set"):
        judge("http://127.0.0.1:1", "m1", QUESTION, api_key_env="JUDGE_KEY")


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"score": 1, "reason": "Kind."}\n```',
        'I think: {"score": 1, "reason": "Kind."}',
    ],
)
def test_what_a_model_puts_around_its_judgement_does_no_harm(text: str, model: Model) -> None:
    model.text = text
    answer = judged(judge(model.url, "m1", QUESTION))
    assert isinstance(answer, CheckResult)
    assert (answer.score, answer.reason) == (1.0, "Kind.")


@pytest.mark.parametrize("text", ["", "Very kind!", "{}", '{"score": 8}', '{"score": NaN}', "}{"])
def test_an_answer_without_a_judgement_is_an_error_that_names_the_step(
    text: str, model: Model
) -> None:
    model.text = text
    answer = judged(judge(model.url, "m1", QUESTION))
    detail = "judge-m1: analyze: JudgeError: the answer holds no judgement"
    assert answer == Failure("score", "JudgeError", detail)


def test_a_server_that_fails_is_an_error(model: Model) -> None:
    model.status = 503
    answer = judged(judge(model.url, "m1", QUESTION))
    detail = "judge-m1: analyze: JudgeError: the interface answered HTTP 503"
    assert answer == Failure("score", "JudgeError", detail)


def test_a_server_that_is_not_there_is_an_error() -> None:
    answer = judged(judge("http://127.0.0.1:1", "m1", QUESTION))
    assert isinstance(answer, Failure)
    assert answer.reason == "ConnectError"


def test_a_server_that_is_slow_is_given_up_by_the_limit_of_the_rule() -> None:
    with serving(Model()) as slow:
        answer = judged(judge(slow.url, "m1", QUESTION), limits=CallLimits(timeout_seconds=0.05))
    assert isinstance(answer, Failure)
    assert answer.reason == "Timeout"


def test_a_judge_can_be_asked_in_one_event_loop_after_another(model: Model) -> None:
    scorer = judge(model.url, "m1", QUESTION)
    assert [isinstance(judged(scorer), CheckResult) for _ in range(3)] == [True] * 3
