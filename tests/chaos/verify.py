"""Compares all that workers and topics say after a round with what must be."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import orjson

from live_scoring.core.verdict import Rule
from tests.chaos.crew import Crew
from tests.chaos.policy import WINDOWS, Policy
from tests.chaos.truth import Truth
from tests.integration.lab import Lab
from tests.integration.runs import now_ms
from tests.integration.waiting import wait_until
from tests.integration.workers import Figures
from tests.offline_model import Expected, expect_verdict, expect_windows

Key = tuple[str, str, str, str]
"""Agent, group, scorer and window."""
Counts = tuple[float, float, float | None]
"""Samples, errors and average."""
K = TypeVar("K")
V = TypeVar("V")

_STAYS_SECONDS = 2.0
_SHOWN = 3


class Peaks:
    """The most samples that any page ever showed: what was counted twice shows, if for a moment."""

    def __init__(self) -> None:
        """Have seen nothing."""
        self.samples: Counter[Key] = Counter()

    def note(self, pages: Iterable[Figures]) -> None:
        """Look at pages."""
        for page in pages:
            for labels, samples in page.having("window_samples"):
                key = _key(labels)
                self.samples[key] = max(self.samples[key], int(samples))


def mismatches(lab: Lab, crew: Crew, truth: Truth, policy: Policy, peaks: Peaks) -> Iterator[str]:
    """Each thing that is not as it must be, in a line; waits until all have settled."""
    windows = {
        (*key, window): expected
        for window, length_ms in WINDOWS.items()
        for key, expected in expect_windows(truth.facts, length_ms, now_ms()).items()
    }
    verdicts = _expected_verdicts(windows, policy.rules)
    try:
        wait_until(
            "windows and verdicts are as they must be",
            lambda: _are_settled(crew, windows, verdicts, peaks),
        )
        time.sleep(_STAYS_SECONDS)
    except (TimeoutError, RuntimeError) as error:
        yield str(error)
    if truth.unlogged:
        yield f"brokers lost {truth.unlogged} records that they had confirmed"
    yield from crew.losses()
    pages = crew.figures()
    peaks.note(pages)
    yield from _differences("window", _windows(pages), _counts(windows))
    yield from _differences("verdict shown", _verdicts(pages), verdicts)
    yield from _differences("verdict told", _told(lab), verdicts)
    yield from _excess(peaks, windows)
    yield from _of_scores(lab, truth)
    yield from _of_dead_letters(lab, truth)


def _are_settled(
    crew: Crew,
    windows: Mapping[Key, Expected],
    verdicts: Mapping[tuple[str, str], str | None],
    peaks: Peaks,
) -> bool:
    is_ready = all(worker.is_ready() for worker in crew.workers)
    pages = crew.figures()
    peaks.note(pages)
    lag = sum(page.total("consumer_lag_records") for page in pages)
    is_equal = _windows(pages) == _counts(windows) and _verdicts(pages) == verdicts
    return is_ready and is_equal and not lag


def _key(labels: Mapping[str, str]) -> Key:
    return labels["agent"], labels["group"], labels["scorer"], labels["window"]


def _counts(windows: Mapping[Key, Expected]) -> dict[Key, list[Counts]]:
    return {key: [(w.samples, w.errors, w.average)] for key, w in windows.items()}


def _windows(pages: Iterable[Figures]) -> dict[Key, list[Counts]]:
    """What each page that speaks for a window says of it; an empty one is none."""
    found: defaultdict[Key, list[Counts]] = defaultdict(list)
    for page in pages:
        errors = {_key(labels): value for labels, value in page.having("window_errors")}
        averages = {_key(labels): value for labels, value in page.having("window_score_average")}
        for labels, samples in page.having("window_samples"):
            key = _key(labels)
            if samples or errors[key]:
                found[key].append((samples, errors[key], averages.get(key)))
    return dict(found)


def _verdicts(pages: Iterable[Figures]) -> dict[tuple[str, str], str]:
    return {
        (labels["agent"], labels["window"]): labels["verdict"]
        for page in pages
        for labels, value in page.having("verdict_state")
        if value == 1
    }


def _expected_verdicts(
    windows: Mapping[Key, Expected], rules: Sequence[Rule]
) -> dict[tuple[str, str], str | None]:
    seen: defaultdict[tuple[str, str], dict[str, Expected]] = defaultdict(dict)
    for (agent, _, scorer, window), expected in windows.items():
        seen[agent, window][scorer] = expected
    return {key: expect_verdict(by_scorer, rules) for key, by_scorer in seen.items()}


def _told(lab: Lab) -> dict[tuple[str, str], str]:
    """The newest verdict of each window on the verdicts topic: that of the highest offset."""
    newest: dict[tuple[str, str], tuple[int, str]] = {}
    for record in lab.read(lab.verdicts):
        told = orjson.loads(record.value)
        key = told["agent_id"], told["window"]
        if key not in newest or newest[key][0] <= told["scores_offset"]:
            newest[key] = told["scores_offset"], told["verdict"]
    return {key: verdict for key, (_, verdict) in newest.items()}


def _differences(what: str, found: Mapping[K, V], wanted: Mapping[K, object]) -> Iterator[str]:
    different = [k for k in found.keys() | wanted.keys() if found.get(k) != wanted.get(k)]
    for key in sorted(different, key=str)[:_SHOWN]:
        both = f"{found.get(key)}, must be {wanted.get(key)}"
        yield f"{what} {key} is {both}; one of {len(different)}"


def _excess(peaks: Peaks, windows: Mapping[Key, Expected]) -> Iterator[str]:
    for key, samples in peaks.samples.items():
        wanted = windows[key].samples if key in windows else 0
        if samples > wanted:
            yield f"window {key} showed {samples} samples, there are {wanted}"


def _of_scores(lab: Lab, truth: Truth) -> Iterator[str]:
    """No score is missing, none is of another run, and an id stands for one score alone."""
    named: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
    for score in lab.read_json(lab.scores):
        named[score["agent_id"], score["run_id"], score["scorer"]].add(score["score_id"])
    wanted = {(fact.agent, fact.run_id, fact.scorer) for fact in truth.facts}
    if lost := wanted - named.keys():
        yield f"{len(lost)} scores are lost, such as {min(lost)}"
    if strange := named.keys() - wanted:
        yield f"{len(strange)} scores are of nothing, such as {min(strange)}"
    ids = [score_id for found in named.values() for score_id in found]
    if len(set(ids)) != len(named) or len(ids) != len(named):
        yield f"{len(named)} scores have {len(set(ids))} ids"


def _of_dead_letters(lab: Lab, truth: Truth) -> Iterator[str]:
    sources = set()
    for letter in lab.read(lab.dead_letters):
        facts = dict(letter.headers)
        sources.add((int(facts["partition"]), int(facts["offset"])))
    if lost := truth.malformed - sources:
        yield f"{len(lost)} dead letters are lost, such as that of {min(lost)}"
    if strange := sources - truth.malformed:
        yield f"{len(strange)} dead letters are of good records, such as {min(strange)}"
