"""What other shards and the treasurer say to a request controller."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from trapline.core.cards import FRINGE, UNMET
from trapline.core.errors import BadNumber
from trapline.core.links import links_to
from trapline.core.records import Observation, Outcome, Robots
from trapline.core.storage import Call
from trapline.policies.discovery.best_first import BestFirst
from trapline.policies.discovery.value import Value
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.call_records import ArrivedLinks
from trapline.robot.journal import Journal
from trapline.robot.replay import replay
from trapline.robot.request_controller import Limits, RequestController


def controller(per_s: float = 1.0, depth: int = 5) -> RequestController:
    return RequestController(
        discovery=Value(),
        refresh=Uniform(),
        budget=Budget(per_s=per_s),
        url=lambda page: f"http://host/{page}",
        gap_s=lambda host, delay_s: 0.0,
        limits=Limits(depth=depth),
    )


def letter(
    pages: list[int], depth: int | list[int] = 2, relevance: float = 0.5
) -> ArrivedLinks:
    count = len(pages)
    links = links_to(pages, [0] * count)
    depths = np.full(count, depth) if isinstance(depth, int) else np.array(depth)
    worths = np.full(count, relevance, np.float32)
    return ArrivedLinks(links, worths, depths.astype(np.uint8))


def states(one: RequestController, pages: list[int]) -> list[int]:
    cards = one.agenda.cards
    return [int(cards["state"][page]) if page < len(cards) else UNMET for page in pages]


# rates


def test_visits_that_were_owed_are_owed_at_another_rate() -> None:
    """A rate that falls is no pardon, and one that rises no fine."""
    one = controller(per_s=2.0)
    host = one.add_own_host(0.0)
    one.admit(links_to(range(9), [host] * 9), 0.0)
    assert len(one.issue(0.0, 9)) == 1  # a burst of one; the next in half a second
    one.spend(0.5, 0.0)
    assert one.opens_s == pytest.approx(2.0)
    one.spend(4.0, 1.0)
    assert one.opens_s == pytest.approx(1.125)


def test_without_a_bound_nothing_is_owed() -> None:
    one = controller(per_s=0.1)
    hosts = [one.add_own_host(0.0) for _ in range(20)]
    one.admit(links_to(range(20), hosts), 0.0)
    assert len(one.issue(0.0, 9)) == 1
    one.spend(math.inf, 1.0)
    assert len(one.issue(1.0, 9)) == 9
    one.spend(2.0, 1.0)
    assert len(one.issue(1.0, 9)) <= 1
    assert one.issue(1.4, 9) == []
    assert len(one.issue(2.1, 9)) == 1


@pytest.mark.parametrize("rate", [0.0, -1.0, math.nan])
def test_a_rate_of_nothing_is_refused_and_changes_nothing(rate: float) -> None:
    one = controller(per_s=2.0)
    with pytest.raises(BadNumber, match="budget"):
        one.spend(rate, 1.0)
    assert one.agenda.budget.per_s == 2.0
    assert one.agenda.tally("budget") == 2.0


def test_a_rate_survives_a_checkpoint() -> None:
    one = controller(per_s=2.0)
    one.spend(0.25, 3.0)
    other = controller(per_s=2.0)
    other.load(one.save())
    assert other.agenda.budget.per_s == 0.25
    assert other.agenda.tally("budget") == 0.25


# letters


def test_a_mailed_page_is_of_the_fringe_and_no_seed() -> None:
    one = controller()
    one.receive(letter([0, 3], depth=[2, 4]), 1.0)
    assert states(one, [0, 3]) == [FRINGE, FRINGE]
    cards = one.agenda.cards
    assert cards["depth"][[0, 3]].tolist() == [2, 4]
    scores = [one.discovery.rescore(page) for page in (0, 3)]
    assert max(scores) < 1.0, "seeds have the highest score there is"


def test_links_beyond_the_depth_lead_nowhere() -> None:
    one = controller(depth=3)
    one.receive(letter([0, 1, 2], depth=[3, 4, 255]), 1.0)
    assert states(one, [0, 1, 2]) == [FRINGE, UNMET, UNMET]


def test_a_link_twice_in_a_letter_counts_once() -> None:
    one = controller()
    twice = one.receive(letter([5, 6, 5]), 1.0)
    assert sorted(twice.links["page"].tolist()) == [5, 6]
    once = controller()
    once.receive(letter([5, 6]), 1.0)
    policies = [which.discovery.state() for which in (one, once)]
    assert policies[0]["known"].tobytes() == policies[1]["known"].tobytes()


def test_a_page_that_is_held_is_left_as_it_is() -> None:
    one = controller()
    host = one.add_own_host(0.0)
    one.admit(links_to([0], [host]), 0.0)
    [ticket] = one.issue(0.0, 1)
    one.land(ticket, 0.1)
    one.settle(Observation(ticket, Outcome.OK, True, 0.7), 0.1)
    before = one.agenda.cards[:1].tobytes()
    taken = one.receive(letter([0]), 1.0)
    assert len(taken.links) == 0
    assert one.agenda.cards[:1].tobytes() == before


def with_rules(one: RequestController, calls: list[Call]) -> Journal:
    """Its host forbids page 7."""
    journal = Journal(one, calls.append)
    rules = Robots("User-agent: *\nDisallow: /7", 1e9)
    journal.admit(links_to([0], [0]), 0.0)
    journal.locate(0, "192.0.2.1", 0.0)
    [ticket] = journal.issue(0.0, 1)
    journal.land(ticket, 0.1)
    journal.settle(Observation(ticket, Outcome.OK, robots=rules), 0.1)
    return journal


def test_what_robots_txt_forbids_is_not_offered() -> None:
    calls: list[Call] = []
    one = controller()
    with_rules(one, calls).receive(letter([7, 8]), 1.0)
    said = json.loads(calls[-1].body)
    assert said[0] == "receive"
    assert said[-1] == [7]
    assert one.agenda.cards["not_before"][[7, 8]].tolist() == [1e9, 1.0]


def test_replayed_it_is_not_judged_again() -> None:
    """The text of robots.txt is not in the journal: what it forbids is."""
    calls: list[Call] = []
    one = controller()
    journal = with_rules(one, calls)
    journal.receive(letter([7, 8, 7]), 1.0)
    journal.spend(0.5, 2.0)
    again = controller()
    replay(again, calls)
    assert again.agenda.cards.tobytes() == one.agenda.cards.tobytes()
    assert again.agenda.books.till.tobytes() == one.agenda.books.till.tobytes()
    assert again.agenda.cards["not_before"][7] == 1e9
    assert again.agenda.budget.per_s == 0.5


def test_a_full_crawl_takes_no_letters_in() -> None:
    one = RequestController(
        discovery=Value(),
        refresh=Uniform(),
        budget=Budget(),
        limits=Limits(pages=1),
    )
    host = one.add_own_host(0.0)
    one.admit(links_to([0], [host]), 0.0)
    [ticket] = one.issue(0.0, 1)
    one.land(ticket, 0.1)
    one.settle(Observation(ticket, Outcome.OK, True, 0.7), 0.1)
    one.issue(0.2, 1)
    assert one.is_full
    one.receive(letter([1]), 1.0)
    assert states(one, [1]) == [UNMET]


@pytest.mark.parametrize("policy", [BestFirst, Value])
def test_a_seed_goes_before_what_came_by_mail(policy: type) -> None:
    one = RequestController(discovery=policy(), refresh=Uniform(), budget=Budget())
    host = one.add_own_host(0.0)
    one.receive(letter([1], relevance=0.25), 0.0)
    one.admit(links_to([0], [host]), 0.0)
    tickets = one.issue(0.0, 1)
    assert [ticket.page for ticket in tickets] == [0]
