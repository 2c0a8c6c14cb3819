"""Why nobody goes to a host."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trapline.app.folder.host_troubles import HostTroubles
from trapline.app.folder.orders.order_file import PAUSE, give_order, orders_in_force
from trapline.app.folder.reach_figures import LOST, SHUT
from trapline.core.records import Robots
from trapline.core.storage import Batch, HostRow
from trapline.stores.memory import MemoryStore

ROW = HostRow(0, "h.example:80", "http://h.example/")


def trouble(folder: Path, robots: str | None = "", **notes: str) -> str:
    store = MemoryStore()
    store.commit(Batch(hosts=[ROW], robots=[(0, Robots(robots, 9.0))]))
    store.commit(
        Batch(notes={name.replace("_", " "): is_ for name, is_ in notes.items()})
    )
    return HostTroubles(orders_in_force(folder), store).of(ROW)


@pytest.mark.parametrize(
    ("robots", "said"),
    [
        ("", ""),
        (None, "robots.txt is not answering"),
        ("User-agent: *\nDisallow: /", "robots.txt forbids all"),
        ("User-agent: *\nDisallow: /\nAllow: /open", ""),
        ("User-agent: *\nDisallow: /$", ""),
        ("User-agent: *\nDisallow: /private", ""),
    ],
)
def test_robots_txt(tmp_path: Path, robots: str | None, said: str) -> None:
    assert trouble(tmp_path, robots) == said


def test_names_that_lead_nowhere(tmp_path: Path) -> None:
    lost = {LOST.replace(" ", "_"): json.dumps([ROW.name])}
    assert trouble(tmp_path, **lost) == "cannot be found"
    shut = {SHUT.replace(" ", "_"): json.dumps({ROW.name: "private address"})}
    assert trouble(tmp_path, **shut, **lost) == "out of reach (private address)"


def test_orders(tmp_path: Path) -> None:
    give_order(tmp_path, PAUSE, ROW.name, 1.0)
    assert trouble(tmp_path) == "paused"
