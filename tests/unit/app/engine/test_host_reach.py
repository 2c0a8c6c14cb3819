"""Hosts out of scope leave the fringe, and come back; however many there are, in few looks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from trapline.app.engine.host_reach import HostReach
from trapline.core.cards import FRINGE, HELD, UNMET
from trapline.scope.reach import Reach


class CountingCards:
    """The cards of so many hosts with three pages each, one of them held."""

    def __init__(self, hosts: int) -> None:
        self.columns = {
            "host": np.repeat(np.arange(hosts), 3),
            "state": np.tile([FRINGE, HELD, FRINGE], hosts),
        }
        self.looks = 0

    def __getitem__(self, column: str) -> Any:
        self.looks += 1
        return self.columns[column]


class Scene:
    """An engine as far as reach sees it; hosts with odd numbers are out of scope."""

    def __init__(self, hosts: int) -> None:
        self.cards = CountingCards(hosts)
        self.odd_allowed = False
        self.notes: list[str] = []
        self.unmet: list[list[int]] = []
        self.admitted: list[list[int]] = []
        self.reach = Reach(lambda _: None)
        engine = SimpleNamespace(
            control=SimpleNamespace(
                reach=self.reach, gate=self, journal=self, places=None
            ),
            controller=SimpleNamespace(
                hosts=lambda: hosts, agenda=SimpleNamespace(cards=self.cards)
            ),
            holdings=SimpleNamespace(book=self, collection=self),
            instructions=SimpleNamespace(listed_pages=None),
            network=SimpleNamespace(
                seed_hosts=(), manners=SimpleNamespace(contact="me")
            ),
            settings=SimpleNamespace(canonical_seeds=list),
            store=SimpleNamespace(note=lambda _: None),
        )
        self.host_reach = HostReach(cast(Any, engine), lambda: 0.0)

    def host_name(self, host: int) -> str:
        return f"h{host}:80"

    def home(self, host: int) -> str:
        return f"http://h{host}/"

    def allows_host(self, home: str) -> bool:
        return self.odd_allowed or int(home[len("http://h") : -1]) % 2 == 0

    def note(self, key: str, value: str) -> None:
        self.notes.append(value)

    def unmeet(self, pages: list[int], now_s: float) -> None:
        self.unmet.append(pages)
        self.cards.columns["state"][pages] = UNMET

    def admit(self, links: Any, now_s: float) -> None:
        self.admitted.append(links["page"].tolist())


def test_hosts_leave_and_come_back() -> None:
    scene = Scene(4)
    scene.host_reach.heed_scope(0.0)
    assert scene.unmet == [[3, 5, 9, 11]], "what is held stays"
    assert scene.reach.struck == {"h1:80": 2, "h3:80": 2}
    scene.odd_allowed = True
    scene.host_reach.heed_scope(0.0)
    assert scene.admitted == [[3, 5, 9, 11]]
    assert scene.notes[-1] == "{}"


def test_again_nothing_is_written() -> None:
    scene = Scene(4)
    scene.host_reach.heed_scope(0.0)
    scene.host_reach.heed_scope(0.0)
    assert len(scene.unmet) == len(scene.notes) == 1
    assert scene.reach.struck == {"h1:80": 2, "h3:80": 2}


@pytest.mark.parametrize("hosts", [4, 2000])
def test_many_hosts_take_no_more_looks(hosts: int) -> None:
    scene = Scene(hosts)
    scene.host_reach.heed_scope(0.0)
    assert scene.cards.looks <= 4
    assert len(scene.unmet) == len(scene.notes) == 1
