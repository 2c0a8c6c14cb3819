"""Save and load: checkpoint and replay lead to the very state of the run that was not
interrupted.
"""

from __future__ import annotations

import json
import math
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trapline.core.errors import ReplayDiverged
from trapline.core.links import NO_LINKS, Links, links_to
from trapline.core.ports import Arrays
from trapline.core.records import Kind, Observation, Outcome, Robots, Ticket
from trapline.core.storage import Call
from trapline.laboratory.runs.drive import drive, new_controller
from trapline.laboratory.worlds.truth import Truth, fresh_copy, make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.discovery.q_learning import QLearning
from trapline.policies.discovery.value import Value
from trapline.policies.fetchers.fetcher_policy import Reserves
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.argmax import Argmax
from trapline.policies.refresh.automata.htraa import HTraa
from trapline.policies.refresh.automata.lakg import Lakg
from trapline.policies.refresh.known_rate import KnownRate
from trapline.policies.refresh.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.posterior import Posterior
from trapline.policies.refresh.q_learning import QRevisits
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.call_records import ArrivedLinks
from trapline.robot.journal import Journal
from trapline.robot.replay import replay
from trapline.robot.request_controller import Limits, RequestController
from trapline.robot.rules_book import RulesBook
from trapline.robot.visit_costs import CostKind

PAGES = 3000
ON_A_HOST = 100
DEEPEST = 5  # links from a seed
ROBOTS = [
    "",
    "User-agent: *\nDisallow: /7",
    "User-agent: *\nCrawl-delay: 3",
    "User-agent: *\nDisallow: /\n",
    None,
]
LAYOUT = {"start", "room", "slot", "pile_end"}  # where heaps lie: derived data

_rng = np.random.default_rng(1)
_known = KnownRate(
    np.exp(_rng.uniform(-9.0, -2.0, PAGES)), _rng.uniform(0.5, 2.0, PAGES)
).mind.pages


def known_rate() -> KnownRate:
    return KnownRate(_known["rate"], _known["worth"])


POLICIES: dict[str, Callable[[], RefreshPolicy]] = {
    "uniform": Uniform,
    "nutch-adaptive": lambda: NutchAdaptive(interval_s=40.0, least_s=5.0, most_s=400.0),
    "known-rate": known_rate,
    "argmax": lambda: Argmax(known_rate()),
    "posterior": lambda: Posterior(fastest_s=1.0, slowest_s=1e5),
    "adaptive-whittle": AdaptiveWhittle,
    "htraa": HTraa,
    "lakg": Lakg,
    "auto": AdaptiveWhittle,
    "auto, paid in bytes": AdaptiveWhittle,
    "auto, paid in seconds": AdaptiveWhittle,
    "q-learning": QRevisits,
}
# beside it; breadth-first beside all others
DISCOVERY: dict[str, Callable[[], DiscoveryPolicy]] = {
    "auto": Value,
    "q-learning": QLearning,
}


def new_one(policy: str, robots: dict[int, Robots] | None = None) -> RequestController:
    """`robots` is what the store has."""
    auto, _, paid_in = policy.partition(", paid in ")
    cost = CostKind(paid_in) if paid_in else CostKind.VISITS
    return RequestController(
        discovery=DISCOVERY.get(auto, BreadthFirst)(),
        refresh=POLICIES[policy](),
        budget=Budget(per_s=5.0, burst=4.0, discovery_share=0.4, cost=cost),
        url=lambda page: f"http://host/{page}",
        gap_s=lambda host, delay_s: max((0.2, 1.0, 2.0)[host % 3], delay_s or 0.0),
        rules=RulesBook((robots or {}).get),
        limits=Limits(lease_s=25.0, depth=DEEPEST),
    )


def copied(saved: Arrays) -> dict[str, NDArray[np.generic]]:
    return {name: np.array(array) for name, array in saved.items()}


def packed(links: Links) -> str:
    return b64encode(links.tobytes()).decode("ascii")


class Killed(Exception):
    pass


class Crawl:
    """A random crawl through a journal: slow and lost answers, failures, robots.txt that changes,
    hosts that appear.
    """

    def __init__(
        self,
        controller: RequestController,
        seed: int,
        *,
        checkpoint_at: int = -1,
        kill_at: int = -1,
    ) -> None:
        self.calls: list[Call] = []
        self.checkpoint: dict[str, NDArray[np.generic]] = {}
        self._checkpoint_at = checkpoint_at
        self._kill_at = kill_at
        self.controller = controller
        self.journal = Journal(controller, self._record)
        self.chance = Random(seed)
        self.now_s = max(0.0, controller.now_s)
        self.known = controller.hosts()
        saved = controller.save()
        landed = {int(number) for number in saved["flight.landed"][:, 0]}
        flight = [
            Ticket(
                int(row[0]), Kind(int(row[1])), int(row[2]), int(row[3]), row[4], row[5]
            )
            for row in saved["flight.tickets"].tolist()
        ]
        self.flying = [ticket for ticket in flight if ticket.number not in landed]
        self.landed = [ticket for ticket in flight if ticket.number in landed]
        self.lost: list[Ticket] = []
        self.robots: dict[int, Robots] = {}
        self.tickets: list[Ticket] = []

    def _record(self, call: Call) -> None:
        """The store's side: this call is durable; the process may die right after it."""
        self.calls.append(call)
        if call.number == self._checkpoint_at:
            self.checkpoint = copied(self.controller.save())
        if call.number == self._kill_at:
            raise Killed

    def links(self) -> Links:
        # new hosts turn up as time goes on
        reach = min(PAGES, 300 + 2 * self.journal.calls)
        pages = [
            self.chance.randrange(reach)
            for _ in range(self.chance.choice([0, 0, 1, 4]))
        ]
        links = links_to(pages, [page // ON_A_HOST for page in pages])
        links["anchor"] = [self.chance.random() for _ in pages]
        links["path"] = [page % 7 for page in pages]
        links["directory"] = [1 + page // 10 for page in pages]
        return links

    def arrived(self) -> ArrivedLinks:
        """A letter of another shard: its links may be known, forbidden, and twice in it."""
        links = self.links()
        links = np.concatenate([links, links[:1], self.links()])
        relevance = [self.chance.choice([0.25, 0.5]) for _ in links]
        # beyond the limit some lead nowhere
        depth = [self.chance.randrange(1, DEEPEST + 3) for _ in links]
        return ArrivedLinks(
            links, np.array(relevance, np.float32), np.array(depth, np.uint8)
        )

    def observation(self, ticket: Ticket) -> Observation:
        chance = self.chance
        if ticket.kind is Kind.ROBOTS:
            robots = Robots(
                chance.choice(ROBOTS), self.now_s + chance.choice([20.0, 200.0])
            )
            if self.controller.in_flight(ticket.number) is not None:
                self.robots[ticket.host] = robots
            return Observation(ticket, Outcome.OK, robots=robots)
        outcome = chance.choices(list(Outcome), [60, 15, 3, 3, 12, 2])[0]
        retry_after_s = chance.choice([0.0, 7.5]) if outcome is Outcome.FAILED else 0.0
        return Observation(
            ticket,
            outcome,
            chance.random() < 0.5,
            chance.random(),
            self.links(),
            retry_after_s=retry_after_s,
            elsewhere=self.links() if chance.random() < 0.3 else NO_LINKS,
            # in rough keeping with the budget, so that all costs get as many visits
            received=chance.choice([300, 20_000, 400_000]),
        )

    def begin(self) -> None:
        self.journal.admit(
            links_to(
                range(0, 300, 7), [page // ON_A_HOST for page in range(0, 300, 7)]
            ),
            0.0,
        )

    def step(self) -> None:
        chance = self.chance
        journal = self.journal
        self.now_s += chance.choice([0.0, 0.05, 0.2, 0.3])
        for ticket in journal.expire(self.now_s):
            (self.flying if ticket in self.flying else self.landed).remove(ticket)
            self.lost.append(ticket)
        while self.known < journal.hosts() and chance.random() < 0.5:
            address = None if self.known % 11 == 10 else f"127.0.0.{self.known % 20}"
            journal.locate(self.known, address, self.now_s)
            self.known += 1
        what = chance.random()
        if what < 0.5:
            room = chance.choice([0, 1, 3])
            issued = journal.issue(self.now_s, room, self.reserves())
            self.tickets += issued
            self.flying += issued
        elif what < 0.75 and self.flying:
            ticket = self.flying.pop(chance.randrange(len(self.flying)))
            if chance.random() < 0.95:  # else nobody ever hears of it
                journal.land(ticket, self.now_s - chance.choice([0.0, 0.01]))
                self.landed.append(ticket)
            else:
                self.flying.append(ticket)
        elif what < 0.98 and self.landed:
            ticket = self.landed.pop(chance.randrange(len(self.landed)))
            journal.settle(self.observation(ticket), self.now_s)
        elif self.lost and chance.random() < 0.5:
            ticket = self.lost.pop()
            journal.land(ticket, self.now_s)
            journal.settle(self.observation(ticket), self.now_s)
        elif chance.random() < 0.1:
            journal.order_visits([chance.randrange(300)], self.now_s)
        elif chance.random() < 0.2:
            pages = [chance.randrange(2 * PAGES) for _ in range(9)]
            pages += [chance.randrange(300) for _ in range(9)]
            factors = {page: chance.choice([1.0, 1.7, 4.0]) for page in pages}
            journal.weigh(factors, self.now_s)
        elif chance.random() < 0.01:
            self.lost += journal.take_back_all(self.now_s)
            self.flying = []
            self.landed = []
        else:
            self.hear_others()

    def reserves(self) -> Reserves | None:
        """Some visits are not worth what they must be."""
        chance = self.chance
        if chance.random() < 0.5:
            return None
        market = self.controller.agenda.tally("market") or 1.0
        prices = market * np.array([chance.choice([0.0, 0.9, 1.1, 9.0])] * 3)
        return Reserves(prices, chance.choice([0.5, 2.0]) * market)

    def hear_others(self) -> None:
        """Other shards and the treasurer."""
        chance = self.chance
        if chance.random() < 0.3:
            self.journal.receive(self.arrived(), self.now_s)
        elif chance.random() < 0.3:
            rate = chance.choice([0.5, 5.0, 50.0, math.inf])
            self.journal.spend(rate, self.now_s)

    def run(self, *, calls: int = 1 << 60, tickets: int = 1 << 60) -> None:
        if self.now_s == 0.0:
            self.begin()
        while self.journal.calls < calls and len(self.tickets) < tickets:
            self.step()


def sorted_groups(saved: Arrays) -> Arrays:
    """Groups lie in a table in whatever order its size gives them."""
    if "discovery.groups" not in saved:
        return saved
    order = np.argsort(saved["discovery.groups"])
    return {
        **saved,
        **{
            f"discovery.{name}": saved[f"discovery.{name}"][order]
            for name in ("groups", "sums", "counts")
        },
    }


def assert_same(restored: Arrays, expected: Arrays) -> None:
    """Bit for bit, but for where heaps lie, spare rows of memory, and the ticking of the clock
    between calls.
    """
    assert set(restored) == set(expected)
    restored = sorted_groups(restored)
    expected = sorted_groups(expected)
    for name in set(restored) - {"clock"}:
        one: Any = np.asarray(restored[name])
        other: Any = np.asarray(expected[name])
        if name.endswith((".memory", ".known")):
            rows = min(len(one), len(other))
            assert not (one[rows:].tobytes() + other[rows:].tobytes()).strip(b"\0")
            one = one[:rows]
            other = other[:rows]
        assert one.shape == other.shape, name
        for field in one.dtype.names or ():
            if field not in LAYOUT:
                assert one[field].tobytes() == other[field].tobytes(), (
                    f"{name}[{field}]"
                )
        if one.dtype.names is None:
            assert one.tobytes() == other.tobytes(), name
    (now_s, closed), (expected_s, expected_closed) = (
        restored["clock"].tolist(),
        expected["clock"].tolist(),
    )
    assert closed == expected_closed
    # a look at the clock that changed nothing is not written down
    assert now_s <= expected_s


@pytest.mark.parametrize("policy", POLICIES)
def test_a_kill_at_any_call_leads_to_the_state_of_the_uninterrupted_run(
    policy: str,
) -> None:
    calls = 2400
    checkpoint_at = 900
    whole = Crawl(new_one(policy), seed=11, checkpoint_at=checkpoint_at)
    whole.run(calls=calls)
    assert len(whole.tickets) > 500
    kinds = {json.loads(call.body)[0] for call in whole.calls[checkpoint_at:]}
    assert kinds >= {"issue", "land", "settle", "expire", "at", "weigh"}
    assert kinds >= {"spend", "receive"}
    issues = [json.loads(call.body) for call in whole.calls[checkpoint_at:]]
    assert any(len(body) > 6 for body in issues if body[0] == "issue"), "none declined"
    chance = Random(5)
    for kill_at in [
        checkpoint_at,
        checkpoint_at + 1,
        *(chance.randrange(checkpoint_at, calls) for _ in range(4)),
    ]:
        uninterrupted = Crawl(new_one(policy), seed=11, kill_at=kill_at)
        with pytest.raises(Killed):
            uninterrupted.run(calls=calls)
        restored = new_one(policy)
        restored.load(whole.checkpoint)
        last = replay(restored, whole.calls[checkpoint_at:kill_at])
        assert last == (kill_at if kill_at > checkpoint_at else 0)
        assert_same(restored.save(), uninterrupted.controller.save())


@pytest.mark.parametrize("policy", POLICIES)
def test_after_a_kill_the_next_500_tickets_are_those_of_the_uninterrupted_run(
    policy: str,
) -> None:
    checkpoint_at = 700
    kill_at = 1333
    uninterrupted = Crawl(
        new_one(policy), seed=3, checkpoint_at=checkpoint_at, kill_at=kill_at
    )
    with pytest.raises(Killed):
        uninterrupted.run()
    restored = new_one(policy, uninterrupted.robots)
    restored.load(uninterrupted.checkpoint)
    replay(restored, uninterrupted.calls[checkpoint_at:])
    futures = []
    for controller in (uninterrupted.controller, restored):
        future = Crawl(controller, seed=8)
        future.now_s = uninterrupted.now_s
        future.run(tickets=500)
        futures.append(future.tickets)
    assert futures[0] == futures[1]
    assert len(futures[0]) >= 500


def test_the_journal_alone_leads_there_too() -> None:
    whole = Crawl(new_one("nutch-adaptive"), seed=4)
    whole.run(calls=800)
    restored = new_one("nutch-adaptive")
    assert replay(restored, whole.calls) == len(whole.calls)
    assert_same(restored.save(), whole.controller.save())


def test_calls_are_numbered_without_holes_and_go_on_after_a_restart() -> None:
    crawl = Crawl(new_one("uniform"), seed=1)
    crawl.run(calls=200)
    assert [call.number for call in crawl.calls] == list(range(1, len(crawl.calls) + 1))
    more: list[Call] = []
    journal = Journal(crawl.controller, more.append, calls=crawl.journal.calls)
    journal.take_back_all(crawl.now_s)
    assert [call.number for call in more] == [len(crawl.calls) + 1]


def test_what_changes_nothing_is_not_written() -> None:
    calls: list[Call] = []
    controller = RequestController(
        discovery=BreadthFirst(), refresh=Uniform(), budget=Budget(per_s=1.0)
    )
    journal = Journal(controller, calls.append)
    controller.add_own_host(0.0)
    journal.admit(links_to([0, 1, 0], [0, 0, 0]), 0.0)
    [ticket] = journal.issue(0.0, 1)
    assert journal.issue(0.5, 9) == []  # the budget is spent
    assert journal.issue(5.0, 0) == []
    assert journal.expire(5.0) == []
    assert [json.loads(call.body) for call in calls] == [
        ["admit", 0.0, packed(links_to([0, 1, 0], [0, 0, 0]))],
        ["issue", 0.0, 1, [[0, 0]], 1, []],
    ]
    journal.land(ticket, 5.0)
    links = links_to([1, 2, 0], [0, 0, 0])
    links["anchor"] = 0.0, 0.25, 0.5
    journal.settle(Observation(ticket, Outcome.OK, True, 0.1, links), 5.0)
    assert json.loads(calls[-1].body) == [
        "settle",
        5.0,
        0,
        0,
        True,
        0.1,
        packed(links),
        0.0,
        None,
        0.0,
        0,
        "",
        [],
    ]
    [other] = journal.issue(6.0, 1)
    journal.settle(Observation(other, Outcome.OK, True, 0.1, links), 6.0)
    # 0 was fetched, so there is nothing to learn of it: 1, just fetched, was on the fringe when its
    # answer came
    assert json.loads(calls[-1].body) == [
        "settle",
        6.0,
        1,
        0,
        True,
        0.1,
        packed(links[:2]),
        0.0,
        None,
        0.0,
        0,
        "",
        [],
    ]


def test_asking_in_vain_is_not_written() -> None:
    calls: list[Call] = []
    controller = RequestController(
        discovery=BreadthFirst(), refresh=Uniform(), budget=Budget()
    )
    journal = Journal(controller, calls.append)
    controller.add_own_host(2.0)
    journal.admit(links_to([0, 1], [0, 0]), 0.0)
    [ticket] = journal.issue(0.0, 9)
    assert journal.issue(1.0, 9) == []  # its host is being visited
    journal.land(ticket, 1.0)
    assert journal.issue(2.5, 9) == []  # it owes its gap
    assert [ticket.page for ticket in journal.issue(3.0, 9)] == [1]
    assert [json.loads(call.body)[0] for call in calls] == [
        "admit",
        "issue",
        "land",
        "issue",
    ]


def test_numbers_come_back_to_the_last_bit() -> None:
    calls: list[Call] = []
    one = new_one("nutch-adaptive")
    other = new_one("nutch-adaptive")
    journal = Journal(one, calls.append)
    links = links_to([0], [0])
    links["anchor"], links["tokens"] = 1 / 3, np.arange(6) + 2**31 - 6
    journal.admit(links, 1e9 + 1 / 3)
    journal.locate(0, "::1", 1e9 + 1 / 3)
    [ticket] = journal.issue(1e9 + 0.4, 1)
    journal.land(ticket, 1e9 + 0.7)
    journal.settle(
        Observation(ticket, Outcome.OK, robots=Robots('Ünï "x"\n\u2028', math.inf)),
        1e9 + 0.8,
    )
    replay(other, calls)
    assert_same(other.save(), one.save())
    assert other.agenda.hosts["rules_until"][0] == math.inf


def test_an_answer_that_came_too_late_moves_time_on_in_the_replay_too() -> None:
    calls: list[Call] = []
    one = new_one("uniform")
    other = new_one("uniform")
    journal = Journal(one, calls.append)
    journal.admit(links_to([0], [0]), 0.0)
    journal.locate(0, "::1", 0.0)
    [ticket] = journal.issue(1.0, 1)
    assert journal.expire(26.0) == [ticket]
    journal.settle(Observation(ticket, Outcome.OK, robots=Robots("", 900.0)), 31.0)
    replay(other, calls)
    assert other.now_s == one.now_s == 31.0
    assert_same(other.save(), one.save())


def test_a_journal_that_leads_elsewhere_is_noticed() -> None:
    whole = Crawl(new_one("uniform"), seed=2)
    whole.run(calls=300)
    bodies = [json.loads(call.body) for call in whole.calls]
    bought = max(i for i, body in enumerate(bodies) if body[0] == "issue" and body[3])
    bodies[bought][3][0][1] += 1  # another page than was really bought
    forged = [
        replace(call, body=json.dumps(body))
        for call, body in zip(whole.calls, bodies, strict=True)
    ]
    with pytest.raises(ReplayDiverged, match=f"call {bought + 1} "):
        replay(new_one("uniform"), forged)


def big_world() -> Truth:
    """20,000 pages of few kinds (so that equal prices and equal due times abound) on 300 hosts."""
    rng = np.random.default_rng(6)
    pages = 20_000
    hosts = 300
    return make_truth(
        host=rng.integers(0, hosts, pages).astype(np.int32),
        rate=rng.choice([1e-4, 1e-3, 1e-2], pages),
        gap_s=rng.choice([0.0, 1.0, 5.0], hosts),
        latency_s=rng.choice([0.0, 0.3], hosts),
        seed=3,
    )


BIG = big_world()
BIG_POLICIES: dict[str, Callable[[], RefreshPolicy]] = {
    "uniform": Uniform,
    "nutch-adaptive": lambda: NutchAdaptive(interval_s=100.0, least_s=10.0),
    "known-rate": lambda: KnownRate(BIG.rate, 1.0 / BIG.rate),
}


@pytest.mark.parametrize("policy", BIG_POLICIES)
def test_a_state_that_was_saved_and_loaded_issues_the_same_next_500_tickets(
    policy: str,
) -> None:
    def controller(truth: Truth) -> RequestController:
        return new_controller(
            truth,
            discovery=BreadthFirst(),
            refresh=BIG_POLICIES[policy](),
            budget=Budget(per_s=50.0, burst=5.0, discovery_share=0.3),
            seeds=list(range(20_000)),
        )

    worlds = [fresh_copy(BIG), fresh_copy(BIG)]
    stays = controller(worlds[0])
    goes = controller(worlds[1])
    for one, truth in zip((stays, goes), worlds, strict=True):
        drive(one, truth, room=12, visits=3000)
    comes = controller(fresh_copy(BIG))
    comes.load(copied(goes.save()))
    assert comes.opens_s == goes.opens_s
    assert_same(comes.save(), goes.save())
    start_s = stays.now_s
    expected = drive(stays, worlds[0], room=12, visits=500, start_s=start_s)
    found = drive(comes, worlds[1], room=12, visits=500, start_s=start_s)
    assert len(expected.page) == 500
    np.testing.assert_array_equal(expected.page, found.page)
    np.testing.assert_array_equal(expected.issued_s, found.issued_s)
