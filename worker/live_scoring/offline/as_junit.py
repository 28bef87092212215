"""An evaluation as JUnit XML, for CI systems."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from live_scoring.core.quote import printable
from live_scoring.offline.evaluation import AgentReport, Evaluation, ScorerReport
from live_scoring.offline.words import examples_of, kind_of, outcome_of


def to_junit(evaluation: Evaluation) -> bytes:
    """A suite for each agent and group, a case for each gate and threshold.

    Characters that XML forbids are escaped. An error of a scorer and lines that cannot be read
    are errors, a rule that nothing counts for is skipped.
    """
    root = Element("testsuites", name="live-scoring")
    for agent in evaluation.agents:
        _add_agent(root, agent)
    if evaluation.unreadable_lines:
        suite = SubElement(root, "testsuite", name=printable(evaluation.source))
        case = SubElement(suite, "testcase", name="every line is a run", classname="lines")
        message = f"{evaluation.unreadable_lines} lines cannot be read"
        SubElement(case, "error", message=message).text = "\n".join(evaluation.problems)
    for suite in root:
        _count(suite)
    indent(root)
    written: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _add_agent(root: Element, agent: AgentReport) -> None:
    suite = SubElement(root, "testsuite", name=agent.title)
    for report in agent.scorers:
        if report.result is not None:
            name = f"{kind_of(report)} {report.scorer.name}"
            case = SubElement(suite, "testcase", name=printable(name), classname=agent.title)
            _add_outcome(case, report)


def _add_outcome(case: Element, report: ScorerReport) -> None:
    figure = outcome_of(report)
    if report.result and report.result.status == "insufficient":
        SubElement(case, "skipped", message=figure)
    elif report.result and report.has_failed:
        tag = "error" if report.result.cause == "error" else "failure"
        SubElement(case, tag, message=figure).text = "\n".join(examples_of(report))


def _count(suite: Element) -> None:
    suite.set("tests", str(len(suite)))
    for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(name, str(len(suite.findall(f"testcase/{tag}"))))
