"""What a schedule of polls really earns (`htraa`): each poll detects with probability 1 − q^τ, τ
whole.

Given the schedule, the expected number of detections leaves nothing to chance; the formula of
allocation.py, which spaces the polls of each page evenly, is a little more.

>>> round(detections_of_schedule([0.5, 0.2], pages=[0, 1, 0]), 6)  # (0.5 + 0.36 + 0.75)/3
0.536667
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.core.errors import BadNumber, UnknownPage
from trapline.theory.argument_checks import weights_of
from trapline.theory.polling.allocation import page_chances


def detections_of_schedule(
    change_probabilities: ArrayLike, pages: ArrayLike, weights: ArrayLike | None = None
) -> float:
    """Expected detections a step of polling `pages` at steps 1, 2, 3, …, all pages having been seen
    at step 0.
    """
    chance = page_chances(change_probabilities)
    polled = _check_pages(pages, chance.size)
    # page by page, each in the order of its polls
    order = np.argsort(polled, kind="stable")
    page = polled[order]
    step = order + 1
    before = np.concatenate(([0], step[:-1]))
    first = np.concatenate(([True], page[1:] != page[:-1]))
    ages = step - np.where(first, 0, before)
    found = -np.expm1(ages * np.log1p(-chance[page]))
    return float((weights_of(weights, chance.size)[page] * found).sum() / polled.size)


def _check_pages(pages: ArrayLike, known: int) -> NDArray[np.intp]:
    polled = np.asarray(pages)
    if polled.ndim != 1 or not polled.size:
        raise BadNumber("the number of polls", polled.size, "1 or more, one page each")
    if not np.issubdtype(polled.dtype, np.integer):
        raise BadNumber("a page", polled[0], "a whole number")
    unknown = (polled < 0) | (polled >= known)
    if unknown.any():
        raise UnknownPage(int(polled[unknown][0]), known)
    return polled.astype(np.intp)
