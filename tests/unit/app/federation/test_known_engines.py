"""What a broker knows: kept over restarts, believed only as it was signed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.unit.app.federation.small_federation import Federation, packed_part, terms_of
from trapline.app.federation.known_engines import KnownEngines, read_known
from trapline.app.federation.known_engines_file import FILE, MOST_FINDINGS
from trapline.core.errors import DescriptionUnreadable
from trapline.oasis.merging.engine_hits import Finding, Wrong
from trapline.oasis.packing import pack_terms
from trapline.oasis.terms import TermTable, term_key


def test_all_is_there_after_a_restart(tmp_path: Path) -> None:
    world = Federation(tmp_path, 3)
    world.known.put_neighbour("searxng", "http://s.org", "s.org")
    world.known.note_findings([Finding("key of e0", Wrong.SCORES, "claims 900")])
    version = world.known.snapshot.federation.shared.version
    world.known.close()
    again = KnownEngines(tmp_path)
    snapshot = again.rebuild()
    assert {engine.name for engine in snapshot.engines.values()} == {
        "e0",
        "e1",
        "e2",
        "s.org",
    }
    assert len(snapshot.federation) == 3
    assert snapshot.federation.shared.version == version
    assert [one.detail for one in again.findings()] == ["claims 900"]
    assert [one.kind for one in snapshot.neighbours] == ["searxng"]


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    KnownEngines(tmp_path).close()
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_a_damaged_file_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all" * 1000)
    known = KnownEngines(tmp_path)
    assert known.engines() == []
    assert (tmp_path / "oasis.damaged").exists()


def test_nothing_is_known_where_no_broker_was(tmp_path: Path) -> None:
    assert read_known(tmp_path) == ({}, [])
    assert not (tmp_path / FILE).exists()


def test_more_words_a_page_than_a_book_has_are_found_out(tmp_path: Path) -> None:
    world = Federation(tmp_path, 2)
    words = 10_000
    one = np.ones(words, np.float32)
    keys = np.arange(words, dtype=np.uint64)
    claimed = pack_terms(TermTable(100, keys, np.full(words, 90, np.uint32), one, one))
    world.known.put_part("key of e0", "terms", packed_part(claimed), claimed)
    [found] = world.known.findings()
    assert found.key == "key of e0"
    assert "9,000 different words a page" in found.detail
    assert world.known.rebuild().federation.shared.pages == 100, "of the other one"


def test_statistics_that_were_not_signed_are_not_believed(tmp_path: Path) -> None:
    world = Federation(tmp_path, 1)
    other = pack_terms(terms_of(999))
    wanted = packed_part(pack_terms(terms_of(100)))
    with pytest.raises(DescriptionUnreadable):
        world.known.put_part("key of e0", "terms", wanted, other)
    with pytest.raises(DescriptionUnreadable):
        world.known.put_part("key of e0", "terms", packed_part(b"bomb"), b"bomb")


def test_the_shared_table_is_the_sum(tmp_path: Path) -> None:
    world = Federation(tmp_path, 3)
    shared = world.known.snapshot.federation.shared
    assert shared.pages == 300
    place = shared.keys.tolist().index(term_key("en", "moon"))
    assert shared.documents[place] == 30


def test_findings_are_counted_and_bounded(tmp_path: Path) -> None:
    known = KnownEngines(tmp_path)
    for _ in range(3):
        known.note_findings([Finding("a", Wrong.SCORES, "again")])
    [one] = known.findings()
    assert one.times == 3
    many = [Finding(f"k{n}", Wrong.HITS, "x") for n in range(MOST_FINDINGS + 50)]
    known.note_findings(many)
    assert len(known.findings()) == MOST_FINDINGS


def test_findings_stay_when_an_engine_is_forgotten(tmp_path: Path) -> None:
    world = Federation(tmp_path, 1)
    world.known.note_findings([Finding("key of e0", Wrong.SCORES, "lies")])
    world.known.forget("key of e0")
    assert world.known.engines() == []
    assert len(world.known.findings()) == 1


def test_lessons_that_cannot_be_read_are_none(tmp_path: Path) -> None:
    known = KnownEngines(tmp_path)
    known._file.keep("lessons", b"garbage")
    assert known.lessons().state().engines == ()
