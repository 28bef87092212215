"""What the dashboards ask Prometheus: every answer is whole, whichever workers gave its parts.

Windows and verdicts come from one worker each. While a partition moves two may show the same
window for a scrape: then the worse figure counts. Counters are spread over all workers and added
up. No query leaves a label of the scrape (`instance`, `pod`), so a restart breaks no line.
"""

WINDOW = "agent, group, window"
FLEET = 'job=~"$job"'
"""Of the chosen fleets: one Prometheus may scrape those of several environments."""
CHOSEN = f'{FLEET}, agent=~"$agent", group=~"$group", window=~"$window", replay=""'
"""Windows of the chosen agents as they are live."""
REPLAYED = 'agent=~"$agent", group=~"$group", window=~"$window", replay="$replay"'
"""The same of the chosen replay; nobody scraped it, so it has no job."""
SEVERITY = {"failed": 2, "scored": 1, "passed": 0, "no_data": -1}
SCORED = 'outcome=~"scored|not_applicable|error"'
"""What became of runs that a scorer saw."""


def of(metric: str, selector: str = FLEET) -> str:
    """The series of one of our metrics."""
    return f"live_scoring_{metric}{{{selector}}}"


def severity(selector: str, by: str = WINDOW) -> str:
    """Verdicts as numbers: no_data -1, passed 0, scored 1, failed 2."""
    states = {verdict: state_of(verdict, selector) for verdict in SEVERITY}
    terms = (f"{SEVERITY[verdict]} * ({series} == 1)" for verdict, series in states.items())
    return f"max by ({by}) ({' or '.join(terms)})"


def state_of(verdict: str, selector: str) -> str:
    """Of each window 1 if that is its verdict, else 0."""
    return of("verdict_state", f'verdict="{verdict}", {selector}')


def above_0(expression: str) -> str:
    """Only what there is something of: most kinds of trouble stay at 0 for ever."""
    return f"({expression}) > 0"


def turned(verdict: str, selector: str) -> str:
    """The windows that changed into a verdict within a step of the graph.

    Built on the state and not on `verdict_transitions_total`: a replay has no counter, and a
    series that begins at 1 has no increase. Looking back 5 minutes makes no mark of a partition
    that moves from worker to worker.
    """
    state = state_of(verdict, selector)
    was = f"max by ({WINDOW}) (last_over_time({state}[5m] offset $__interval)) == 1"
    return f"max by ({WINDOW}) (max_over_time({state}[$__interval])) == 1 unless {was}"


def count_of(verdict: str, selector: str) -> str:
    """How many windows have the verdict; 0 if none has."""
    return f"count({severity(selector)} == {SEVERITY[verdict]}) or vector(0)"


def rate(metric: str, by: str = "", selector: str = FLEET) -> str:
    """How fast a counter grows, a second, over all workers."""
    grouping = f" by ({by})" if by else ""
    return f"sum{grouping} (rate({of(metric, selector)}[$__rate_interval]))"


def growth(metric: str, by: str = "", selector: str = FLEET) -> str:
    """By how much a counter grew in the dashboard's time range, over all workers."""
    grouping = f" by ({by})" if by else ""
    return f"sum{grouping} (increase({of(metric, selector)}[$__range]))"


def quantile(share: float, metric: str, by: str = "") -> str:
    """A quantile of a histogram."""
    labels = f"le, {by}" if by else "le"
    return f"histogram_quantile({share:g}, {rate(f'{metric}_bucket', labels)})"


def worst(metric: str, selector: str, by: str) -> str:
    """A window's figure where low is bad, such as whether a rule passed."""
    return f"min by ({by}) ({of(metric, selector)})"


def most(metric: str, selector: str, by: str) -> str:
    """A window's figure where high is bad, or of which there is one."""
    return f"max by ({by}) ({of(metric, selector)})"


def share_of_time(series: str, by: str) -> str:
    """How much of the time range a series that is 1 or 0 was 1."""
    return f"max by ({by}) (avg_over_time({series}[$__range]))"


def rules(selector: str) -> str:
    """1 for each gate that passes and threshold that is met, 0 for the others, by `rule`."""
    gates = worst("gate_passed", selector, f"{WINDOW}, gate")
    thresholds = worst("threshold_passed", selector, f"{WINDOW}, scorer")
    return f"{_as_rule(gates, 'gate')} or {_as_rule(thresholds, 'scorer')}"


def failing_gates(selector: str) -> str:
    """Of each gate that fails, how many runs in the window did not pass it."""
    failures = most("window_gate_failures", selector, f"{WINDOW}, gate")
    fails = f"{worst('gate_passed', selector, f'{WINDOW}, gate')} == 0"
    return _as_rule(f"({failures} and {fails})", "gate")


def missed_thresholds(selector: str) -> str:
    """The mean of each scorer that is out of its bounds."""
    average = most("window_score_average", selector, f"{WINDOW}, scorer")
    missed = f"{worst('threshold_passed', selector, f'{WINDOW}, scorer')} == 0"
    return _as_rule(f"({average} and {missed})", "scorer")


def failure_ratio(by: str, selector: str, *, is_over_range: bool = False) -> str:
    """The share of runs that did not pass a gate."""
    per = growth if is_over_range else rate
    failed = per("gate_runs_total", by, f'{selector}, result!="pass"')
    return f"{failed} / {per('gate_runs_total', by, selector)}"


def runs_by_agent(selector: str) -> str:
    """Runs a second: every run leaves each of the agent's scorers one outcome."""
    return f"max by (agent) ({rate('scorer_outcomes_total', 'agent, scorer', selector)})"


def _as_rule(expression: str, label: str) -> str:
    return f'label_replace({expression}, "rule", "$1", "{label}", "(.*)")'
