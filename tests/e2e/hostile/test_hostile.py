"""A complete robot on a web where every host misbehaves in its own way.

All cases of a kind are visited in one crawl by a process of its own; then each is looked up in the
store: the visit has a name, it took its time and no more, the host's well-behaved page was read
after it, and nobody in the house was contacted. Limits of time are small here; those of size are
larger than the robot's own, so that its readers see more.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.hostile.case import Case
from tests.e2e.hostile.certificates import ADDRESSES, available, make_certificates
from tests.e2e.hostile.document_cases import document_cases
from tests.e2e.hostile.hostile_server import Host, HostileWeb
from tests.e2e.hostile.place_cases import (
    NAMES,
    house_cases,
    redirect_cases,
    robots_cases,
    tls_cases,
)
from tests.e2e.hostile.wire_cases import wire_cases

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists(), reason="needs Linux's /proc"
)

TOTAL_S = 8.0
LIMITS = {"total_s": TOTAL_S, "connect_s": 6.0}
DOCUMENT_LIMITS = {"total_s": 60.0, "body_bytes": 16_000_000}


@dataclass(frozen=True)
class Crawl:
    """What a crawl left behind."""

    # (URL or host, robots.txt?) → its visits
    visits: dict[tuple[str, bool], list[dict[str, Any]]]
    held: dict[str, str]
    contacted: set[str]
    worked_s: float  # of a processor
    grown_mb: float
    worst_steps: list[tuple[float, str]]  # (milliseconds of processor, what it was)
    hosts: dict[str, tuple[Case, Host]]
    house: list[Host]

    def url(self, case: Case, path: str) -> str:
        return f"{case.scheme or 'http'}://{self.hosts[case.name][1].name}{path}"

    def bad(self, case: Case) -> dict[str, Any]:
        return self.visits[self.url(case, "/bad"), False][0]

    def robots(self, case: Case) -> dict[str, Any]:
        return self.visits[self.hosts[case.name][1].name, True][0]


def wired(port: int) -> list[Case]:
    return [
        *wire_cases(),
        *redirect_cases(),
        *house_cases(port),
        *robots_cases(port),
        *(tls_cases() if available() else ()),
    ]


def crawled(
    folder: Path,
    cases: list[Case],
    web: HostileWeb,
    house: list[Host],
    fetchers: int,
    orders: dict[str, Any],
) -> Crawl:
    """Open a host for each case and let the robot loose on all of them."""
    certificates = make_certificates(folder) if any(case.tls for case in cases) else {}
    addresses = iter(ADDRESSES)
    hosts: dict[str, tuple[Case, Host]] = {}
    for case in cases:
        replies = {"/bad": case.bad, **case.more}
        where = next(addresses) if case.scheme else ""
        hosts[case.name] = (
            case,
            web.open(replies, case.greeting, certificates.get(case.tls), where),
        )
    names = [host.name for _, host in hosts.values()]
    seeds = [
        f"{case.scheme or 'http'}://{host.name}{path}"
        for case, host in hosts.values()
        for path in ("/bad", "/good")
    ]
    wanted = [
        seed
        for seed, (case, _) in zip(
            seeds, (one for one in hosts.values() for _ in "12"), strict=True
        )
        if case.good or (case.comes_to and seed.endswith("/bad"))
    ]
    settings = {
        "seeds": seeds,
        "budget": {"visits": "unlimited"},
        "discovery": {"policy": "breadth-first"},
        "refresh": {"policy": "nutch-adaptive"},
        "manners": {
            "own": {host.name: case.gap_s for case, host in hosts.values()},
            "contact": "test@example.org",
        },
        "fetchers": {
            "policy": "fixed",
            "most": fetchers,
            "queue_room": min(fetchers, 16),
        },
    }
    orders = {
        "folder": str(folder / "engine"),
        "settings": settings,
        "wanted": [*wanted, *names],
        **orders,
    }
    said = run_robot(orders, folder / "authority.pem")
    visits: dict[tuple[str, bool], list[dict[str, Any]]] = {}
    for visit in said["visits"]:
        visits.setdefault((visit["url"], visit["robots"]), []).append(visit)
    return Crawl(
        visits,
        said["held"],
        set(said["contacted"]),
        said["worked_s"],
        said["grown_mb"],
        said["worst_steps"],
        hosts,
        house,
    )


def run_robot(orders: dict[str, Any], authority: Path) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "tests.e2e.hostile.robot"],
        input=json.dumps(orders),
        capture_output=True,
        text=True,
        timeout=300.0,
        check=False,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "SSL_CERT_FILE": str(authority)}
        if authority.exists()
        else None,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def wires(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawl]:
    folder = tmp_path_factory.mktemp("wires")
    with HostileWeb() as web:
        house = [web.open(address="127.0.0.1")]
        house += [web.open(address="127.0.0.2", port=house[0].port)]
        if socket.has_ipv6:
            house += [web.open(address="::1", port=house[0].port)]
        orders = {"limits": LIMITS, "names": NAMES, "seconds": 240.0}
        yield crawled(folder, wired(house[0].port), web, house, 100, orders)


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawl]:
    folder = tmp_path_factory.mktemp("documents")
    with HostileWeb() as web:
        orders = {"limits": DOCUMENT_LIMITS, "names": {}, "seconds": 240.0}
        yield crawled(folder, document_cases(), web, [], 4, orders)


def as_named(found: dict[str, Any], comes_to: tuple[str, str] | None) -> bool:
    """Whether a visit came to what was expected; in any case it has a name."""
    outcome, remark = comes_to or (found["outcome"], "*")
    named = bool(found["remark"]) or found["outcome"] == "OK"
    return (
        named and found["outcome"] == outcome and fnmatchcase(found["remark"], remark)
    )


def check(crawl: Crawl, case: Case) -> None:
    """The bad page, or robots.txt, came to what was expected, and the good page was read after it,
    where it may be.
    """
    if case.robots is not None:
        assert as_named(crawl.robots(case), case.robots), crawl.robots(case)
    if case.good or case.comes_to:
        assert as_named(crawl.bad(case), case.comes_to), crawl.bad(case)
        assert crawl.bad(case)["took_s"] < 10 * TOTAL_S
    good = crawl.visits.get((crawl.url(case, "/good"), False), [])
    assert case.good == bool(good) == (crawl.url(case, "/good") in crawl.held)
    if case.good:
        assert (
            good[0]["number"] > crawl.bad(case)["number"] and good[0]["outcome"] == "OK"
        )
        assert crawl.held[crawl.url(case, "/good")] == "Good page"


@pytest.mark.parametrize("case", wired(0), ids=lambda case: case.name)
def test_a_wire_that_misbehaves(wires: Crawl, case: Case) -> None:
    check(wires, case)


@pytest.mark.parametrize("case", document_cases(), ids=lambda case: case.name)
def test_a_document_that_hurts(documents: Crawl, case: Case) -> None:
    check(documents, case)


def test_nobody_in_the_house_was_contacted(wires: Crawl) -> None:
    listed = {host.name for _, host in wires.hosts.values()}
    assert wires.contacted <= listed, (
        "an address that nobody listed, by the audit of all sockets"
    )
    assert [host.connections for host in wires.house] == [0] * len(wires.house)
    # public when looked up, in the house when connected to
    for name in ("rebind.example", "rebind-six.example"):
        [robots] = wires.visits[f"{name}:{wires.house[0].port}", True]
        assert (robots["outcome"], robots["remark"]) == ("FAILED", "forbidden address")
    # the canary does sing
    with socket.create_connection(("127.0.0.1", wires.house[0].port), timeout=5.0):
        deadline = time.monotonic() + 5.0
        while not wires.house[0].connections and time.monotonic() < deadline:
            time.sleep(0.01)
    assert wires.house[0].connections == 1


def test_nothing_smuggled_is_held(wires: Crawl) -> None:
    assert "Evil" not in wires.held.values()


def test_time_and_memory_are_bounded(wires: Crawl, documents: Crawl) -> None:
    assert wires.grown_mb < 150.0 and documents.grown_mb < 400.0
    assert wires.worked_s < 60.0 and documents.worked_s < 120.0


def test_there_are_many_ways() -> None:
    names = [case.name for case in (*wired(0), *document_cases())]
    assert len(names) == len(set(names)) >= 60
