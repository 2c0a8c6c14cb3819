"""What an engine says of itself is counted, signed, and made anew as it grows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from tests.unit.search.statistics.test_rarities import count, processor_of
from trapline.app.federation.description_file import Made
from trapline.app.federation.description_maker import (
    EVERY_S,
    DescriptionMaker,
    Identity,
)
from trapline.app.federation.key_file import read_key, verify
from trapline.core.storage import Batch, SteadyStore
from trapline.oasis.deltas import apply_delta
from trapline.oasis.description import read_description
from trapline.oasis.packing import pack_terms, unpack_sample, unpack_terms
from trapline.oasis.signed_description import read_signed_description
from trapline.oasis.terms import places_of, term_key
from trapline.search.query_processor import QueryProcessor

NOW_S = 1_700_000_000.0


class Clock:
    now_s = NOW_S

    def __call__(self) -> float:
        return self.now_s


def maker_of(
    folder: Path,
    processor: QueryProcessor,
    now: Callable[[], float],
    *,
    private_terms: bool = False,
    url: str = "http://127.0.0.1:8765",
) -> DescriptionMaker:
    identity = Identity("moons", url, read_key(folder), private_terms)
    # no robot has saved anything there: nobody asks for its parts
    store = cast(SteadyStore, processor._store)
    return DescriptionMaker(folder, store, processor, identity, now)


@pytest.fixture
def processor() -> QueryProcessor:
    return processor_of(range(40))


def made_again(maker: DescriptionMaker) -> Made:
    maker.current()
    maker.close()
    return maker.current()


def test_it_is_true_and_signed(tmp_path: Path, processor: QueryProcessor) -> None:
    made = maker_of(tmp_path, processor, Clock()).current()
    description = read_signed_description(made.signed, verify).description
    assert (description.name, description.pages) == ("moons", 40)
    table = unpack_terms(made.terms)
    assert description.terms is not None
    assert description.terms.kept == len(table)
    assert description.terms.digest == hashlib.sha256(made.terms).hexdigest()
    wanted = np.array([term_key("en", "vacuum")], np.uint64)
    [place] = places_of(table.keys, wanted)
    assert table.documents[place] == count("vacuum")
    assert made.sample is not None
    assert len(unpack_sample(made.sample)) == 40


def test_the_sample_can_be_private(tmp_path: Path, processor: QueryProcessor) -> None:
    made = maker_of(tmp_path, processor, Clock(), private_terms=True).current()
    assert made.sample is None
    assert read_description(made.signed).sample is None


def test_the_next_server_finds_it(tmp_path: Path, processor: QueryProcessor) -> None:
    clock = Clock()
    first = maker_of(tmp_path, processor, clock).current()
    clock.now_s += 5.0
    assert maker_of(tmp_path, processor, clock).current() == first
    private = maker_of(tmp_path, processor, clock, private_terms=True).current()
    assert private.version > first.version
    moved = maker_of(tmp_path, processor, clock, url="http://127.0.0.1:8766").current()
    assert moved.signed["url"] == "http://127.0.0.1:8766"


def test_a_clock_that_went_back_does_not_matter(
    tmp_path: Path, processor: QueryProcessor
) -> None:
    clock = Clock()
    first = maker_of(tmp_path, processor, clock).current()
    clock.now_s -= 86_400.0
    other = maker_of(tmp_path, processor, clock, url="http://127.0.0.1:8766").current()
    assert other.version == first.version + 1


def test_what_is_damaged_is_made_anew(
    tmp_path: Path, processor: QueryProcessor
) -> None:
    clock = Clock()
    first = maker_of(tmp_path, processor, clock).current()
    (tmp_path / "oasis" / "terms.bin").write_bytes(b"rubbish")
    again = maker_of(tmp_path, processor, clock).current()
    assert again.terms == first.terms
    assert again.version > first.version
    (tmp_path / "oasis" / "description.json").write_text('{"signed": []}')
    assert maker_of(tmp_path, processor, clock).current().terms == first.terms


def test_a_folder_that_grew_is_told_as_a_delta(
    tmp_path: Path, processor: QueryProcessor
) -> None:
    clock = Clock()
    maker = maker_of(tmp_path, processor, clock)
    first = maker.current()
    store = processor._store
    store.commit(Batch(gone=[3, 4, 5]))
    processor._index.catch_up(store)
    assert made_again(maker) == first, "it is too early"
    clock.now_s += EVERY_S + 1.0
    second = made_again(maker)
    assert second.version > first.version
    assert read_description(second.signed).pages == 37
    delta = maker.delta(first.version)
    assert delta is not None
    old = unpack_terms(first.terms)
    assert pack_terms(apply_delta(old, delta)) == second.terms
    assert maker.delta(12345) is None
