"""Prices of fringe pages: scores on cards, what they promise, what was kept."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import FRINGE, NOWHERE
from trapline.core.links import Links
from trapline.core.ports import Pages
from trapline.robot.agenda.filing import file_card
from trapline.robot.agenda.tables import Books
from trapline.theory.kernel import bare_kernel

Floats = NDArray[np.float64]

# pages fetched for the first time, over which promises are held against what was kept
LATELY: Final = 100.0
LEAST_SCORE: Final = 0.01
# no page of the fringe promises less: who has visits to spare sees it in the end
HOPE: Final = 1e-6


@bare_kernel
def fringe_worth(books: Books, page: int) -> float:
    """The price of a fringe page: what it and its host's strangeness promise, times the worth of a
    relevant page.
    """
    cards = books.cards
    score = (
        cards["base"][page] / cards["cost"][page]
        + books.hosts["bonus"][cards["host"][page]]
    )
    return float(books.till["worth"][0] * max(score, HOPE))


@bare_kernel
def offer_fringe(
    books: Books,
    pages: Pages,
    scores: Floats,
    since_s: Floats,
    shares: Floats,
    costs: Floats,
    now_s: float,
) -> bool:
    """Write the scores of fringe pages, each times the share of its host, and what a visit costs
    there (no `costs` = leave it), and file them; those being visited are only written on. False =
    one of the scores is not a number, and nothing was done.
    """
    cards = books.cards
    for i in range(len(pages)):
        if math.isnan(scores[i]):
            return False
    for i in range(len(pages)):
        page = pages[i]
        if cards["state"][page] != FRINGE:
            continue
        taken = cards["filed"][page] == NOWHERE and cards["base"][page] > -math.inf
        cards["base"][page] = scores[i] * shares[cards["host"][page]]
        # else it waits for robots.txt, or to be tried again
        if cards["not_before"][page] <= now_s:
            cards["not_before"][page] = since_s[i]
        if not taken:
            # what is under way was bought at the cost on its card
            if len(costs) > 0:
                cards["cost"][page] = costs[cards["host"][page]]
            file_card(books, page, now_s)
    return True


@bare_kernel
def rewrite_fringe(books: Books, page: int, score: float, now_s: float) -> None:
    """Another score on a fringe page that waits."""
    books.cards["base"][page] = score
    file_card(books, page, now_s)


@bare_kernel
def note_promise(till: NDArray[np.void], score: float, relevance: float) -> None:
    """A page of the fringe that promised `score` was found to be so relevant.

    Pages are bought in order of their scores, so those of late are like those bought next: what
    they kept of their promise turns scores into what may be expected. (A score is no mean: it
    counts what a page may open, and the largest of many that are unsure is too large.)
    """
    till["promised"][0] += max(score, LEAST_SCORE) - till["promised"][0] / LATELY
    till["kept"][0] += relevance - till["kept"][0] / LATELY


@bare_kernel
def share_kept(till: NDArray[np.void]) -> float:
    """What pages keep of what their scores promise; never nothing, or a crawl without luck would
    give up.
    """
    return float(max(till["kept"][0] / till["promised"][0], LEAST_SCORE))


@bare_kernel
def promise(links: Links, link: int) -> float:
    """What the words of a link promise, whichever of them promise most."""
    return float(
        max(links["anchor"][link], links["address"][link], links["context"][link])
    )


@bare_kernel
def promised_news(books: Books, links: Links, new: NDArray[np.bool_]) -> float:
    """What all new links promise beyond the market price; as much as their words do, where one has
    no price.
    """
    market = books.till["market"][0] / books.till["worth"][0]
    news = 0.0
    words = 0.0
    priced = True
    for i in range(len(links)):
        if new[i]:
            score = float(books.cards["base"][links["page"][i]])
            priced = priced and not math.isinf(score)
            cost = books.cards["cost"][links["page"][i]]
            news += max(score - market * cost, 0.0)
            words += promise(links, i)
    return news if priced else words
