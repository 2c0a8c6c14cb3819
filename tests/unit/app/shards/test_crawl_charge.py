"""Who is in charge of a crawl: one at a time, who was killed is waited for, who slept is told."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import trapline.app.shards.crawl_charge as charge_module
from trapline.app.shards.crawl_charge import in_charge
from trapline.core.errors import CrawlBusy
from trapline.core.ledger import RENEW_S, SUPERVISOR_S
from trapline.ledgers.sqlite.ledger import SqliteLedger
from trapline.ledgers.sqlite.machine_clock import MachineClock


class Clock:
    """Stands still unless the test, or whoever waits, lets time pass."""

    def __init__(self) -> None:
        self.now_s = 1_000.0

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(charge_module, "RENEW_S", 1e6)  # each test renews by itself
    monkeypatch.setattr(time, "sleep", made.sleep)
    return made


@pytest.fixture
def ledger(tmp_path: Path, clock: Clock) -> Iterator[SqliteLedger]:
    machine = MachineClock("boot", lambda: clock.now_s, lambda: clock.now_s)
    with closing(SqliteLedger(tmp_path, clock=machine)) as opened:
        yield opened


def test_a_second_one_is_refused_while_the_first_lives(
    ledger: SqliteLedger, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        if clock.now_s % RENEW_S == 0.0:
            ledger.supervise("the first")

    monkeypatch.setattr(time, "sleep", sleep)
    assert ledger.supervise("the first") == 0.0
    with (
        pytest.raises(CrawlBusy, match="in the folder already"),
        in_charge(ledger, "the folder"),
    ):
        pass
    assert clock.now_s < 1_000.0 + SUPERVISOR_S


def test_one_that_was_killed_is_waited_for(ledger: SqliteLedger, clock: Clock) -> None:
    assert ledger.supervise("killed") == 0.0
    with in_charge(ledger, "the folder") as charge:
        assert clock.now_s >= 1_000.0 + SUPERVISOR_S
        charge.check()
        assert ledger.supervise("another") > 0.0
    assert ledger.supervise("another") == 0.0, "it waits for nobody who has ended"


def test_one_that_slept_is_told(
    ledger: SqliteLedger, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charge_module, "RENEW_S", 0.01)
    with in_charge(ledger, "the folder") as charge:
        monkeypatch.setattr(ledger, "supervise", lambda _: 1.0)  # another one took it
        with pytest.raises(CrawlBusy):
            while True:
                charge.check()
