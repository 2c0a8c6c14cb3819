"""Hits whose scores can be compared: by score, whoever tells them."""

from __future__ import annotations

from collections.abc import Sequence

from trapline.oasis.merging.folding import Folded


def score_of(page: Folded) -> float | None:
    """The score of a page; None = nobody tells one that can be compared.

    Whoever holds the page itself knows best: the own index, else the highest of those believed.
    """
    scores = [t.hit.score for t in page.believed if t.answer.comparable]
    if page.telling.answer.is_own:
        return page.telling.hit.score
    return max(scores, default=None)


def by_score(pages: Sequence[Folded]) -> list[Folded]:
    """Those that have a score, the highest first."""
    scored = [(score, page) for page in pages if (score := score_of(page)) is not None]
    scored.sort(key=lambda pair: (-pair[0], pair[1].telling.rank))
    return [page for _, page in scored]
