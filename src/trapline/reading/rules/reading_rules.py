"""What people want of a page: records that go to a reader process with each answer."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final, NamedTuple

from trapline.reading.identity.fingerprint import text_hash

# the name of the field that holds the number of a watched page
NUMBER: Final = "number"


class Threshold(NamedTuple):
    """Changes below it are not told: in words, or as a share of the words that there were."""

    words: int = 0
    share: float = 0.0


NO_THRESHOLD: Final = Threshold()


class FieldRule(NamedTuple):
    """What is picked out of a page under a name."""

    name: str
    selector: str  # CSS, or XPath if it begins with / or (
    attribute: str = ""  # of the elements; nothing = their texts
    many: bool = False  # all matches, else the first


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """All that is wanted of one page. What is empty asks for nothing."""

    select: tuple[str, ...] = ()  # only these parts of the page are read
    ignore: tuple[str, ...] = ()  # without these
    ignore_text: tuple[str, ...] = ()  # regular expressions: what matches is left out
    only_if: str = ""  # a regular expression: other texts are not told
    number: str = ""  # a regular expression with one group, in the text that is left
    above: float = inf  # told when the number rises above it,
    below: float = -inf  # or falls below it
    threshold: Threshold = NO_THRESHOLD
    fields: tuple[FieldRule, ...] = ()
    # listed by people: read and kept as it is, if it is any text
    watched: bool = False

    @property
    def mark(self) -> int:
        """A number of what is read by these rules: other rules may read another text.

        >>> ReadingRules().mark, ReadingRules(only_if="sold").mark
        (0, 0)
        >>> ReadingRules(select=("h1",)).mark == ReadingRules(select=("h2",)).mark
        False
        """
        reads = (self.select, self.ignore, self.ignore_text, self.number, self.fields)
        return text_hash(repr(reads)) if any(reads) else 0

    @property
    def asks(self) -> bool:
        """Whether anything is asked for: it could take long."""
        return self.mark != 0 or bool(self.only_if)

    @property
    def literal(self) -> bool:
        """Whoever selects a part says what counts: every letter does."""
        return bool(self.select or self.number)

    @property
    def limited(self) -> bool:
        return self.above < inf or self.below > -inf


NO_RULES: Final = ReadingRules()


class Findings(NamedTuple):
    """What the rules of a page came to, beside its text."""

    mark: int = 0  # of the rules
    fields: str = ""  # a JSON object; nothing = no rules ask for any
    matches: bool = True  # the text is one that is to be told


NO_FINDINGS: Final = Findings()
