"""Documents handed out: all of them, in every form, and a file that is there is whole."""

from __future__ import annotations

import builtins
import io
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.unit.app.output.warc.test_warc_recorder import check
from trapline.app.output import export
from trapline.app.output.export import export_folder
from trapline.core.errors import FolderMissing, UserMistake
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.sqlite.store import SqliteStore

COUNT = 2500  # more than a group of Parquet, and than the store reads at once


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("engine") / "stars"
    store = SqliteStore(path)
    urls = [UrlRow(page, f"http://a/{page}", 0) for page in range(COUNT + 2)]
    pages = [
        Page(
            i,
            f"http://a/{i}",
            f"Star {i}",
            f"it is ★ {i}",
            0.5,
            i,
            "",
            "",
            100.25,
            50.0,
            "en" if i else "",
            7,
            i - 1,
        )
        for i in range(COUNT)
    ]
    store.commit(Batch(hosts=[HostRow(0, "a:80", "http://a/")], urls=urls, pages=pages))
    store.commit(Batch(gone=[COUNT - 1, COUNT]))
    store.close()
    return path


def test_jsonl(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.jsonl"
    assert export_folder(folder, "jsonl", str(out), force=False) == (
        COUNT - 1,
        str(out),
    )
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert [one["url"] for one in found] == [
        f"http://a/{i}" for i in range(COUNT - 1)
    ], "what is gone is not held"
    assert found[1] == {
        "url": "http://a/1",
        "title": "Star 1",
        "text": "it is ★ 1",
        "relevance": 0.5,
        "language": "en",
        "fetched": "1970-01-01T00:01:40.250Z",
        "fetched_s": 100.25,
        "changed": "1970-01-01T00:00:50.000Z",
        "changed_s": 50.0,
        "etag": None,
        "last_modified": None,
        "same_as": "http://a/0",
        "fields": {},
    }
    assert found[0]["same_as"] is None and found[0]["language"] is None
    assert list(tmp_path.iterdir()) == [out]


def test_parquet_says_the_same(folder: Path, tmp_path: Path) -> None:
    export_folder(folder, "jsonl", str(tmp_path / "x.jsonl"), force=False)
    export_folder(folder, "parquet", str(tmp_path / "x.parquet"), force=False)
    table = pyarrow.parquet.read_table(tmp_path / "x.parquet")
    rows = [{**row, "fields": dict(row["fields"])} for row in table.to_pylist()]
    assert rows == [
        json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()
    ]
    assert pyarrow.parquet.ParquetFile(tmp_path / "x.parquet").num_row_groups == 3, (
        "streamed"
    )


def test_warc(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.warc.gz"
    export_folder(folder, "warc", str(out), force=False)
    with out.open("rb") as file:
        found = [
            (r.rec_type, r.rec_headers, r.content_stream().read().decode())
            for r in ArchiveIterator(file)
        ]
    assert [kind for kind, _, _ in found] == ["warcinfo"] + ["conversion"] * (COUNT - 1)
    _, head, text = found[2]
    assert (head["WARC-Target-URI"], head["Content-Type"], text) == (
        "http://a/1",
        "text/plain",
        "Star 1\nit is ★ 1",
    )
    assert (
        head["WARC-Date"] == "1970-01-01T00:01:40.250Z"
        and head["WARC-Identified-Content-Language"] == "en"
    )
    assert found[1][1]["WARC-Identified-Content-Language"] is None
    check(out)


def test_warc_is_compressed_only_where_its_name_says_so(
    folder: Path, tmp_path: Path
) -> None:
    texts = {}
    for name in ("x.warc", "x.warc.gz"):
        out = tmp_path / name
        export_folder(folder, "warc", str(out), force=False)
        with out.open("rb") as file:
            texts[name] = [r.content_stream().read() for r in ArchiveIterator(file)][1:]
        check(out)
    assert (tmp_path / "x.warc").read_bytes().startswith(b"WARC/1.1\r\n")
    assert (tmp_path / "x.warc.gz").read_bytes().startswith(b"\x1f\x8b")
    assert texts["x.warc"] == texts["x.warc.gz"]
    assert len(texts["x.warc"]) == COUNT - 1


def test_standard_output(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    assert export_folder(folder, "jsonl", "-", force=False)[0] == COUNT - 1
    assert len(out.buffer.getvalue().splitlines()) == COUNT - 1


def test_named_after_the_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert export_folder(folder, "warc", None, force=False)[1] == "stars.warc.gz"


def test_what_is_there_is_not_replaced_unasked(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.jsonl"
    out.write_text("mine")
    with pytest.raises(UserMistake, match="--force"):
        export_folder(folder, "jsonl", str(out), force=False)
    assert out.read_text() == "mine"
    export_folder(folder, "jsonl", str(out), force=True)
    assert out.read_text() != "mine"


@pytest.mark.parametrize("form", ["jsonl", "warc", "parquet"])
def test_an_interruption_leaves_nothing(
    form: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "x"
    out.write_text("mine")
    real = export.CountedDocuments.__next__
    passed = [0]

    def interrupted(documents: Any) -> Page:
        passed[0] += 1
        if passed[0] == 1200:
            raise KeyboardInterrupt
        return real(documents)

    monkeypatch.setattr(export.CountedDocuments, "__next__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        export_folder(folder, form, str(out), force=True)
    assert list(tmp_path.iterdir()) == [out] and out.read_text() == "mine"


def test_nothing_is_missed_beside_a_robot_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot = SqliteStore(tmp_path / "engine")
    pages = [
        Page(i, f"http://a/{i}", "", f"text {i}", 0.5, i, "", "", 1.0, 1.0)
        for i in range(COUNT)
    ]
    urls = [UrlRow(page.page, page.url, 0) for page in pages]
    robot.commit(Batch(hosts=[HostRow(0, "a:80", "http://a/")], urls=urls, pages=pages))
    real = export.CountedDocuments.__next__
    passed = [0]

    def read_anew(documents: Any) -> Page:
        passed[0] += 1
        if passed[0] == 10:
            robot.commit(
                Batch(
                    pages=[
                        replace(pages[0], text="new"),
                        replace(pages[-1], text="new"),
                    ]
                )
            )
        return real(documents)

    monkeypatch.setattr(export.CountedDocuments, "__next__", read_anew)
    export_folder(tmp_path / "engine", "jsonl", str(tmp_path / "x"), force=False)
    robot.close()
    found = [json.loads(line) for line in (tmp_path / "x").read_text().splitlines()]
    assert [one["url"] for one in found] == [page.url for page in pages], "each once"
    assert found[-1]["text"] == pages[-1].text, "all of them as of one moment"


def test_mistakes(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(FolderMissing):
        export_folder(tmp_path / "none", "jsonl", None, force=False)
    with pytest.raises(UserMistake, match="is a folder"):
        export_folder(folder, "jsonl", str(tmp_path), force=True)
    with pytest.raises(UserMistake, match="no folder"):
        export_folder(folder, "jsonl", str(tmp_path / "a" / "b"), force=False)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UserMistake, match="not a file"):
        export_folder(folder, "jsonl", str(tmp_path / "pipe"), force=True)
    (tmp_path / "pipe").unlink()
    with pytest.raises(UserMistake, match="standard output"):
        export_folder(folder, "parquet", "-", force=False)
    assert list(tmp_path.iterdir()) == []


def test_parquet_without_its_package(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def lacking(name: str, *rest: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", lacking)
    with pytest.raises(UserMistake, match=r"trapline\[parquet\]"):
        export_folder(folder, "parquet", str(tmp_path / "x"), force=False)
