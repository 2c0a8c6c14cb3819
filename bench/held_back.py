"""How long does it take to say what holds a robot back, and to make a status?

    python bench/held_back.py                     100,000 hosts, 1,000,000 visits
    python bench/held_back.py --visits 10000      fewer

How to read the table
    Milliseconds of one processor, the best of five. The first is done by the robot itself, twice a
    second, between two visits; the second by `trapline status`, once a second with --watch.
The exit code is always 0: a bench informs, tests judge.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from trapline.app.folder.status import status_of
from trapline.core.links import links_to
from trapline.core.records import Kind, Outcome, Visit
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.policies.registry import make_discovery_policy, make_refresh_policy
from trapline.robot.agenda.agenda import Budget
from trapline.robot.hindrances.held_back import Surroundings, held_back
from trapline.robot.queue_gauge import QueueFigures
from trapline.robot.request_controller import RequestController
from trapline.stores.sqlite.store import SqliteStore

QUEUE: Final = QueueFigures(10.0, 100.0, 64, 4, 0, 16, 0.9, 0, 0.0)
AT_ONCE: Final = 50_000  # visits in a commit


def make_controller(hosts: int) -> RequestController:
    """A page on each host, and every third host owes its gap."""
    controller = RequestController(
        discovery=make_discovery_policy("breadth-first"),
        refresh=make_refresh_policy("posterior"),
        budget=Budget(),
        url=lambda page: f"http://h{page}.example/",
        gap_s=lambda host, delay_s: 1.0,
    )
    controller.admit(links_to(range(hosts), range(hosts)), 0.0)
    for host in range(hosts):
        controller.locate(host, f"host {host}", 0.0)
    for ticket in controller.issue(1.0, hosts // 3):
        controller.land(ticket, 1.0)
    return controller


def make_folder(folder: Path, hosts: int, visits: int) -> SqliteStore:
    store = SqliteStore(folder)
    names = [f"h{host}.example" for host in range(hosts)]
    store.commit(
        Batch(
            hosts=[
                HostRow(host, f"{name}:80", f"http://{name}/")
                for host, name in enumerate(names)
            ],
            urls=[
                UrlRow(page, f"http://{name}/", page) for page, name in enumerate(names)
            ],
        )
    )
    for first in range(0, visits, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, visits))
        store.commit(Batch(visits=[make_visit(number, hosts) for number in numbers]))
    return store


def make_visit(number: int, hosts: int) -> Visit:
    page = number % hosts
    failed = number % 7 == 0
    return Visit(
        number,
        page,
        page,
        Kind.PAGE,
        float(number),
        number + 0.5,
        1.0,
        Outcome.FAILED if failed else Outcome.OK,
        500 if failed else 200,
        not failed,
        0.5,
    )


def best_ms(work: Callable[[], object]) -> float:
    times_s = []
    for _ in range(5):
        began_s = time.process_time()
        work()
        times_s.append(time.process_time() - began_s)
    return 1000.0 * min(times_s)


def main() -> None:
    assert __doc__ is not None
    first, rest = __doc__.split("\n", 1)
    parser = argparse.ArgumentParser(
        description=first,
        epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--hosts", type=int, default=100_000)
    parser.add_argument("--visits", type=int, default=1_000_000)
    wanted = parser.parse_args()
    controller = make_controller(wanted.hosts)
    around = Surroundings(QUEUE, 64, lambda host: f"h{host}.example:80")
    said = held_back(controller, around, 1.5)
    print(f"held back by: {said}")
    saying_ms = best_ms(lambda: held_back(controller, around, 1.5))
    print(f"saying it, {wanted.hosts:,} hosts: {saying_ms:.1f} ms")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "engine"
        store = make_folder(folder, wanted.hosts, wanted.visits)
        status_ms = best_ms(lambda: status_of(folder, store))
        store.close()
    print(f"a status, {wanted.visits:,} visits: {status_ms:.1f} ms")


if __name__ == "__main__":
    main()
