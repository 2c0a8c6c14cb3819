"""Links to hosts that nobody has located yet."""

from __future__ import annotations

import numpy as np
import pytest

import trapline.cluster.waiting_links as waiting_module
from trapline.cluster.letters import MailedLinks
from trapline.cluster.waiting_links import WaitingLinks
from trapline.core.links import LINK


def found(urls: list[str], relevance: float = 0.5, depth: int = 2) -> MailedLinks:
    links = np.zeros(len(urls), LINK)
    links["place"] = np.arange(len(urls))
    count = len(urls)
    return MailedLinks(
        tuple(urls),
        links,
        np.full(count, relevance, np.float32),
        np.full(count, depth, np.uint8),
    )


def test_they_are_handed_out_once_as_they_were_found() -> None:
    waiting = WaitingLinks()
    waiting.add([4, 5, 4], found(["a", "b", "c"]))
    letter = waiting.take(4)
    assert letter is not None
    assert letter.urls == ("a", "c")
    assert letter.links["place"].tolist() == [0.0, 2.0]
    assert (letter.relevance.tolist(), letter.depth.tolist()) == ([0.5, 0.5], [2, 2])
    assert waiting.take(4) is None
    assert waiting.take(9) is None
    other = waiting.take(5)
    assert other is not None
    assert other.urls == ("b",)


def test_of_each_url_the_first_counts() -> None:
    waiting = WaitingLinks()
    waiting.add([4], found(["a"], relevance=0.25))
    waiting.add([4, 4], found(["a", "b"], relevance=0.75))
    letter = waiting.take(4)
    assert letter is not None
    assert (letter.urls, letter.relevance.tolist()) == (("a", "b"), [0.25, 0.75])


def test_they_do_not_change_with_the_page_they_came_from() -> None:
    waiting = WaitingLinks()
    page = found(["a"])
    waiting.add([4], page)
    page.links["place"] = 9.0
    letter = waiting.take(4)
    assert letter is not None
    assert letter.links["place"].tolist() == [0.0]


def test_they_are_bounded_and_room_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting_module, "MOST", 3)
    waiting = WaitingLinks()
    waiting.add([1, 1, 2, 2], found(["a", "b", "c", "d"]))
    first = waiting.take(1)
    assert first is not None
    assert first.urls == ("a", "b")
    waiting.add([2, 2, 2], found(["d", "e", "f"]))
    second = waiting.take(2)
    assert second is not None
    assert second.urls == ("c", "d", "e")
