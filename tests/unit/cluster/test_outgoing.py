"""Links for other shards leave once each, in letters of their shard."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import trapline.cluster.outgoing as outgoing_module
from trapline.cluster.letters import MailedLinks, unpack_letter
from trapline.cluster.outgoing import Outgoing
from trapline.core.ledger import Posting
from trapline.core.links import LINK, Links


def links(anchors: list[float]) -> Links:
    found = np.zeros(len(anchors), LINK)
    found["anchor"] = anchors
    return found


def home(url: str) -> int:
    return int(url[0])


def read(posted: list[Posting]) -> dict[int, list[MailedLinks]]:
    found: dict[int, list[MailedLinks]] = {}
    for receiver, body in posted:
        found.setdefault(receiver, []).append(unpack_letter(body))
    return found


def test_links_go_to_their_shards_with_what_they_showed() -> None:
    outgoing = Outgoing(home)
    outgoing.add(["1/a", "2/b", "1/c"], links([0.1, 0.2, 0.3]), 0.5, 3)
    outgoing.add(["1/d"], links([0.4]), 0.25, 9)
    assert len(outgoing) == 4
    found = read(outgoing.take())
    [first] = found[1]
    [second] = found[2]
    assert first.urls == ("1/a", "1/c", "1/d")
    assert first.links["anchor"].tolist() == pytest.approx([0.1, 0.3, 0.4])
    assert (first.relevance.tolist(), first.depth.tolist()) == (
        [0.5, 0.5, 0.25],
        [3, 3, 9],
    )
    assert (second.urls, second.depth.tolist()) == (("2/b",), [3])
    assert len(outgoing) == 0
    assert outgoing.take() == []


def test_a_link_that_was_sent_lately_is_not_sent_again() -> None:
    outgoing = Outgoing(home)
    outgoing.add(["1/a", "1/a"], links([0.1, 0.2]), 0.5, 1)
    outgoing.add(["1/a"], links([0.3]), 0.9, 1)
    [letter] = read(outgoing.take())[1]
    assert letter.urls == ("1/a",)
    assert letter.links["anchor"].tolist() == pytest.approx([0.1])
    outgoing.add(["1/a"], links([0.4]), 0.5, 1)
    assert outgoing.take() == []


def test_what_was_sent_lately_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing_module, "LATELY", 10)
    outgoing = Outgoing(home)
    for number in range(25):
        outgoing.add([f"1/{number}"], links([0.0]), 0.5, 1)
        assert len(outgoing._lately) <= 10
    outgoing.add(["1/0", "1/24"], links([0.0, 0.0]), 0.5, 1)
    [letter] = read(outgoing.take())[1]
    # nothing is lost for it: a link may be sent a second time
    assert Counter(letter.urls)["1/0"] == 2
    assert Counter(letter.urls)["1/24"] == 1


def test_a_letter_bears_so_many_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing_module, "IN_A_LETTER", 4)
    outgoing = Outgoing(home)
    outgoing.add(
        [f"1/{n}" for n in range(9)], links([0.1 * n for n in range(9)]), 0.5, 1
    )
    found = read(outgoing.take())[1]
    assert [len(letter.urls) for letter in found] == [4, 4, 1]
    assert found[2].urls == ("1/8",)
    assert found[2].links["anchor"].tolist() == pytest.approx([0.8])


def test_what_came_to_the_wrong_shard_goes_on_as_it_came() -> None:
    outgoing = Outgoing(home)
    outgoing.add(["1/a"], links([0.1]), 0.5, 1)
    outgoing.take()
    came = MailedLinks(
        ("1/a", "2/b"),
        links([0.7, 0.8]),
        np.array([0.25, 1.0], np.float32),
        np.array([4, 0], np.uint8),
    )
    outgoing.pass_on(came)
    found = read(outgoing.take())
    # whoever sent it has not sent it there
    assert (found[1][0].urls, found[1][0].depth.tolist()) == (("1/a",), [4])
    assert found[2][0].links["anchor"].tolist() == pytest.approx([0.8])
    assert found[2][0].relevance.tolist() == [1.0]
