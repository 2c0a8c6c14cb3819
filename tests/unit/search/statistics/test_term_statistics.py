"""What an index tells of its words."""

from __future__ import annotations

import pytest

from tests.unit.search.statistics.test_rarities import count, processor_of, text_of
from trapline.core.records import Page
from trapline.search.statistics.page_words import weigh_pages
from trapline.search.statistics.term_statistics import term_statistics


def test_counts_and_weights_are_those_of_the_index() -> None:
    view = processor_of(range(40))._index.view()
    rows = {row.stem: row for row in term_statistics(view, list(range(40)))}
    assert rows["vacuum"].documents == count("vacuum")
    assert rows["index"].documents == count("index")
    assert "number7" not in rows  # one page alone has it
    # texts of nearly one length: a word that stands there once weighs about 1
    assert rows["vacuum"].mean == pytest.approx(1.0, abs=0.05)
    assert rows["vacuum"].variance < 0.01
    assert 1.2 < rows["the"].mean < 1.5


def test_words_of_a_page() -> None:
    page = Page(
        1, "http://a.org/1", "The vacuum", text_of(1), 1.0, 2, "", "", 5.0, 5.0, "en"
    )
    [words] = weigh_pages([page])
    found = {word.stem: word for word in words}
    assert found["vacuum"].in_title
    assert not found["index"].in_title
    assert found["vacuum"].weight == pytest.approx(1.0)
    assert found["the"].weight == pytest.approx(2.2 * 2 / 3.2)
