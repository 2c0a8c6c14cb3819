"""The federation's arrays tell of every engine what its own tables tell."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.oasis.hand_made import COMMON, MOON, UNKNOWN, WAX, sample, table, three
from trapline.oasis.federation import Federation, Member
from trapline.oasis.query_keys import MOST_FORMS, MOST_WORDS, QueryKeys
from trapline.oasis.sample import Sample
from trapline.oasis.terms import TermTable, rarity


def test_each_word_is_found_in_each_engine() -> None:
    federation = Federation.of(three())
    words = federation.look_up(QueryKeys(((MOON,), (WAX,), (UNKNOWN,))))
    assert words.documents.tolist() == [[300, 0, 20], [1, 200, 20], [0, 0, 0]]
    moon, wax, unknown = words.rarity
    assert moon == pytest.approx(rarity(12_000, 320))
    assert wax == pytest.approx(rarity(12_000, 221))
    assert unknown > wax
    assert words.mean[0].tolist() == pytest.approx([moon, 0.0, moon])
    assert words.variance[1].tolist() == pytest.approx([0.1 * wax**2] * 3, rel=1e-3)


def test_forms_of_a_word_add_up() -> None:
    members = [Member("a", table(100, {MOON: 10, WAX: 30}), Sample.empty())]
    words = Federation.of(members).look_up(QueryKeys(((MOON, WAX, UNKNOWN),)))
    assert words.documents.tolist() == [[40]]
    expected = (10 * rarity(100, 10) + 30 * rarity(100, 30)) / 40
    assert words.rarity[0] == pytest.approx(expected)
    assert words.mean[0, 0] == pytest.approx(expected)


def test_random_tables_are_told_as_they_are() -> None:
    rng = np.random.default_rng(5)
    members = []
    for number in range(20):
        keys = rng.choice(500, 100, replace=False)
        documents = {int(key): int(rng.integers(1, 50)) for key in keys}
        members.append(Member(str(number), table(50, documents), Sample.empty()))
    federation = Federation.of(members)
    for key in range(500):
        having = [
            member.terms.documents[member.terms.keys == key].sum() for member in members
        ]
        assert federation.look_up(QueryKeys(((key,),))).documents[0].tolist() == having


def test_sampled_pages_are_scored_like_a_search_does() -> None:
    federation = Federation.of(three())
    query = QueryKeys(((MOON,), (COMMON,)))
    found = federation.try_on_samples(query, np.array([3.0, 1.0]))
    # both pages of the astronomer, one of the bee keeper, both of the librarian
    assert found.engine.tolist() == [0, 0, 1, 2, 2]
    assert found.cover.tolist() == pytest.approx([0.75, 1.0, 0.25, 0.25, 0.25])
    assert found.likeness.tolist() == pytest.approx([0.75, 0, 0, 0, 0.25])
    text = 2.86 * (0.75 * 1.2 + 0.25 * 0.4) + 6.4
    assert found.score[1] == pytest.approx(text, rel=1e-3)


def test_a_title_of_many_words_is_less_like_the_query() -> None:
    page = {MOON: (1.0, True), WAX: (1.0, True), COMMON: (1.0, True)}
    federation = Federation.of([Member("a", table(9, {MOON: 1}), sample([page]))])
    found = federation.try_on_samples(QueryKeys(((MOON,),)), np.ones(1))
    assert found.likeness.tolist() == pytest.approx([1 / 3])


def test_nobody_and_nothing() -> None:
    nobody = Federation.of([])
    assert nobody.look_up(QueryKeys(((MOON,),))).documents.shape == (1, 0)
    empty = Federation.of([Member("a", TermTable.empty(), Sample.empty())])
    assert empty.look_up(QueryKeys(())).documents.shape == (0, 1)
    assert len(empty.try_on_samples(QueryKeys(((MOON,),)), np.ones(1))) == 0


def test_an_endless_query_is_cut() -> None:
    endless = QueryKeys.of([[word, *range(100)] for word in range(10_000)])
    assert len(endless.words) == MOST_WORDS
    assert max(map(len, endless.words)) == MOST_FORMS
