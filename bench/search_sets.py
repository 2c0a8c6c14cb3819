"""Known items made out of the web box: what is asked for, and the page that has it.

Everything is read from the files themselves, not by our reader, so that what it loses counts:

- titles: the words of a title that no other page has;
- bodies: three words of a page that stand in at most 2 % of the pages;
- links: what other pages call a page, where they call only that one so. Those very words are held
  out: the index is not told them.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser

from search_questions import QUESTIONS  # type: ignore[import-not-found]  # beside this file
from trapline.search.query_language import words_of
from trapline.search.tongues import ENGLISH

NINE: Final = [
    "python",
    "postgresql",
    "sqlite",
    "sqlalchemy",
    "astroquery",
    "django",
    "sklearn",
    "pandas",
    "git",
]
_BORDER: Final = re.compile(r"\s+[—–|·-]\s+|\s*[—–|]\s*")
_FURNITURE: Final = "script,style,nav,header,footer"
_DIRECTIONS: Final = frozenset(("next", "prev", "previous", "up", "home"))


class Item(NamedTuple):
    query: str
    urls: frozenset[str]  # any of them is right


@dataclass(slots=True)
class Sets:
    titles: list[Item] = field(default_factory=list)
    bodies: list[Item] = field(default_factory=list)
    links: list[Item] = field(default_factory=list)
    questions: list[Item] = field(default_factory=list)
    # URL → texts of links that the index must not be told
    held_out: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def named(self) -> dict[str, list[Item]]:
        return {
            "titles": self.titles,
            "bodies": self.bodies,
            "link texts": self.links,
            "questions": self.questions,
        }


class File(NamedTuple):
    host: str
    url: str
    path: Path


class _Facts(NamedTuple):
    title: str
    words: list[str]
    links: list[tuple[str, str]]


def box_files(box: Path, hosts: list[str] | None = None) -> Iterator[File]:
    """The pages of some hosts of the box, or of all."""
    for line in (box / "hosts.tsv").read_text().splitlines():
        host, package, root = line.split("\t")[:3]
        name = host.removesuffix(".test")
        if hosts is not None and name not in hosts:
            continue
        folder = box / "x" / package / root
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() in (".html", ".htm") and path.is_file():
                yield File(name, f"http://{host}/{path.relative_to(folder)}", path)


def make_sets(files: list[File], size: int, seed: int = 1) -> Sets:
    rng = random.Random(seed)
    facts = [_read(file) for file in files]
    sets = Sets()
    sets.titles = _titles(files, facts, size, rng)
    sets.bodies = _bodies(files, facts, size, rng)
    sets.links = _links(files, facts, size, rng, sets)
    known = {file.url for file in files}
    for query, pages in QUESTIONS:
        urls = (page.partition("/") for page in pages)
        right = (
            frozenset(f"http://{host}.test/{path}" for host, _, path in urls) & known
        )
        if right:
            sets.questions.append(Item(query, right))
    return sets


def plain(text: str) -> str:
    return " ".join(words_of(text))


def _read(file: File) -> _Facts:
    tree = LexborHTMLParser(file.path.read_bytes().decode("utf-8", "replace"))
    title = tree.css_first("title")
    links = []
    for anchor in tree.css("a[href]"):
        try:
            target = urljoin(file.url, anchor.attributes["href"] or "").partition("#")[
                0
            ]
        except ValueError:
            continue
        links.append((target, " ".join(anchor.text().split())[:80]))
    for node in tree.css(_FURNITURE):
        node.decompose()
    body = words_of(tree.body.text(separator=" ")) if tree.body else []
    return _Facts(title.text() if title else "", body, links)


def _titles(
    files: list[File], facts: list[_Facts], size: int, rng: random.Random
) -> list[Item]:
    """Without the name of the site, that is what ends many titles of a host."""
    tails: Counter[tuple[str, str]] = Counter()
    pages = Counter(file.host for file in files)
    for file, fact in zip(files, facts, strict=True):
        tails.update((file.host, part) for part in _BORDER.split(fact.title)[1:])
    found = defaultdict(list)
    for file, fact in zip(files, facts, strict=True):
        first, *rest = _BORDER.split(fact.title)
        rare = max(5.0, 0.05 * pages[file.host])
        rest = [part for part in rest if tails[file.host, part] < rare]
        found[plain(" ".join((first, *rest)))].append(file.url)
    unique = [(t, urls) for t, urls in found.items() if len(urls) == 1 and " " in t]
    return [Item(t, frozenset(urls)) for t, urls in rng.sample(unique, size)]


def _bodies(
    files: list[File], facts: list[_Facts], size: int, rng: random.Random
) -> list[Item]:
    having = Counter(word for fact in facts for word in set(fact.words))
    most = 0.022 * len(files)
    items = []
    for number in rng.sample(range(len(files)), len(files)):
        words = sorted(
            word
            for word in set(facts[number].words)
            if len(word) > 3 and word.isalpha() and 2 <= having[word] <= most
        )
        if len(words) > 2 and len(facts[number].words) > 60:
            query = " ".join(rng.sample(words, 3))
            items.append(Item(query, frozenset((files[number].url,))))
        if len(items) == size:
            break
    return items


def _links(
    files: list[File], facts: list[_Facts], size: int, rng: random.Random, sets: Sets
) -> list[Item]:
    known = {file.url for file in files}
    called = defaultdict(set)
    for file, fact in zip(files, facts, strict=True):
        for target, text in fact.links:
            if target in known and target != file.url:
                called[plain(text)].add(target)
    clear = [(t, urls) for t, urls in called.items() if len(urls) == 1 and _says(t)]
    items = [Item(t, frozenset(urls)) for t, urls in rng.sample(clear, size)]
    for item in items:
        for url in item.urls:
            sets.held_out[url].add(item.query)
    return items


def _says(text: str) -> bool:
    words = text.split()
    telling = [w for w in words if not ENGLISH.is_stop(w) and not w.isdigit()]
    return len(telling) > 1 and words[0] not in _DIRECTIONS
