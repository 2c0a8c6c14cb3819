"""Merging: by score where scores can be compared, by rank where not; lies are cut and named."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from trapline.oasis.merging.engine_hits import EngineHit, EngineHits, Piece, Wrong
from trapline.oasis.merging.merged_list import MergedList, cut_scores, merge
from trapline.oasis.merging.rescoring import AskedWord, Rescoring, ScoreWeights, Shown

WEIGHTS = ScoreWeights(2.86, 1.62, 6.4, 7.0, 1.18, 1.8, 0.73, 0.2, 4.0)
QUERY = (AskedWord(frozenset({"moon"}), 4.0), AskedWord(frozenset({"orbit"}), 6.0))


def words(text: str) -> list[str]:
    return text.lower().split()


def read_plain(hit: EngineHit) -> Shown:
    text = [*words(hit.title), *words(hit.snippet_text)]
    return Shown(words(hit.title), text, words(hit.url.replace("/", " ")))


RESCORING = Rescoring(QUERY, WEIGHTS, read_plain)


def mark(text: str) -> int:
    """Equal for equal texts only."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) or 1


def hit(name: str, score: float, title: str = "", snippet: str = "") -> EngineHit:
    pieces = (Piece(snippet or f"text of {name}", False),)
    return EngineHit(f"http://{name}.org/", title or f"Title {name}", pieces, score)


def engine(name: str, *hits: EngineHit, comparable: bool = True) -> EngineHits:
    return EngineHits(name, hits, len(hits), comparable)


def own(*hits: EngineHit) -> EngineHits:
    return EngineHits("own", hits, len(hits), comparable=True, is_own=True)


def urls(merged: MergedList) -> list[str]:
    return [one.hit.url[7:-5] for one in merged.hits]


def test_comparable_scores_decide() -> None:
    answers = [
        own(hit("a", 9), hit("b", 3)),
        engine("x", hit("c", 7), hit("d", 5)),
    ]
    assert urls(merge(answers, mark)) == ["a", "c", "d", "b"]


def test_a_strangers_raw_score_pushes_nobody_out() -> None:
    mine = own(*(hit(f"a{n}", 20 - n) for n in range(10)))
    loud = [hit(f"s{n}", 1e6 - n) for n in range(10)]
    stranger = engine("s", *loud, comparable=False)
    merged = merge([mine, stranger], mark)
    order = urls(merged)
    assert order[:3] == ["a0", "a1", "a2"]
    assert sum(name.startswith("a") for name in order[:10]) >= 6
    kinds = {one.hit.url[7]: one.comparable for one in merged.hits}
    assert kinds == {"a": True, "s": False}


def test_strangers_are_heard_by_what_they_are_worth() -> None:
    mine = own(*(hit(f"a{n}", 20 - n) for n in range(10)))
    stranger = engine("s", hit("s0", 1), hit("s1", 1), comparable=False)
    places = []
    for worth in (0.25, 0.5, 0.8):
        order = urls(merge([mine, replace(stranger, worth=worth)], mark))
        places.append(order.index("s0"))
    assert places == sorted(places, reverse=True)
    assert places[0] > places[-1]


def test_strangers_alone_are_merged_by_rank() -> None:
    one = engine("s", hit("a", 1), hit("b", 99), comparable=False)
    other = engine("t", hit("b", 1), hit("c", 1), comparable=False)
    assert urls(merge([one, other], mark))[0] == "b"  # what both tell


def test_a_page_is_shown_once_with_all_who_tell_it() -> None:
    answers = [engine("x", hit("a", 5)), engine("y", hit("a", 6), hit("b", 1))]
    merged = merge(answers, mark)
    assert urls(merged) == ["a", "b"]
    assert set(merged.hits[0].origins) == {"x", "y"}


def test_copies_under_other_urls_are_folded() -> None:
    said = {"title": "Moon orbits", "snippet": "the moon orbits the earth"}
    answers = [own(hit("a", 5, **said)), engine("x", hit("mirror", 9, **said))]
    merged = merge(answers, mark)
    assert urls(merged) == ["a"]
    assert merged.hits[0].origins == ("own", "x")


def test_other_titles_for_a_page_of_the_own_index_do_not_count() -> None:
    answers = [
        own(hit("a", 5, "Orbits of the moon"), hit("b", 9, "Another one")),
        engine("liar", hit("a", 30, "Cheap watches")),
    ]
    merged = merge(answers, mark)
    assert urls(merged) == ["b", "a"]
    assert merged.hits[1].hit.title == "Orbits of the moon"
    [finding] = merged.findings
    assert (finding.engine, finding.wrong) == ("liar", Wrong.TITLES)


def test_the_majority_names_a_page_that_is_not_held() -> None:
    answers = [
        engine("liar", hit("a", 30, "Cheap watches")),
        engine("x", hit("a", 5, "Orbits of the moon")),
        engine("y", hit("a", 6, "Orbits of the moon | Site")),
        engine("z", hit("b", 10)),
    ]
    merged = merge(answers, mark)
    assert urls(merged) == ["b", "a"]
    assert [f.engine for f in merged.findings] == ["liar"]


def test_titles_that_are_cut_otherwise_are_no_finding() -> None:
    answers = [own(hit("a", 5, "Moon")), engine("x", hit("a", 6, "Moon – The Site"))]
    assert not merge(answers, mark).findings


def test_one_against_one_is_no_finding() -> None:
    answers = [
        engine("x", hit("a", 5, "Orbits of the moon")),
        engine("y", hit("a", 6, "Cheap watches")),
    ]
    assert not merge(answers, mark).findings


# Scores


def test_a_bound_follows_what_is_shown() -> None:
    both = RESCORING.bound(hit("a", 0, "moon orbit"))
    text = RESCORING.bound(hit("a", 0, "news", "moon orbit"))
    one = RESCORING.bound(hit("a", 0, "news", "moon"))
    nothing = RESCORING.bound(hit("a", 0, "news", "weather"))
    assert both > text > one > nothing > 0


def test_believable_scores_are_left_alone() -> None:
    answer = engine("x", hit("a", 14.0, "moon orbit", "the moon orbit"))
    [cut], findings = cut_scores([answer], RESCORING)
    assert cut.hits[0].score == 14.0
    assert cut.comparable and not findings


def test_small_claims_need_not_be_looked_at() -> None:
    seen = []

    def look(one: EngineHit) -> Shown:
        seen.append(one.url)
        return read_plain(one)

    rescoring = Rescoring(QUERY, WEIGHTS, look)
    answer = engine("x", hit("a", 900.0), hit("b", 3.0))
    [cut], _ = cut_scores([answer], rescoring)
    assert seen == ["http://a.org/"]
    assert [one.score for one in cut.hits] == [RESCORING.bound(answer.hits[0]), 3.0]


def test_inflated_scores_are_cut_and_named() -> None:
    answer = engine("x", hit("a", 900.0, "weather", "rain"), hit("b", 3.0))
    [cut], [finding] = cut_scores([answer], RESCORING)
    assert cut.hits[0].score == pytest.approx(RESCORING.bound(answer.hits[0]))
    assert cut.hits[1].score == 3.0
    assert not cut.comparable
    assert (finding.engine, finding.wrong) == ("x", Wrong.SCORES)


def test_inflated_scores_do_not_bury_the_own_collection() -> None:
    mine = own(*(hit(f"a{n}", 12 - n, snippet=f"moon {n}") for n in range(5)))
    spam = [hit(f"s{n}", 1e5, "moon orbit", f"moon orbit {n}") for n in range(10)]
    cut, _ = cut_scores([mine, engine("liar", *spam)], RESCORING)
    assert urls(merge(cut, mark))[:5] == [f"a{n}" for n in range(5)]


def test_the_own_index_is_not_doubted() -> None:
    mine = own(hit("a", 900.0, "weather", "rain"))
    [cut], findings = cut_scores([mine], RESCORING)
    assert cut == mine and not findings


def test_no_words_no_bound_below_zero() -> None:
    nothing = Rescoring((), WEIGHTS, read_plain)
    assert nothing.bound(hit("a", 0)) >= 0.0
