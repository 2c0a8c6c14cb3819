"""Letters between shards say what was put into them, and damaged ones say that they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from trapline.cluster.letters import MailedLinks, pack_letter, unpack_letter
from trapline.core.links import LINK
from trapline.stores.compression import BadBytes, pack

# whatever a canonical URL may hold: no line feed, and nothing that UTF-8 cannot say
URL = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=40)

ONE = MailedLinks(
    ("a",), np.zeros(1, LINK), np.zeros(1, np.float32), np.zeros(1, np.uint8)
)


@st.composite
def letters(draw: st.DrawFn) -> MailedLinks:
    urls = draw(st.lists(URL, max_size=8))
    count = len(urls)
    links = draw(arrays.arrays(LINK, count))
    relevance = draw(
        arrays.arrays(np.float32, count, elements=st.floats(0, 1, width=32))
    )
    depth = draw(arrays.arrays(np.uint8, count))
    return MailedLinks(tuple(urls), links, relevance, depth)


@given(letters())
def test_a_letter_says_what_was_put_into_it(sent: MailedLinks) -> None:
    read = unpack_letter(pack_letter(sent))
    assert read.urls == sent.urls
    assert read.links.tobytes() == sent.links.tobytes()
    assert read.relevance.tolist() == sent.relevance.tolist()
    assert read.depth.tolist() == sent.depth.tolist()
    read.links["page"] = 7  # they are the receiver's to number


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\x02" + pack(bytes(8)),
        pack_letter(ONE)[:-3],
        b"\x01" + pack(b"\x01\0\0\0\0\0\0\0"),
    ],
    ids=["nothing", "another format", "cut off", "too short"],
)
def test_a_damaged_letter_says_so(damaged: bytes) -> None:
    with pytest.raises(BadBytes):
        unpack_letter(damaged)


@given(letters(), st.data())
def test_a_part_of_a_letter_is_of_its_links(
    sent: MailedLinks, data: st.DataObject
) -> None:
    places = [place for place in range(len(sent.urls)) if data.draw(st.booleans())]
    chosen = sent.choose(places)
    assert chosen.urls == tuple(sent.urls[place] for place in places)
    assert chosen.depth.tolist() == [int(sent.depth[place]) for place in places]
    assert chosen.links.tobytes() == sent.links[places].tobytes()
