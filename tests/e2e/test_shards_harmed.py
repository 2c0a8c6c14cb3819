"""Workers of a crawl in shards are killed, stopped beyond their lease and cut off: what must be
true is true all the same.

`bench/shards_chaos.py` does the same a hundred times, and judges times, too.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.e2e.support.shard_chaos import GAP_S, Chaos, Fault
from tests.e2e.support.shard_web import ShardWeb
from tests.postgres_server import fresh_address, server_away
from trapline.core.ledger import LEASE_S

FEW_PER_S = 3.0  # visits: four addresses would bear eight
QUIET_S = 3.0  # without a visit, where several a second were made


@contextmanager
def begun(chaos: Chaos) -> Iterator[Chaos]:
    chaos.begin()
    try:
        assert chaos.wait_for(chaos.is_owned), chaos.log
        yield chaos
    finally:
        chaos.close()


def check(chaos: Chaos) -> None:
    """After all workers were killed."""
    assert chaos.web.hurried(GAP_S) == []
    bursts = chaos.shards  # one visit each
    assert chaos.web.busiest(60.0) <= 60.0 * chaos.budget_per_s + bursts
    judge = chaos.judge()
    assert judge.pages_held() == Counter(chaos.web.all_urls())
    assert judge.journal_holes() == []
    assert judge.visits() <= Counter(chaos.web.served)
    assert judge.diverged() == []
    assert "led to" not in chaos.log  # nor did a replay on the way
    assert chaos.died == []


def test_owners_killed_stopped_and_cut_off(tmp_path: Path) -> None:
    chance = Random(1)
    with (
        ShardWeb(10, 4, 4) as web,
        begun(Chaos(web, tmp_path, fresh_address(), 4, 2, FEW_PER_S)) as chaos,
    ):
        stopped = chaos.harm("stop", chance)
        assert chaos.wait_for(lambda: chaos.is_fenced(stopped)), chaos.log
        chaos.harm("restart", chance)
        chaos.harm("cut", chance)
        killed = chaos.harm("kill", chance)
        assert chaos.wait_for(has_others(chaos, killed)), chaos.log
        assert chaos.wait_for(chaos.is_held), chaos.log
        assert moved_hosts(chaos) > 0  # or nothing is known of addresses
        chaos.end(kept=0)
        check(chaos)


def test_owners_killed_where_ledger_and_stores_are_files(tmp_path: Path) -> None:
    chance = Random(2)
    with (
        ShardWeb(10, 4, 4) as web,
        begun(Chaos(web, tmp_path, "", 4, 2, FEW_PER_S)) as chaos,
    ):
        for _ in range(2):
            killed = chaos.harm("kill", chance)
            assert chaos.wait_for(has_others(chaos, killed)), chaos.log
        assert chaos.wait_for(chaos.is_held), chaos.log
        assert moved_hosts(chaos) > 0
        chaos.end(kept=0)
        check(chaos)


def test_without_a_postgresql_nobody_is_visited_until_it_is_back(
    tmp_path: Path,
) -> None:
    with (
        ShardWeb(6, 3, 4) as web,
        begun(Chaos(web, tmp_path, fresh_address(), shards=2, workers=1)) as chaos,
    ):
        assert chaos.wait_for(chaos.is_held), chaos.log
        epochs = [row.epoch for row in chaos.ledger.shards()]
        with server_away():
            gone_s = time.monotonic()
            assert chaos.wait_for(lambda: is_quiet(web)), "it visits without a lease"
            last_s = max(one.began_s for one in web.visits())
            assert last_s < gone_s + LEASE_S
        back_s = time.monotonic()
        assert chaos.wait_for(lambda: web.visits()[-1].began_s > back_s), chaos.log
        assert [row.epoch for row in chaos.ledger.shards()] == epochs
        assert chaos.end(kept=1) == [0]
        assert {row.owner for row in chaos.ledger.shards()} == {""}
        assert chaos.ledger.workers() == []
        check(chaos)


def is_quiet(web: ShardWeb) -> bool:
    return web.visits()[-1].ended_s < time.monotonic() - QUIET_S - LEASE_S


def has_others(chaos: Chaos, fault: Fault) -> Callable[[], bool]:
    return lambda: chaos.back_s(fault) is not None


def moved_hosts(chaos: Chaos) -> int:
    return len(chaos.ledger.moved_hosts(0))
