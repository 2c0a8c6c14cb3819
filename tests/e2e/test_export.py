"""A crawl recorded as WARC, and what was gathered handed out."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
from pathlib import Path

import pytest
import yaml
from warcio.archiveiterator import ArchiveIterator

from tests.e2e.support.command import TRAPLINE, said, started, trapline
from tests.e2e.support.site import Site, html
from tests.e2e.test_watch import listed, settings
from tests.unit.app.output.warc.test_warc_recorder import check


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl with --warc, then a second one that finds most things as they were."""
    path = tmp_path_factory.mktemp("crawl")
    pages = {"/": html("Home", "stars and moons", "/a", "/b", "/moved", "/missing")}
    pages |= {
        "/a": html("A", "mars"),
        "/b": html("B", "venus"),
        "/moved": "http://elsewhere.invalid/",
    }
    with Site(pages) as site:
        toml = settings(site, path / "s.toml", "50/s")
        for _ in range(2):
            done = trapline(
                "crawl",
                toml,
                site.url("/"),
                "--dir",
                path / "stars",
                "--visits",
                60,
                "--warc",
                "--json",
            )
            assert said(done)["pages_held"] == 3
    return path / "stars"


def test_whole_answers_are_recorded(folder: Path) -> None:
    paths = sorted((folder / "warc").iterdir())
    assert len(paths) == 2 and all(path.name.endswith(".warc.gz") for path in paths)
    check(*paths)
    found: dict[str, list[tuple[str, str, bytes]]] = {}
    for path in paths:
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type in ("response", "revisit"):
                    name = (
                        record.rec_headers["WARC-Target-URI"]
                        .partition("/")[2]
                        .partition("/")[2]
                        .partition("/")[2]
                    )
                    status = record.http_headers.get_statuscode()
                    found.setdefault(name, []).append(
                        (record.rec_type, status, record.content_stream().read())
                    )
    assert found["a"][0] == ("response", "200", html("A", "mars").encode())
    assert set(found["a"][1:]) == {("revisit", "304", b"")}
    assert {(kind, status) for kind, status, _ in found["missing"]} == {
        ("response", "404")
    }
    assert found["moved"][0][:2] == ("response", "301")


def test_documents_are_handed_out(folder: Path, tmp_path: Path) -> None:
    done = trapline("export", folder, "--jsonl", "--out", "-")
    assert done.returncode == 0 and "3 documents written" in done.stderr
    assert sorted(json.loads(line)["title"] for line in done.stdout.splitlines()) == [
        "A",
        "B",
        "Home",
    ]
    for form, ending in (("warc", "warc.gz"), ("parquet", "parquet")):
        out = tmp_path / f"x.{ending}"
        assert trapline("export", folder, f"--{form}", "--out", out).returncode == 0
        assert out.stat().st_size > 0
    assert b"mars" in gzip.decompress((tmp_path / "x.warc.gz").read_bytes())


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ([], "one of --jsonl"),
        (["--jsonl", "--warc"], "one of --jsonl"),
        (["--jsonl", "--out", "/no/such/folder/x"], "no folder"),
        (["--parquet", "--out", "-"], "standard output"),
    ],
)
def test_mistakes_are_one_line(words: list[str], hint: str, folder: Path) -> None:
    done = trapline("export", folder, *words)
    assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, "")
    assert hint in done.stderr


def test_the_help_names_the_extra() -> None:
    assert "trapline[parquet]" in trapline("export", "--help").stdout


def test_no_engine_there(tmp_path: Path) -> None:
    done = trapline("export", tmp_path, "--jsonl")
    assert done.returncode == 2 and "no engine" in done.stderr


def test_a_reader_who_has_seen_enough(folder: Path) -> None:
    words = " ".join(
        [
            "set -o pipefail; for i in 1 2 3; do",
            *(f"'{word}'" for word in TRAPLINE),
            f"export {folder} --jsonl --out -",
        ]
    )
    done = subprocess.run(
        ["bash", "-c", f"{words} | true; done"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert "Broken pipe" not in done.stderr and "Traceback" not in done.stderr


def test_a_watch_does_not_take_over_the_folder_of_a_crawl(folder: Path) -> None:
    done = trapline("watch", "http://127.0.0.1:3/", "--dir", folder)
    assert (done.returncode, done.stderr.count("\n")) == (
        2,
        1,
    ) and "folder of a crawl" in done.stderr


def test_nor_a_crawl_that_of_a_watch(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("http://127.0.0.1:3/\n")
    folder = tmp_path / "w"
    assert (
        trapline(
            "watch", tmp_path / "list.txt", "--dir", folder, "--seconds", 1
        ).returncode
        == 0
    )
    done = trapline("crawl", "http://127.0.0.1:3/", "--dir", folder, "--seconds", 1)
    assert done.returncode == 2 and "folder of a watch" in done.stderr
    assert (
        trapline(
            "watch", tmp_path / "list.txt", "--dir", folder, "--seconds", 1
        ).returncode
        == 0
    )


def test_a_watch_ends_cleanly_at_ctrl_c(tmp_path: Path) -> None:
    with Site({"/a": html("A", "mars")}) as site:
        words = [
            listed(site, tmp_path / "list.txt", "/a"),
            settings(site, tmp_path / "s.toml"),
        ]
        with started("watch", *words, "--dir", tmp_path / "w") as running:
            assert running.stdout is not None and "new" in running.stdout.readline()
            running.send_signal(signal.SIGINT)
            _, err = running.communicate(timeout=30.0)
    assert running.returncode == 0 and "Traceback" not in err


def test_markdown_is_a_folder_with_a_file_a_page(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "md"
    words = ["export", folder, "--markdown", "--out", out]
    done = trapline(*words)
    assert done.returncode == 0 and "3 documents written" in done.stderr
    files = sorted(path.relative_to(out).as_posix() for path in out.glob("*/*.md"))
    lines = (out / "pages.jsonl").read_text().splitlines()
    entries = [json.loads(line) for line in lines]
    assert sorted(entry["file"] for entry in entries) == files and len(files) == 3
    a = next(entry for entry in entries if entry["title"] == "A")
    _, head, text = (out / a["file"]).read_text().split("---\n", 2)
    facts = yaml.safe_load(head)
    assert (facts["url"], facts["title"]) == (a["url"], "A")
    assert set(facts) >= {"fetched", "changed", "relevance"}
    assert "mars" in text
    # what is there is not lost, and another export gives the same names
    assert trapline(*words).returncode == 2
    (out / "extra").touch()
    assert trapline(*words, "--force").returncode == 0
    assert not (out / "extra").exists()
    again = sorted(path.relative_to(out).as_posix() for path in out.glob("*/*.md"))
    assert again == files
    assert [path.name for path in tmp_path.iterdir()] == ["md"]


@pytest.mark.parametrize(
    ("out", "hint"),
    [
        ("-", "folder of files"),
        ("no/such/x", "no folder"),
        ("mine", "no earlier export"),
    ],
)
def test_no_other_folder_is_replaced(
    out: str, hint: str, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.md").write_text("Dear")
    place = out if out == "-" else tmp_path / out
    done = trapline("export", folder, "--markdown", "--out", place, "--force")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert hint in done.stderr
    assert (tmp_path / "mine" / "letter.md").read_text() == "Dear"
