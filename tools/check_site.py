"""Check a built documentation site: `python tools/check_site.py out/docs`.

The site builder reports dead links between pages. This script also finds missing files (pictures,
scripts, styles) and anything that a browser would load from the Internet. It prints each finding
and ends with exit code 1 if there is one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

# What a browser loads by itself, without a click.
LOADED: Final = {
    ("audio", "src"),
    ("embed", "src"),
    ("iframe", "src"),
    ("img", "src"),
    ("link", "href"),
    ("object", "data"),
    ("script", "src"),
    ("source", "src"),
    ("video", "src"),
}
# Relations of <link> that name an address without loading it.
_NOT_LOADED: Final = {"canonical", "next", "prev", "author", "license", "alternate"}
# Features of the site builder that fetch a script when a page uses them.
_LAZY: Final = ("mermaid", "pyodide", "glightbox", "arithmatex")
_STYLE_ADDRESS: Final = re.compile(
    r"(?:@import\s+|url\()\s*[\"']?((?:https?:)?//[^\"')\s]+)"
)


class _Page(HTMLParser):
    """The anchors of a page, where it leads, what it loads, and its classes."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.classes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors.update(filter(None, (values.get("id"), values.get("name"))))
        self.classes.update(values.get("class", "").split())
        if tag == "a" and "href" in values:
            self.links.add(values["href"])
        for name, value in values.items():
            if (tag, name) in LOADED and not self._only_named(tag, values):
                self.loaded.add(value)

    @staticmethod
    def _only_named(tag: str, values: dict[str, str]) -> bool:
        return tag == "link" and values.get("rel", "") in _NOT_LOADED


@cache
def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _is_foreign(address: str) -> bool:
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme not in ("", "data", "file")


def _missing(path: Path, address: str) -> str | None:
    """What is wrong with an address inside the site; None = nothing."""
    parts = urlsplit(address)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target = target / "index.html"
    if not target.is_file():
        return f"{address} leads to no file"
    fragment = unquote(parts.fragment)
    if fragment and target.suffix == ".html" and fragment not in _read(target).anchors:
        return f"{address} leads to no such place on the page"
    return None


def _check_page(path: Path) -> Iterator[str]:
    page = _read(path)
    for address in sorted(page.links | page.loaded):
        if not _is_foreign(address):
            if problem := _missing(path, address):
                yield problem
        elif address in page.loaded:
            yield f"loads {address} from the Internet"
    for name in _LAZY:
        if name in page.classes:
            yield f"uses {name}, which is loaded from the Internet"


def _check_style(path: Path) -> Iterator[str]:
    for address in _STYLE_ADDRESS.findall(path.read_text(encoding="utf-8")):
        yield f"loads {address} from the Internet"


def check_site(folder: Path) -> list[str]:
    """Everything that is wrong with the site in this folder, one line each."""
    pages = [path for path in sorted(folder.rglob("*.html")) if path.name != "404.html"]
    if not pages:
        return [f"{folder}: there is no page"]
    found = [(path, problem) for path in pages for problem in _check_page(path)]
    styles = sorted(folder.rglob("*.css"))
    found += [(path, problem) for path in styles for problem in _check_style(path)]
    return [f"{path.relative_to(folder)}: {problem}" for path, problem in found]


def main() -> None:
    problems = check_site(Path(sys.argv[1]))
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
