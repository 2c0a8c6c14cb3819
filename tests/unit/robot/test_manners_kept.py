"""What hosts and people say to the controller: refusals, signals, shares, pauses, pages to forget,
bounds of scope.
"""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import numpy as np
import pytest

from trapline.core.cards import FRINGE, GONE, HELD
from trapline.core.errors import BadNumber
from trapline.core.links import SIGNAL, Signals, links_to
from trapline.core.records import Kind, Observation, Outcome, Reception, Robots, Ticket
from trapline.core.storage import Call
from trapline.policies.discovery.value import Value
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.agenda.outcomes import RETURN_S
from trapline.robot.journal import Journal
from trapline.robot.replay import replay
from trapline.robot.request_controller import Limits, RequestController

OWN = 0  # the host whose owner we are: gap 0


def made(
    refresh: RefreshPolicy | None = None,
    *,
    budget: Budget | None = None,
    depth: int = 255,
    most_pages: float = math.inf,
    bound: bool = True,
) -> RequestController:
    return RequestController(
        discovery=Value(),
        refresh=refresh or AdaptiveWhittle(),
        budget=budget or Budget(),
        url=lambda page: f"http://host/{page}",
        gap_s=lambda host, delay_s: max(0.0 if host == OWN else 1.0, delay_s or 0.0),
        limits=Limits(depth=depth, pages=most_pages, share_by_yield=bound),
    )


def begun(controller: RequestController, hosts: list[int]) -> RequestController:
    """Pages 0, 1, … on these hosts, all located on addresses of their own, robots.txt without
    rules.
    """
    controller.admit(links_to(range(len(hosts)), hosts), 0.0)
    for host in range(max(hosts) + 1):
        controller.locate(host, f"127.0.0.{host + 1}", 0.0)
    for ticket in controller.issue(0.0, 99):
        controller.land(ticket, 0.0)
        controller.settle(Observation(ticket, Outcome.OK, robots=Robots("", 1e9)), 0.0)
    return controller


def answer(
    controller: RequestController, ticket: Ticket, now_s: float, **said: object
) -> None:
    controller.land(ticket, now_s)
    usual = {"outcome": Outcome.OK, "changed": True, "relevance": 0.5}
    observation = Observation(ticket, **(usual | said))  # type: ignore[arg-type]
    controller.settle(observation, now_s)


def run(
    controller: RequestController,
    seconds: float,
    start_s: float = 1.0,
    relevance: float = 0.5,
) -> Counter[int]:
    """Visits by host, each over at once."""
    visits: Counter[int] = Counter()
    now_s = start_s
    while now_s < start_s + seconds:
        for ticket in controller.issue(now_s, 99):
            visits[ticket.host] += 1
            answer(controller, ticket, now_s, relevance=relevance)
        now_s = max(min(controller.next_time(), start_s + seconds), now_s + 1e-6)
    return visits


# Refusals


def test_refused_pages_are_asked_for_again_in_turn_and_little_is_held_against_them() -> (
    None
):
    controller = begun(made(), [OWN, OWN])
    [ticket] = controller.issue(1.0, 1)
    refused = {
        "outcome": Outcome.FAILED,
        "reception": Reception.REFUSED,
        "changed": False,
        "relevance": 0.0,
    }
    answer(controller, ticket, 1.1, **refused, retry_after_s=5.0)
    assert controller.issue(6.0, 9) == [], "it was asked to wait 5 s"
    pages = set()
    for number in range(8):
        now_s = 7.0 + 300.0 * number
        [ticket] = controller.issue(now_s, 1)
        pages.add(ticket.page)
        answer(controller, ticket, now_s, **refused)
        controller.next_time()
    assert controller.agenda.count(GONE) == 0
    assert pages == {0, 1}
    assert controller.agenda.cards["failures"][:2].sum() == 1, (
        "only the first refusal may be the page's own"
    )


def test_a_page_that_alone_is_refused_does_not_keep_its_host_from_being_visited() -> (
    None
):
    controller = begun(made(), [OWN] * 5)
    visits: Counter[int] = Counter()
    now_s = 1.0
    while now_s < 3_000.0:
        for ticket in controller.issue(now_s, 1):
            visits[ticket.page] += 1
            sick = ticket.page == 0
            outcome, reception = (
                (Outcome.FAILED, Reception.REFUSED)
                if sick
                else (Outcome.OK, Reception.FINE)
            )
            answer(
                controller,
                ticket,
                now_s,
                outcome=outcome,
                reception=reception,
                relevance=0.5,
                changed=False,
            )
        now_s = max(controller.next_time(), now_s + 1.0)
    assert visits[0] <= 6, "it is given up in the end"
    assert all(visits[page] > 50 for page in range(1, 5))


def test_a_host_that_refuses_is_visited_more_slowly_from_then_on() -> None:
    controller = begun(made(), [OWN] * 20)
    now_s = 1.0
    for _ in range(7):
        [ticket] = controller.issue(now_s, 1)
        answer(controller, ticket, now_s + 0.01)
        now_s += 0.02
    [ticket] = controller.issue(now_s, 1)
    answer(
        controller,
        ticket,
        now_s + 0.01,
        outcome=Outcome.FAILED,
        reception=Reception.REFUSED,
    )
    assert controller.agenda.hosts["gap"][OWN] == pytest.approx(
        1.0 / 6.3 - 0.01, abs=0.006
    )
    again = made()
    again.load({name: np.array(array) for name, array in controller.save().items()})
    again.renew_gaps()
    assert again.agenda.hosts["gap"][OWN] == controller.agenda.hosts["gap"][OWN]


def test_a_host_in_trouble_is_left_alone_longer_and_longer() -> None:
    controller = begun(made(), [1] * 30)
    starts: list[float] = []
    now_s = 1.0
    while len(starts) < 8:
        tickets = controller.issue(now_s, 1)
        for ticket in tickets:
            starts.append(now_s)
            answer(
                controller,
                ticket,
                now_s,
                outcome=Outcome.FAILED,
                reception=Reception.TROUBLE,
                relevance=0.0,
            )
        now_s = max(controller.next_time(), now_s + 0.01)
    waits = np.diff(starts)
    assert (waits[:2] < 2.0).all()
    assert (np.diff(waits[2:]) > 0.0).all()
    assert waits[-1] > 100.0


# Signals


def signal(page: int, modified_s: float) -> Signals:
    return np.array([(page, modified_s)], SIGNAL)


@pytest.mark.parametrize(
    "refresh",
    [AdaptiveWhittle, lambda: NutchAdaptive(interval_s=1e5, least_s=1e4, most_s=1e6)],
)
def test_a_page_that_is_said_to_have_changed_comes_first(
    refresh: type[RefreshPolicy],
) -> None:
    controller = begun(made(refresh(), budget=Budget(per_s=1.0)), [1, 2, 3, 4])
    now_s = 1.0
    while controller.agenda.count(HELD) < 4:
        for ticket in controller.issue(now_s, 1):
            answer(controller, ticket, now_s, changed=True)
        now_s += 1.0
    for _ in range(200):  # until their prices are known
        for ticket in controller.issue(now_s, 1):
            answer(controller, ticket, now_s, changed=False)
        now_s += 1.0
    next_in_turn = controller.issue(now_s, 1)
    for ticket in next_in_turn:
        answer(controller, ticket, now_s, changed=False)
    last = controller.agenda.cards["last"][:4]
    page = int(np.argmax(last))  # the last to be due
    teller = int(np.argmin(last))
    now_s += 5.0
    heard(controller, teller, signal(page, now_s - 1.0), now_s)
    [ticket] = controller.issue(now_s + 2.0, 1)
    assert ticket.page == page
    answer(controller, ticket, now_s + 2.0, changed=True)
    assert controller._signals.trust(int(controller.agenda.cards["host"][page])) > 0.5
    heard(controller, teller, signal(page, now_s - 1.0), now_s + 3.0)
    assert not controller._signals.raised, "that was before our visit"


def heard(
    controller: RequestController, page: int, said: Signals, now_s: float
) -> None:
    """As if this page, visited just now, had said something of others."""
    ticket = controller._in_flight.open(
        Kind.PAGE, page, int(controller.agenda.cards["host"][page]), now_s, 0.0
    )
    controller._in_flight.land(ticket.number, now_s)
    controller.settle(
        Observation(ticket, Outcome.UNCHANGED, relevance=0.5, signals=said), now_s
    )


def test_words_about_pages_nobody_holds_are_nothing() -> None:
    controller = begun(made(), [1, 2])
    [first, _] = controller.issue(1.0, 9)
    said = np.array([(first.page, 99.0), (77, 99.0), (-1, 99.0)], SIGNAL)
    answer(controller, first, 1.0, signals=said)
    assert not controller._signals.raised


# Shares


def test_a_host_gets_its_share_of_the_budget_and_no_more() -> None:
    pages = 400
    controller = begun(
        made(budget=Budget(per_s=10.0), bound=False),
        [host for host in range(4) for _ in range(pages)],
    )
    controller.bound(0, 0.05, 0.0)
    visits = run(controller, 40.0)
    assert visits[0] <= 0.05 * 10.0 * 40.0 + 1
    assert visits[0] >= 0.04 * 10.0 * 40.0
    controller.bound(0, 1.0, 41.0)
    assert run(controller, 20.0, start_s=41.0)[0] > 30
    for wrong in (0.0, 1.5, math.nan):
        with pytest.raises(BadNumber):
            controller.bound(0, wrong, 90.0)


def test_without_a_budget_a_share_is_of_what_the_gap_allows() -> None:
    controller = begun(made(bound=False), [1] * 300)
    controller.bound(1, 0.1, 0.0)
    assert run(controller, 100.0)[1] == pytest.approx(10, abs=1)


def test_a_host_that_yields_little_is_bounded_and_one_alone_is_not() -> None:
    def share_of_poor(bound: bool) -> float:
        controller = begun(
            made(budget=Budget(per_s=4.0), bound=bound),
            [1] * 900 + [2] * 900 + [OWN] * 900,
        )
        visits: Counter[int] = Counter()
        now_s = 1.0
        while now_s < 300.0:
            for ticket in controller.issue(now_s, 99):
                visits[ticket.host] += 1
                answer(
                    controller,
                    ticket,
                    now_s,
                    relevance=0.0 if ticket.host == OWN else 0.8,
                )
            now_s = max(controller.next_time(), now_s + 1e-6)
        return visits[OWN] / visits.total()

    assert share_of_poor(bound=True) < 0.25 * share_of_poor(bound=False)
    alone = begun(made(budget=Budget(per_s=4.0)), [OWN] * 900)
    assert run(alone, 100.0, relevance=0.01)[OWN] >= 399, "nobody else wants the visits"


# Orders of people


def test_a_paused_host_is_not_visited_until_it_is_resumed() -> None:
    controller = begun(made(), [1] * 50 + [2] * 50)
    controller.pause(1, 0.5, paused=True)
    assert set(run(controller, 20.0)) == {2}
    controller.locate(1, "127.0.0.9", 21.5)
    assert set(run(controller, 10.0, start_s=22.0)) == {2}, (
        "finding its address does not end the pause"
    )
    controller.pause(1, 32.5, paused=False)
    assert set(run(controller, 10.0, start_s=33.0)) == {1, 2}


def test_forgotten_pages_are_never_visited_again() -> None:
    controller = begun(made(), [1] * 6)
    run(controller, 3.0)
    controller.forget([0, 1, 5, 77], 5.0)
    assert controller.agenda.count(GONE) == 3
    seen = set()
    now_s = 5.0
    for _ in range(40):
        for ticket in controller.issue(now_s, 9):
            seen.add(ticket.page)
            answer(controller, ticket, now_s, links=links_to([0, 1, 5], [1, 1, 1]))
        now_s += 2.0
    assert seen == {2, 3, 4}
    controller.unmeet([0, 3], now_s)
    controller.admit(links_to([0, 3], [1, 1]), now_s)
    again = set(run_pages(controller, now_s))
    assert {0, 3} <= again
    assert not again & {1, 5}


@pytest.mark.parametrize("outcome", [Outcome.GONE, Outcome.MOVED, Outcome.SKIPPED])
def test_a_page_that_is_gone_comes_back_when_a_link_leads_there_a_day_later(
    outcome: Outcome,
) -> None:
    controller = begun(made(), [1, 1, 1])
    assert {0, 1, 2} <= set(run_pages(controller, 1.0))
    now_s = visit_of(controller, 0, 100.0, outcome)
    controller.admit(links_to([0], [1]), now_s + RETURN_S - 1.0)
    assert 0 not in run_pages(controller, now_s + RETURN_S - 1.0)
    controller.admit(links_to([0], [1]), now_s + 2.0 * RETURN_S)
    assert run_pages(controller, now_s + 2.0 * RETURN_S)[0] == 0
    assert (controller.agenda.count(HELD), controller.agenda.count(GONE)) == (3, 0)


@pytest.mark.parametrize(
    ("outcome", "days"), [(Outcome.GONE, 7), (Outcome.MOVED, 7), (Outcome.SKIPPED, 90)]
)
def test_a_page_that_never_was_there_is_looked_for_again_much_later(
    outcome: Outcome, days: int
) -> None:
    controller = begun(made(), [1, 1])
    now_s = visit_of(controller, 0, 1.0, outcome)
    controller.admit(links_to([0], [1]), now_s + (days - 1) * RETURN_S)
    assert 0 not in run_pages(controller, now_s + (days - 1) * RETURN_S)
    controller.admit(links_to([0], [1]), now_s + (days + 1) * RETURN_S)
    assert 0 in run_pages(controller, now_s + (days + 1) * RETURN_S)


def visit_of(
    controller: RequestController, page: int, now_s: float, outcome: Outcome
) -> float:
    """Visits until it is the turn of this page, which has this outcome; returns when that was."""
    while True:
        now_s += 2.0
        for ticket in controller.issue(now_s, 9):
            if ticket.page == page:
                answer(
                    controller,
                    ticket,
                    now_s,
                    outcome=outcome,
                    changed=False,
                    relevance=0.0,
                )
                return now_s
            answer(controller, ticket, now_s)


def run_pages(controller: RequestController, now_s: float) -> list[int]:
    pages = []
    for _ in range(20):
        for ticket in controller.issue(now_s, 9):
            pages.append(ticket.page)
            answer(controller, ticket, now_s)
        now_s += 2.0
    return pages


# Scope


def test_links_lead_no_deeper_than_allowed() -> None:
    controller = begun(made(depth=2), [1])
    now_s = 1.0
    page = 0
    for _ in range(10):
        for ticket in controller.issue(now_s, 1):
            page = ticket.page
            answer(controller, ticket, now_s, links=links_to([page + 1], [1]))
        now_s += 2.0
    assert controller.agenda.count(HELD) + controller.agenda.count(FRINGE) == 3


def test_no_more_pages_are_held_than_allowed_and_a_place_that_is_free_is_filled() -> (
    None
):
    controller = begun(made(most_pages=5), list(range(20)))
    now_s = 1.0
    for _ in range(30):
        for ticket in controller.issue(now_s, 99):
            answer(
                controller,
                ticket,
                now_s,
                links=links_to([ticket.page + 100], [ticket.host]),
            )
        now_s += 2.0
        assert controller.agenda.count(HELD) <= 5
    assert controller.agenda.count(HELD) == 5
    held = np.flatnonzero(controller.agenda.cards["state"] == HELD)
    controller.forget(held[:2].tolist(), now_s)
    for _ in range(5):
        for ticket in controller.issue(now_s, 99):
            answer(controller, ticket, now_s)
        now_s += 2.0
    assert controller.agenda.count(HELD) == 5


# Journal


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("refresh", [AdaptiveWhittle, Uniform])
def test_checkpoint_and_replay_lead_to_the_same_tickets(
    seed: int, refresh: type[RefreshPolicy]
) -> None:
    calls: list[Call] = []

    def fresh() -> RequestController:
        return made(refresh(), budget=Budget(per_s=20.0), most_pages=60)

    journal = Journal(fresh(), calls.append)
    saved = None
    draw = Random(seed)
    start(journal)
    now_s = 1.0
    for step in range(400):
        now_s += draw.choice((0.01, 0.3))
        stir(journal, draw, now_s, step)
        if step == 200:
            saved = (
                journal.calls,
                {
                    name: np.array(array)
                    for name, array in journal.controller.save().items()
                },
            )
    assert saved is not None
    again = fresh()
    again.load(saved[1])
    replay(again, [call for call in calls if call.number > saved[0]])
    later = [journal.controller.issue(now_s + 10.0 * k, 9) for k in range(1, 4)]
    assert [again.issue(now_s + 10.0 * k, 9) for k in range(1, 4)] == later
    for name, array in again._hosts.save().items():
        assert array.tolist() == journal.controller._hosts.save()[name].tolist()


def start(journal: Journal) -> None:
    journal.admit(links_to(range(40), [page % 5 for page in range(40)]), 0.0)
    for host in range(5):
        journal.locate(host, f"127.0.0.{host}", 0.0)
    for ticket in journal.issue(0.0, 99):
        journal.land(ticket, 0.0)
        journal.settle(Observation(ticket, Outcome.OK, robots=Robots("", 1e9)), 0.0)


def stir(journal: Journal, draw: Random, now_s: float, step: int) -> None:
    """Something of everything."""
    for ticket in journal.issue(now_s, 3):
        journal.land(ticket, now_s)
        reception = Reception(draw.choice((0, 0, 0, 0, 1, 2)))
        outcome = Outcome.OK if reception is Reception.FINE else Outcome.FAILED
        targets = [draw.randrange(200) for _ in range(2)]
        said = np.array(
            [(draw.randrange(220), now_s - draw.uniform(-1.0, 1.0))], SIGNAL
        )
        links = links_to(targets, [target % 5 for target in targets])
        journal.settle(
            Observation(
                ticket,
                outcome,
                draw.random() < 0.3,
                draw.random(),
                links,
                reception=reception,
                signals=said,
            ),
            now_s,
        )
    if step % 37 == 0:
        journal.pause(step % 5, now_s, paused=draw.random() < 0.5)
    if step % 41 == 0:
        journal.bound(step % 5, draw.choice((0.05, 1.0)), now_s)
    if step % 43 == 0:
        journal.forget([draw.randrange(60)], now_s)
        journal.unmeet([draw.randrange(60)], now_s)
