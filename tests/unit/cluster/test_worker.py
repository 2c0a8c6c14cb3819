"""Workers on a ledger of the test's own: who takes and gives what, and when it stops."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import trapline.cluster.lease_keeper as keeper_module
import trapline.cluster.worker as worker_module
from trapline.cluster.tenure import Tenure
from trapline.cluster.worker import Worker
from trapline.core.errors import Fenced, StoreAway
from trapline.core.ledger import LEASE_S, Bid, Founding, Lease, OwnerRow, ShardRow
from trapline.ledgers.sqlite.ledger import SqliteLedger
from trapline.ledgers.sqlite.machine_clock import MachineClock
from trapline.live.awake_loop import unstopped_s

FOUNDING = Founding(shards=4, settings="{}", budget_per_s=8.0)
PATIENCE_S = 60.0


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that workers do every few seconds they do at once."""
    for name in ("LOOK_S", "BID_S", "BACK_S"):
        monkeypatch.setattr(worker_module, name, 0.01)
    monkeypatch.setattr(keeper_module, "RENEW_S", 0.01)


class Outage(SqliteLedger):
    """A ledger that may be away, whose clock may be set, and that notes what it was told."""

    ahead_s = 0.0

    def __init__(self, folder: Path) -> None:
        clock = MachineClock("boot", lambda: unstopped_s() + Outage.ahead_s, time.time)
        super().__init__(folder, clock=clock)
        self.is_away = False
        self.renews_nothing = False  # looks and claims are answered sooner
        self.renewals = 0
        self.tries = 0  # to renew
        self.looks = 0
        self.counts_of_letters = 0
        self.refusals = 0
        self.heard: dict[int, float] = {}  # as it was last said
        self.reports: list[Mapping[int, str]] = []

    def _rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        self._answer()
        return super()._rows(sql, values)

    def owners(self) -> list[OwnerRow]:
        self.looks += 1
        return super().owners()

    def shards(self) -> list[ShardRow]:
        self.counts_of_letters += 1
        return super().shards()

    def report(self, worker: str, reports: Mapping[int, str]) -> None:
        self._answer()
        self.reports.append(reports)
        super().report(worker, reports)

    def claim(self, worker: str, most: int) -> list[Lease]:
        self._answer()
        return super().claim(worker, most)

    def renew(
        self,
        worker: str,
        held: Mapping[int, int],
        heard: Mapping[int, float],
        load: float,
    ) -> dict[int, float]:
        self.tries += 1
        self._answer()
        if self.renews_nothing:
            raise StoreAway("ledger", "it is away")
        self.renewals += 1
        self.heard = dict(heard)
        # whatever this machine is busy with, nobody is full
        return super().renew(worker, held, heard, 0.0)

    def _answer(self) -> None:
        if self.is_away:
            self.refusals += 1
            raise StoreAway("ledger", "it is away")


@dataclass(eq=False)
class Run:
    """A shard at work that does nothing."""

    lease: Lease
    tenure: Tenure
    failure: BaseException | None = None
    ended: bool = False
    woken: int = 0
    state: str = "{}"
    spent: list[float] = field(default_factory=list)
    good_at_spend: list[bool] = field(default_factory=list)
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        await self._over.wait()
        self.ended = True
        if self.failure is not None:
            raise self.failure

    def stop(self) -> None:
        self._over.set()

    def fail(self, failure: BaseException) -> None:
        self.failure = failure
        self.stop()

    def wake(self) -> None:
        self.woken += 1

    def spend(self, per_s: float) -> None:
        self.spent.append(per_s)
        self.good_at_spend.append(self.tenure.is_good())

    def bid(self) -> Bid | None:
        return Bid(self.lease.shard, (1.0, 2.0), (2.0, 1.0))

    def report(self) -> str:
        return self.state


class Team:
    """Workers in one loop, each on a ledger of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.ledger = Outage(folder)
        self.ledger.establish(FOUNDING)
        self.runs: dict[str, list[Run]] = {}
        self.ledgers: dict[str, Outage] = {}
        self.said: list[str] = []
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self.slow_to_open: set[str] = set()

    def begin(self, name: str) -> Worker:
        runs = self.runs[name] = []
        ledger = self.ledgers[name] = Outage(self._folder)

        async def open_shard(lease: Lease, tenure: Tenure) -> Run:
            while name in self.slow_to_open:
                await asyncio.sleep(0.01)
            runs.append(Run(lease, tenure))
            return runs[-1]

        worker = Worker(name, ledger, FOUNDING, open_shard, self.said.append)
        self._tasks[name] = asyncio.create_task(worker.run())
        return worker

    def at_work(self, name: str) -> dict[int, Run]:
        return {run.lease.shard: run for run in self.runs[name] if not run.ended}

    def owned(self) -> dict[int, str]:
        return {row.shard: row.owner for row in self.ledger.shards() if row.left_s > 0}

    def count(self, name: str) -> int:
        return sum(owner == name for owner in self.owned().values())

    async def lose_ledger(self, name: str) -> None:
        """It is away from now on; nothing that it said before is still on its way."""
        ledger = self.ledgers[name]
        ledger.is_away = True
        await until(lambda: ledger.refusals > 9)

    async def end(self, name: str) -> None:
        await self._tasks.pop(name)

    async def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
            with suppress(BaseException):
                await task
        for ledger in (self.ledger, *self.ledgers.values()):
            ledger.close()


def play(folder: Path, scene: Callable[[Team], Coroutine[None, None, None]]) -> None:
    async def main() -> None:
        team = Team(folder)
        try:
            await scene(team)
        finally:
            await team.close()

    asyncio.run(main())


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            await asyncio.sleep(0.01)


def test_one_worker_takes_all_and_a_second_is_given_half(tmp_path: Path) -> None:
    async def scene(team: Team) -> None:
        team.begin("a")
        await until(lambda: len(team.at_work("a")) == 4)
        team.begin("b")
        await until(lambda: len(team.at_work("b")) == 2)
        assert team.count("a") == team.count("b") == 2
        assert len(team.at_work("a")) == 2, "saved before they were given"
        shards = [*team.at_work("a"), *team.at_work("b")]
        assert sorted(shards) == [0, 1, 2, 3]
        # and nobody moves any more
        looks = team.ledgers["a"].renewals
        await until(lambda: team.ledgers["a"].renewals > looks + 20)
        assert len(team.runs["a"]) == 4 and len(team.runs["b"]) == 2

    play(tmp_path, scene)


def test_a_share_that_its_worker_does_not_take_is_taken_by_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two that die one after the other: who counts the second would leave it the first one's."""
    monkeypatch.setattr(worker_module, "LYING_S", 0.2)

    async def scene(team: Team) -> None:
        # it is there, as far as anybody knows, and takes nothing
        team.ledger.renew("dead", {}, {}, 0.0)
        team.begin("a")
        await until(lambda: team.count("a") == 4)

    play(tmp_path, scene)


def test_a_worker_that_stops_leaves_all_to_others_at_once(tmp_path: Path) -> None:
    async def scene(team: Team) -> None:
        first = team.begin("a")
        team.begin("b")
        await until(lambda: team.count("a") == team.count("b") == 2)
        first.stop()
        await team.end("a")
        await until(lambda: team.count("b") == 4)
        assert all(run.ended for run in team.runs["a"])
        assert [row.name for row in team.ledger.workers()] == ["b"]

    play(tmp_path, scene)


def test_a_worker_asked_to_drain_ends(tmp_path: Path) -> None:
    async def scene(team: Team) -> None:
        team.begin("a")
        await until(lambda: len(team.at_work("a")) == 4)
        assert team.ledger.drain("a")
        await team.end("a")
        assert team.owned() == {}
        assert team.said == ["asked to drain: giving up all shards"]

    play(tmp_path, scene)


def test_a_shard_with_another_owner_is_stopped(tmp_path: Path) -> None:
    """Whoever else owns it by now: this worker may neither visit nor keep it."""

    async def scene(team: Team) -> None:
        team.begin("a")
        await until(lambda: len(team.at_work("a")) == 4)
        lost = team.at_work("a")[1]
        team.ledger.release("a", 1, lost.lease.epoch)
        (taken,) = team.ledger.claim("z", 1)
        await until(lambda: lost.ended)
        assert not lost.tenure.is_good()
        assert team.owned()[1] == "z" and taken.epoch == lost.lease.epoch + 1
        assert sorted(team.at_work("a")) == [0, 2, 3]

    play(tmp_path, scene)


@pytest.mark.parametrize("failure", [Fenced(2, 1), StoreAway("store", "it is away")])
def test_a_shard_that_is_fenced_or_cut_off_ends_alone(
    tmp_path: Path, failure: Exception
) -> None:
    async def scene(team: Team) -> None:
        team.begin("a")
        await until(lambda: len(team.at_work("a")) == 4)
        lost = team.at_work("a")[2]
        lost.fail(failure)
        await until(lambda: team.at_work("a").get(2, lost) is not lost)
        assert team.at_work("a")[2].lease.epoch == lost.lease.epoch + 1
        assert str(failure) in team.said[0]
        assert len(team.runs["a"]) == 5

    play(tmp_path, scene)


def test_a_shard_that_fails_ends_the_worker_and_others_are_saved(
    tmp_path: Path,
) -> None:
    async def scene(team: Team) -> None:
        team.begin("a")
        await until(lambda: len(team.at_work("a")) == 4)
        team.at_work("a")[0].fail(ValueError("a bug"))
        with pytest.raises(ValueError, match="a bug"):
            await team.end("a")
        assert all(run.ended for run in team.runs["a"])
        assert team.owned() == {}

    play(tmp_path, scene)


def test_while_the_ledger_is_away_shards_stay_and_go_on_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(team: Team) -> None:
        team.begin("a")
        await until(lambda: len(team.at_work("a")) == 4)
        runs = team.at_work("a")
        epochs = {shard: run.lease.epoch for shard, run in runs.items()}
        await team.lose_ledger("a")
        pass_lease(monkeypatch, runs)
        assert not any(run.tenure.is_good() for run in runs.values())
        team.ledgers["a"].is_away = False
        await until(lambda: all(run.tenure.is_good() for run in runs.values()))
        assert all(run.woken for run in runs.values())
        assert team.at_work("a") == runs
        assert {row.shard: row.epoch for row in team.ledger.shards()} == epochs

    play(tmp_path, scene)


def pass_lease(monkeypatch: pytest.MonkeyPatch, runs: Mapping[int, Run]) -> None:
    """More than a lease later, by the clocks of the ledger and of all workers."""

    def later() -> float:
        return unstopped_s() + LEASE_S + 1.0

    monkeypatch.setattr(Outage, "ahead_s", LEASE_S + 1.0)
    for module in (worker_module, keeper_module):
        monkeypatch.setattr(module, "unstopped_s", later)
    for run in runs.values():
        run.tenure._clock = later


def test_after_an_outage_a_worker_takes_nothing_from_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks several times before its next turn to renew comes."""
    monkeypatch.setattr(worker_module, "LYING_S", 0.0)

    async def scene(team: Team) -> None:
        team.begin("a")
        await until(lambda: len(team.at_work("a")) == 4)
        ledger = team.ledgers["a"]
        runs = team.at_work("a")
        await team.lose_ledger("a")
        pass_lease(monkeypatch, runs)
        ledger.renews_nothing = True
        ledger.is_away = False
        looks = ledger.looks
        await until(lambda: ledger.looks > looks + 20)
        assert team.owned() == {}, "it has renewed already"
        ledger.renews_nothing = False
        await until(lambda: all(run.tenure.is_good() for run in runs.values()))
        assert team.at_work("a") == runs and len(team.runs["a"]) == 4
        assert {row.epoch for row in team.ledger.shards()} == {1}

    play(tmp_path, scene)


def test_after_an_outage_leases_are_renewed_before_their_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(team: Team) -> None:
        team.begin("a")
        await until(lambda: len(team.at_work("a")) == 4)
        runs = team.at_work("a")
        await team.lose_ledger("a")
        monkeypatch.setattr(keeper_module, "RENEW_S", 1e6)
        tries = team.ledgers["a"].tries
        await until(lambda: team.ledgers["a"].tries > tries)  # the last one
        pass_lease(monkeypatch, runs)
        team.ledgers["a"].is_away = False
        await until(lambda: all(run.tenure.is_good() for run in runs.values()))
        assert team.at_work("a") == runs

    play(tmp_path, scene)


@pytest.mark.parametrize("survives", [True, False])
def test_after_an_outage_nothing_is_taken_before_its_owner_could_renew_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, survives: bool
) -> None:
    monkeypatch.setattr(worker_module, "LYING_S", 0.0)

    async def scene(team: Team) -> None:
        team.begin("a")
        team.begin("b")
        await until(lambda: len(team.at_work("a")) == len(team.at_work("b")) == 2)
        await team.lose_ledger("a")
        await team.lose_ledger("b")
        runs = team.at_work("a") | team.at_work("b")
        monkeypatch.setattr(worker_module, "BACK_S", 1e6 if survives else 0.01)
        pass_lease(monkeypatch, runs)
        ledger = team.ledgers["b"]
        ledger.is_away = False
        looks = ledger.looks
        await until(lambda: team.count("b") == (2 if survives else 4))
        if survives:
            await until(lambda: ledger.looks > looks + 20)
            team.ledgers["a"].is_away = False
            await until(lambda: team.count("a") == 2)
            assert team.at_work("a") | team.at_work("b") == runs

    play(tmp_path, scene)


def test_a_worker_that_claims_its_own_shard_anew_ends_the_run_of_before(
    tmp_path: Path,
) -> None:
    """Or that one would keep the folder of the shard from the new one for ever."""

    async def scene(team: Team) -> None:
        worker = team.begin("a")
        await until(lambda: len(team.at_work("a")) == 4)
        before = team.at_work("a")[2]
        team.ledgers[
            "a"
        ].renews_nothing = True  # nothing tells it that the shard is lost
        team.ledger.release("a", 2, before.lease.epoch)
        await until(lambda: team.at_work("a").get(2, before) is not before)
        await until(lambda: before.ended)
        assert not before.tenure.is_good()
        team.ledgers["a"].renews_nothing = False
        worker.stop()
        await team.end("a")
        assert all(run.ended for run in team.runs["a"]) and len(team.runs["a"]) == 5

    play(tmp_path, scene)


def test_a_clock_of_the_ledger_that_is_set_ahead_ends_no_lease_of_the_living(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until it is renewed, its owner counts on it."""

    async def scene(team: Team) -> None:
        team.begin("a")
        team.begin("b")
        await until(lambda: len(team.at_work("a")) == len(team.at_work("b")) == 2)
        await team.lose_ledger("a")  # it is between two renewals
        monkeypatch.setattr(Outage, "ahead_s", 3600.0)
        looks = team.ledgers["b"].looks
        await until(lambda: team.ledgers["b"].looks > looks + 20)
        runs = team.at_work("a").values()
        assert len(runs) == 2 and all(run.tenure.is_good() for run in runs)
        assert len(team.runs["b"]) == 2, "nobody else visits their hosts"
        team.ledgers["a"].is_away = False
        await until(lambda: team.count("a") == team.count("b") == 2)
        assert len(team.runs["a"]) == len(team.runs["b"]) == 2

    play(tmp_path, scene)


def test_who_let_a_lease_end_spends_by_the_rate_of_now_before_it_visits(
    tmp_path: Path,
) -> None:
    async def scene(team: Team) -> None:
        assert team.ledger.be_treasurer("somebody else")
        team.begin("a")
        await until(lambda: len(team.at_work("a")) == 4)
        run = team.at_work("a")[3]
        await team.lose_ledger("a")
        run.tenure._ends_s = 0.0  # it slept
        assert team.ledger.grant("somebody else", {3: 0.125})
        team.ledgers["a"].is_away = False
        await until(run.tenure.is_good)
        assert run.spent == [0.125]
        assert run.good_at_spend == [False]
        assert run.woken == 1

    play(tmp_path, scene)


def test_what_is_reported_is_of_now(tmp_path: Path) -> None:
    """Or a crawl whose shards had nothing to do a while ago would be over."""

    async def scene(team: Team) -> None:
        worker = team.begin("a")
        await until(lambda: len(team.at_work("a")) == 4)
        await team.lose_ledger("a")
        for run in team.at_work("a").values():
            run.state = '"busy"'
        turned_s = worker.turned_s
        await until(lambda: worker.turned_s > turned_s)
        ledger = team.ledgers["a"]
        ledger.reports.clear()
        ledger.is_away = False
        await until(lambda: bool(ledger.reports))
        assert ledger.reports[0] == dict.fromkeys(range(4), '"busy"')

    play(tmp_path, scene)


def test_a_raise_is_in_force_before_a_busy_loop_hears_of_it(tmp_path: Path) -> None:
    """It would hear of it at any moment, and others must not be given the same visits."""

    async def scene(team: Team) -> None:
        assert team.ledger.be_treasurer("somebody else")
        team.begin("a")
        await until(lambda: len(team.at_work("a")) == 4)
        ledger = team.ledgers["a"]
        assert team.ledger.grant("somebody else", {3: 0.5})
        await until(lambda: ledger.heard.get(3) == 0.5)
        assert team.ledger.grant("somebody else", {2: 3.5})
        told = ledger.renewals + 1
        while ledger.renewals < told + 2:
            time.sleep(0.01)  # the loop is busy
        assert team.at_work("a")[2].spent == []
        assert ledger.heard[2] == 3.5
        await until(lambda: team.at_work("a")[2].spent == [3.5])

    play(tmp_path, scene)


def test_a_loop_that_hangs_renews_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper_module, "HUNG_S", 0.3)

    async def scene(team: Team) -> None:
        team.begin("a")
        await until(lambda: len(team.at_work("a")) == 4)
        ledger = team.ledgers["a"]
        assert hang_until_nothing_is_renewed(ledger)
        renewals = ledger.renewals
        await until(lambda: ledger.renewals > renewals)

    def hang_until_nothing_is_renewed(ledger: Outage) -> bool:
        """The loop turns no more meanwhile."""
        deadline_s = time.monotonic() + PATIENCE_S
        before = -1
        while ledger.renewals != before and time.monotonic() < deadline_s:
            before = ledger.renewals
            time.sleep(1.0)
        return ledger.renewals == before

    play(tmp_path, scene)


def test_a_shard_given_up_while_it_is_opened_is_closed_in_order(tmp_path: Path) -> None:
    async def scene(team: Team) -> None:
        team.slow_to_open.add("a")
        worker = team.begin("a")
        await until(lambda: worker.shards == [0, 1, 2, 3])
        worker.stop()
        await asyncio.sleep(0.05)
        assert team.count("a") == 4, "until they are closed they are its own"
        team.slow_to_open.clear()
        await team.end("a")
        assert all(run.ended for run in team.runs["a"]) and len(team.runs["a"]) == 4
        assert team.owned() == {}

    play(tmp_path, scene)


def test_rates_follow_bids_and_a_budget_that_people_change(tmp_path: Path) -> None:
    async def scene(team: Team) -> None:
        team.begin("a")
        team.begin("b")
        await until(lambda: team.count("a") == team.count("b") == 2)
        await until(lambda: len(team.ledger.bids()) == 4)
        team.ledger.establish(Founding(4, "{}", 2.0))
        await until(lambda: _in_force(team) <= 2.0 + 1e-9)
        team.ledger.establish(Founding(4, "{}", 6.0))
        await until(lambda: _in_force(team) > 5.9)
        assert _in_force(team) <= 6.0 + 1e-9
        # of a thousand shards that would take a tenth of a second each time
        assert not any(ledger.counts_of_letters for ledger in team.ledgers.values())

    play(tmp_path, scene)


def _in_force(team: Team) -> float:
    return sum(max(row.rate_per_s, row.heard_per_s) for row in team.ledger.shards())
