"""robots.txt: RFC 9309 cases where robots commonly err, and what each kind of answer means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.core.records import Failure, Fetched, Kind, Robots, Ticket
from trapline.politeness.robots_txt import (
    LATER_S,
    LONGEST,
    MOST_SITEMAPS,
    SOON_S,
    VALID_S,
    RobotsFile,
    has_robots,
    read_robots,
    sitemaps_in,
)
from trapline.politeness.robots_txt import robots_from as robots_from_file
from trapline.politeness.rules import Rules

SITE = "http://example.org"
TICKET = Ticket(1, Kind.ROBOTS, -1, 0, 0.0, 0.0)


def answer(
    status: int = 0,
    body: bytes = b"",
    failure: Failure | None = None,
    retry_after_s: float = 0.0,
) -> Fetched:
    return Fetched(
        TICKET,
        SITE + "/robots.txt",
        5.0,
        status=status,
        body=body,
        failure=failure,
        retry_after_s=retry_after_s,
    )


def robots_from(fetched: Fetched, now_s: float) -> Robots:
    """As it is read and understood, one after the other."""
    file: RobotsFile | None = None
    if has_robots(fetched):
        file = read_robots(fetched.body, fetched.url)
    robots = robots_from_file(fetched, now_s, file)
    return Robots(robots.text, robots.until_s)


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("", "/a", True),
        ("User-agent: *\nDisallow:", "/a", True),
        ("User-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
        # the longest match wins, not the first
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        # at equal length the kinder rule
        ("User-agent: *\nAllow: /a\nDisallow: /a", "/a", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?z", True),
        ("User-agent: *\nDisallow: /caf%C3%A9", "/caf%c3%a9", False),
        # our group, not everybody's
        (
            "User-agent: *\nDisallow: /\n\nUser-agent: trapline\nDisallow: /x",
            "/a",
            True,
        ),
        # case, version
        (
            "User-agent: *\nDisallow: /\n\nUser-agent: TrapLine/0.1\nAllow: /",
            "/a",
            True,
        ),
        # a part of our name is not us
        ("User-agent: *\nDisallow: /\n\nUser-agent: trap\nAllow: /", "/a", False),
        (
            "User-agent: *\nDisallow: /\n\nUser-agent: my-trapline\nAllow: /",
            "/a",
            False,
        ),
        # groups are joined
        (
            "User-agent: trapline\nDisallow: /a\n\nUser-agent: trapline\nDisallow: /b",
            "/b",
            False,
        ),
        # one group, two names
        ("User-agent: a\nUser-agent: trapline\nDisallow: /", "/a", False),
        # a byte order mark does not hide the first line
        ("\ufeffUser-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\r\nDisallow: /a\r\n", "/a", False),
        ("User-agent: *\rDisallow: /a\r", "/a", False),
        ("<html><body>Not here</body></html>", "/a", True),
    ],
)
def test_rules(text: str, path: str, allowed: bool) -> None:
    assert Rules.from_text(text).allows(SITE + path) is allowed


@pytest.mark.parametrize(
    ("text", "delay_s"),
    [
        ("User-agent: *\nCrawl-delay: 2.5", 2.5),
        ("User-agent: *\nCrawl-delay: 9\nUser-agent: trapline\nCrawl-delay: 3", 3.0),
        ("User-agent: other\nCrawl-delay: 9", None),
        ("User-agent: *\nCrawl-delay: nan", None),
        ("User-agent: *\nCrawl-delay: inf", None),
        ("User-agent: *\nCrawl-delay: -4", None),
        ("User-agent: *\nCrawl-delay: soon", None),
    ],
)
def test_crawl_delay(text: str, delay_s: float | None) -> None:
    assert Rules.from_text(text).crawl_delay_s == delay_s


@given(
    st.text(
        alphabet=st.sampled_from(
            "Uuser-agent: *\nDisallow/Crawl-dy09.%$#\t\x00é\u2028"
        ),
        max_size=200,
    )
)
def test_no_text_raises(text: str) -> None:
    rules = Rules.from_text(text)
    assert isinstance(rules.allows(SITE + "/a?b=%"), bool)
    assert rules.crawl_delay_s is None or rules.crawl_delay_s >= 0


def test_a_url_that_cannot_be_split_is_not_allowed() -> None:
    assert not Rules.from_text("User-agent: *\nDisallow: /x").allows(
        "http://[::1/a?b c"
    )


def test_success_is_kept_for_a_day() -> None:
    assert robots_from(answer(200, b"\xef\xbb\xbfUser-agent: *\xff"), 7.0) == Robots(
        "User-agent: *\ufffd", 7.0 + VALID_S
    )


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_no_robots_txt_allows_everything(status: int) -> None:
    assert robots_from(answer(status), 7.0) == Robots("", 7.0 + VALID_S)


@pytest.mark.parametrize("status", [429, 500, 503, 599, 301, 302, 304, 100, 0])
def test_an_unclear_answer_closes_the_host_for_a_while(status: int) -> None:
    robots = robots_from(answer(status, b"User-agent: *\nAllow: /"), 7.0)
    assert robots.text is None
    assert SOON_S <= robots.until_s - 7.0 <= LATER_S


@pytest.mark.parametrize("failure", list(Failure))
def test_no_answer_closes_the_host_for_a_while(failure: Failure) -> None:
    robots = robots_from(answer(failure=failure), 7.0)
    assert robots.text is None
    assert SOON_S <= robots.until_s - 7.0 <= LATER_S


def test_retry_after_lengthens_the_wait_up_to_a_day() -> None:
    assert robots_from(answer(503, retry_after_s=3600.0), 0.0).until_s == 3600.0
    assert robots_from(answer(503, retry_after_s=5.0), 0.0).until_s == SOON_S
    assert robots_from(answer(503, retry_after_s=1e9), 0.0).until_s == VALID_S


def test_a_long_file_is_cut_between_lines() -> None:
    line = b"Disallow: /private/%09d\n"
    body = (
        b"User-agent: *\n"
        + b"".join(line % number for number in range(LONGEST // 20))
        + b"Disallow: /last"
    )
    text = robots_from(answer(200, body), 0.0).text
    assert text is not None
    assert len(text) <= LONGEST
    assert text.endswith("\n") and len(text.splitlines()[-1]) == len(line % 0) - 1
    assert Rules.from_text(text).allows(SITE + "/last")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Sitemap: http://example.org/a.xml", ["/a.xml"]),
        (
            "User-agent: someone\nDisallow: /\n sitemap :/a.xml \r\nSITEMAP: b.xml",
            ["/a.xml", "/b.xml"],
        ),
        ("Sitemap: /a.xml # ours\nSitemap: /a.xml#top", ["/a.xml"]),
        ("\ufeffSitemap: /a.xml", ["/a.xml"]),
        (
            (
                "Sitemap:\nSitemap: mailto:me\nSitemap: http://\n# Sitemap: /c.xml\nDisallow: "
                "Sitemap: /d.xml"
            ),
            [],
        ),
        ("", []),
    ],
)
def test_sitemaps(text: str, found: list[str]) -> None:
    robots = robots_from(answer(200, text.encode()), 0.0)
    assert sitemaps_in(robots.text or "", SITE + "/robots.txt") == [
        SITE + path for path in found
    ]


def test_sitemaps_of_other_hosts_and_too_many() -> None:
    text = "Sitemap: https://cdn.org/a.xml\n" + "".join(
        f"Sitemap: /{n}.xml\n" for n in range(50)
    )
    found = sitemaps_in(text, SITE + "/robots.txt")
    assert (len(found), found[0]) == (MOST_SITEMAPS, "https://cdn.org/a.xml")
