"""After a shock: many cards are worth a visit at once, and the agenda earns what looking at all of
them earns.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from trapline.core.cards import BY_DUE
from trapline.core.records import Outcome
from trapline.policies.refresh.argmax import choose_dearest
from trapline.robot.agenda import host_turns, outcomes, purchase
from trapline.robot.agenda.agenda import NOTHING, OURS, Agenda, Budget
from trapline.theory.freshness import freshness_earned
from trapline.theory.price import offer_price

PAGES = 2_000  # visited at one a second, so a round takes as many seconds
OK = int(Outcome.OK)


class World(NamedTuple):
    """Pages by change rate and weight; half of them change at once, some of these likely."""

    agenda: Agenda
    rate: NDArray[np.float64]
    weight: NDArray[np.float64]


class Visits(NamedTuple):
    when_s: list[float]
    page: list[int]


def new_world(hosts: int, gap_s: float, seed: int) -> World:
    """Rates over three decades, weights that differ much, pages of all ages."""
    chance = np.random.default_rng(seed)
    agenda = Agenda(Budget(per_s=1.0))
    for host in range(hosts):
        agenda.add_address()
        agenda.add_host(gap_s, host, math.inf)
    rate = 10.0 ** chance.uniform(-1.5, 1.5, PAGES) / PAGES
    weight = np.minimum(chance.pareto(1.2, PAGES) + 1.0, 50.0)
    size = 1.0 / np.arange(1, hosts + 1)
    host_of = chance.choice(hosts, PAGES, p=size / size.sum())
    agenda.meet(np.arange(PAGES), host_of, 0)
    cards = agenda.cards
    for page in range(PAGES):
        outcomes.note_outcome(cards, agenda.books.till, page, OK, 0.0, 0.0)
    cards["last"][:PAGES] = -chance.uniform(0.0, 1.5, PAGES) * PAGES
    cards["base"][:PAGES] = 0.0
    cards["worth"][:PAGES, 0] = weight / rate
    cards["rate"][:PAGES, 0] = rate
    agenda.file(range(PAGES), 0.0)
    return World(agenda, rate, weight)


def visit_pages(agenda: Agenda, now_s: float, visits: int, exact: bool) -> Visits:
    """One a second, each over at once."""
    found = Visits([], [])
    for second in range(visits):
        moment_s = now_s + 1.001 * second
        chosen = OURS
        if exact:
            host_turns.wake(agenda.books, moment_s)
            chosen = int(choose_dearest(agenda.cards, agenda.hosts, moment_s))
            chosen = chosen if chosen >= 0 else NOTHING
        page, host, price = agenda.choose(moment_s, chosen)
        if page >= 0:
            purchase.take(agenda.books, page, price, moment_s)
            host_turns.land(agenda.books, host, moment_s)
            outcomes.note_outcome(
                agenda.cards, agenda.books.till, page, OK, moment_s, moment_s
            )
            agenda.file([page], moment_s)
            found.when_s.append(moment_s)
            found.page.append(page)
    return found


def shake(world: World, now_s: float, seed: int) -> None:
    """Half of the pages have changed, each with a probability of its own: as if they were older."""
    chance = np.random.default_rng([seed, 1])
    pages = chance.permutation(PAGES)[: PAGES // 2]
    changed = chance.uniform(0.2, 0.95, len(pages))
    world.agenda.cards["last"][pages] += np.log1p(-changed) / world.rate[pages]
    world.agenda.file(pages.tolist(), now_s)


def copy_of(agenda: Agenda) -> Agenda:
    other = Agenda(agenda.budget)
    other.load({name: np.array(array) for name, array in agenda.save().items()})
    return other


@pytest.mark.parametrize(
    ("hosts", "gap_s"),
    [(1, 0.0), (50, 0.0), (50, 20.0)],
    ids=["one host", "fifty hosts", "fifty hosts, some saturated"],
)
def test_after_a_shock_the_agenda_earns_what_the_exact_choice_earns(
    hosts: int, gap_s: float
) -> None:
    """Freshness after the shock, at least 99.5 % of that of the exact choice over each of these
    spans.
    """
    world = new_world(hosts, gap_s, seed=1)
    visit_pages(world.agenda, 0.0, 2 * PAGES, exact=False)
    now_s = 2.002 * PAGES
    shake(world, now_s, seed=1)
    last_s = world.agenda.cards["last"][:PAGES] - now_s
    earned = {}
    for exact in (True, False):
        agenda = copy_of(world.agenda)
        visits = visit_pages(agenda, now_s, round(1.1 * PAGES), exact)
        earned[exact] = [
            freshness_earned(
                world.rate,
                world.weight,
                last_s,
                np.array(visits.when_s) - now_s,
                np.array(visits.page),
                window=(0.0, rounds * PAGES),
            )
            for rounds in (0.1, 0.25, 0.5, 1.0)
        ]
    shares = np.array(earned[False]) / np.array(earned[True])
    assert (shares >= 0.995).all(), shares


def test_no_ripe_card_is_worth_more_than_its_place_says() -> None:
    """Until it is looked at again; and the places are those of a heap."""
    world = new_world(5, 0.0, seed=2)
    agenda = world.agenda
    visit_pages(agenda, 0.0, 500, exact=False)
    shake(world, 501.0, seed=2)
    visit_pages(agenda, 501.0, 200, exact=False)
    now_s = 701.0
    ripe = np.flatnonzero(agenda.books.places[2])
    assert len(ripe) > 200
    assert (agenda.cards["filed"][ripe] == BY_DUE).all()
    for page in ripe[agenda.cards["due"][ripe] >= now_s]:
        says = agenda.books.ripe_prices[page] * (1.0 + 1e-6)
        assert offer_price(agenda.cards, page, now_s) <= says
    for host in range(5):
        size = int(agenda.hosts["ripe_size"][host])
        start = int(agenda.hosts["start"][host])
        pile = agenda.books.piles[1, start : start + size]
        prices = agenda.books.ripe_prices[pile]
        parents = (np.arange(1, size) - 1) // 2
        assert (prices[parents] >= prices[1:]).all()
        assert (agenda.books.places[2, pile] == np.arange(1, size + 1)).all()
    assert agenda.hosts["ripe_size"][:5].sum() == len(ripe)


def test_a_few_dear_pages_hardly_lift_the_price_at_which_cards_ripen() -> None:
    """The mean of the prices paid follows them; what is filed meanwhile would come too late."""
    agenda = Agenda(Budget())
    for host in range(2):
        agenda.add_address()
        agenda.add_host(0.0, host, math.inf)
    agenda.meet(np.arange(100), np.arange(100) % 2, 0)
    for page in range(100):
        outcomes.note_outcome(agenda.cards, agenda.books.till, page, OK, 0.0, 0.0)

    def pay(price: float, times: int) -> None:
        for _ in range(times):
            agenda.cards["base"][0] = price
            purchase.take(agenda.books, 0, price, 0.0)
            host_turns.land(agenda.books, 0, 0.0)

    pay(2.0, 200)
    assert agenda.tally("bar") == 2.0
    pay(1000.0, 10)
    assert agenda.tally("market") > 40.0
    assert 2.0 < agenda.tally("bar") < 2.5
    pay(1.0, 10)  # down it goes nine times as fast
    assert 1.0 <= agenda.tally("bar") < 1.2
