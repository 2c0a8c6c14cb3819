"""How much memory do rules take? Thousands of hosts, each with a robots.txt as long as allowed.

    python bench/robots_memory.py                10,000 hosts with 500 KiB of rules each
    python bench/robots_memory.py --hosts 1000

How to read it
    The texts go to the store, as a crawl writes them (some 0.7 GB in a temporary folder); the
    controller is told of each host's rules, then pages of hosts here and there are judged. RSS is
    the resident memory of this process beyond what it had before, and in all; the checkpoint is
    what a robot would save of the controller. Aim: 300 MB for 10,000 hosts. Different rules are
    made for few hosts and shared by the others, since making them takes longer than all the rest;
    each host keeps its own copy.
The exit code is always 0: a bench informs, tests judge.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Final

from trapline.core.links import links_to
from trapline.core.records import Kind, Observation, Outcome, Robots
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.uniform import Uniform
from trapline.politeness.robots_txt import LONGEST
from trapline.politeness.rule_packing import pack_rules
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController
from trapline.robot.rules_book import RulesBook
from trapline.stores.sqlite.store import SqliteStore

KINDS: Final = 12  # different files
JUDGED: Final = 20_000
CHUNK: Final = 200  # hosts written at once


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def robots_txt(seed: int) -> str:
    chance = Random(seed)
    lines = ["User-agent: *"]
    size = 0
    while size < LONGEST - 100:
        lines.append(f"Disallow: /{seed}*{chance.randrange(10**6)}*x{len(lines)}")
        size += len(lines[-1]) + 1
    return "\n".join(lines)


class Crawl:
    def __init__(self, folder: Path, hosts: int) -> None:
        self.hosts = hosts
        self.store = SqliteStore(folder)
        self.controller = RequestController(
            discovery=BreadthFirst(),
            refresh=Uniform(),
            budget=Budget(),
            url=lambda page: f"http://h{page}.example/some/page-{page}.html",
            gap_s=lambda host, delay_s: 1.0,
            rules=RulesBook(self.store.robots),
        )

    def read_rules(self) -> None:
        files = [robots_txt(seed) for seed in range(KINDS)]
        packed = [pack_rules(text) for text in files]
        print(f"compiled: {max(map(len, packed)) / 1024:.0f} KiB a host at most")
        numbers = range(self.hosts)
        self.controller.admit(links_to(list(numbers), list(numbers)), 0.0)
        for host in numbers:
            self.controller.locate(host, f"198.51.100.{host}", 0.0)
        said: list[tuple[int, Robots]] = []
        for ticket in self.controller.issue(0.0, self.hosts):
            assert ticket.kind is Kind.ROBOTS
            kind = ticket.host % KINDS
            rules = bytes(bytearray(packed[kind]))
            robots = Robots(files[kind], 86_400.0, rules)
            self.controller.land(ticket, 0.1)
            self.controller.settle(Observation(ticket, Outcome.OK, robots=robots), 0.1)
            said.append((ticket.host, robots))
            if len(said) == CHUNK:
                self._write(said)
                said = []
        self._write(said)

    def _write(self, said: list[tuple[int, Robots]]) -> None:
        hosts = [
            HostRow(host, f"h{host}.example:80", f"http://h{host}.example/")
            for host, _ in said
        ]
        urls = [UrlRow(row.host, row.home, row.host) for row in hosts]
        self.store.commit(Batch(hosts=hosts, urls=urls, robots=said))

    def judge(self) -> float:
        """Milliseconds a page."""
        chance = Random(7)
        began_s = time.process_time()
        for _ in range(JUDGED):
            host = chance.randrange(self.hosts)
            self.controller.allows(host, f"http://h{host}.example/a/{host}/x.html")
        return 1e3 * (time.process_time() - began_s) / JUDGED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hosts", type=int, default=10_000)
    hosts = parser.parse_args().hosts
    with tempfile.TemporaryDirectory() as folder:
        crawl = Crawl(Path(folder), hosts)
        crawl.controller.allows(0, "http://h0.example/")  # kernels are compiled
        before_mb = resident_mb()
        crawl.read_rules()
        took_ms = crawl.judge()
        saved = sum(array.nbytes for array in crawl.controller.save().values())
        print(
            f"{hosts:,} hosts with {LONGEST // 1024} KiB of rules each: "
            f"RSS {resident_mb():.0f} MB, {resident_mb() - before_mb:.0f} MB of it for them "
            f"(aim: 300), checkpoint {saved / 1e6:.1f} MB, "
            f"{took_ms:.2f} ms to judge a page of any host"
        )
        crawl.store.close()


if __name__ == "__main__":
    main()
