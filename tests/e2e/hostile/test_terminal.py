"""Nothing from the web reaches a terminal raw, by whatever command; brackets are only brackets.

Pages, titles, headers and a robots.txt are full of control codes; the URL and the folder have
brackets that rich could take for markup.
"""

from __future__ import annotations

import ast
import json
import os
import pty
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.e2e.support.command import TRAPLINE, free_port, started, trapline
from tests.e2e.support.site import Site
from trapline.app.commands.main import app

TRICKS = (
    "\x1b]0;owned\x07",
    "\x1b[31;7m",
    "\x1b[2J",
    "\x9b5m",
    "\x08\x7f",
    "\u202egnp.exe\u2066",
    "a\u200bb\u2060c\ufeff",
    "\u061c\u200e\u200f",
    "[/red][bold]",
    ":smile:",
)
TITLE = "comet " + " ".join(TRICKS)
# what may be printed of all this: newline, tab, and what can be seen
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
PATH = "/[/red]/page[1].html"
FOLDER = "engine [/red] [bold]"
COLOURS = re.compile(r"\x1b\[[\d;]*m|\r\n")


@dataclass(slots=True)
class EvilSite(Site):
    def _send(
        self,
        request: BaseHTTPRequestHandler,
        status: int,
        headers: dict[str, str],
        body: bytes,
    ) -> None:
        if request.path == "/odd":
            headers["Content-Type"] = "odd/\x9b5m\xad"
        Site._send(self, request, status, headers, body)


def page(text: str) -> str:
    links = '<a href="/odd">odd</a> <a href="/gone">gone</a>'
    head = f"<head><title>{TITLE}</title></head>"
    return f"<html>{head}<body><p>{text} {TITLE}</p>{links}</body></html>"


@dataclass(frozen=True)
class Scene:
    place: Path
    folder: Path
    site: Site

    @property
    def url(self) -> str:
        return self.site.url(PATH)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    place = tmp_path_factory.mktemp("evil")
    with EvilSite(
        {PATH: page("a comet passes by"), "/odd": "odd"},
        robots=f"User-agent: *\nDisallow: /no{TITLE}\nSitemap: {TITLE}\n",
    ) as site:
        found = Scene(place, place / FOLDER, site)
        done = crawl(found)
        assert done.returncode == 0, done.stderr
        check(done)
        yield found


def crawl(scene: Scene) -> subprocess.CompletedProcess[str]:
    return trapline(
        "crawl", scene.url, "--dir", scene.folder, "--visits", 3, "--seconds", 20
    )


def watch(scene: Scene) -> subprocess.CompletedProcess[str]:
    names = scene.place / "list.txt"
    names.write_text(f"{scene.url} {TITLE}\n")
    return trapline(
        "watch",
        names,
        "--dir",
        scene.place / "[/watch]",
        "--visits",
        1,
        "--seconds",
        20,
    )


def serve(scene: Scene) -> subprocess.CompletedProcess[str]:
    with started("serve", scene.folder, "--port", free_port()) as running:
        line = running.stdout.readline()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(60.0)
        return subprocess.CompletedProcess([], running.wait(), line + out, err)


def directory(scene: Scene) -> subprocess.CompletedProcess[str]:
    kept = scene.place / f"directory {FOLDER}"
    with started("directory", kept, "--port", free_port()) as running:
        line = running.stdout.readline()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(60.0)
        return subprocess.CompletedProcess([], running.wait(), line + out, err)


def mcp(scene: Scene) -> subprocess.CompletedProcess[str]:
    """Over HTTP: by stdio it prints for a program, as JSON does."""
    with started("mcp", scene.folder, "--http", "--port", free_port()) as running:
        line = running.stderr.readline()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(60.0)
        return subprocess.CompletedProcess([], running.wait(), out, line + err)


def demo(scene: Scene) -> subprocess.CompletedProcess[str]:
    kept = scene.place / f"demo {FOLDER}"
    small = ("--pages", 20, "--hosts", 1, "--seconds", 1)
    return trapline("demo", *small, "--no-browser", "--dir", kept)


def import_list(scene: Scene) -> subprocess.CompletedProcess[str]:
    theirs = scene.place / f"{FOLDER}.json"
    watch = {"url": scene.url, "title": TITLE, "tag": TITLE, TITLE: "what is not known"}
    theirs.write_text(json.dumps({"watching": {"1": watch}}))
    return trapline("import", theirs, "--out", scene.place / "[/imported].toml")


def notify_test(scene: Scene) -> subprocess.CompletedProcess[str]:
    return trapline("notify-test", scene.site.url("/hook"))


def lab(scene: Scene) -> subprocess.CompletedProcess[str]:
    return trapline("lab", "world", scene.folder, "--out", scene.place / "[/world]")


def cluster(scene: Scene) -> subprocess.CompletedProcess[str]:
    """Of a small crawl in shards of the same site."""
    folder = scene.place / f"shards {FOLDER}"
    if not folder.exists():
        words = ("--shards", 2, "--workers", 1, "--visits", 1, "--seconds", 60)
        done = trapline("crawl", scene.url, "--dir", folder, *words)
        check(done)
        assert done.returncode == 0, done.stderr
    return trapline("cluster", folder)


def worker(scene: Scene) -> subprocess.CompletedProcess[str]:
    cluster(scene)
    folder = scene.place / f"shards {FOLDER}"
    with started("worker", "--store", folder, "--name", TITLE, "--json") as running:
        line = running.stdout.readline()
        while not open_shards(folder):
            time.sleep(0.2)
        running.send_signal(signal.SIGTERM)
        out, err = running.communicate(60.0)
        return subprocess.CompletedProcess([], running.wait(), line + out, err)


def open_shards(folder: Path) -> int:
    """How many of them somebody runs."""
    found = json.loads(trapline("cluster", folder, "--json").stdout)
    return sum(bool(shard["owner"]) for shard in found["shards"])


Run = Callable[[Scene], subprocess.CompletedProcess[str]]
RUNS: dict[str, Run] = {
    "crawl": crawl,
    "watch": watch,
    "import": import_list,
    "notify-test": notify_test,
    "serve": serve,
    "demo": demo,
    "lab": lab,
    "search": lambda scene: trapline("search", scene.folder, "comet"),
    "status": lambda scene: trapline("status", scene.folder),
    "init": lambda scene: trapline("init", scene.place / "[/init]"),
    "log": lambda scene: trapline("log", scene.folder),
    "settings": lambda scene: trapline("settings", scene.folder),
    "diff": lambda scene: trapline("diff", scene.folder, scene.url),
    "why": lambda scene: trapline("why", scene.folder, scene.url),
    "label": lambda scene: trapline("label", scene.folder, scene.url, "yes"),
    "host": lambda scene: trapline("host", scene.folder, scene.site.host),
    "export": lambda scene: trapline("export", scene.folder, "--jsonl", "--out", "-"),
    "plan": lambda scene: trapline("plan", scene.folder),
    "reindex": lambda scene: trapline("reindex", scene.folder),
    "mcp": mcp,
    "directory": directory,
    "cluster": cluster,
    "worker": worker,
    "engines": lambda scene: trapline("engines", "list", scene.folder),
    "forget": lambda scene: trapline("forget", scene.folder, scene.site.url("/odd")),
}


def check(done: subprocess.CompletedProcess[str]) -> None:
    for text in (done.stdout, done.stderr):
        assert not UNSEEN.search(text), ascii(text)
        assert "Traceback" not in text


def commands() -> dict[str, Any]:
    return dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def test_every_command_is_here() -> None:
    assert set(RUNS) == set(commands())


@pytest.mark.parametrize("name", RUNS)
def test_nothing_unseen_is_printed(scene: Scene, name: str) -> None:
    done = RUNS[name](scene)
    check(done)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "words",
    [("search", "comet"), ("status",), ("plan",), ("why", "URL"), ("host", "HOST")],
    ids=lambda words: words[0],
)
def test_json_says_it_faithfully_and_holds_nothing_unseen(
    scene: Scene, words: tuple[str, ...]
) -> None:
    known = {"URL": scene.url, "HOST": scene.site.host}
    command, *more = (known.get(word, word) for word in words)
    done = trapline(command, scene.folder, *more, "--json")
    check(done)
    said = json.loads(done.stdout)
    if command == "search":
        assert "\x1b]0;owned\x07" in said["hits"][0]["title"]
        assert "\u202e" in said["hits"][0]["title"]


def test_what_cannot_be_seen_is_marked_and_brackets_stay(scene: Scene) -> None:
    found = trapline("search", scene.folder, "comet").stdout
    for mark in ("␛]0;owned␇", "␛[31;7m", "<U+009B>5m", "<U+202E>gnp.exe", "␈␡"):
        assert mark in found.replace("\n", " "), mark
    assert "[/red][bold]" in found and ":smile:" in found
    assert PATH in found
    assert FOLDER in trapline("status", scene.folder).stdout
    reasons = trapline("why", scene.folder, scene.url).stdout
    assert "page[1].html" in reasons


@pytest.mark.parametrize(
    "words",
    [
        ("crawl", f"http://127.0.0.1/{TITLE}:x", "--budget", TITLE),
        ("crawl", f"{TITLE}.toml"),
        ("watch", f"{TITLE}.txt"),
        ("search", TITLE, "x"),
        ("status", f"/{TITLE}"),
        ("why", "FOLDER", f"http://127.0.0.1/{TITLE}"),
        ("label", "FOLDER", "http://127.0.0.1/", TITLE),
        ("host", "FOLDER", TITLE),
        ("forget", "FOLDER", TITLE),
        ("export", "FOLDER", "--jsonl", "--out", f"/{TITLE}/x.jsonl"),
        ("lab", "run", TITLE),
        (TITLE,),
    ],
    ids=lambda words: words[0][:6],
)
def test_error_lines_are_one_line_and_readable(
    scene: Scene, words: tuple[str, ...]
) -> None:
    named = [scene.folder if word == "FOLDER" else word for word in words]
    done = trapline(*named)
    check(done)
    assert done.returncode == 2 and done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["search", "status", "why", "crawl"])
def test_a_real_terminal_hears_only_rich(scene: Scene, name: str) -> None:
    words = {
        "search": ("search", scene.folder, "comet"),
        "status": ("status", scene.folder),
        "why": ("why", scene.folder, scene.url),
        "crawl": ("crawl", scene.url, "--dir", scene.folder, "--dry-run"),
    }[name]
    heard = COLOURS.sub("\n", on_a_terminal(*map(str, words)))
    assert not UNSEEN.search(heard), ascii(heard)
    assert "red]" in heard and "Traceback" not in heard


def on_a_terminal(*words: str) -> str:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "200"}
    running = subprocess.Popen(
        [*TRAPLINE, *words], stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    heard = b""
    try:
        while part := os.read(ours, 65536):
            heard += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert running.wait(60.0) == 0
    return heard.decode()


def test_there_is_no_other_way_to_the_terminal() -> None:
    """Whoever prints with rich, or with typer, goes round the guard."""
    app_folder = Path(__file__).parents[3] / "src" / "trapline"
    for file in app_folder.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        called = {
            ast.unparse(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)
        }
        ways = {"Console", "rich.print", "typer.echo", "typer.secho", "click.echo"}
        assert not called & ways, file
