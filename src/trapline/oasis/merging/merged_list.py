"""All steps of merging, one after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from trapline.oasis.merging.comparable import score_of
from trapline.oasis.merging.engine_hits import EngineHit, EngineHits, Finding
from trapline.oasis.merging.folding import Folded, Mark, fold
from trapline.oasis.merging.reciprocal_rank import order_pages
from trapline.oasis.merging.rescoring import Rescoring


@dataclass(frozen=True, slots=True)
class MergedHit:
    hit: EngineHit
    origins: tuple[str, ...]  # engines that told it, the one that is shown first
    comparable: bool  # whether its place is by a score that can be compared


class MergedList(NamedTuple):
    hits: list[MergedHit]
    findings: list[Finding]


def cut_scores(
    answers: Sequence[EngineHits], rescoring: Rescoring
) -> tuple[list[EngineHits], list[Finding]]:
    """Believable scores; the own index is not doubted, and ranks have no scores."""
    cut = []
    findings: list[Finding] = []
    for answer in answers:
        if answer.is_own or not answer.comparable:
            cut.append(answer)
            continue
        believable, found = rescoring.cut(answer)
        cut.append(believable)
        findings += found
    return cut, findings


def merge(answers: Sequence[EngineHits], mark: Mark) -> MergedList:
    """One list of what engines answered, with scores that were cut before."""
    pages, findings = fold(answers, mark)
    return MergedList([_merge_page(page) for page in order_pages(pages)], findings)


def _merge_page(page: Folded) -> MergedHit:
    origins = dict.fromkeys(telling.answer.engine for telling in page.origins)
    return MergedHit(page.telling.hit, tuple(origins), score_of(page) is not None)
