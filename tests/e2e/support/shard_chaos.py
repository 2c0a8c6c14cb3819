"""Workers of a crawl in shards that are killed, stopped and cut off again and again while the web
changes, and what must hold all the same.

What happened is taken from the server's log and the tables, never from the robots. Workers are real
processes; whoever dies is started anew under another name, as any supervisor would.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import psycopg

from tests.e2e.support.shard_web import ShardWeb
from tests.postgres_server import cut_connections, restart_server
from trapline.app.settings import settings_from
from trapline.app.shards.crawl_place import CrawlPlace
from trapline.app.shards.crawl_shards import settings_kept
from trapline.app.shards.shard_figures import figures_of_shards
from trapline.core.errors import StoreAway
from trapline.core.ledger import LEASE_S, Founding, Ledger
from trapline.postgres.address import read_address

GAP_S: Final = 0.5
FAULTS: Final = ("kill", "kill", "stop", "stop", "cut", "restart")
ROOT: Final = Path(__file__).parents[3]


@dataclass(slots=True)
class Chaos:
    web: ShardWeb
    folder: Path
    address: str
    shards: int = 16
    workers: int = 4
    budget_per_s: float = 30.0
    seed: int = 1
    faults: Counter[str] = field(default_factory=Counter)
    away_s: list[float] = field(default_factory=list)  # until a killed shard was back
    _processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _started: int = 0
    _ledger: Ledger | None = None

    def begin(self) -> None:
        place = CrawlPlace(self.folder, self.address)
        self._ledger = place.open_ledger(create=True)
        values: dict[str, Any] = {
            "seeds": [self.web.url(self.web.names[0])],
            "budget": {"visits": self.budget_per_s},
            "manners": {"own": dict.fromkeys(self.web.host_names(), GAP_S)},
        }
        settings = settings_kept(settings_from("the test", values))
        self.ledger.establish(
            Founding(self.shards, json.dumps(settings), self.budget_per_s)
        )
        self.web.write_names(self.folder / "names.json")
        self._processes = [self._start() for _ in range(self.workers)]

    @property
    def ledger(self) -> Ledger:
        assert self._ledger is not None
        return self._ledger

    @property
    def log(self) -> str:
        return (self.folder / "workers.log").read_text()

    def harm(self, chance: Random) -> None:
        """One fault, of any kind."""
        kind = chance.choice(FAULTS)
        self.faults[kind] += 1
        process = chance.choice(self._processes)
        if kind == "kill":
            process.kill()
        elif kind == "stop":
            self._stop_beyond_lease(process)
        elif kind == "cut":
            cut_connections()
        else:
            restart_server()
        self._revive()

    def wait_until_held(self, most_s: float) -> bool:
        """Whether all pages of the web are held by then."""
        wanted = len(self.web.all_urls())
        deadline_s = time.monotonic() + most_s
        while time.monotonic() < deadline_s:
            self._revive()
            try:
                if figures_of_shards(self.ledger).held >= wanted:
                    return True
            except StoreAway:
                pass
            time.sleep(1.0)
        return False

    def wait_until_owned(self, most_s: float) -> float:
        """Seconds until every shard has an owner again."""
        began_s = time.monotonic()
        while time.monotonic() < began_s + most_s:
            self._revive()
            try:
                if all(row.left_s > 0.0 for row in self.ledger.shards()):
                    break
            except StoreAway:
                pass
            time.sleep(0.2)
        return time.monotonic() - began_s

    def end(self) -> list[int]:
        """Exit codes of the workers."""
        for process in self._processes:
            process.send_signal(signal.SIGCONT)
            process.send_signal(signal.SIGTERM)
        return [process.wait(60) for process in self._processes]

    def close(self) -> None:
        for process in self._processes:
            if process.poll() is None:
                process.kill()
                process.wait()
        if self._ledger is not None:
            self._ledger.close()

    def pages_held(self) -> Counter[str]:
        """URL → how many shards hold it."""
        rows = self._ask(
            "SELECT u.url FROM @urls u JOIN @documents d"
            " ON d.shard = u.shard AND d.page = u.page WHERE d.held"
        )
        return Counter(url for (url,) in rows)

    def journal_holes(self) -> list[tuple[int, int]]:
        """(shard, first call) of rows that do not go on where the one before ended."""
        rows = self._ask(
            "SELECT c.shard, first, last, calls_dropped FROM @calls c JOIN @totals t"
            " ON t.shard = c.shard ORDER BY c.shard, first"
        )
        found = []
        last: dict[int, int] = {}
        for shard, first, end, dropped in rows:
            expected = last.get(shard, dropped) + 1
            if first > expected or (shard in last and first != expected):
                found.append((shard, first))
            last[shard] = end
        return found

    def visits_twice(self) -> int:
        """Visits that were noted more often than the server made them."""
        rows = self._ask("SELECT count(*) FROM @visits WHERE kind = 0")
        return max(0, int(rows[0][0]) - len(self.web.visits()))

    def _ask(self, text: str) -> list[tuple[Any, ...]]:
        address = read_address(self.address)
        with psycopg.connect(address.uri) as connection:
            sql = text.replace("@", f"{address.schema}.")
            return connection.execute(sql).fetchall()

    def _stop_beyond_lease(self, process: subprocess.Popen[bytes]) -> None:
        process.send_signal(signal.SIGSTOP)
        time.sleep(LEASE_S + 4.0)
        process.send_signal(signal.SIGCONT)

    def _revive(self) -> None:
        for place, process in enumerate(self._processes):
            if process.poll() is not None:
                self._processes[place] = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        self._started += 1
        names = str(self.folder / "names.json")
        words = (self.address, str(self.folder), names, f"worker{self._started}")
        with (self.folder / "workers.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "tests.e2e.support.shard_worker", *words],
                cwd=ROOT,
                stderr=log,
                stdout=log,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
            )
