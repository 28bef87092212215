"""What scores tell of a run's text: nothing unless asked to, and then without what is redacted."""

from dataclasses import dataclass

from live_scoring.core.ecmascript import Pattern, PatternFailed, PatternTimeout, one_limit
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure
from live_scoring.core.scoring import Answer

TEXT_LIMIT = 4096
"""Characters of an output that a score holds at most."""
_SEARCHED = 20_000
"""Characters of an output that are searched for what is to be redacted, and so may be told."""
REDACTED = "[redacted]"


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What may be told, and what never."""

    has_quotes: bool = False
    """Reasons may quote the run."""
    has_text: bool = False
    """Scores hold the head of the run's output."""
    redactions: tuple[Pattern, ...] = ()
    """What is taken out of all that is told."""

    def words_of(self, answer: Answer) -> str:
        """The reason, or an error's detail, as it may be told."""
        words = answer.detail if isinstance(answer, Failure) else answer.reason
        if answer.discreet is not None and not self._may_quote(words):
            words = answer.discreet
        return self.redacted(words) if self.redactions else words

    def _may_quote(self, words: str) -> bool:
        # A pattern does not find what was cut in the middle.
        return self.has_quotes and not (self.redactions and "…" in words)

    def text_of(self, run: AgentRun) -> str | None:
        """The head of the run's output as it may be told; None if it may not, or was not kept."""
        if not self.has_text or not run.has_content:
            return None
        head = run.joined_text[:_SEARCHED]
        text = self.redacted(head)
        is_cut = len(head) < len(run.joined_text)
        # At the cut may stand the beginning of what no pattern finds without its end.
        safe = max(0, len(text) - TEXT_LIMIT) if is_cut else len(text)
        return text[: min(TEXT_LIMIT, safe)]

    @one_limit()
    def redacted(self, text: str) -> str:
        """The text without what is redacted; a pattern that fails takes all of it."""
        try:
            for redaction in self.redactions if text else ():
                text = redaction.replaced(text, REDACTED)
        except (PatternTimeout, PatternFailed):
            return REDACTED
        return text


DISCREET = Disclosure()
CANDID = Disclosure(has_quotes=True)
"""For whoever holds the runs and looks at them where they are."""
