"""The annotated pages of trafilatura's repository, and how an extraction of them is counted.

Each page comes with a few pieces of text that belong to its main content, and a few that do not.
Nothing of it is part of this repository: the functions read a checkout.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit


class NoCheckout(Exception):
    """A folder is not what is read here."""


class AnnotatedPage(NamedTuple):
    host: str
    body: bytes
    wanted: list[str]
    unwanted: list[str]


@dataclass
class Tally:
    """Pieces of text, by what became of them."""

    wanted_found: int = 0
    wanted_lost: int = 0
    unwanted_found: int = 0
    unwanted_lost: int = 0

    def add(self, page: AnnotatedPage, text: str) -> None:
        text = one_line(text)
        found = sum(piece in text for piece in page.wanted)
        noise = sum(piece in text for piece in page.unwanted)
        self.wanted_found += found
        self.wanted_lost += len(page.wanted) - found
        self.unwanted_found += noise
        self.unwanted_lost += len(page.unwanted) - noise

    @property
    def precision(self) -> float:
        return self.wanted_found / max(1, self.wanted_found + self.unwanted_found)

    @property
    def recall(self) -> float:
        return self.wanted_found / max(1, self.wanted_found + self.wanted_lost)

    @property
    def f1(self) -> float:
        missed = self.wanted_lost + self.unwanted_found
        return 2 * self.wanted_found / max(1, 2 * self.wanted_found + missed)

    @property
    def accuracy(self) -> float:
        right = self.wanted_found + self.unwanted_lost
        return right / max(1, right + self.wanted_lost + self.unwanted_found)


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def read_annotated_pages(checkout: Path) -> list[AnnotatedPage]:
    """All pages of a checkout; NoCheckout if it is none."""
    tests = checkout / "tests"
    try:
        notes = json.loads((tests / "evaldata.json").read_text("utf-8"))
        return [_read_page(tests, url, note) for url, note in notes.items()]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NoCheckout(
            f"{checkout} is no checkout of github.com/adbar/trafilatura with tests/evaldata.json"
            f" and its pages ({error})"
        ) from error


def _read_page(tests: Path, url: str, note: dict[str, list[str]]) -> AnnotatedPage:
    cached = tests / "cache" / str(note["file"])
    path = cached if cached.is_file() else tests / "eval" / str(note["file"])
    return AnnotatedPage(
        host_of(url),
        path.read_bytes(),
        [one_line(piece) for piece in note["with"]],
        [one_line(piece) for piece in note["without"]],
    )


def host_of(url: str) -> str:
    """Of a URL, with or without a scheme: the last two parts of its name.

    >>> host_of("https://blog.example.org/a"), host_of("example.org/b")
    ('example.org', 'example.org')
    """
    name = urlsplit(url if "//" in url else f"//{url}").hostname or url
    return ".".join(name.split(".")[-2:])
