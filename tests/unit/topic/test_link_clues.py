"""LINK records: what links show, once a target, in bounded time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.core.links import LINK, TOKENS, Links
from trapline.topic.link_clues import Clue, link_words
from trapline.topic.topic import Topic
from trapline.topic.word_hashes import word_hashes

TOPIC = Topic.from_text("space telescopes")


def clue(
    url: str = "http://h.org/a/b.html", text: str = "", around: str = "", path: int = 1
) -> Clue:
    return (url, text, around, path)


def records(
    clues: Sequence[Clue], numbers: Sequence[tuple[int, int]], topic: Topic = TOPIC
) -> Links:
    return topic.links(link_words(clues), dict(enumerate(numbers)))


def hashed(words: str) -> list[int]:
    return list(word_hashes(words).tolist())


def test_likeness_of_words_address_and_surroundings() -> None:
    links = records(
        [
            clue("http://h.org/1", "All about telescopes"),
            clue("http://h.org/space/2", "here"),
            clue("http://h.org/t%C3%A9/%73pace", "more"),  # as a reader sees it
            clue("http://space.org/x", "next"),
            clue("http://h.org/3", "tea", "a telescope of the finest"),
            clue("http://h.org/4", "tea", "and biscuits"),
        ],
        [(n, 0) for n in range(6)],
    )
    assert (links["anchor"] > 0.5).tolist() == [True, False, False, False, False, False]
    assert (links["address"] > 0.3).tolist() == [False, True, True, True, False, False]
    assert (links["context"] > 0.3).tolist() == [
        False,
        False,
        False,
        False,
        True,
        False,
    ]
    assert links["anchor"][0] == 1.0  # "all" and "about" tell nothing


def test_the_one_best_word_is_a_likeness_of_one_and_others_dilute_it() -> None:
    links = records(
        [clue(text="space"), clue(text="space tea"), clue(text="space " * 9)],
        [(n, 0) for n in range(3)],
    )
    assert links["anchor"][0] == pytest.approx(1.0) == pytest.approx(links["anchor"][2])
    assert links["anchor"][1] == pytest.approx(np.sqrt(0.5))


def test_a_page_that_is_linked_to_twice_keeps_its_best_words_and_first_place() -> None:
    clues = [
        clue(text="next"),
        clue("http://h.org/c", "up"),
        clue(text="Space"),
        clue(text="space tea"),
    ]
    links = records(clues, [(3, 0), (9, 1), (3, 0), (3, 0)])
    assert links["page"].tolist() == [3, 9] and links["host"].tolist() == [0, 1]
    assert links["anchor"].tolist() == [1.0, 0.0]
    assert links["place"].tolist() == [0.0, 0.5]


def test_groups_by_directory_and_beginning() -> None:
    urls = [
        "http://h/a/sql-create.html",
        "http://h/a/sql-drop.html",
        "http://h/a/x?y=1/2",
        "http://h/b/sql-drop.html",
        "http://i/a/sql-drop.html",
        "http://h/a/sql9",
    ]
    links = records([clue(url) for url in urls], [(n, 0) for n in range(len(urls))])
    directory = links["directory"].tolist()
    prefix = links["prefix"].tolist()
    assert (
        directory[0] == directory[1] == directory[2] == directory[5]
        and len(set(directory)) == 3
    )
    assert prefix[0] == prefix[1] == prefix[5] and len(set(prefix)) == 4
    assert min(*directory, *prefix, *links["path"].tolist()) > 0


def test_tokens_are_telling_words_of_link_and_path() -> None:
    links = records(
        [
            clue(
                "http://www.h.org/doc/1990/sql-create.html",
                "The CREATE tables 42",
                "around it",
            ),
            clue("http://h.org/a1/b/c/d/e", "one two three four five six seven"),
            clue("http://h.org/", "the"),
        ],
        [(n, 0) for n in range(3)],
    )
    assert set(links["tokens"][0].tolist()) == {*hashed("create table sql doc"), 0}
    assert set(links["tokens"][1].tolist()) == set(hashed("two three four five e d"))
    assert links["tokens"][2].tolist() == [0] * TOKENS


def test_nothing_to_say_is_no_links() -> None:
    assert len(records([], [])) == 0
    assert records([], []).dtype == LINK


def test_a_topic_that_knows_nothing_yet_promises_nothing() -> None:
    links = records([clue(text="space")], [(1, 0)], Topic.from_text("", expects=True))
    assert links["anchor"][0] == links["address"][0] == 0.0
    assert links["tokens"][0][0] == hashed("space")[0]


@given(
    st.lists(
        st.tuples(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80)),
        max_size=8,
    )
)
def test_whatever_links_say_likeness_stays_in_range(
    said: list[tuple[str, str, str]],
) -> None:
    clues = [
        clue(f"http://h.org/{path}", " ".join(text.split()), " ".join(around.split()))
        for path, text, around in said
    ]
    links = records(clues, [(n // 2, 0) for n in range(len(clues))])
    assert len(links) == (len(clues) + 1) // 2
    for name in ("anchor", "address", "context", "place"):
        assert ((links[name] >= 0.0) & (links[name] <= 1.0)).all()


def test_long_addresses_are_looked_at_from_their_end() -> None:
    links = records(
        [clue("http://h.org/" + "ab-cd/" * 300 + "space")] * 2_000,
        [(n, 0) for n in range(2_000)],
    )
    assert len(links) == 2_000 and links["address"].min() > 0.0


def test_links_without_a_number_are_left_out() -> None:
    """As those out of scope: what the others say does not depend on them."""
    clues = [
        clue("http://h.org/1", "space"),
        clue("http://h.org/2", "tea"),
        clue("http://h.org/3", "telescopes"),
    ]
    some = TOPIC.links(link_words(clues), {0: (7, 0), 2: (9, 1)})
    alone = records([clues[0], clues[2]], [(7, 0), (9, 1)])
    assert some["page"].tolist() == [7, 9]
    assert some.tobytes() == alone.tobytes()
