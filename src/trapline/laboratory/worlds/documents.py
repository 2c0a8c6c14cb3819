"""The pages of a linked web as documents: their addresses and their HTML, without clock or socket.

The same page, version and links give the same bytes, so that a fingerprint changes exactly when the
world says so.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Callable
from html import escape
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.worlds import prose

PRIVATE_FOLDER: Final = "/private/"  # what every robots.txt here forbids
# linked from every front page, to notice a rude robot
PRIVATE_PATH: Final = PRIVATE_FOLDER + "visitors.html"

_NUMBERED = re.compile(r"-(\d{1,12})\.html$")
_COLOURS = (
    "Amber",
    "Copper",
    "Ivory",
    "Cobalt",
    "Scarlet",
    "Olive",
    "Silver",
    "Indigo",
    "Russet",
)
_PAPERS = ("Almanac", "Gazette", "Notebook", "Courier", "Quarterly", "Reader", "Review")

_STYLE = """\
body { font: 1.05rem/1.6 Georgia, serif; max-width: 40rem; margin: 2rem auto; \
padding: 0 1rem; color: #222 }
header, footer { color: #777; font-size: .9rem } a { color: #05508f }"""

_LAYOUT = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<header><nav><a href="/">{site}</a></nav></header>
<main>
<article>
<h1>{title}</h1>
{text}
</article>
</main>
{further}<footer>{footer}</footer>
</body>
</html>
"""


class ReadableWeb(Protocol):
    """What documents need to know of a world; `linked.LinkedWeb` is one."""

    @property
    def topic(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def pages(self) -> int: ...
    @property
    def host(self) -> NDArray[np.int32]: ...
    @property
    def subject(self) -> NDArray[np.int32]: ...
    def relevance_at(self, page: int, now_s: float) -> float: ...
    def version(self, page: int, now_s: float) -> int: ...
    def links(self, page: int, now_s: float) -> NDArray[np.int32]: ...
    def front_page(self, host: int) -> int: ...


def title(web: ReadableWeb, page: int) -> str:
    return prose.title(int(web.subject[page]), page, web.seed, topic=web.topic)


def path(web: ReadableWeb, page: int) -> str:
    """Where a page lies on its host, as in /comets/the-long-orbit-of-europa-17.html; the front page
    at /.
    """
    if web.front_page(int(web.host[page])) == page:
        return "/"
    folder = prose.section(int(web.subject[page]), page, web.seed, topic=web.topic)
    return f"/{slug(folder)}/{slug(title(web, page))}-{page}.html"


def page_of(web: ReadableWeb, host: int, path_text: str) -> int | None:
    """The page at a path of a host, dead or alive; None: no page was ever meant to be there."""
    if path_text == "/":
        return web.front_page(host)
    found = _NUMBERED.search(path_text)
    page = int(found[1]) if found else web.pages
    known = page < web.pages and web.host[page] == host and path(web, page) == path_text
    return page if known else None


def slug(text: str) -> str:
    """A text as a part of an address, in plain letters.

    >>> slug("Étude: the {long} orbit?"), slug("宇宙")
    ('etude-the-long-orbit', 'page')
    """
    plain = (
        unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    )
    return "-".join(re.findall(r"[a-z0-9]+", plain)[:6]) or "page"


def site(host: int) -> str:
    """The name of a host, for people.

    >>> site(0), site(1)
    ('The Amber Almanac', 'The Copper Gazette')
    """
    round_trip, number = divmod(host, len(_COLOURS) * len(_PAPERS))
    name = f"The {_COLOURS[number % len(_COLOURS)]} {_PAPERS[number % len(_PAPERS)]}"
    return f"{name} {round_trip + 1}" if round_trip else name


def tag(web: ReadableWeb, page: int, now_s: float) -> str:
    """Equal exactly when the document is: page, version and links (as a checksum)."""
    links = zlib.crc32(_targets(web, page, now_s).tobytes())
    return f"{page}-{web.version(page, now_s)}-{links:08x}"


def html(web: ReadableWeb, page: int, now_s: float, home: Callable[[int], str]) -> str:
    """The document of a living page.

    `home(host)` is the absolute address of a host, ending in a slash.
    """
    host = int(web.host[page])
    subject = int(web.subject[page])
    relevance = web.relevance_at(page, now_s)
    version = web.version(page, now_s)
    text = prose.paragraphs(
        subject, relevance, page, version, web.seed, topic=web.topic
    )
    links = [
        _link(web, host, target, home) for target in _targets(web, page, now_s).tolist()
    ]
    front = web.front_page(host) == page
    return _document(title(web, page), host, text, links, private=front)


def private_html(host: int) -> str:
    """The page that robots.txt forbids: an ordinary document, or nobody would notice
    who reads it.
    """
    text = [
        (
            "These are the names of the people who came to see us. They asked not to be listed "
            "elsewhere."
        )
    ]
    return _document("Visitors' book", host, text, [], private=False)


def robots(host: int) -> str:
    """The robots.txt of a host."""
    return f"# {site(host)} welcomes polite robots\nUser-agent: *\nDisallow: {PRIVATE_FOLDER}\n"


def _document(
    heading: str, host: int, text: list[str], links: list[str], private: bool
) -> str:
    # Lists of links are navigation: the words of a link say what another page is about, not this
    # one.
    further = (
        "<nav>\n<h2>Further reading</h2>\n<ul>\n{}\n</ul>\n</nav>\n".format(
            "\n".join(links)
        )
        if links
        else ""
    )
    visitors = f' · <a href="{PRIVATE_PATH}">Visitors&#x27; book</a>' if private else ""
    return _LAYOUT.format(
        title=escape(heading),
        style=_STYLE,
        site=escape(site(host)),
        text="\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in text),
        further=further,
        footer=f"{escape(site(host))}, a page of the Trapline laboratory{visitors}",
    )


def _link(web: ReadableWeb, host: int, target: int, home: Callable[[int], str]) -> str:
    away = int(web.host[target])
    place = path(web, target) if away == host else home(away) + path(web, target)[1:]
    text = prose.anchor(int(web.subject[target]), target, web.seed, topic=web.topic)
    return f'<li><a href="{escape(place)}">{escape(text)}</a></li>'


def _targets(web: ReadableWeb, page: int, now_s: float) -> NDArray[np.int32]:
    return np.unique(web.links(page, now_s))
