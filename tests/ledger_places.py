"""Where ledgers are kept in tests: each place opens as many as asked for, and lets time pass."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import psycopg

from tests.postgres_server import fresh_address
from trapline.core.ledger import Ledger
from trapline.ledgers.open_ledger import open_ledger
from trapline.ledgers.sqlite.ledger import SqliteLedger
from trapline.ledgers.sqlite.machine_clock import MachineClock
from trapline.postgres.address import read_address

ROUNDS = 20


class LedgerPlace(Protocol):
    def open(self) -> Ledger: ...

    def wait(self, seconds: float) -> None:
        """Time passes for the ledgers, not for the test."""

    def in_processes(self, work: str, processes: int) -> list[tuple[int, int]]:
        """What some processes did, each with a ledger of its own: see `main`."""

    def close(self) -> None: ...


class Folder:
    """An SQLite file, by a clock that the test moves."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: list[SqliteLedger] = []
        self.passed_s = 1_000.0
        self.boot = "this boot"

    def open(self) -> SqliteLedger:
        clock = MachineClock(self.boot, lambda: self.passed_s, time.time)
        ledger = SqliteLedger(self._folder, clock=clock)
        self._opened.append(ledger)
        return ledger

    def wait(self, seconds: float) -> None:
        self.passed_s += seconds

    def in_processes(self, work: str, processes: int) -> list[tuple[int, int]]:
        return run_processes(str(self._folder), work, processes)

    def close(self) -> None:
        for ledger in self._opened:
            ledger.close()


class Server:
    """A crawl in PostgreSQL; what ends later ends sooner when the test lets time pass."""

    def __init__(self, _: Path) -> None:
        self._address = fresh_address()
        self._opened: list[Ledger] = []

    def open(self) -> Ledger:
        ledger = open_ledger(self._address, create=True)
        self._opened.append(ledger)
        return ledger

    def wait(self, seconds: float) -> None:
        address = read_address(self._address)
        with psycopg.connect(address.uri) as connection:
            for table in ("shards", "workers", "treasurer"):
                connection.execute(
                    f"UPDATE {address.schema}.{table}"
                    f" SET until = until - interval '{seconds} seconds'"
                )

    def in_processes(self, work: str, processes: int) -> list[tuple[int, int]]:
        return run_processes(self._address, work, processes)

    def close(self) -> None:
        for ledger in self._opened:
            ledger.close()


PLACES: dict[str, Callable[[Path], LedgerPlace]] = {
    "sqlite": Folder,
    "postgres": Server,
}


def run_processes(place: str, work: str, processes: int) -> list[tuple[int, int]]:
    command = [sys.executable, "-m", "tests.ledger_places", place, work]
    started = [
        subprocess.Popen([*command, str(number)], stdout=subprocess.PIPE, text=True)
        for number in range(processes)
    ]
    done: list[tuple[int, int]] = []
    for process in started:
        printed, _ = process.communicate()
        assert process.returncode == 0
        done += map(tuple, json.loads(printed))
    return done


def claim_and_release(ledger: Ledger, worker: str) -> list[tuple[int, int]]:
    claimed: list[tuple[int, int]] = []
    while len(claimed) < ROUNDS:
        for lease in ledger.claim(worker, 1):
            claimed.append((lease.shard, lease.epoch))
            ledger.release(worker, lease.shard, lease.epoch)
    return claimed


WORKS = {"claim_and_release": claim_and_release}


def main(place: str, work: str, number: str) -> None:
    ledger = open_ledger(place, create=False)
    print(json.dumps(WORKS[work](ledger, f"process {number}")))
    ledger.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
