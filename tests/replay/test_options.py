from dataclasses import replace
from io import StringIO
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from live_scoring.adapters.files import STDIN, RunFile
from live_scoring.config import TopicsConfig
from live_scoring.replay.options import OptionsError, ReplayOptions, job_of
from tests.replay.replays import NOTHING_GIVEN

TOPICS = TopicsConfig(runs=("runs", "more-runs"), scores="scores")
RUNS = RunFile(Path("runs.jsonl"), None, Console(file=StringIO()))


def options_of(**given: Any) -> ReplayOptions:
    return replace(NOTHING_GIVEN, **given)


def test_topics_are_those_of_the_configuration_unless_named() -> None:
    assert job_of(options_of(), TOPICS).topics == ("runs", "more-runs")
    assert job_of(options_of(topics=("a", "b", "a")), TOPICS).topics == ("a", "b")
    assert job_of(options_of(file=RUNS), TOPICS).topics == ()


def test_scores_go_to_a_topic_of_their_own_unless_another_place_is_named() -> None:
    assert job_of(options_of(), TOPICS).targets.topic == "scores-replay"
    for given in ({"to_file": Path("a")}, {"to_openmetrics": Path("a")}, {"is_dry_run": True}):
        assert job_of(options_of(**given), TOPICS).targets.topic is None
    both = job_of(options_of(to_file=Path("a"), to_topic="mine"), TOPICS).targets
    assert both.named == {"topic": "mine", "file": "a"}


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({}, "runs+more-runs"),
        ({"topics": ("a",), "since": "7d"}, "a@7d.."),
        ({"topics": ("a",), "until": "1d"}, "a@..1d"),
        ({"topics": ("a",), "offsets": "0:1-2"}, "a@0:1-2"),
        ({"file": RUNS}, "runs.jsonl"),
        ({"name": "mine", "since": "7d"}, "mine"),
    ],
)
def test_a_replay_is_named_after_what_it_reads(given: dict[str, Any], name: str) -> None:
    assert job_of(options_of(**given), TOPICS).name == name


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"to_topic": "scores"}, "holds the live scores; name a topic of the replay's own"),
        ({"to_topic": "runs"}, "is used by the worker or read; name a topic"),
        ({"to_topic": "other", "topics": ("other",)}, "is used by the worker or read"),
        ({"to_topic": TOPICS.verdicts}, "is used by the worker or read"),
        ({"to_topic": TOPICS.dead_letters}, "is used by the worker or read"),
        ({"to_topic": TOPICS.panes}, "is used by the worker or read"),
        ({"is_dry_run": True, "to_topic": "a"}, "--dry-run: writes nothing; leave it out, or"),
        ({"is_dry_run": True, "to_file": Path("a")}, "--dry-run: writes nothing"),
        ({"file": RUNS, "topics": ("a",)}, "--topic: RUNS is a file and has none; give one"),
        ({"file": RUNS, "offsets": "0:1-"}, "--offsets: RUNS is a file and has none"),
        ({"offsets": "0:1-"}, "would mean 2 topics, runs, more-runs; name one with --topic"),
        ({"is_dry_run": True, "checkpoint": Path("a")}, "--checkpoint: .* add --to-file"),
        ({"to_openmetrics": Path("a"), "checkpoint": Path("b")}, "--checkpoint: .*add --to-file"),
        (
            {"file": replace(RUNS, path=STDIN), "checkpoint": Path("a")},
            "standard input cannot be read again; name a file",
        ),
        ({"to_file": Path("a"), "to_openmetrics": Path("x/../a")}, "a: is named twice"),
        ({"file": RUNS, "to_file": Path("runs.jsonl")}, "runs.jsonl: is named twice"),
        ({"to_topic": ""}, "--to-topic: '' is no topic; use 1 to 249 letters"),
        ({"to_topic": "bad name"}, "--to-topic: 'bad name' is no topic; use 1 to 249 letters"),
        ({"topics": ("a", "b/c")}, "--topic: 'b/c' is no topic; use 1 to 249 letters"),
        ({"name": ""}, "--name: is empty; give what the scores are to carry"),
        ({"rate": nan}, "--rate: nan is no number of records; give one such as 500"),
        ({"rate": inf}, "--rate: inf is no number of records"),
    ],
)
def test_options_that_do_not_go_together_are_told_with_the_remedy(
    given: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(OptionsError, match=sentence):
        job_of(options_of(**given), TOPICS)
