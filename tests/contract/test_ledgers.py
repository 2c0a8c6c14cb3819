"""What every ledger promises, asked of each of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path

import pytest

from tests.ledger_places import PLACES, LedgerPlace
from trapline.core.errors import Fenced, ShardsFixed
from trapline.core.ledger import (
    LEASE_S,
    Bid,
    Founding,
    Lease,
    Ledger,
    MovedHost,
    OwnerRow,
)

FOUNDING = Founding(shards=4, settings='{"seeds": []}', budget_per_s=8.0)


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LedgerPlace]:
    made = PLACES[request.param](tmp_path)
    yield made
    made.close()


@pytest.fixture
def ledger(place: LedgerPlace) -> Ledger:
    opened = place.open()
    opened.establish(FOUNDING)
    return opened


def epochs(leases: list[Lease]) -> dict[int, int]:
    return {lease.shard: lease.epoch for lease in leases}


def rates(ledger: Ledger) -> list[float]:
    return [row.rate_per_s for row in ledger.shards()]


def owners(ledger: Ledger) -> dict[int, str]:
    return {row.shard: row.owner for row in ledger.shards() if row.left_s > 0.0}


# the crawl


def test_a_place_without_a_crawl_has_no_founding(place: LedgerPlace) -> None:
    ledger = place.open()
    assert ledger.founding() is None
    assert ledger.shards() == []
    assert ledger.claim("a", 5) == []


def test_a_crawl_begins_with_equal_rates_and_nobody_there(
    place: LedgerPlace, ledger: Ledger
) -> None:
    other = place.open()
    assert other.founding() == FOUNDING
    rows = other.shards()
    assert [row.shard for row in rows] == [0, 1, 2, 3]
    for row in rows:
        assert (row.epoch, row.owner, row.rate_per_s) == (0, "", 2.0)
        assert row.left_s <= 0.0
        assert (row.report, row.reported_ago_s) == ("", math.inf)
        assert (row.letters, row.oldest_letter_s) == (0, 0.0)
    assert other.workers() == []
    assert abs(other.clock_off_s()) < 2.0


def test_settings_may_change_and_the_number_of_shards_may_not(ledger: Ledger) -> None:
    changed = replace(FOUNDING, settings="{}")
    ledger.establish(changed)
    assert ledger.founding() == changed
    with pytest.raises(ShardsFixed, match="4 shards, not 8"):
        ledger.establish(replace(changed, shards=8, settings="[]"))
    assert ledger.founding() == changed
    assert len(ledger.shards()) == 4


def test_the_same_budget_again_changes_no_rate(ledger: Ledger) -> None:
    assert ledger.be_treasurer("a")
    ledger.grant("a", {0: 5.0, 1: 1.0, 2: 1.0, 3: 1.0})
    ledger.establish(FOUNDING)
    assert rates(ledger) == [5.0, 1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("budget", "granted"),
    [
        (4.0, [1.0, 0.5, 1.0, 1.0]),
        (80.0, [5.0, 0.5, 1.0, 1.0]),
        (math.inf, [math.inf] * 4),
    ],
)
def test_another_budget_only_cuts(
    ledger: Ledger, budget: float, granted: list[float]
) -> None:
    ledger.be_treasurer("a")
    assert ledger.grant("a", {0: 5.0, 1: 0.5, 2: 1.0, 3: 1.0})
    ledger.establish(replace(FOUNDING, budget_per_s=budget))
    founding = ledger.founding()
    assert founding is not None and founding.budget_per_s == budget
    assert rates(ledger) == granted


# owners


def test_a_worker_owns_what_it_claims_and_others_the_rest(ledger: Ledger) -> None:
    first = ledger.claim("a", 3)
    assert first == [Lease(0, 1, 2.0), Lease(1, 1, 2.0), Lease(2, 1, 2.0)]
    assert ledger.claim("b", 3) == [Lease(3, 1, 2.0)]
    assert ledger.claim("c", 3) == []
    assert ledger.claim("a", 0) == []
    assert owners(ledger) == {0: "a", 1: "a", 2: "a", 3: "b"}
    assert all(0.0 < row.left_s <= LEASE_S for row in ledger.shards())


def test_owners_are_what_shards_say_of_them(place: LedgerPlace, ledger: Ledger) -> None:
    assert place.open().owners() == [
        OwnerRow(shard, 0, "", 0.0, 2.0, 2.0) for shard in range(4)
    ]
    ledger.renew("a", epochs(ledger.claim("a", 2)), {0: 1.5}, load=0.0)
    for owner, row in zip(ledger.owners(), ledger.shards(), strict=True):
        assert abs(owner.left_s - row.left_s) < LEASE_S
        told = {field.name: getattr(row, field.name) for field in fields(OwnerRow)}
        assert replace(owner, left_s=row.left_s) == OwnerRow(**told)


def test_a_lease_renewed_lasts_and_says_what_was_heard(
    place: LedgerPlace, ledger: Ledger
) -> None:
    held = epochs(ledger.claim("a", 2))
    place.wait(LEASE_S * 0.6)
    assert ledger.renew("a", held, {0: 2.5}, load=0.3) == {0: 2.0, 1: 2.0}
    place.wait(LEASE_S * 0.6)
    assert owners(ledger) == {0: "a", 1: "a"}
    assert [row.heard_per_s for row in ledger.shards()] == [2.5, 2.0, 2.0, 2.0]
    (worker,) = ledger.workers()
    assert (worker.name, worker.load, worker.draining) == ("a", 0.3, False)
    assert 0.0 < worker.left_s <= LEASE_S


def test_a_lease_that_ended_is_anybodys_in_a_new_epoch(
    place: LedgerPlace, ledger: Ledger
) -> None:
    old = epochs(ledger.claim("a", 2))
    ledger.renew("a", old, {}, load=0.0)
    place.wait(LEASE_S + 1.0)
    assert owners(ledger) == {}
    assert ledger.workers() == []
    taken = ledger.claim("b", 1)
    assert taken == [Lease(0, 2, 2.0)]
    # the other one was waited for by nobody: it is still the first owner's
    assert ledger.renew("a", old, {}, load=0.0) == {1: 2.0}
    ledger.release("a", 0, 1)
    assert owners(ledger) == {0: "b", 1: "a"}
    assert ledger.renew("b", epochs(taken), {}, load=0.0) == {0: 2.0}


def test_nobody_renews_anothers_or_an_unknown_shard(ledger: Ledger) -> None:
    held = epochs(ledger.claim("a", 1))
    assert ledger.renew("b", held, {}, load=0.0) == {}
    assert ledger.renew("a", {0: 7, 1: 0, 99: 1}, {}, load=0.0) == {}
    assert ledger.renew("a", {}, {}, load=0.0) == {}
    assert {row.name for row in ledger.workers()} == {"a", "b"}


def test_who_let_a_lease_end_has_heard_what_is_granted_now(
    place: LedgerPlace, ledger: Ledger
) -> None:
    held = epochs(ledger.claim("a", 1))
    place.wait(LEASE_S + 1.0)
    ledger.be_treasurer("b")
    ledger.grant("b", {0: 0.25})
    assert ledger.renew("a", held, {0: 2.0}, load=0.0) == {0: 0.25}
    assert ledger.shards()[0].heard_per_s == 0.25


def test_a_shard_released_is_free_at_once(ledger: Ledger) -> None:
    ledger.claim("a", 4)
    ledger.release("a", 2, 1)
    assert 2 not in owners(ledger)
    assert ledger.renew("a", {2: 1}, {}, load=0.0) == {}
    assert ledger.claim("b", 4) == [Lease(2, 2, 2.0)]


@pytest.mark.parametrize(("worker", "epoch"), [("a", 0), ("a", 2), ("b", 1)])
def test_a_stale_release_does_nothing(ledger: Ledger, worker: str, epoch: int) -> None:
    ledger.claim("a", 1)
    ledger.release(worker, 0, epoch)
    assert owners(ledger) == {0: "a"}


def test_a_worker_that_leaves_is_gone_with_all_it_had(ledger: Ledger) -> None:
    ledger.renew("b", {}, {}, load=0.0)
    held = epochs(ledger.claim("a", 4))
    ledger.renew("a", held, {}, load=0.0)
    ledger.be_treasurer("a")
    ledger.leave("a", held)
    assert [row.name for row in ledger.workers()] == ["b"]
    assert owners(ledger) == {}
    assert ledger.be_treasurer("b")
    assert epochs(ledger.claim("b", 4)) == dict.fromkeys(range(4), 2)


def test_who_leaves_takes_nothing_from_another_of_its_name(ledger: Ledger) -> None:
    """A container was started anew under the same name, and the old one ends later."""
    old = epochs(ledger.claim("a", 2))
    for shard, epoch in old.items():
        ledger.release("a", shard, epoch)
    new = epochs(ledger.claim("a", 3))
    ledger.leave("a", old | {3: 1})
    ledger.leave("a", {})
    ledger.leave("b", new)
    assert owners(ledger) == {0: "a", 1: "a", 2: "a"}
    assert ledger.renew("a", new, {}, load=0.0).keys() == new.keys()
    ledger.leave("a", {0: 2})
    assert owners(ledger) == {1: "a", 2: "a"}


def test_a_worker_is_asked_to_drain_until_it_is_another(
    place: LedgerPlace, ledger: Ledger
) -> None:
    assert not ledger.drain("a")
    ledger.renew("a", {}, {}, load=0.0)
    assert ledger.drain("a")
    ledger.renew("a", {}, {}, load=0.0)
    assert [row.draining for row in ledger.workers()] == [True]
    place.wait(LEASE_S + 1.0)
    assert not ledger.drain("a")
    ledger.renew("a", {}, {}, load=0.0)
    assert [row.draining for row in ledger.workers()] == [False]


def test_one_supervisor_at_a_time(place: LedgerPlace, ledger: Ledger) -> None:
    assert ledger.supervise("a") == 0.0
    assert 0.0 < place.open().supervise("b") <= LEASE_S
    place.wait(LEASE_S * 0.6)
    assert 0.0 < ledger.supervise("b") <= LEASE_S * 0.4
    assert ledger.supervise("a") == 0.0
    assert ledger.be_treasurer("t"), "that is another thing"
    assert not ledger.grant("a", {0: 1.0})
    place.wait(LEASE_S * 0.6)
    assert ledger.supervise("b") > 0.0
    place.wait(LEASE_S)
    assert ledger.supervise("b") == 0.0
    ledger.leave("b", {})
    assert ledger.supervise("a") == 0.0


def test_threads_never_own_a_shard_together(place: LedgerPlace) -> None:
    place.open().establish(replace(FOUNDING, shards=64))

    def claim_all(number: int) -> list[Lease]:
        mine = place.open()
        return [lease for _ in range(12) for lease in mine.claim(f"w{number}", 2)]

    with ThreadPoolExecutor(4) as pool:
        claimed = [
            lease for leases in pool.map(claim_all, range(4)) for lease in leases
        ]
    assert sorted(lease.shard for lease in claimed) == list(range(64))
    assert {lease.epoch for lease in claimed} == {1}


def test_processes_never_own_an_epoch_together(place: LedgerPlace) -> None:
    """They claim and release the same few shards as fast as they can: an epoch has one owner."""
    place.open().establish(FOUNDING)
    claimed = place.in_processes("claim_and_release", processes=3)
    assert len(claimed) == len(set(claimed)) == 3 * 20
    tops = {row.shard: row.epoch for row in place.open().shards()}
    assert sum(tops.values()) == len(claimed)


# hosts and addresses


def test_an_address_has_the_home_that_was_said_first(
    place: LedgerPlace, ledger: Ledger
) -> None:
    assert ledger.home_of("192.0.2.1", 3) == 3
    assert place.open().home_of("192.0.2.1", 1) == 3
    assert ledger.home_of("192.0.2.2", 1) == 1


def test_a_host_moves_once(place: LedgerPlace, ledger: Ledger) -> None:
    assert ledger.moved_hosts(0) == []
    mover, other = ledger.claim("a", 2)
    assert ledger.move_host(mover, "b.example:80", 2, "192.0.2.1") == 2
    assert place.open().move_host(other, "b.example:80", 1, "192.0.2.9") == 2
    assert ledger.move_host(mover, "a.example:443", 0, "192.0.2.2") == 0
    first = MovedHost(1, "b.example:80", 2, "192.0.2.1")
    second = MovedHost(2, "a.example:443", 0, "192.0.2.2")
    assert ledger.moved_hosts(0) == [first, second]
    assert ledger.moved_hosts(1) == [second]
    assert ledger.moved_hosts(2) == []


def test_an_owner_of_before_moves_no_host(ledger: Ledger) -> None:
    """It found another address than its follower, who visits the host by now."""
    (old,) = ledger.claim("a", 1)
    ledger.release("a", old.shard, old.epoch)
    ledger.claim("b", 1)
    with pytest.raises(Fenced):
        ledger.move_host(old, "b.example:80", 2, "192.0.2.1")
    assert ledger.moved_hosts(0) == []


@pytest.mark.parametrize("work", ["move_hosts", "append_lines"])
def test_numbers_have_no_holes_for_whoever_follows(
    place: LedgerPlace, ledger: Ledger, work: str
) -> None:
    """A reader that asks from where it stands misses nothing that is written meanwhile."""
    seen: list[str] = []
    follow = _FOLLOW[work]
    with ThreadPoolExecutor(3) as pool:
        writers = [pool.submit(_WRITE[work], place.open(), n) for n in range(3)]
        while not all(writer.done() for writer in writers):
            seen += follow(ledger, len(seen))
    for writer in writers:
        writer.result()
    seen += follow(ledger, len(seen))
    assert sorted(seen) == sorted(f"{n}.{k}:80" for n in range(3) for k in range(15))
    assert follow(ledger, 0) == seen


def _move_hosts(ledger: Ledger, writer: int) -> None:
    mover = Lease(writer, 0, 2.0)  # before anybody owns the shard
    for k in range(15):
        ledger.move_host(mover, f"{writer}.{k}:80", writer, "192.0.2.1")


def _append_lines(ledger: Ledger, writer: int) -> None:
    for k in range(0, 15, 3):
        ledger.append("orders", [f"{writer}.{k + j}:80" for j in range(3)])


def _follow_moves(ledger: Ledger, after: int) -> list[str]:
    moves = ledger.moved_hosts(after)
    assert [move.number for move in moves] == [after + 1 + n for n in range(len(moves))]
    return [move.name for move in moves]


_WRITE: dict[str, Callable[[Ledger, int], None]] = {
    "move_hosts": _move_hosts,
    "append_lines": _append_lines,
}
_FOLLOW: dict[str, Callable[[Ledger, int], list[str]]] = {
    "move_hosts": _follow_moves,
    "append_lines": lambda ledger, after: ledger.lines("orders", after),
}


# the market


def test_the_newest_bid_of_each_shard_counts(
    place: LedgerPlace, ledger: Ledger
) -> None:
    assert ledger.bids() == []
    first = Bid(2, (0.1, 0.2), (3.0, math.inf))
    ledger.bid([Bid(1, (1.0,), (2.0,)), first])
    newer = Bid(1, (0.3, 1e-17), (2.0, 1.0 / 3.0))
    place.open().bid([newer])
    ledger.bid([])
    assert ledger.bids() == [newer, first]


def test_one_treasurer_at_a_time(place: LedgerPlace, ledger: Ledger) -> None:
    assert ledger.be_treasurer("a")
    assert not ledger.be_treasurer("b")
    place.wait(LEASE_S * 0.6)
    assert ledger.be_treasurer("a")
    place.wait(LEASE_S * 0.6)
    assert not ledger.be_treasurer("b")
    place.wait(LEASE_S)
    assert ledger.be_treasurer("b")
    assert not ledger.be_treasurer("a")


def test_only_the_treasurer_grants(place: LedgerPlace, ledger: Ledger) -> None:
    assert not ledger.grant("a", {0: 1.0})
    ledger.be_treasurer("a")
    assert ledger.grant("a", {0: 1.0, 3: 0.1})
    assert not ledger.grant("b", {0: 9.0, 1: 9.0})
    assert rates(ledger) == [1.0, 2.0, 2.0, 0.1]
    place.wait(LEASE_S + 1.0)
    assert not ledger.grant("a", {0: 9.0})
    assert rates(ledger)[0] == 1.0


def test_a_rate_is_in_force_from_when_its_owner_is_told(ledger: Ledger) -> None:
    """A cut that was told is in force when the owner says so; a raise as soon as it is told."""
    held = epochs(ledger.claim("a", 1))
    ledger.be_treasurer("t")

    def heard_after(granted: float, said: float) -> float:
        assert ledger.grant("t", {0: granted})
        assert ledger.renew("a", held, {0: said}, load=0.0) == {0: granted}
        return ledger.shards()[0].heard_per_s

    assert heard_after(granted=0.5, said=2.0) == 2.0
    assert heard_after(granted=0.5, said=0.5) == 0.5
    # what it says is what it heard before
    assert heard_after(granted=1.5, said=0.5) == 1.5
    assert heard_after(granted=0.25, said=1.5) == 1.5


def test_rates_never_add_up_to_more_than_the_budget(
    place: LedgerPlace, ledger: Ledger
) -> None:
    """Whoever is treasurer may have looked before shards changed hands."""
    held = epochs(ledger.claim("a", 2))
    ledger.be_treasurer("t")
    assert not ledger.grant("t", {2: 2.5})
    assert rates(ledger) == [2.0] * 4
    # 1.5 less, of which nobody has heard yet
    assert ledger.grant("t", {0: 0.5})
    assert not ledger.grant("t", {2: 3.5})
    assert ledger.grant("t", {1: 0.5}), "cuts are safe always"
    ledger.renew("a", held, {0: 0.5, 1: 2.0}, load=0.0)
    assert ledger.grant("t", {2: 3.5})
    # of a lease that has ended nothing is in force but what is granted
    assert not ledger.grant("t", {3: 3.5})
    place.wait(LEASE_S + 1.0)
    ledger.be_treasurer("t")
    assert ledger.grant("t", {3: 3.5})


def test_a_shard_claimed_meanwhile_keeps_its_rate_from_others(
    place: LedgerPlace, ledger: Ledger
) -> None:
    """The treasurer saw a dead shard and gave its rate away, but it has an owner by then."""
    ledger.be_treasurer("t")
    given = {0: 0.5, 1: 3.5, 2: 2.0, 3: 2.0}
    place.open().claim("b", 1)
    assert not ledger.grant("t", given)
    assert rates(ledger) == [2.0] * 4


def test_a_new_owner_has_heard_of_its_rate(ledger: Ledger) -> None:
    ledger.be_treasurer("a")
    ledger.grant("a", {0: 0.5})
    assert ledger.shards()[0].heard_per_s == 2.0
    assert ledger.claim("a", 1) == [Lease(0, 1, 0.5)]
    assert ledger.shards()[0].heard_per_s == 0.5


# what people and workers say


def test_lines_are_kept_by_kind(place: LedgerPlace, ledger: Ledger) -> None:
    ledger.append("orders", ["1", "2"])
    place.open().append("labels", ["x"])
    ledger.append("orders", ["3"])
    ledger.append("orders", [])
    assert ledger.lines("orders", 0) == ["1", "2", "3"]
    assert ledger.lines("orders", 2) == ["3"]
    assert ledger.lines("labels", 0) == ["x"]
    assert ledger.lines("others", 0) == []


def test_a_worker_reports_of_its_own_shards(ledger: Ledger) -> None:
    ledger.claim("a", 1)
    ledger.claim("b", 1)
    ledger.report("a", {0: "mine", 1: "not mine"})
    first, second, *_ = ledger.shards()
    assert first.report == "mine"
    assert 0.0 <= first.reported_ago_s < math.inf
    assert (second.report, second.reported_ago_s) == ("", math.inf)


def test_notes(place: LedgerPlace, ledger: Ledger) -> None:
    assert ledger.note("k") is None
    ledger.set_note("k", "1")
    ledger.set_note("k", "ü2")
    assert place.open().note("k") == "ü2"
