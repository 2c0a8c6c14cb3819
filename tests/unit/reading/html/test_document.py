"""Reading HTML: what a reader sees, and calm in the face of what no reader should."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.reading.html.charset import decode
from trapline.reading.html.depth_guard import flatten_if_deep
from trapline.reading.html.document import (
    LONGEST_TITLE,
    Document,
    read_html,
    read_plain,
)
from trapline.reading.html.links import MOST_LINKS

URL = "http://example.org/a/b.html"
PROSE = "Telescopes gather light. " * 20


def read(html: str) -> Document:
    return read_html(html.encode(), "text/html; charset=utf-8", URL)


def targets(html: str) -> list[str]:
    return list(
        dict.fromkeys(
            link.url.removeprefix("http://example.org") for link in read(html).links
        )
    )


def test_title_text_and_links() -> None:
    page = read(
        "<head><title> A \n title</title></head><body><h1>Sun</h1><p>It is <b>hot</b>, "
        "very.</p><a href=c>See</a>"
    )
    assert page.title == "A title"
    assert page.text == "Sun\nIt is hot, very.\nSee"
    assert [(link.url, link.text) for link in page.links] == [
        ("http://example.org/a/c", "See")
    ]


def test_a_page_without_title_is_named_by_its_heading() -> None:
    assert read("<h1>The  <i>Moon</i></h1>").title == "The Moon"
    assert len(read(f"<title>{PROSE * 9}</title>").title) == LONGEST_TITLE


def test_only_what_is_read_is_text() -> None:
    page = read(
        "<style>b{}</style><script>var a = '<p>no</p>'</script><nav><a "
        "href=/n>Menu</a></nav><header>Logo</header>"
        "<!-- no --><template>no</template>"
        f"<p>{PROSE}</p><noscript>no</noscript><footer>Imprint</footer>"
    )
    assert page.text == PROSE.strip()
    # navigation leads on all the same
    assert [link.url for link in page.links] == ["http://example.org/n"]


def test_main_content_is_preferred_where_there_is_some() -> None:
    assert read(f"<p>Around</p><main>{PROSE}</main>").text == PROSE.strip()
    assert read("<p>Around</p><main>Loading</main>").text == "Around\nLoading"
    assert (
        "Around"
        in read(
            f"<p>Around</p><article>{PROSE}</article><article>{PROSE}</article>"
        ).text
    )
    assert read("<nav>Only a menu</nav>").text == "Only a menu"


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<a href='x'>", ["/a/x"]),
        ("<a href='../x?q=1#frag'>", ["/x?q=1"]),
        ("<a href='#top'><a href=''><a href=' '><a>", []),
        (
            (
                "<a href='mailto:a@b'><a href='JavaScript:x()'><a href='data:,x'><a "
                "href='ftp://e/'><a href='tel:1'>"
            ),
            [],
        ),
        (
            "<a href='http://'><a href='http://[::1/'><a href='//'><a href='http://a b/'>",
            [],
        ),
        (
            "<a href='/x'>1</a><a href='/x#2'>2</a><a href='http://EXAMPLE.org:80/x'>3</a>",
            ["/x"],
        ),
        ("<a rel='noopener NoFollow' href='/x'><a rel='noopener' href='/y'>", ["/y"]),
        ("<base href='/deep/er/'><a href='x'>", ["/deep/er/x"]),
        ("<base href='javascript:1'><a href='x'>", ["/a/x"]),
        ("<map><area href='/x'></map>", ["/x"]),
        ("<a href='/a:b'><a href='x:y'>", ["/a:b"]),
        ("<a href='http://user:pass@example.org/x'>", ["/x"]),
        ("<a href='/\ud7ff\t\nx y'>", ["/%ED%9F%BFx%20y"]),
    ],
)
def test_links(html: str, found: list[str]) -> None:
    assert targets(html) == found


@pytest.mark.parametrize(
    ("meta", "noindex", "nofollow"),
    [
        ("<meta name=robots content='NOINDEX'>", True, False),
        ("<meta name=Robots content='follow, nofollow'>", False, True),
        ("<meta name=robots content='none'>", True, True),
        ("<meta name=trapline content='noindex,nofollow'>", True, True),
        ("<meta name=otherbot content='none'>", False, False),
        ("<meta name=robots content='index, follow'>", False, False),
    ],
)
def test_meta_robots(meta: str, noindex: bool, nofollow: bool) -> None:
    page = read(f"<head>{meta}</head><a href=/x>x</a>")
    assert (page.noindex, page.nofollow) == (noindex, nofollow)
    assert len(page.links) == (0 if nofollow else 1)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("Füße".encode(), "text/html; charset=utf-8"),
        # one bad byte spoils one letter, not all
        ("Füße ".encode() + b"\xff", "text/html; charset=utf-8"),
        ("Füße".encode("latin-1"), 'text/html; Charset="ISO-8859-1"'),
        # a byte order mark beats the header
        ("Füße".encode("utf-8-sig"), "text/html; charset=latin-1"),
        ("\ufeffFüße".encode("utf-16-le"), "text/html; charset=utf-8"),
        ("\ufeffFüße".encode("utf-16-be"), "text/html"),
        ("<meta charset=windows-1252>Füße".encode("cp1252"), "text/html"),
        # no: it could not have been read
        ("<meta charset=utf-16>Füße".encode(), "text/html"),
        ("<meta charset=utf-8>Füße".encode(), "text/html; charset=nonsense"),
        (("<p>" + "Grüße an die Füße, schöne Straße. " * 9).encode(), "text/html"),
    ],
)
def test_charsets(body: bytes, content_type: str) -> None:
    assert "Füße" in decode(body, content_type)


@given(
    st.binary(max_size=300),
    st.sampled_from(
        ["", "utf-8", "utf-16", "shift_jis", "gb18030", "iso-2022-jp", "\0"]
    ),
)
def test_any_bytes_become_text_that_can_be_stored(body: bytes, charset: str) -> None:
    page = read_html(body, f"text/html; charset={charset}", URL)
    for text in (page.title, page.text, read_plain(body, charset).text):
        assert "\0" not in text
        text.encode()


def nested(opening: str, levels: int = 100_000) -> str:
    return opening * levels + "<a href=/x>deep</a>"


@pytest.mark.parametrize(
    "html",
    [
        *map(
            nested,
            (
                "<div>",
                "<ul><li>",
                "<b>",
                "<table><tr><td>",
                "<p><i>",
                "<svg>",
                "<div></p>",
                "<dd><li>",
            ),
        ),
        "<p>"
        + "".join(f"<b a={n}>" for n in range(300))
        + "</p>"
        + "<p>x</p>" * 20_000
        + "<a href=/x>deep</a>",
        "".join(f"<p><b a={n}>x" for n in range(5_000)) + "<a href=/x>deep</a>",
        "<a " + " ".join(f"a{n}" for n in range(200_000)) + "></a><a href=/x>deep</a>",
        "<" * 500_000 + "a href=/x>deep</a>",
        "<script>" * 50_000 + "</script><a href=/x>deep</a>",
        "\0" * 500_000 + "<a href=/x>de\0ep</a>",
        "<a href='" + "x" * 3_000_000 + "'>long</a><a href=/x>deep</a>",
    ],
    ids=lambda html: html[:12].replace("\0", "NUL"),
)
def test_hostile_markup_is_read_in_bounded_time(html: str) -> None:
    targets("<p>" * 2_001)  # kernels may have to be compiled
    begun = time.process_time()
    assert targets(html) == ["/x"]
    # some of these took lexbor minutes, or all memory
    assert time.process_time() - begun < 4.0


def test_a_million_links_are_too_many() -> None:
    page = read("".join(f"<a href=/{n}>{n}</a>" for n in range(100_000)))
    assert len(page.links) == MOST_LINKS


def test_honest_pages_are_left_as_they_are() -> None:
    rows = "<tr><td>a<td><a href=x><b>b</b></a><br><img src=x>" * 3_000
    items = "<li><p>one <i>two</i><li>three" * 3_000
    script = "<script>" + "if (a<b) c();" * 900 + "</script>"
    drawing = "<svg>" + "<path d=''/>" * 900 + "</svg>"
    html = f"<table>{rows}</table><ul>{items}</ul>{script}<div><p>text</div>{drawing}"
    assert flatten_if_deep(html.encode()) == html.encode()


def test_a_flat_document_keeps_title_links_and_words() -> None:
    html = (
        "<HTML><HEAD><TITLE>T</TITLE><META NAME=robots CONTENT=noindex><BASE "
        f"HREF=/z/></HEAD>{'<div>' * 5_000}"
        "one<p>two<script>if (a<b) no</script><a class=q href=y>th<b>re</b>e</a>"
    )
    page = read(html)
    assert flatten_if_deep(html.encode()) != html.encode()
    assert (page.title, page.text, page.noindex) == ("T", "one two th re e", True)
    assert [(link.url, link.text) for link in page.links] == [
        ("http://example.org/z/y", "th re e")
    ]


NOISY = {
    "advertisement": '<ins class="adsbygoogle">Buy <ins class="adsbygoogle">now</ins></ins>',
    "banner": '<div class="cookie-banner">We use cookies <div class="consent">OK</div></div>',
    "menu": '<div role="navigation">Home <div role="navigation">News</div></div>',
    "newsletter": '<form class="newsletter">Subscribe</form>',
}


@pytest.mark.parametrize("noise", NOISY.values(), ids=NOISY)
@pytest.mark.parametrize("frame", ["<main>{}</main>", "<article>{}</article>", "{}"])
def test_noise_is_not_text(noise: str, frame: str) -> None:
    prose = "A cookie recipe for people who navigate by the stars. " * 6
    html = "<title>T</title>" + frame.format(
        f"<p class=cookie-recipe>{prose}</p>{noise * 3}"
    )
    assert read_html(html.encode(), "", "http://example.org/").text == prose.strip()


def test_a_page_that_is_all_noise_is_still_about_something() -> None:
    html = (
        b'<title>T</title><div role="navigation">'
        + b"Stars and moons. " * 20
        + b"</div>"
    )
    assert "Stars and moons" in read_html(html, "", "http://example.org/").text


@pytest.mark.parametrize(
    "html",
    [
        "<p>one<meta name=robots content=noindex>",
        "<head><meta charset=utf-8></head><div><META NAME=robots CONTENT=noindex></div>",
        "<head><noscript><meta name=robots content=noindex></noscript></head><p>one",
        "<head>"
        + "<meta name=x content=y>" * 900
        + "<meta name=robots content=noindex></head><p>one",
        "<head>"
        + "<link href=x>" * 2_000
        + "<meta name=robots content=noindex></head><p>one",
    ],
    ids=["body", "deep", "noscript", "many", "crowd"],
)
def test_orders_are_obeyed_wherever_they_stand(html: str) -> None:
    assert read(html).noindex


def test_what_a_head_says() -> None:
    page = read(
        "<html lang=de-AT><head><noscript><link rel=canonical href=/c></noscript><base><base "
        "href=/z/>"
        "<link rel=alternate type=application/rss+xml href=feed "
        "title=News><title>One</title><title>Two</title></head>"
    )
    assert (page.title, page.language, page.canonical) == (
        "One",
        "de",
        "http://example.org/c",
    )
    assert [(link.url, link.text) for link in page.links] == [
        ("http://example.org/z/feed", "News")
    ]


def test_a_title_that_stands_elsewhere() -> None:
    assert read("<p>one<title>Two</title><h1>Three</h1>").title == "Two"
    assert read("<title></title><h1>Three</h1>").title == ""


def test_roles_are_seen_however_they_are_written() -> None:
    for role in ("role=main", "ROLE = main", "role\n=\n'main'"):
        assert (
            read(f"<p>The role of navigation</p><div {role}>{PROSE}</div>").text
            == PROSE.strip()
        )
