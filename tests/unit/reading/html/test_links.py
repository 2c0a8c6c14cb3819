"""What links show before they are followed: their words, the words around them, the tags above
them.
"""

from __future__ import annotations

import pytest

from trapline.reading.html.document import read_html
from trapline.reading.html.links import LONGEST_ANCHOR, MOST_TEXTS, REACH, Anchor

PROSE = "Telescopes gather light and mirrors bend it. " * 9


def links(html: str) -> list[Anchor]:
    return list(
        read_html(
            html.encode(), "text/html; charset=utf-8", "http://example.org/a"
        ).links
    )


def texts(html: str) -> list[str]:
    return [link.text for link in links(html)]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<a href=/x> The <b>red</b>\n planet </a>", "The red planet"),
        ("<a href=/x><img src=y alt=' A  map '></a>", "A map"),
        ("<a href=/x><img src=y></a>", ""),
        ("<a href=/x>Words<img alt=picture></a>", "Words"),
        ("<map><area href=/x alt='A place'></map>", "A place"),
        ("<a href=/x title='All of it'>More</a>", "More All of it"),
        ("<a href=/x title='More'>More of it</a>", "More of it"),
        ("<a href=/x title=Only></a>", "Only"),
        (f"<a href=/x>{PROSE}</a>", PROSE[:LONGEST_ANCHOR]),
    ],
)
def test_what_a_link_says(html: str, text: str) -> None:
    assert texts(html) == [text]


def test_a_link_is_read_under_each_of_its_first_texts() -> None:
    assert texts("<a href=/x><img></a><a href=/x>Words</a><a href=/x>Words</a>") == [
        "Words"
    ]
    assert texts("<a href=/x>Next</a><a href=/y>Up</a><a href=/x#top>The Moon</a>") == [
        "Next",
        "The Moon",
        "Up",
    ]
    assert len(links("".join(f"<a href=/x>{n}</a>" for n in range(99)))) == MOST_TEXTS


@pytest.mark.parametrize(
    ("html", "around"),
    [
        (
            "<p>See <i>also</i> <a href=/x>the Sun</a>, which is hot.</p>",
            "See also , which is hot.",
        ),
        ("<p>Before</p><p><a href=/x>the Sun</a></p><p>After</p>", ""),
        ("<ul><li>One<li><a href=/x>Sun</a>: a star<li>Three</ul>", ": a star"),
        (
            "<p>Big <b><code><a href=/x>Sun</a></code></b> and bright<br>Next line",
            "Big and bright",
        ),
        ("<p>One<!-- no --><a href=/x>Sun</a><script>no()</script>two", "One two"),
        ("<a href=/x>Sun</a>", ""),
    ],
)
def test_the_words_around_a_link_end_with_its_block(html: str, around: str) -> None:
    assert links(html)[0].around == around


def test_only_whole_words_within_reach() -> None:
    around = links(f"<p>{PROSE}<a href=/x>x</a> {PROSE}")[0].around
    assert REACH < len(around) <= 2 * REACH + 1
    assert set(around.split()) <= set(PROSE.split())
    assert around.startswith("bend it.") or around.split()[0] in PROSE.split()


def test_links_under_the_same_tags_have_the_same_path() -> None:
    menu = (
        "<ul class='menu top'>"
        + "".join(f"<li class=item-{n}><a href=/{n}>{n}</a></li>" for n in range(9))
        + "</ul>"
    )
    found = links(
        f"<body id=b>{menu}<p><a href=/p>p</a><p class=q><a href=/q>q</a></p><a class=z "
        "href=/z>z</a>"
    )
    paths = [link.path for link in found]
    assert len(set(paths[:9])) == 1
    assert len(set(paths)) == 4
    assert all(0 < path < 2**31 for path in paths)
    other = links(f"<body id=c>{menu}")
    # the same on another page, in another run: no hidden seed
    assert other[0].path == paths[0]


def test_a_tangle_of_inline_elements_is_left_alone() -> None:
    deep = (
        "<span>" * 400
        + "".join(f"<a href=/{n}></a>" for n in range(3_000))
        + PROSE * 99
    )
    assert len(links(deep)) == 3_000
    wide = "".join(f"<b>x</b><a href=/{n}></a>" for n in range(3_000))
    # so many steps and no more
    assert max(len(link.around) for link in links(wide)) < 20


INLINE = (
    "abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr "
    "q s samp small span strike"
)


@pytest.mark.parametrize(
    "tag", [*INLINE.split(), "strong", "sub", "sup", "time", "tt", "u", "var"]
)
def test_inline_elements_do_not_end_a_block(tag: str) -> None:
    assert (
        links(f"<p>See <{tag}>also</{tag}> <{tag}><a href=/x>it</a></{tag}> now")[
            0
        ].around
        == "See also now"
    )


@pytest.mark.parametrize("tag", ["div", "pre", "li", "button", "x-y"])
def test_other_elements_do(tag: str) -> None:
    assert links(f"<div>See <{tag}>also</{tag}><a href=/x>it</a>")[0].around == ""


def test_links_of_drawings() -> None:
    drawn = "<svg><a xlink:href=/no><text>no</text></a><a href=/x><text>yes</text></a></svg>"
    assert [(link.url, link.text) for link in links(drawn)] == [
        ("http://example.org/x", "yes")
    ]


def test_places_of_a_map_stand_among_the_links() -> None:
    assert texts("<a href=/1>1</a><map><AREA href=/2 alt=2></map><a href=/3>3</a>") == [
        "1",
        "2",
        "3",
    ]


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("/", "http://example.org/"),
        ("/b/c.html", "http://example.org/b/c.html"),
        ("https://Other.example:443/d/../e", "https://other.example/e"),
        ("https://other.example/" + "f" * 300, "https://other.example/" + "f" * 300),
    ],
)
def test_links_from_the_root_and_elsewhere(href: str, url: str) -> None:
    assert [link.url for link in links(f"<a href='{href}'>x</a>" * 2)] == [url]


def test_a_name_of_megabytes_is_not_remembered() -> None:
    long = "x" * 1_000_000
    found = links(
        f"<p class={long}><a href=/1 class={long}>1</a><p class={long}y><a href=/2 "
        f"class={long}z>2</a>"
    )
    assert found[0].path == found[1].path
