"""Traps: what looks like one, what is one page under many names, and what has yielded nothing for
long.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.core.session_urls import without_session
from trapline.core.urls import canonical
from trapline.scope.traps import ENOUGH, LEAST, LET_THROUGH, Patterns, trap_in

SITE = "http://example.org"

TRAPS = [
    ("/x/x/x/", "repeating segments"),
    ("/de/blog/de/blog/de/blog/post", "repeating segments"),
    ("/shop/a/b/c/a/b/c/a/b/c", "repeating segments"),
    ("/1/1/1/1/", "repeating segments"),
    ("/" + "/".join(f"s{n}" for n in range(25)), "deeper than 20 segments"),
    ("/a?q=" + "w" * 1000, "longer than 1000 characters"),
    ("/a?" + "&".join(f"p{n}=1" for n in range(20)), "more than 16 parameters"),
    ("/a?x=1&y=2&x=1", "repeated parameters"),
    ("/a?" + "&".join(f"f[]={n}" for n in range(10)), "repeated parameters"),
]
FINE = [
    "/",
    "/a/b/c.html",
    "/a/a/b",
    "/archive/2011/11/11/",
    "/archive/11/11/11/story",
    "/docs/html/docs/html/index.html",
    "/en/x/y/en/x",
    "/list?color[]=red&color[]=blue&size=3",
    "/search?q=tea&page=2&sort=price&lang=en",
    "/" + "/".join(f"s{n}" for n in range(12)),
]


@pytest.mark.parametrize(("path", "why"), TRAPS)
def test_traps(path: str, why: str) -> None:
    assert trap_in(canonical(SITE + path)) == why


@pytest.mark.parametrize("path", FINE)
def test_fine(path: str) -> None:
    assert trap_in(canonical(SITE + path)) is None


@pytest.mark.parametrize(
    ("path", "bare"),
    [
        ("/a;jsessionid=1F3A", "/a"),
        ("/a;jsessionid=1F3A?id=7", "/a?id=7"),
        ("/a?PHPSESSID=abc", "/a"),
        ("/a?id=7&utm_source=x&utm_medium=y", "/a?id=7"),
        ("/a?gclid=1&id=7&fbclid=2", "/a?id=7"),
        (
            "/viewtopic.php?t=9&sid=0123456789abcdef0123456789abcdef",
            "/viewtopic.php?t=9",
        ),
        ("/story?sid=23", "/story?sid=23"),
        (
            "/story?sid=the-long-way-to-a-small-town",
            "/story?sid=the-long-way-to-a-small-town",
        ),
        ("/(S(lit3py55t21z5v55vlm25s55))/orders.aspx", "/orders.aspx"),
        ("/wiki/Stars_(band)/x", "/wiki/Stars_(band)/x"),
        ("/a?b=1&c=2", "/a?b=1&c=2"),
        ("/a;v=2?x", "/a;v=2?x"),
    ],
)
def test_sessions_are_taken_off(path: str, bare: str) -> None:
    assert without_session(SITE + path) == SITE + bare


names = st.sampled_from(
    ["id", "sid", "s", "PHPSESSID", "utm_x", "a", "page", "jsessionid", ""]
)
values = st.sampled_from(
    ["", "1", "0123456789abcdef", "x;y", "a=b", "(S(aaaaaaaaaaaaa))"]
)
segments = st.sampled_from(
    [
        "a",
        "b;jsessionid=7",
        "(S(lit3py55t21z5v55))",
        "c;sid=9;d",
        "x;y",
        ";jsessionid=1",
    ]
)


@given(st.lists(segments, max_size=4), st.lists(st.tuples(names, values), max_size=4))
def test_once_is_enough_and_it_stays_canonical(
    path: list[str], query: list[tuple[str, str]]
) -> None:
    url = canonical(
        f"{SITE}/{'/'.join(path)}?{'&'.join(f'{name}={value}' for name, value in query)}"
    )
    bare = without_session(url)
    assert without_session(bare) == bare
    assert canonical(bare) == bare


def visited(patterns: Patterns, urls: list[str], yielded: float = 0.0) -> Patterns:
    for url in urls:
        patterns.note(SITE + url, yielded)
    return patterns


def shut(patterns: Patterns, urls: list[str]) -> float:
    return sum(patterns.is_exhausted(SITE + url) for url in urls) / len(urls)


CALENDARS = [
    "/calendar?month=2031-{}",
    "/calendar/2031/{}/",
    "/cal.php?view=week&d={}&m=5",
    "/events?date=2031-05-01T10%3A{}",
    "/p{}.html",
]


@pytest.mark.parametrize("pattern", CALENDARS)
def test_an_endless_calendar_is_exhausted_all_but_one_in_fifty(pattern: str) -> None:
    patterns = visited(Patterns(), [pattern.format(day) for day in range(ENOUGH - 1)])
    later = [pattern.format(day) for day in range(1000, 6000)]
    assert shut(patterns, later) == 0.0
    visited(patterns, [pattern.format(999)])
    assert 1 - 1.5 / LET_THROUGH < shut(patterns, later) < 1 - 0.5 / LET_THROUGH
    assert shut(patterns, later) == shut(patterns, later), "asking changes nothing"


def test_endless_words_are_noticed_by_their_names() -> None:
    patterns = visited(
        Patterns(),
        [f"/shop?colour=c{chr(97 + n)}&size=s{chr(98 + n)}" for n in range(ENOUGH)],
    )
    assert (
        shut(patterns, [f"/shop?colour=z{word}&size=s" for word in "abcdefghij"]) > 0.7
    )
    assert shut(patterns, [f"/shop?colour=z{word}" for word in "abcdefghij"]) == 0.0


def test_real_content_beside_a_trap_stays_open() -> None:
    patterns = Patterns()
    for n in range(500):
        visited(patterns, [f"/index?view=calendar&id={n}"])
        visited(patterns, [f"/index?view=article&id={n}"], 0.7 if n % 5 == 0 else 0.0)
    assert shut(patterns, [f"/index?view=article&id={n}" for n in range(999)]) == 0.0
    assert shut(patterns, [f"/index?view=calendar&id={n}" for n in range(999)]) > 0.9


def test_one_page_is_never_exhausted() -> None:
    assert shut(visited(Patterns(), ["/news"] * 200), ["/news"]) == 0.0


def test_what_yielded_before_is_waited_for() -> None:
    """One page in ten: thirty without are chance, a hundred are not; then one yield
    opens it again.
    """
    patterns = Patterns()
    for n in range(200):
        visited(patterns, [f"/a/{n}"], 1.0 if n % 10 == 0 else 0.0)
    ahead = [f"/a/{n}" for n in range(1000, 1100)]
    visited(patterns, [f"/a/{n}" for n in range(300, 330)])
    assert shut(patterns, ahead) == 0.0
    visited(patterns, [f"/a/{n}" for n in range(330, 400)])
    assert shut(patterns, ahead) > 0.9
    visited(patterns, ["/a/400"], 2 * LEAST)
    assert shut(patterns, ahead) == 0.0


def test_memory_is_bounded_and_what_is_asked_for_is_remembered() -> None:
    patterns = visited(Patterns(most=100), [f"/trap/{n}" for n in range(ENOUGH)])
    for n in range(1000):
        visited(patterns, [f"/w{'x' * (n % 300)}{chr(97 + n % 26)}/{n}"])
        shut(patterns, ["/trap/7777"])
        assert len(patterns) <= 100
    assert shut(patterns, [f"/trap/{n}" for n in range(1000)]) > 0.9
    for n in range(200):
        visited(patterns, [f"/v{'x' * n}/{n}"])
    assert shut(patterns, [f"/trap/{n}" for n in range(1000)]) == 0.0


def test_many_patterns() -> None:
    patterns = visited(
        Patterns(), [f"/{'x' * (n % 100)}{'y' * (n // 100)}/{n}" for n in range(1500)]
    )
    assert len(patterns) == 1500
    visited(patterns, [f"/x/{n}" for n in range(ENOUGH)])
    assert shut(patterns, [f"/x/{n}" for n in range(1000)]) > 0.9


def test_state_survives() -> None:
    patterns = visited(
        Patterns(most=50), [f"/a{chr(97 + n % 7)}/{n}" for n in range(300)]
    )
    visited(patterns, [f"/good/{n}" for n in range(60)], 1.0)
    again = Patterns(most=50)
    again.restore(patterns.state())
    for n in range(300):
        ahead = f"/a{chr(97 + n % 26)}/{n}?x={n}"
        assert again.is_exhausted(SITE + ahead) == patterns.is_exhausted(SITE + ahead)
        visited(patterns, [ahead], n % 3 / 2)
        visited(again, [ahead], n % 3 / 2)
    for one, other in zip(
        patterns.state().values(), again.state().values(), strict=True
    ):
        assert one.tolist() == other.tolist()


def test_the_share_of_a_calendar_beside_a_real_site() -> None:
    """A site of 300 articles, each with links into a calendar of 10,000 days: breadth first, until
    all is seen.
    """

    def links(url: str) -> list[str]:
        number = int(url.rpartition("/")[2])
        if "day" in url:
            return [
                f"{SITE}/day/{number + step}"
                for step in (1, 7, 30)
                if number + step < 10_000
            ]
        near = [f"{SITE}/article/{(number * 7 + step) % 300}" for step in range(1, 9)]
        return [*near, f"{SITE}/day/{number * 3}", f"{SITE}/day/{number * 5}"]

    def crawl(patterns: Patterns | None) -> tuple[int, int]:
        queue = [f"{SITE}/article/0"]
        known = set(queue)
        seen = {"article": 0, "day": 0}
        for url in queue:
            if patterns is not None and patterns.is_exhausted(url):
                continue
            kind = "day" if "day" in url else "article"
            seen[kind] += 1
            if patterns is not None:
                patterns.note(url, 1.0 if kind == "article" else 0.0)
            fresh = [link for link in dict.fromkeys(links(url)) if link not in known]
            known.update(fresh)
            queue.extend(fresh)
        return seen["article"], seen["day"]

    assert crawl(None) == (300, 10_000)
    articles, days = crawl(Patterns())
    assert articles == 300
    assert ENOUGH <= days <= 0.2 * (articles + days)
