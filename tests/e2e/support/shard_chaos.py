"""Workers of a crawl in shards that are killed, stopped and cut off again and again while the web
changes.

What happened is taken from the server's log, the ledger and the stores, never from the robots.
Workers are real processes; whoever dies is started anew under another name, as any supervisor
would, and nobody tells the ledger of a death.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.e2e.support.shard_judge import ShardJudge
from tests.e2e.support.shard_watch import ShardWatch
from tests.e2e.support.shard_web import ShardWeb
from tests.postgres_server import cut_connections, restart_server
from trapline.app.settings import settings_from
from trapline.app.shards.crawl_place import CrawlPlace
from trapline.app.shards.crawl_shards import settings_kept
from trapline.app.shards.shard_figures import figures_of_shards
from trapline.core.errors import StoreAway
from trapline.core.ledger import LEASE_S, Founding, Ledger

GAP_S: Final = 0.5
FAULTS: Final = ("kill", "kill", "stop", "stop", "cut", "restart")
SURVIVORS: Final = 2  # workers that are at work while another one is harmed
PATIENCE_S: Final = 600.0
ROOT: Final = Path(__file__).parents[3]


@dataclass(slots=True)
class _Child:
    name: str
    process: subprocess.Popen[bytes]


@dataclass(slots=True)
class Fault:
    kind: str
    at_s: float
    ended_s: float = 0.0
    lost: dict[int, int] = field(default_factory=dict)  # shards of the victim → epoch


@dataclass(slots=True)
class Chaos:
    web: ShardWeb
    folder: Path
    address: str = (
        ""  # of a PostgreSQL; "" = the ledger and the stores are in the folder
    )
    shards: int = 16
    workers: int = 4
    budget_per_s: float = 30.0
    faults: list[Fault] = field(default_factory=list)
    died: list[str] = field(default_factory=list)  # whom nobody killed, exit codes
    _children: list[_Child] = field(default_factory=list)
    _started: int = 0
    _ledger: Ledger | None = None
    _watch: ShardWatch | None = None

    def begin(self) -> None:
        self._ledger = self.place.open_ledger(create=True)
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
        self._watch = ShardWatch(self.place.open_ledger())
        self._watch.start()
        self._children = [self._start() for _ in range(self.workers)]

    @property
    def place(self) -> CrawlPlace:
        return CrawlPlace(self.folder, self.address)

    @property
    def ledger(self) -> Ledger:
        assert self._ledger is not None
        return self._ledger

    @property
    def watch(self) -> ShardWatch:
        assert self._watch is not None
        return self._watch

    @property
    def log(self) -> str:
        return (self.folder / "workers.log").read_text()

    # faults

    def harm(self, kind: str, chance: Random) -> Fault:
        """One fault; of whom it hits there are survivors, or there would be nothing to see."""
        fault = Fault(kind, time.monotonic())
        if kind in ("kill", "stop"):
            child = self._choose_victim(chance)
            fault.at_s = time.monotonic()
            sign = signal.SIGKILL if kind == "kill" else signal.SIGSTOP
            child.process.send_signal(sign)
            fault.lost = self._shards_of(child.name)
            if kind == "kill":
                child.process.wait()
            else:
                self._wake_later(child, fault)
        elif kind == "cut":
            cut_connections()
        else:
            restart_server()
        fault.ended_s = time.monotonic()
        self.faults.append(fault)
        self.revive()
        return fault

    def _wake_later(self, child: _Child, fault: Fault) -> None:
        """Not before others own what it owned."""
        self.wait_for(lambda: self.back_s(fault) is not None, LEASE_S + 10.0)
        time.sleep(max(0.0, fault.at_s + LEASE_S + 1.0 - time.monotonic()))
        child.process.send_signal(signal.SIGCONT)

    def _choose_victim(self, chance: Random) -> _Child:
        survivors = min(SURVIVORS, self.workers - 1)
        self.wait_for(lambda: len(self._at_work()) > survivors)
        return chance.choice(self._at_work())

    def _at_work(self) -> list[_Child]:
        owners = {row.owner for row in self.ledger.shards() if row.left_s > 0.0}
        return [
            child
            for child in self._children
            if child.name in owners and child.process.poll() is None
        ]

    def _shards_of(self, name: str) -> dict[int, int]:
        found: dict[int, int] = {}

        def look() -> bool:
            rows = self.ledger.shards()
            found.update({row.shard: row.epoch for row in rows if row.owner == name})
            return True

        self.wait_for(look)
        return found

    def back_s(self, fault: Fault) -> float | None:
        """How long after it all shards of its victim had other owners; None = they have not."""
        owned_s = [self.watch.next_owner_s(*lost) for lost in fault.lost.items()]
        found = [at_s for at_s in owned_s if at_s is not None]
        if len(found) < len(owned_s):
            return None
        return max(found, default=fault.at_s) - fault.at_s

    def is_fenced(self, fault: Fault) -> bool:
        """Whether its victim, awake again, was refused to write in an epoch that is over."""
        words = "shard {} has another owner than that of epoch {}:"
        return any(words.format(*lost) in self.log for lost in fault.lost.items())

    # waiting

    def wait_for(self, is_so: Callable[[], bool], most_s: float = PATIENCE_S) -> bool:
        """Whether it was so in time; whoever dies meanwhile is started anew."""
        deadline_s = time.monotonic() + most_s
        while time.monotonic() < deadline_s:
            self.revive()
            try:
                if is_so():
                    return True
            except StoreAway:
                pass
            time.sleep(0.2)
        return False

    def is_owned(self) -> bool:
        """Whether every shard has an owner, and none the one that was harmed."""
        if any(self.back_s(fault) is None for fault in self.faults):
            return False
        return all(row.left_s > 0.0 for row in self.ledger.shards())

    def is_held(self) -> bool:
        """Whether as many pages are held as there are."""
        return figures_of_shards(self.ledger).held >= len(self.web.all_urls())

    # the end

    def end(self, kept: int) -> list[int]:
        """So many workers are asked to end, all others are killed; exit codes of the former."""
        for child in self._children[kept:]:
            child.process.kill()
            child.process.wait()
        for child in self._children[:kept]:
            child.process.send_signal(signal.SIGTERM)
        return [child.process.wait(PATIENCE_S) for child in self._children[:kept]]

    def judge(self) -> ShardJudge:
        return ShardJudge(self.place, self.ledger)

    def close(self) -> None:
        for child in self._children:
            if child.process.poll() is None:
                child.process.kill()
                child.process.wait()
        if self._watch is not None:
            self._watch.end()
        if self._ledger is not None:
            self._ledger.close()

    # processes

    def revive(self) -> None:
        for place, child in enumerate(self._children):
            code = child.process.poll()
            if code is None:
                continue
            if code != -signal.SIGKILL:
                self.died.append(f"{child.name} {code}")
            self._children[place] = self._start()

    def _start(self) -> _Child:
        self._started += 1
        name = f"worker{self._started}"
        names = str(self.folder / "names.json")
        words = (str(self.place.where), str(self.folder), names, name)
        with (self.folder / "workers.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.e2e.support.shard_worker", *words],
                cwd=ROOT,
                stderr=log,
                stdout=log,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
            )
        return _Child(name, process)
