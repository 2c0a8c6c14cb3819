"""Whatever text and numbers a visit brings, a store gives back the same; and both stores agree on
every history.
"""

from __future__ import annotations

import math
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trapline.core.links import LINK
from trapline.core.records import Kind, Outcome, Page, Robots, Visit
from trapline.core.storage import Batch, Call, HostRow, Store, UrlRow
from trapline.stores.memory import MemoryStore
from trapline.stores.sqlite.store import SqliteStore

PAGES = 4
QUICK = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)

numbers = st.integers(-(2**63), 2**63 - 1)
seconds = st.floats(allow_nan=False)
odd = st.text() | st.sampled_from(
    ["", "\0", "a\0b", "\ufeff", "\U0010ffff", "a" * 5000, "'\";--", "1e3", "\r\n\t"]
)
urls = [f"http://h.example/{page}" for page in range(PAGES)]
documents = st.builds(
    lambda page, **rest: Page(page=page, url=urls[page], **rest),
    page=st.integers(0, PAGES - 1),
    title=odd,
    text=odd,
    relevance=seconds,
    fingerprint=numbers,
    etag=odd,
    last_modified=odd,
    fetched_s=seconds,
    changed_s=seconds,
    form=st.binary(max_size=60),
)
visits = st.builds(
    Visit,
    number=numbers,
    page=numbers,
    host=numbers,
    kind=st.sampled_from(Kind),
    issued_s=seconds,
    ended_s=seconds,
    price=seconds | st.just(math.inf),
    outcome=st.sampled_from(Outcome),
    status=st.integers(0, 999),
    changed=st.booleans(),
    relevance=seconds,
    remark=odd,
)
page_numbers = st.integers(0, PAGES - 1)
link_arrays = st.binary(max_size=3 * LINK.itemsize).map(
    lambda noise: np.frombuffer(
        noise[: len(noise) // LINK.itemsize * LINK.itemsize], LINK
    )
)
batches = st.builds(
    Batch,
    pages=st.lists(documents, max_size=3),
    seen=st.lists(st.tuples(page_numbers, seconds), max_size=3),
    gone=st.lists(page_numbers, max_size=2),
    links=st.lists(st.tuples(page_numbers, link_arrays), max_size=3),
    robots=st.lists(
        st.tuples(st.just(0), st.builds(Robots, st.none() | odd, seconds)), max_size=2
    ),
    notes=st.dictionaries(odd, odd, max_size=2),
)


KNOWN = Batch(
    hosts=[HostRow(0, "h.example:80", "http://h.example/")],
    urls=[UrlRow(page, url, 0) for page, url in enumerate(urls)],
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("engine")
    store = SqliteStore(made)
    store.commit(KNOWN)
    store.close()
    return made


@pytest.fixture(scope="module")
def pair(folder: Path) -> Iterator[tuple[Store, Store]]:
    """One who writes and, as another process would, one who reads."""
    copy = folder.with_name("copy")
    shutil.copytree(folder, copy)
    writer = SqliteStore(copy)
    reader = SqliteStore(copy, read_only=True)
    yield writer, reader
    reader.close()
    writer.close()


serial = count(1)


@QUICK
@given(
    document=documents,
    visit=visits,
    robots=st.builds(Robots, st.none() | odd, seconds),
    words=st.tuples(odd, odd),
)
def test_everything_comes_back_as_it_was(
    pair: tuple[Store, Store],
    document: Page,
    visit: Visit,
    robots: Robots,
    words: tuple[str, str],
) -> None:
    (store, again) = pair
    (note, body) = words
    number = next(serial)
    before = store.counts().revision
    visit = replace(visit, number=number)
    call = Call(number, body)
    store.commit(
        Batch(
            pages=[document],
            visits=[visit],
            notes={note: body},
            robots=[(0, robots)],
            calls=[call],
        )
    )
    assert again.page(document.page) == document
    assert [change.document for change in again.changes(before)] == [document]
    assert again.visits(last=1) == [visit]
    assert again.note(note) == body
    assert (again.hosts(), again.robots(0)) == (KNOWN.hosts, robots)
    assert list(again.calls(number - 1)) == [call]


@QUICK
@given(history=st.lists(batches, max_size=5), after=st.integers(0, 8))
def test_both_stores_tell_the_same_story(
    folder: Path, history: list[Batch], after: int
) -> None:
    memory = MemoryStore()
    memory.commit(KNOWN)
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(folder, place, dirs_exist_ok=True)
        store = SqliteStore(Path(place))
        for batch in history:
            memory.commit(batch)
            store.commit(batch)
        assert store.counts() == memory.counts()
        assert list(store.changes(after)) == list(memory.changes(after))
        assert store.hosts() == memory.hosts()
        for page in range(PAGES):
            assert store.held(page) == memory.held(page)
            assert store.page(page) == memory.page(page)
        for (page, links), (other, others) in zip(
            store.links(), memory.links(), strict=True
        ):
            assert (page, links.tobytes()) == (other, others.tobytes())
        for key in {key for batch in history for key in batch.notes}:
            assert store.note(key) == memory.note(key)
        store.close()
