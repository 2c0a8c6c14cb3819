"""Which changes of a page its rules want told, and which text the next one is compared with.

A page that is read by new rules is read anew, and nothing of that is told. A text that `only_if`
does not match, or a number that has not passed its limit, is not told, but the next text is
compared with it. A change below the threshold is not told either, and the text before stays the
one to compare with: small changes add up until they are told.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

from trapline.collection.differences import count_words, difference
from trapline.core.records import Page, Ticket
from trapline.core.storage import Held
from trapline.reading.readings import ReadDocument
from trapline.reading.rules.field_values import unpack_fields
from trapline.reading.rules.reading_rules import (
    NO_THRESHOLD,
    NUMBER,
    ReadingRules,
    Threshold,
)
from trapline.robot.response.page_noise import PageNoise


class Telling(Enum):
    TELL = "tell"
    KEEP = "keep"  # not told, but it is what the next text is compared with
    NOISE = "noise"  # likewise, and no version of its own
    WAIT = "wait"  # not told, and not kept


class Verdict(NamedTuple):
    telling: Telling
    remark: str = ""


TELL: Final = Verdict(Telling.TELL)


class ToldChanges:
    """Judges by the rules of a page first, then by what is learnt of its host's noise."""

    def __init__(self, noise: PageNoise) -> None:
        self._noise = noise

    def judge(
        self,
        ticket: Ticket,
        held: Held,
        page: Page,
        reading: ReadDocument,
        rules: ReadingRules,
    ) -> Verdict:
        """What becomes of `page`, as it was read now, beside what is held of it."""
        if held.rules != page.rules:
            return Verdict(Telling.KEEP, "read by new rules")
        if not rules.literal and self._noise.is_noise(ticket, held, reading):
            return Verdict(Telling.NOISE)
        if held.fingerprint == page.fingerprint:
            return TELL
        verdict = judge_content(held, page, rules, reading.findings.matches)
        if verdict.telling is Telling.TELL and rules.threshold != NO_THRESHOLD:
            small = judge_size(self._noise.document(ticket.page), page, rules.threshold)
            return verdict if small is None else small
        return verdict


def judge_content(
    held: Held, page: Page, rules: ReadingRules, matches: bool
) -> Verdict:
    """Whether a text that differs from the held one is one that is waited for."""
    verdict = TELL
    if rules.number:
        verdict = _judge_number(_number(held.fields), _number(page.fields), rules)
    if not matches and verdict.telling is Telling.TELL:
        return Verdict(Telling.KEEP, "only_if does not match")
    return verdict


def judge_size(old: Page | None, page: Page, threshold: Threshold) -> Verdict | None:
    """A verdict on a change that is too small to be told; None = it is large enough."""
    if old is None:
        return None
    diff = difference(old, page, page.page, page.fetched_s)
    words = max(diff.added, diff.removed) if diff is not None else 0
    if words >= max(threshold.words, threshold.share * count_words(old)):
        return None
    return Verdict(Telling.WAIT, f"below the threshold: {words} words")


def _number(fields: str) -> float | None:
    found = unpack_fields(fields).get(NUMBER)
    return found if isinstance(found, float | int) else None


def _judge_number(old: float | None, new: float | None, rules: ReadingRules) -> Verdict:
    if old is None or new is None:
        return Verdict(Telling.KEEP, "the first number")
    step = f"number {old:g} → {new:g}"
    if old <= rules.above < new:
        return Verdict(Telling.TELL, f"{step}, above {rules.above:g}")
    if old >= rules.below > new:
        return Verdict(Telling.TELL, f"{step}, below {rules.below:g}")
    if rules.limited or old == new:
        return Verdict(Telling.KEEP, step)
    return Verdict(Telling.TELL, step)
