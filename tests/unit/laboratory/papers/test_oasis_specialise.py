"""oasis/specialise: engines that follow share the topics; worlds are the same for all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from trapline.laboratory.papers.oasis import specialise
from trapline.laboratory.papers.oasis.specialise_runs import (
    FOLLOW,
    KINDS,
    SAME,
    STARTS,
    STAY,
    TOLD,
    SpecialiseCase,
    SpecialiseSetting,
    ask_all,
    run_case,
)
from trapline.laboratory.papers.oasis.specialising_engine import SpecialisingEngine
from trapline.laboratory.papers.oasis.topical_web import (
    Need,
    Readers,
    TopicalWeb,
    WebSize,
)

SIZE = WebSize(topics=6, pages=60, words=40, common=50, links=6)
SMALL = SpecialiseSetting(SIZE, engines=3, rounds=6, asked=300)


@pytest.fixture(scope="module")
def web() -> TopicalWeb:
    return TopicalWeb(SIZE, seed=1)


def engine_for(web: TopicalWeb, topic: int, name: str = "one") -> SpecialisingEngine:
    seeds = np.arange(5) + topic * SIZE.pages
    return SpecialisingEngine(web, name, 60, web.topic_words(topic)[:10], seeds)


def test_engines_that_follow_meet_more_and_overlap_less() -> None:
    def late(kind: str) -> tuple[float, float]:
        runs = [run_case(SpecialiseCase(kind, SAME, SMALL), seed) for seed in (1, 2, 3)]
        met = np.mean([one.met[-2:] for one in runs])
        return float(met), float(np.mean([one.overlap[-2:] for one in runs]))

    stay, follow, told = map(late, (STAY, FOLLOW, TOLD))
    assert follow[0] > stay[0] + 0.05 and follow[1] < stay[1] - 0.1
    assert told[0] > stay[0]


def test_a_focused_engine_holds_its_topic(web: TopicalWeb) -> None:
    engine = engine_for(web, topic=2)
    for _ in range(4):
        engine.crawl(60)
    assert int(engine.held.sum()) <= 60
    assert (web.topic[engine.held] == 2).mean() > 0.8


def test_an_engine_that_shifts_leaves_half_behind(web: TopicalWeb) -> None:
    engine = engine_for(web, topic=2)
    for _ in range(3):
        engine.crawl(60)
    engine.shift(
        web.topic_words(4)[:8].tolist(), np.flatnonzero(web.topic == 2)[:9].tolist()
    )
    for _ in range(4):
        engine.crawl(60, first=(4 * SIZE.pages,))
    assert (web.topic[engine.held] == 4).mean() > 0.2


def test_a_need_is_met_if_its_page_is_held_and_among_the_ten(web: TopicalWeb) -> None:
    engine = engine_for(web, topic=2)
    page = 2 * SIZE.pages
    words = np.flatnonzero(web.weights[page])[:2].tolist()
    for held in (True, False):
        engine.held[page] = held
        found = ask_all(web, [engine], [Need(page, (words[0], words[1]), 3)])
        assert found.met == float(held)
        assert bool(found.queries[0].opened) == held


def test_readers_are_the_same_for_everybody(web: TopicalWeb) -> None:
    one, other = Readers(web, seed=4), Readers(web, seed=4)
    for _ in range(3):
        assert one.ask(50) == other.ask(50)
    assert one.law.sum() == pytest.approx(1.0)


def test_a_seed_decides_everything() -> None:
    case = SpecialiseCase(FOLLOW, SAME, replace(SMALL, rounds=3))
    np.testing.assert_array_equal(run_case(case, 2).met, run_case(case, 2).met)


def test_the_report_has_a_row_for_each_case_and_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(specialise, "QUICK", replace(SMALL, rounds=3, asked=60))
    report = specialise.run(lambda share, what: None, tmp_path, quick=True, seeds=2)
    assert len(report.rows) == len(KINDS) * len(STARTS) + 3
    assert {path.suffix for path in report.figures} == {".svg", ".png"}
    assert all(path.stat().st_size > 5_000 for path in report.figures)
