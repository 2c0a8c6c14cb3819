"""The web box (a folder built by its own script) on disk, and every document of it, parsed once.

The files say what the box's web server would answer.
Documents are kept beside each other in chunks, because to parse 97,000 pages takes minutes and a
topic changes nothing about them. A walk over all links finds the pages; robots.txt is obeyed, and
hosts outside the box are left out.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import re
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache
from mimetypes import guess_type
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from trapline.core.errors import UserMistake
from trapline.core.urls import canonical, host_of
from trapline.net.options import Limits
from trapline.politeness.rules import Rules
from trapline.reading.html.document import Document, read_html, read_plain

CHUNK: Final = 250  # pages parsed at once
LARGEST: Final = Limits().body_bytes  # that a robot reads of a page

HTML: Final = "text/html"
PLAIN: Final = "text/plain"

_MIME: Final = Path("/etc/nginx/mime.types")
_LEVEL: Final = 1


class Answer(NamedTuple):
    status: int
    body: bytes = b""
    content_type: str = ""
    location: str = ""


class Read(NamedTuple):
    """A page of the box."""

    url: str
    status: int
    location: str = ""
    document: Document | None = None  # None = nothing that we read


class Box:
    def __init__(self, folder: Path) -> None:
        try:
            self.manifest = (folder / "manifest.json").read_text()
        except FileNotFoundError:
            raise UserMistake(
                f"there is no web box in {folder}: build one with WB={folder} webbox.sh build"
            ) from None
        manifest = json.loads(self.manifest)
        self.hub = canonical(manifest["hub"])
        self.front_pages = [self.hub]
        self._roots = {host_of(self.hub): folder / "hub"}
        self._rules: dict[str, Rules] = {}
        self.subjects: dict[str, str] = {}  # of hosts
        for row in manifest["hosts"]:
            name = f"{row['host']}:{row['port']}"
            self._roots[name] = Path(row["docroot"])
            self._rules[name] = Rules.from_text(
                (folder / "run" / f"robots.{row['host']}").read_text()
            )
            self.subjects[name] = row["topic"]
            self.front_pages.append(canonical(f"http://{name}{row['start']}"))

    def allows(self, url: str) -> bool:
        """Whether a polite robot that stays in the box asks for it."""
        name = host_of(url)
        return name in self._roots and (
            name not in self._rules or self._rules[name].allows(url)
        )

    def answer(self, url: str) -> Answer:
        """As nginx would, with the box's settings."""
        path = urlsplit(url).path
        file = self._roots[host_of(url)] / unquote(path).lstrip("/")
        try:
            if file.is_dir():
                if not path.endswith("/"):
                    return Answer(301, location=path + "/")
                file /= "index.html"
                return _sent(file) if file.is_file() else Answer(403)
            return (
                _sent(file)
                if file.is_file() and not path.endswith("/")
                else Answer(404)
            )
        except (OSError, ValueError):  # a name too long, or with a NUL in it
            return Answer(404)


def _sent(file: Path) -> Answer:
    if file.stat().st_size > LARGEST:
        return Answer(413)
    kind = _type_of(file.suffix)
    return Answer(200, file.read_bytes() if kind in (HTML, PLAIN) else b"", kind)


@cache
def _type_of(suffix: str) -> str:
    return _types().get(suffix.lower().lstrip("."), HTML)


@cache
def _types() -> dict[str, str]:
    """nginx's own table, if it is there; what it does not know is sent as text/html."""
    if not _MIME.exists():
        return {
            name: guess_type(f"x.{name}")[0] or HTML
            for name in ("txt", "png", "gif", "jpg", "svg", "pdf")
        }
    rows = re.findall(r"^\s+(\S+)\s+([^;{}]+);", _MIME.read_text(), re.MULTILINE)
    return {suffix: kind for kind, suffixes in rows for suffix in suffixes.split()}


# All documents


class Walk:
    """Every page of the box that a robot can come to, parsed; from the cache, if it is of this box
    and this parser.
    """

    def __init__(self, folder: Path, kept: Path, workers: int) -> None:
        self._folder = folder
        self._kept = kept
        self._workers = workers
        self.box = Box(folder)

    def read(self, progress: Callable[[int, int], None]) -> list[str]:
        """Parse what is not parsed yet; the URLs of all pages, sorted.

        `progress` is told pages done and known.
        """
        key = _key(self.box)
        index = self._kept / "index.json"
        if index.exists():
            found = json.loads(index.read_text())
            if found["key"] == key:
                urls: list[str] = found["urls"]
                return urls
        self._kept.mkdir(parents=True, exist_ok=True)
        for old in self._kept.glob("chunk-*"):
            old.unlink()
        urls = sorted(self._walk(progress))
        index.write_text(json.dumps({"key": key, "urls": urls}))
        return urls

    def documents(self) -> Iterator[Read]:
        for chunk in sorted(self._kept.glob("chunk-*")):
            yield from pickle.loads(zlib.decompress(chunk.read_bytes()))

    def _walk(self, progress: Callable[[int, int], None]) -> set[str]:
        known = {self.box.hub}
        waiting = [self.box.hub]
        done = 0
        chunks = 0
        running: dict[Future[tuple[int, set[str]]], None] = {}
        with ProcessPoolExecutor(self._workers, get_context("spawn")) as pool:
            while waiting or running:
                # A short chunk only if nobody has anything to do: links lead in chains, too.
                while len(waiting) >= CHUNK or (waiting and not running):
                    some = waiting[:CHUNK]
                    waiting = waiting[CHUNK:]
                    running[
                        pool.submit(
                            _parse,
                            self._folder,
                            self._kept / f"chunk-{chunks:05d}",
                            some,
                        )
                    ] = None
                    chunks += 1
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    del running[future]
                    count, targets = future.result()
                    done += count
                    new = sorted(targets - known)
                    known.update(new)
                    waiting += new
                progress(done, len(known))
        return known


def _parse(folder: Path, chunk: Path, urls: list[str]) -> tuple[int, set[str]]:
    """Parse some pages and keep them; how many, and where they lead (as far as a polite robot
    goes).
    """
    box = _box(folder)
    pages = [_read(box, url) for url in urls]
    chunk.write_bytes(
        zlib.compress(pickle.dumps(pages, pickle.HIGHEST_PROTOCOL), _LEVEL)
    )
    targets = {
        anchor.url for page in pages if page.document for anchor in page.document.links
    }
    targets.update(
        canonical(page.location, page.url) for page in pages if page.location
    )
    return len(pages), {url for url in targets if box.allows(url)}


@cache
def _box(folder: Path) -> Box:
    """One in each process."""
    return Box(folder)


def _read(box: Box, url: str) -> Read:
    answer = box.answer(url)
    document = None
    if answer.status == 200 and answer.content_type == HTML:
        document = read_html(answer.body, HTML, url)
    elif answer.status == 200 and answer.content_type == PLAIN:
        document = read_plain(answer.body, PLAIN)
    return Read(url, answer.status, answer.location, document)


def _key(box: Box) -> str:
    """Another box, or a parser that reads its front pages otherwise: another key."""
    read = [_read(box, url) for url in box.front_pages]
    return hashlib.sha256(repr((box.manifest, read)).encode()).hexdigest()
