"""What commands do when nobody reads what they print, or it cannot be written."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.e2e.support.command import TRAPLINE, said, started, trapline
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.search.index import FullTextIndex
from trapline.stores.sqlite.store import SqliteStore

URL = "http://127.0.0.1:3/a"
PRINTING = ["search DIR moon", "status DIR", "export DIR --jsonl --out -", "lab list"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("engine")
    store = SqliteStore(path)
    home = HostRow(0, "127.0.0.1:3", "http://127.0.0.1:3/")
    page = Page(0, URL, "Moon", "words of the moon", 1.0, 7, "", "", 1.0, 1.0)
    store.commit(Batch(hosts=[home], urls=[UrlRow(0, URL, 0)], pages=[page]))
    index = FullTextIndex(path / "index")
    index.catch_up(store)
    index.close()
    store.close()
    return path


def run_into(out: int, words: str, folder: Path) -> tuple[int, str]:
    command = words.replace("DIR", str(folder)).split()
    done = subprocess.run(
        [*TRAPLINE, *command],
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=120,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", PRINTING)
def test_a_reader_who_has_gone_is_no_failure(words: str, folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert run_into(writing, words, folder) == (0, "")
    finally:
        os.close(writing)


def test_a_watch_with_nothing_to_tell_sees_that_its_reader_has_gone(
    folder: Path,
) -> None:
    with started("status", folder, "--watch", "--json") as running:
        assert running.stdout.readline().startswith("{")
        running.stdout.close()  # nothing changes, so nothing more is printed
        assert running.wait(60.0) == 0
        assert running.stderr.read() == ""


@pytest.mark.parametrize("words", PRINTING[:3])
def test_a_full_output_is_not_a_full_folder(words: str, folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        code, said = run_into(full.fileno(), words, folder)
    assert (code, said.count("\n")) == (1, 1)
    assert "standard output" in said and "--dir" not in said


def test_export_tells_machines_what_was_written(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.jsonl"
    words = ("export", folder, "--jsonl", "--json", "--out")
    assert said(trapline(*words, out)) == {"documents": 1, "target": str(out)}
    done = trapline(*words, "-")
    assert (done.returncode, done.stdout) == (2, "") and "--out" in done.stderr


@pytest.mark.parametrize("words", ["serve DIR", "mcp DIR --http"])
def test_servers_tell_machines_where_they_are(words: str, folder: Path) -> None:
    from trapline.app.web.server import bind

    with bind(0) as free:
        port = free.getsockname()[1]
    command = words.replace("DIR", str(folder)).split()
    with started(*command, "--port", port, "--json") as running:
        url = json.loads(running.stdout.readline())["url"]
        assert url.startswith(f"http://127.0.0.1:{port}/")
        running.terminate()
        _, errors = running.communicate(timeout=60.0)
    assert (running.returncode, errors) == (0, "")


def test_over_stdio_the_output_is_the_clients(folder: Path) -> None:
    done = trapline("mcp", folder, "--json")
    assert (done.returncode, done.stdout) == (2, "") and "--http" in done.stderr


def test_an_error_of_the_laboratory_is_one_line(tmp_path: Path) -> None:
    done = trapline("lab", "world", tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
