"""Links as bytes: nothing is lost, little is written, and another record needs another format."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.links import LINK, NO_LINKS
from trapline.stores.link_blobs import FORMAT, pack_links, unpack_links

KEPT = {
    b"\x01": [
        ("page", "<i4"),
        ("host", "<i4"),
        ("anchor", "<f4"),
        ("address", "<f4"),
        ("context", "<f4"),
        ("place", "<f4"),
        ("path", "<i4"),
        ("directory", "<i4"),
        ("prefix", "<i4"),
        ("tokens", "<i4", (6,)),
    ]
}


def test_a_format_is_of_one_record() -> None:
    assert LINK.descr == KEPT[FORMAT], (
        "the record has changed: give blobs a new FORMAT, and say how to read the old"
    )


@pytest.mark.parametrize("count", [0, 1, 2, 5_000])
def test_whatever_is_packed_is_unpacked(count: int) -> None:
    noise = np.random.default_rng(count).integers(
        0, 256, count * LINK.itemsize, np.uint8
    )
    links = noise.view(LINK)
    assert unpack_links(pack_links(links)).tobytes() == links.tobytes()


def test_no_links_are_a_few_bytes() -> None:
    assert len(pack_links(NO_LINKS)) < 16
    assert len(unpack_links(pack_links(NO_LINKS))) == 0


def test_what_was_unpacked_may_be_written_into() -> None:
    links = unpack_links(pack_links(np.zeros(3, LINK)))
    links["anchor"] = 1.0
    assert links["anchor"].sum() == 3.0
