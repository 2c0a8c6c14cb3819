"""The full-text index: finds, forgets, catches up, survives damage, reads beside a writer."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from trapline.core.errors import DiskFull, FolderBusy, StoreCorrupt
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.search.host_furniture import HostFurniture
from trapline.search.index import FullTextIndex
from trapline.search.query_language import read_query
from trapline.search.questions import Sort
from trapline.stores.memory import MemoryStore

TEXTS = [
    ("The Moon", "The moon orbits our planet. It has craters."),
    ("Mars", "Mars is a red planet with two moons: Phobos, Deimos."),
    ("Cooking", "How to cook rice: <b>wash</b> it, then boil it."),
    ("Größe der Sterne", "Über die Größe der Sterne 日本語 🌍 und ihre Planeten."),
]


def page(number: int, title: str, text: str, relevance: float = 0.5) -> Page:
    return Page(
        number, f"http://a/{number}", title, text, relevance, number, "", "", 1.0, 1.0
    )


def filled() -> MemoryStore:
    store = MemoryStore()
    store.commit(
        Batch(
            hosts=[HostRow(0, "a:80", "http://a/")],
            urls=[UrlRow(n, f"http://a/{n}", 0) for n in range(9)],
        )
    )
    store.commit(
        Batch(pages=[page(number, *texts) for number, texts in enumerate(TEXTS)])
    )
    return store


@pytest.fixture
def store() -> MemoryStore:
    return filled()


@pytest.fixture
def index(store: MemoryStore, tmp_path: Path) -> FullTextIndex:
    made = FullTextIndex(tmp_path / "index")
    made.catch_up(store)
    return made


def pages(index: FullTextIndex, query: str) -> list[int]:
    return sorted(ranked.page for ranked in index.rank(read_query(query)).pages)


def count(index: FullTextIndex, query: str) -> int:
    return index.rank(read_query(query)).total


def test_finds_words_in_their_other_forms(index: FullTextIndex) -> None:
    assert pages(index, "moons") == [0, 1]
    assert pages(index, "orbiting") == [0]
    assert pages(index, "sterne") == [3]
    assert pages(index, "zebra") == []


def test_words_are_wished_for_unless_signs_say_more(index: FullTextIndex) -> None:
    best = index.rank(read_query("red moons")).pages
    assert [ranked.page for ranked in best] == [1, 0]
    assert pages(index, "craters rice") == [0, 2]
    assert pages(index, "moon -mars") == [0]
    assert pages(index, '"red planet"') == [1]
    assert pages(index, "title:moon") == [0]
    assert pages(index, "+planet moon") == [0, 1]


@pytest.mark.parametrize(
    "query",
    [
        '"moon',
        "moon AND",
        "c++: moon",
        "(((moon",
        "moon^^",
        "what: moon?",
        "+ moon",
        "(" * 500 + "moon",
    ],
)
def test_broken_syntax_is_read_as_words(index: FullTextIndex, query: str) -> None:
    assert pages(index, query) == [0, 1]


@pytest.mark.parametrize(
    "query", ["", "   ", "+", "((", '"', "\\", "\udcff", "nofield:"]
)
def test_queries_without_a_word_find_nothing(index: FullTextIndex, query: str) -> None:
    assert count(index, query) == 0


def test_changes_and_losses_are_taken_in(
    index: FullTextIndex, store: MemoryStore
) -> None:
    assert index.revision == 4
    store.commit(Batch(pages=[page(0, "The Sun", "A star.")], gone=[1]))
    assert index.catch_up(store) is False
    assert pages(index, "moon") == []
    assert pages(index, "star") == [0]
    assert index.revision == 6
    assert count(index, "*") == 3


def test_indexing_twice_is_harmless(index: FullTextIndex, store: MemoryStore) -> None:
    assert index.update(store.changes(0)) == 4
    assert index.update(store.changes(0)) == 4
    index.commit()
    assert count(index, "*") == 4
    assert index.revision == 4


def test_it_remembers_how_far_it_came(
    index: FullTextIndex, store: MemoryStore, tmp_path: Path
) -> None:
    index.close()
    again = FullTextIndex(tmp_path / "index")
    assert again.revision == 4
    assert again.catch_up(store) is False
    assert pages(again, "moon") == [0, 1]


def test_a_store_that_was_set_back(index: FullTextIndex) -> None:
    other = MemoryStore()
    other.commit(
        Batch(
            hosts=[HostRow(0, "a:80", "http://a/")], urls=[UrlRow(0, "http://a/0", 0)]
        )
    )
    other.commit(Batch(pages=[page(0, "Venus", "Hot.")]))
    assert index.catch_up(other) is True
    assert pages(index, "moon") == []
    assert pages(index, "venus") == [0]
    assert index.revision == 1


def spoil(folder: Path, pattern: str) -> None:
    for path in folder.glob(pattern):
        path.write_bytes(path.read_bytes()[:-9])


@pytest.mark.parametrize(
    "pattern",
    [
        "meta.json",
        "*.store",
        "*.term",
        "*.idx",
        "*.fast",
        ".managed.json",
        "revision.json",
    ],
)
def test_a_damaged_index_is_made_anew(
    index: FullTextIndex, store: MemoryStore, tmp_path: Path, pattern: str
) -> None:
    index.close()
    spoil(tmp_path / "index", pattern)
    (tmp_path / "index" / "letter.txt").write_text("not ours")
    again = FullTextIndex(tmp_path / "index")
    assert again.catch_up(store) is True
    assert pages(again, "moon") == [0, 1]
    again.close()
    assert FullTextIndex(tmp_path / "index").revision == 4
    assert (tmp_path / "index" / "letter.txt").read_text() == "not ours"


def harmed(path: Path, how: str, rng: random.Random) -> None:
    data = bytearray(path.read_bytes())
    if how == "a flipped bit":
        # Of Tantivy's list of segments there is no checksum: only the fields, which follow it, are
        # compared.
        first = data.index(b'"schema"') if path.name == "meta.json" else 0
        data[rng.randrange(first, len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(
        bytes(data[: rng.randrange(len(data))] if how == "cut off" else data)
    )
    if how == "removed":
        path.unlink()


def everything_found(index: FullTextIndex) -> list[object]:
    """Without the scores: they depend on what was deleted since segments were last merged."""
    queries = ("moon", "planet", "rice boil", '"red planet"', "host:a", "lang:de")
    found: list[object] = [pages(index, query) for query in queries]
    asked = read_query("planet")
    return [*found, index.facets(asked, Sort.BEST, 2.0), index.spell("planat")]


@pytest.mark.parametrize("how", ["a flipped bit", "cut off", "removed"])
def test_whatever_file_is_harmed_the_answers_are_the_same(
    index: FullTextIndex, store: MemoryStore, tmp_path: Path, how: str
) -> None:
    """At random places; whether it was noticed matters less than that nobody gets
    another answer.
    """
    store.commit(Batch(gone=[1]))
    index.catch_up(store)
    index.close()
    before = everything_found(index)
    whole = tmp_path / "index"
    rng = random.Random(how)
    names = sorted(path.name for path in whole.iterdir() if path.suffix != ".lock")
    assert {Path(name).suffix for name in names} >= {
        ".idx",
        ".store",
        ".term",
        ".pos",
        ".fast",
        ".del",
        ".json",
    }
    for name in names:
        for attempt in range(2):
            copy = Path(shutil.copytree(whole, tmp_path / f"{name}-{attempt}"))
            harmed(copy / name, how, rng)
            again = FullTextIndex(copy)
            again.catch_up(store)
            assert everything_found(again) == before, (name, attempt)
            again.close()
            assert again.damaged or name.endswith(".json"), (
                "a segment's file is noticed whatever happens to it"
            )


def test_what_was_taken_in_is_found_after_the_next_commit(
    store: MemoryStore, tmp_path: Path
) -> None:
    index = FullTextIndex(tmp_path / "index")
    assert index.take_in(store)
    assert pages(index, "moons") == []
    assert index.revision == 0
    store.commit(
        Batch(pages=[page(0, "The Moon", "There are seas on the moon.")], gone=[2])
    )
    # a page that has changed and one that has gone, before anybody saw them
    index.take_in(store)
    assert index.catch_up(store) is True
    assert (pages(index, "moon"), pages(index, "craters"), pages(index, "rice")) == (
        [0, 1],
        [],
        [],
    )
    assert index.revision == store.counts().revision
    index.close()


def test_what_was_taken_in_before_a_kill_is_taken_in_again(
    store: MemoryStore, tmp_path: Path
) -> None:
    index = FullTextIndex(tmp_path / "index")
    index.catch_up(store)
    store.commit(Batch(pages=[page(4, "Venus", "Clouds of acid.")]))
    index.take_in(store)
    index.close()  # and no commit
    again = FullTextIndex(tmp_path / "index")
    assert (again.catch_up(store), pages(again, "acid")) == (False, [4])
    again.close()


class Failing:
    def commit(self) -> None:
        raise ValueError("Data corrupted")


def test_what_was_taken_in_before_a_failure_is_taken_in_again(
    index: FullTextIndex, store: MemoryStore
) -> None:
    store.commit(Batch(pages=[page(4, "Venus", "Clouds of acid.")]))
    index.take_in(store)
    assert index._writer is not None
    index._writer.rollback()  # the worst that a failure can leave behind
    index._writer = Failing()  # type: ignore[assignment]
    assert index.catch_up(store), "it was made anew"
    assert pages(index, "acid") == [4]
    index.close()


def test_only_what_is_there_can_be_damaged(
    index: FullTextIndex, tmp_path: Path
) -> None:
    index.close()
    assert not FullTextIndex(tmp_path / "index").damaged
    assert not FullTextIndex(tmp_path / "none").damaged


def test_a_disk_without_room_for_the_index(store: MemoryStore, tmp_path: Path) -> None:
    index = FullTextIndex(tmp_path / "index")
    index.catch_up(store)
    (tmp_path / "index" / "revision.unfinished").symlink_to("/dev/full")
    store.commit(Batch(gone=[1]))
    with pytest.raises(DiskFull, match="make room"):
        index.catch_up(store)
    index.close()
    (tmp_path / "index" / "revision.unfinished").unlink()
    again = FullTextIndex(tmp_path / "index")
    again.catch_up(store)
    assert again.revision == store.counts().revision
    again.close()


def test_damage_found_while_searching_is_named(
    index: FullTextIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("Data corrupted")

    monkeypatch.setattr("trapline.search.index.rank", fail)
    with pytest.raises(StoreCorrupt, match="Data corrupted"):
        index.rank(read_query("moon"))


@pytest.mark.parametrize("place", ["of", "learn_first"])
def test_damage_found_while_furniture_is_learnt_is_mended(
    index: FullTextIndex,
    store: MemoryStore,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
) -> None:
    whole = getattr(HostFurniture, place)
    failures = [ValueError("Data corrupted")]

    def fail_once(*words: object) -> object:
        if failures:
            raise failures.pop()
        return whole(*words)

    monkeypatch.setattr(HostFurniture, place, fail_once)
    store.commit(Batch(pages=[page(4, "Venus", "Clouds of acid.")]))
    assert index.catch_up(store), "it was made anew"
    assert pages(index, "acid") == [4]
    index.close()


def test_one_writer_many_readers(
    index: FullTextIndex, store: MemoryStore, tmp_path: Path
) -> None:
    reader = FullTextIndex(tmp_path / "index", read_only=True)
    assert pages(reader, "moon") == [0, 1]
    store.commit(Batch(gone=[0]))
    index.catch_up(store)
    assert pages(reader, "moon") == [1]
    assert reader.catch_up(store) is False
    with pytest.raises(ValueError, match="reading only"):
        reader.update(store.changes())
    with pytest.raises(FolderBusy):
        FullTextIndex(tmp_path / "index").update(store.changes())


def test_reading_from_another_process_takes_no_lock(
    index: FullTextIndex, store: MemoryStore, tmp_path: Path
) -> None:
    code = (
        "import sys; from pathlib import Path; from trapline.search.index import FullTextIndex;"
        "from trapline.search.query_language import read_query;"
        "index = FullTextIndex(Path(sys.argv[1]), read_only=True);"
        "print(index.rank(read_query('moon')).total)"
    )
    asked = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "index")],
        capture_output=True,
        check=True,
    )
    assert asked.stdout == b"2\n"
    store.commit(Batch(gone=[0]))
    index.catch_up(store)  # the writer still has its lock


def test_reading_without_a_readable_index(store: MemoryStore, tmp_path: Path) -> None:
    """It works all the same, in memory; nothing is written, and a robot's index is used as soon as
    there is one.
    """
    folder = tmp_path / "index"
    reader = FullTextIndex(folder, read_only=True)
    assert pages(reader, "moon") == []
    assert reader.catch_up(store) is True
    assert pages(reader, "moon") == [0, 1]
    assert not folder.exists()
    store.commit(Batch(gone=[0]))
    FullTextIndex(folder).catch_up(store)
    assert pages(reader, "moon") == [1]


def test_opening_writes_nothing(tmp_path: Path) -> None:
    FullTextIndex(tmp_path / "index")
    assert list(tmp_path.iterdir()) == []


def test_what_a_kill_left_of_a_commit_is_no_obstacle(
    store: MemoryStore, tmp_path: Path
) -> None:
    """Killed when deletions were written and the commit was not: the next robot repeats it, under
    the same names.
    """
    FullTextIndex(tmp_path / "index").catch_up(store)
    killed = shutil.copytree(tmp_path / "index", tmp_path / "killed")
    store.commit(Batch(pages=[page(1, "Mars", "Another text.")], gone=[0]))
    FullTextIndex(tmp_path / "index").catch_up(store)
    left = [
        file
        for file in (tmp_path / "index").iterdir()
        if file.suffix == ".del" or file.name == ".managed.json"
    ]
    assert len(left) == 2
    for file in left:
        shutil.copy(file, killed)
    after = FullTextIndex(killed)
    after.catch_up(store)
    assert pages(after, "another") == [1]
    assert pages(after, "moon") == []
