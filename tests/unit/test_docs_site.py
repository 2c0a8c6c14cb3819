"""The documentation site: every page is in its navigation, and its checker finds what is wrong.

The site itself is built by `make docs`, which CI runs.
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.documents import DOCUMENTS, ROOT, blocks, name_of, text_of
from tools.check_site import check_site
from trapline import theory

CONFIG = tomllib.loads(text_of("zensical.toml"))["project"]
API_PAGES = sorted((ROOT / "docs/reference/api").glob("*.md"))


def pages_in(nav: list[Any]) -> Iterator[str]:
    for entry in nav:
        for value in entry.values():
            if isinstance(value, str):
                yield value
            else:
                yield from pages_in(value)


def test_every_page_is_in_the_navigation_once() -> None:
    pages = [name_of(path) for path in DOCUMENTS if path.is_relative_to(ROOT / "docs")]
    made = {
        "docs/reference/all-policies.md",
        "docs/reference/api/policies.md",
        "docs/reference/full-runs.md",
        "docs/reference/papers.md",
    }
    shown = {f"docs/{page}" for page in pages_in(CONFIG["nav"])}
    assert len(shown) == len(list(pages_in(CONFIG["nav"])))
    # tools/policy_pages.py, tools/paper_pages.py and tools/result_pages.py write them
    assert made <= shown and shown - made == set(pages) - made


def documented_modules() -> list[str]:
    lines = [line for page in API_PAGES for line in text_of(name_of(page)).splitlines()]
    return [line.removeprefix("::: ") for line in lines if line.startswith("::: ")]


@pytest.mark.parametrize("name", documented_modules())
def test_modules_of_the_api_reference_exist(name: str) -> None:
    assert importlib.import_module(name).__doc__


def test_all_names_of_the_theory_are_in_the_api_reference() -> None:
    modules = {getattr(theory, name).__module__ for name in dir(theory)}
    assert len(modules) > 20
    assert modules - set(documented_modules()) == set()


def test_the_site_goes_where_git_does_not_look() -> None:
    assert CONFIG["site_dir"].startswith("out/")
    assert "/out/" in text_of(".gitignore").splitlines()


def test_no_font_is_fetched_and_search_works_from_disk() -> None:
    assert CONFIG["theme"]["font"] is False
    assert CONFIG["plugins"]["offline"]["enabled"]
    for script in CONFIG["extra"]["polyfills"]:
        assert (ROOT / "docs" / script).is_file()


def test_no_page_uses_what_is_fetched_when_it_is_used() -> None:
    drawn = [name_of(one) for one in DOCUMENTS if blocks(name_of(one), "mermaid")]
    assert drawn == []


# The checker of the built site


def site_with(folder: Path, body: str) -> list[str]:
    (folder / "pictures").mkdir()
    (folder / "pictures/circle.svg").write_text("<svg/>")
    (folder / "other.html").write_text('<h1 id="top">Other</h1>')
    (folder / "index.html").write_text(f"<html><body>{body}</body></html>")
    return check_site(folder)


def test_a_sound_site_passes(tmp_path: Path) -> None:
    body = (
        '<a href="other.html#top">x</a> <a href="https://lab.org/">y</a> <a href="#here">z</a>'
        '<p id="here"><img src="pictures/circle.svg"><link rel="canonical" href="https://lab.org/">'
    )
    assert site_with(tmp_path, body) == []


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('<a href="nowhere.html">', "nowhere.html leads to no file"),
        ('<a href="other.html#end">', "other.html#end leads to no such place"),
        ('<a href="#end">', "#end leads to no such place"),
        ('<img src="pictures/lost.png">', "pictures/lost.png leads to no file"),
        ('<script src="https://lab.org/a.js">', "loads https://lab.org/a.js from"),
        ('<script src="//lab.org/a.js">', "loads //lab.org/a.js from"),
        ('<link rel="stylesheet" href="https://lab.org/a.css">', "from the Internet"),
        ('<img src="https://lab.org/a.png">', "from the Internet"),
        ('<pre class="mermaid">', "uses mermaid"),
    ],
)
def test_what_is_wrong_is_found(tmp_path: Path, body: str, problem: str) -> None:
    [found] = site_with(tmp_path, body)
    assert found.startswith("index.html: ")
    assert problem in found


def test_fonts_that_a_style_fetches_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text(
        '@font-face { src: url("https://lab.org/a.woff2") }'
    )
    [found] = site_with(tmp_path, "")
    assert found == "a.css: loads https://lab.org/a.woff2 from the Internet"


def test_an_empty_folder_is_no_site(tmp_path: Path) -> None:
    assert check_site(tmp_path) == [f"{tmp_path}: there is no page"]
