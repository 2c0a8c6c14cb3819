"""Which changes are noise: boxes that are another at every visit, and nothing else."""

from __future__ import annotations

import itertools

import pytest

from trapline.robot.response.noisy_places import (
    LEARNT,
    MOST_HOSTS,
    MOST_PLACES,
    NoisyPlaces,
    Visited,
)

QUOTES = ["Be brief.", "Know thyself.", "Well begun.", "Slow down.", "Look up.", "Go."]
ARTICLE = [
    f"Paragraph {n} of a long article about the {n}th kind of tea" for n in range(20)
]


def page(*box: str, article: list[str] = ARTICLE, title: str = "Tea") -> str:
    return "\n".join((title, *article, "Quote of the day", *box, "Contact"))


class Host:
    """Pages of a host, visited one after the other."""

    def __init__(self, host: int = 7) -> None:
        self.places = NoisyPlaces()
        self.host = host

    def visit(self, old: str, new: str, links: int = 0) -> bool:
        """Whether there is news."""
        if old == new and not links:
            self.places.note_quiet(self.host, new)
            return False
        return self.places.is_news(Visited(self.host, old, new, links))

    def learn(self, quotes: list[str] = QUOTES) -> list[bool]:
        return [
            self.visit(page(old), page(new)) for old, new in itertools.pairwise(quotes)
        ]


def test_a_box_that_is_another_at_every_visit_is_noise_after_some() -> None:
    assert Host().learn() == [True] * LEARNT + [False] * (len(QUOTES) - 1 - LEARNT)


def test_the_article_beside_it_is_news() -> None:
    host = Host()
    host.learn()
    other = ["Another beginning", *ARTICLE[1:]]
    assert host.visit(page("a b"), page("c d", article=other))
    assert host.visit(page("a b"), page("c d", article=[*ARTICLE, "One more"]))
    assert host.visit(page("a b"), page("c d", title="Rum"))
    assert host.visit(page("a b"), page("c d").replace("Contact", "Closed"))
    assert not host.visit(page("a b"), page("c d"))


def test_other_pages_of_the_host_profit_and_other_hosts_do_not() -> None:
    host = Host()
    host.learn()
    rum = [line.replace("tea", "rum") for line in ARTICLE]
    assert not host.visit(page("a b", article=rum), page("c d", article=rum))
    host.host = 8
    assert host.visit(page("a b"), page("c d"))


def test_several_pages_teach_together() -> None:
    host = Host()
    for name in ("rum", "gin", "ale")[:LEARNT]:
        drink = [line.replace("tea", name) for line in ARTICLE]
        assert host.visit(page("a b", article=drink), page(name, article=drink))
    assert not host.visit(page("a b"), page("c d"))


def test_what_a_site_changes_once_on_all_pages_is_news_on_each() -> None:
    host = Host()
    for name in ("rum", "gin", "ale", "rye", "sake", "mead"):
        drink = [line.replace("tea", name) for line in ARTICLE]
        old = page("We ship by train.", article=drink)
        assert host.visit(old, page("We ship by boat.", article=drink))


def test_a_place_that_is_quiet_at_times_is_not_learnt() -> None:
    host = Host()
    for old, new in itertools.pairwise(QUOTES * 3):
        assert host.visit(page(old), page(new))
        host.visit(page(new), page(new))


def test_nor_is_one_that_is_quiet_at_every_third_visit() -> None:
    host = Host()
    for old, new in itertools.pairwise(QUOTES * 3):
        assert host.visit(page(old), page(new))
        assert host.visit(page(new), page("between"))
        host.visit(page("between"), page("between"))


def test_what_is_learnt_survives_a_quiet_visit_but_not_many() -> None:
    host = Host()
    host.learn()
    host.visit(page("a"), page("a"))
    assert not host.visit(page("a b"), page("c d"))
    for _ in range(10):
        host.visit(page("a"), page("a"))
    assert host.visit(page("a b"), page("c d"))


@pytest.mark.parametrize(
    "values",
    [
        [f"Tea costs {n} € a {word}" for n, word in enumerate("abcdefgh")],
        [f"DAX {n}.5" for n in range(8)],
        [f"Water level {n} cm" for n in range(8)],
        [f"Version {n}.1.0 {word} is out" for n, word in enumerate("abcdefgh")],
        [f"up {n} % {word}" for n, word in enumerate("abcdefgh")],
    ],
    ids=["price", "index", "level", "version", "share"],
)
def test_values_are_what_a_page_is_for(values: list[str]) -> None:
    host = Host()
    assert all(
        host.visit(page(old), page(new)) for old, new in itertools.pairwise(values)
    )


def test_numbers_in_a_box_that_is_known_are_noise() -> None:
    host = Host()
    host.learn()
    assert not host.visit(page("21 degrees, mild"), page("23 degrees, mild"))


def test_a_value_in_a_box_that_is_known_is_news_but_unteaches_nothing() -> None:
    host = Host()
    host.learn()
    for price in range(20):
        assert host.visit(page("Be brief."), page(f"Now {price} €"))
    assert not host.visit(page("a b"), page("c d"))


def test_new_places_are_learnt_where_many_others_changed_once() -> None:
    host = Host()
    for number in range(2 * MOST_PLACES):
        once = page("a").replace("Quote", f"Box {number}")
        assert host.visit(once, once.replace("\na\n", "\nb\n"))
    assert host.learn()[-1] is False


def test_a_front_page_is_all_news() -> None:
    host = Host()
    stories = [f"Story {n} about something that happened on day {n}" for n in range(60)]
    for day in range(8):
        old = page("x", article=stories[day : day + 20])
        new = page("x", article=stories[day + 1 : day + 21])
        assert host.visit(old, new)


def test_a_front_page_with_fixed_boxes_is_all_news() -> None:
    host = Host()
    for day in range(8):
        old, new = (
            [
                f"{word} {n} story of it"
                for n in range(20)
                for word in (f"a{now}", f"b{now}")
            ]
            for now in (day, day + 1)
        )
        assert host.visit(page("x", article=old), page("x", article=new))


def test_what_stands_below_the_heading_is_all_news() -> None:
    host = Host()
    for old, new in itertools.pairwise(QUOTES):
        one, other = (
            page(
                "x",
                article=["All about Tea", quote, *ARTICLE],
                title="All about Tea - Bonn",
            )
            for quote in (old, new)
        )
        assert host.visit(one, other)


def test_many_small_boxes_are_a_front_page() -> None:
    host = Host()
    for day in range(8):
        old, new = (
            [
                line
                for n in range(12)
                for line in (ARTICLE[n], f"{now} is day {n} of it {now}")
            ]
            for now in ("abcdefghij"[day], "abcdefghij"[day + 1])
        )
        assert host.visit(page("x", article=old), page("x", article=new))


def test_a_page_with_few_words_is_all_news() -> None:
    host = Host()
    few = ["Status of the bridge"]
    for old, new in itertools.pairwise(QUOTES):
        assert host.visit(page(old, article=few), page(new, article=few))


def test_links_that_change_at_every_visit_where_no_words_do() -> None:
    host = Host()
    text = page("x")
    news = [host.visit(text, text, links=1 + n) for n in range(LEARNT + 2)]
    assert news == [True] * LEARNT + [False] * 2
    # what a known box brings with it is no news, either
    host.learn()
    assert not host.visit(page("a b"), page("c d"), links=99)
    assert host.visit(page("a"), page("a", article=ARTICLE[1:]), links=99)


def test_links_of_a_page_without_words_are_news() -> None:
    host = Host()
    assert all(host.visit("Gallery\nx", "Gallery\nx", links=1 + n) for n in range(9))


def test_what_is_learnt_is_kept() -> None:
    host = Host()
    host.learn()
    again = Host()
    again.places.restore(host.places.state())
    assert not again.visit(page("a b"), page("c d"))
    assert again.places.state().keys() == host.places.state().keys()


def test_nothing_learnt_is_kept_too() -> None:
    places = NoisyPlaces()
    places.restore(NoisyPlaces().state())
    assert not places.knows(7)


def test_memory_is_bounded() -> None:
    host = Host()
    for number in range(3 * MOST_PLACES):
        host.visit(
            page("a b").replace("Quote", f"Box {number}"),
            page("c d").replace("Quote", f"Box {number}"),
        )
    assert len(host.places.state()["rows"]) <= MOST_PLACES
    for host.host in range(MOST_HOSTS + 100):
        host.visit(page("a b"), page("c d"))
    assert len(host.places.state()["rows"]) <= MOST_HOSTS
