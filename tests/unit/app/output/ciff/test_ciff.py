"""An index for other search engines: every word where it stands, and a file that is whole."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.app.output.ciff.ciff_reader import Index, read_index
from trapline.app.output import export
from trapline.app.output.ciff.export_ciff import count_terms, export_ciff, write_index
from trapline.app.output.ciff.messages import postings_message, varint
from trapline.app.output.ciff.sorted_postings import SortedPostings
from trapline.core.errors import FolderMissing, UserMistake
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.search.tongues import tongue_of
from trapline.stores.sqlite.store import SqliteStore


def page(
    number: int, title: str, text: str, language: str = "en", same: int = -1
) -> Page:
    return Page(
        number,
        f"http://a/{number}",
        title,
        text,
        0.5,
        number,
        "",
        "",
        1.0,
        1.0,
        language,
        7,
        same,
    )


PAGES = [
    page(0, "Moons", "The moon orbits. A moon has phases."),
    page(1, "Häuser", "Viele Häuser und ein Haus; Mond", "de"),
    page(2, "Moons", "The moon orbits. A moon has phases.", same=0),
    page(3, "", ""),  # a sitemap
    page(4, "月", "月は衛星", "ja"),
    page(5, "Orbiting", "moon " * 300 + "zebra 😀 re\u0301sume\u0301"),
]
SEARCHABLE = [PAGES[0], PAGES[1], PAGES[4], PAGES[5]]


def index_of(pages: list[Page], at_once: int = 1000) -> Index:
    file = io.BytesIO()
    written = write_index(file, iter(pages), "about", at_once=at_once)
    found = read_index(file.getvalue())
    assert written == len(found.documents)
    return found


def fill(folder: Path, pages: list[Page]) -> Path:
    store = SqliteStore(folder)
    urls = [UrlRow(one.page, one.url, 0) for one in pages]
    hosts = [HostRow(0, "a:80", "http://a/")]
    store.commit(Batch(hosts=hosts, urls=urls, pages=pages))
    store.close()
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return fill(tmp_path / "stars", PAGES)


def test_every_word_is_counted_where_it_stands() -> None:
    found = index_of(PAGES)
    assert [name for _, name, _ in found.documents] == [one.url for one in SEARCHABLE]
    wanted: dict[str, list[tuple[int, int]]] = {}
    for number, one in enumerate(SEARCHABLE):
        text = f"{one.title}\n{one.text}".replace("e\u0301", "é")  # as search spells it
        stems = tongue_of(one.language).analyzer.analyze(text)
        for stem in set(stems):
            wanted.setdefault(stem, []).append((number, stems.count(stem)))
    assert {term: listed for term, (_, _, listed) in found.lists.items()} == wanted
    assert wanted["moon"] == [(0, 3), (3, 300)]
    assert wanted["resum"] == [(3, 1)]
    assert wanted["haus"] == [(1, 3)] and wanted["月"] == [(2, 2)]


def test_sums_and_order_are_as_the_format_wants() -> None:
    found = index_of(PAGES)
    for df, cf, listed in found.lists.values():
        assert (df, cf) == (len(listed), sum(count for _, count in listed))
        numbers = [number for number, _ in listed]
        assert numbers == sorted(set(numbers))
    assert [number for number, _, _ in found.documents] == list(range(4))
    terms = [term.encode() for term in found.lists]
    assert terms == sorted(terms)
    words = sum(count for _, _, count in found.documents)
    assert words == sum(cf for _, cf, _ in found.lists.values())
    about = {8: b"about", 1: 1, 7: words / 4}
    counts = {2: len(terms), 4: len(terms), 3: 4, 5: 4, 6: words}
    assert found.header == {**about, **counts}


def test_an_empty_collection_is_an_index_of_nothing() -> None:
    found = index_of([])
    assert (found.header, found.lists, found.documents) == (
        {1: 1, 8: b"about"},
        {},
        [],
    )


@pytest.mark.parametrize("at_once", [1, 7, 40])
def test_runs_on_disk_make_the_same_index(at_once: int) -> None:
    assert index_of(PAGES, at_once) == index_of(PAGES)


COUNTS = st.dictionaries(st.text("abé漢😀￿", max_size=3), st.integers(1, 2**32 - 1))


@given(st.lists(COUNTS, max_size=12), st.integers(1, 20))
def test_postings_are_sorted_whatever_they_are(
    documents: list[dict[str, int]], at_once: int
) -> None:
    with SortedPostings(None, at_once) as postings:
        for number, counts in enumerate(documents):
            postings.add(number, counts)
        found = list(postings.lists())
    terms = sorted({term for counts in documents for term in counts}, key=str.encode)
    assert [one.term for one in found] == terms
    for one in found:
        listed = zip(one.documents, one.counts, strict=True)
        wanted = [(n, c[one.term]) for n, c in enumerate(documents) if one.term in c]
        assert list(listed) == wanted


def test_messages_byte_by_byte() -> None:
    assert varint(0) == b"\0" and varint(2**31) == b"\x80\x80\x80\x80\x08"
    # as protobuf 7.36 writes PostingsList(term="ab", df=2, cf=301) with (0, 1), (200, 300)
    wanted = "15 0a026162 1002 18ad02 2202 1001 2206 08c801 10ac02"
    assert postings_message("ab", [0, 200], [1, 300]) == bytes.fromhex(wanted)


def test_documents_are_written_as_steps() -> None:
    numbers = [3, 4, 200, 70_000]
    message = postings_message("ab", numbers, [1, 1, 1, 1])
    wanted = "23 0a026162 1004 1804 2204 08031001 2204 08011001 2205 08c4011001 2206 08a8a1041001"
    assert message == bytes.fromhex(wanted)
    pages = [page(n, "", "moon" if n in (3, 4, 7) else "mars") for n in range(9)]
    assert index_of(pages).lists["moon"] == (3, 3, [(3, 1), (4, 1), (7, 1)])


def test_memory_is_bounded_by_what_is_held_at_once() -> None:
    with SortedPostings(None, at_once=100) as postings:
        for number in range(500):
            postings.add(number, {f"term{number}": 1, "moon": 2})
            assert len(postings._terms) < 102
        [moon] = [one for one in postings.lists() if one.term == "moon"]
    assert moon.documents == list(range(500))


def test_a_file_named_gz_is_packed(folder: Path, tmp_path: Path) -> None:
    plain = tmp_path / "x.ciff"
    packed = tmp_path / "x.ciff.gz"
    assert export_ciff(folder, str(plain), force=False) == (4, str(plain))
    assert export_ciff(folder, str(packed), force=False) == (4, str(packed))
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    about = read_index(plain.read_bytes()).header[8]
    assert isinstance(about, bytes) and b"collection stars" in about
    before = packed.read_bytes()
    export_ciff(folder, str(packed), force=True)
    assert packed.read_bytes() == before, "the same again"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "stars",
        "x.ciff",
        "x.ciff.gz",
    ]


def test_named_after_the_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert export_ciff(folder, None, force=False)[1] == "stars.ciff.gz"
    assert (tmp_path / "stars.ciff.gz").is_file()


def test_standard_output(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    assert export_ciff(folder, "-", force=False) == (4, "-")
    assert len(read_index(out.buffer.getvalue()).documents) == 4
    monkeypatch.setattr(out, "isatty", lambda: True, raising=False)
    with pytest.raises(UserMistake, match="not for the eyes"):
        export_ciff(folder, "-", force=False)


def test_an_interruption_leaves_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "x.ciff.gz"
    out.write_text("mine")
    real = export.CountedDocuments.__next__
    passed = [0]

    def interrupted(documents: Any) -> Page:
        passed[0] += 1
        if passed[0] == 3:
            raise KeyboardInterrupt
        return real(documents)

    monkeypatch.setattr(export.CountedDocuments, "__next__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        export_ciff(folder, str(out), force=True)
    assert out.read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"stars", "x.ciff.gz"}


def test_mistakes(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.ciff"
    out.write_text("mine")
    with pytest.raises(FolderMissing):
        export_ciff(tmp_path / "none", str(out), force=True)
    with pytest.raises(UserMistake, match="--force"):
        export_ciff(folder, str(out), force=False)
    with pytest.raises(UserMistake, match="is a folder"):
        export_ciff(folder, str(tmp_path), force=True)
    with pytest.raises(UserMistake, match="no folder"):
        export_ciff(folder, str(tmp_path / "a" / "b"), force=True)
    assert out.read_text() == "mine"


def test_a_text_without_words_is_a_document_without_words() -> None:
    found = index_of([page(0, "…", "!!! ???"), page(1, "", "moon")])
    assert found.documents == [(0, "http://a/0", 0), (1, "http://a/1", 1)]
    assert count_terms(page(0, "…", "!!!")).total() == 0
    assert found.lists["moon"] == (1, 1, [(1, 1)])
