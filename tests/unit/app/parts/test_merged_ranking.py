"""Rankings of parts as one: order, copies, totals."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trapline.app.parts.merged_ranking import merge_rankings
from trapline.search.ranking.two_looks import RankedRow, RankedRows
from trapline.search.ranking.united_copies import fold_united


def row(
    page: int,
    score: float,
    original: int = -1,
    title: int = 1,
    **facts: object,
) -> RankedRow:
    made = RankedRow(page, score, page if original < 0 else original, title)
    return made._replace(**facts)  # type: ignore[arg-type]


def merged_pages(*parts: list[RankedRow], by_date: bool = False) -> list[int]:
    found = {number: RankedRows(len(one), one) for number, one in enumerate(parts, 1)}
    merged = merge_rankings(found, by_date=by_date)
    return [page for page, _ in merged.ranking.pages]


def test_the_best_of_all_parts_is_first() -> None:
    assert merged_pages([row(1, 5.0), row(2, 1.0)], [row(3, 4.0)]) == [1, 3, 2]


def test_what_was_looked_at_twice_comes_before_the_rest() -> None:
    once = row(2, 99.0, is_twice=False)
    assert merged_pages([row(1, 5.0), once], [row(3, 4.0)]) == [1, 3, 2]


def test_an_original_of_another_part_takes_the_place_of_its_copy() -> None:
    copy = row(8, 9.0, original=2)
    assert merged_pages([copy, row(4, 8.0)], [row(2, 1.0)]) == [2, 4]


def test_a_copy_with_another_title_that_the_query_names_is_shown() -> None:
    named = row(8, 9.0, original=2, title=7, is_named=True)
    assert merged_pages([named], [row(2, 1.0, title=1)]) == [8]
    also = row(2, 1.0, title=1, is_named=True)
    assert merged_pages([named], [also]) == [8, 2]


def test_copies_of_other_shards_are_known_by_their_texts() -> None:
    first = row(1, 5.0, simhash=0b1111_0000)
    near = row(2, 4.0, simhash=0b1111_0111)
    far = row(3, 3.0, simhash=0b0000_1111)
    assert merged_pages([first], [near, far]) == [1, 3]


def test_without_a_simhash_nothing_is_alike() -> None:
    assert merged_pages([row(1, 5.0)], [row(2, 4.0)]) == [1, 2]


def test_those_of_other_shards_are_counted_once() -> None:
    rows = [
        row(1, 5.0, simhash=7),
        row(2, 4.0, original=1, simhash=7),
        row(3, 3.0, simhash=6),
    ]
    parts = {1: RankedRows(2, rows[:2]), 2: RankedRows(1, rows[2:])}
    merged = merge_rankings(parts, by_date=False)
    # the store counts page 2 among the copies of page 1
    assert merged.ranking.alike == {1: 1}
    assert merged.part_of == {1: 1, 2: 1, 3: 2}


def test_by_date_the_newest_is_first_and_an_original_keeps_its_date() -> None:
    parts = (
        [row(1, 0.0, changed_s=30.0), row(2, 0.0, original=4, changed_s=20.0)],
        [row(3, 0.0, changed_s=15.0), row(4, 0.0, changed_s=10.0)],
    )
    assert merged_pages(*parts, by_date=True) == [1, 3, 4]


def test_it_is_complete_only_if_every_part_is() -> None:
    parts = {1: RankedRows(1, [row(1, 5.0)]), 2: RankedRows(9, [row(2, 4.0)])}
    merged = merge_rankings(parts, by_date=False)
    assert (merged.ranking.total, merged.ranking.complete) == (10, False)


def test_reading_on_keeps_what_was_shown_in_its_place() -> None:
    before = merge_rankings({1: RankedRows(2, [row(1, 5.0)])}, by_date=False)
    rows = [row(2, 9.0), row(1, 5.0)]
    now = merge_rankings({2: RankedRows(2, rows)}, by_date=False).after(before)
    assert [page for page, _ in now.ranking.pages] == [1, 2]
    assert now.part_of == {1: 2, 2: 2}


ROWS = st.lists(
    st.builds(
        RankedRow,
        st.integers(0, 50),
        st.floats(0.0, 9.0),
        st.integers(0, 50),
        st.integers(0, 2),
        st.booleans(),
        st.integers(0, 2**64 - 1) | st.sampled_from((1, 2, 3, 4)),
        is_twice=st.just(True),
    ),
    unique_by=lambda one: one.page,
)


@given(ROWS, st.integers(1, 4))
def test_parts_together_show_what_one_list_shows(
    rows: list[RankedRow], count: int
) -> None:
    parts = {
        number: RankedRows(len(own), own)
        for number in range(count)
        for own in [[one for one in rows if one.page % count == number]]
    }
    merged = merge_rankings(parts, by_date=False)
    ordered = sorted(rows, key=lambda one: (-one.score, one.page))
    one_list = RankedRows(len(rows), ordered)
    assert merged.ranking == fold_united(one_list, by_date=False)
