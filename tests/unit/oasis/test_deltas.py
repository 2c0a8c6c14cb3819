"""Statistics that changed: what travels is little, and nothing is lost on the way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.oasis.test_packing import make_table
from trapline.core.errors import DescriptionUnreadable
from trapline.oasis.deltas import apply_delta, pack_delta
from trapline.oasis.packing import pack_terms, unpack_terms
from trapline.oasis.terms import TermTable


def rounded(table: TermTable) -> TermTable:
    return unpack_terms(pack_terms(table))


def changed(table: TermTable) -> TermTable:
    documents = table.documents.copy()
    documents[::50] += 1
    less = replace(table, pages=table.pages + 7, documents=documents)
    return less.take(np.arange(40, len(table)))


def test_the_new_version_comes_out_byte_for_byte() -> None:
    old = rounded(make_table(5000))
    new = rounded(changed(old))
    delta = pack_delta(old, new)
    assert pack_terms(apply_delta(old, delta)) == pack_terms(new)
    assert len(delta) < len(pack_terms(new)) / 10


def test_from_nothing_and_to_nothing() -> None:
    table = rounded(make_table(100))
    nothing = TermTable.empty()
    assert pack_terms(apply_delta(nothing, pack_delta(nothing, table))) == pack_terms(
        table
    )
    assert len(apply_delta(table, pack_delta(table, nothing))) == 0


@pytest.mark.parametrize("packed", [b"", b"TLd1", b"TLd1" + b"\xff" * 40])
def test_what_is_no_delta_is_refused(packed: bytes) -> None:
    with pytest.raises(DescriptionUnreadable):
        apply_delta(TermTable.empty(), packed)
