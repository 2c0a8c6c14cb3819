"""oasis/demand: readers gain, all pages lose little, and chance belongs to the seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from trapline.laboratory.papers.oasis import demand
from trapline.laboratory.papers.oasis.demand_runs import (
    LOUD,
    OFF,
    READERS_ONLY,
    SHIPPED,
    DemandCase,
    DemandOutcome,
    DemandSetting,
    Readers,
    Telling,
    run_case,
)

SMALL = DemandSetting(pages=150, days=24)


def outcomes(telling: Telling, seeds: range = range(1, 5)) -> list[DemandOutcome]:
    return [run_case(DemandCase(telling, SMALL), seed) for seed in seeds]


def test_what_is_asked_for_is_fresher_and_the_rest_pays_little() -> None:
    off = outcomes(OFF)
    on = outcomes(SHIPPED)
    assert np.mean([a.asked - b.asked for a, b in zip(on, off, strict=True)]) > 0.03
    assert np.mean([b.all - a.all for a, b in zip(on, off, strict=True)]) < 0.03


def test_readers_alone_could_gain_more_and_everybody_else_would_pay() -> None:
    shipped = outcomes(SHIPPED)
    alone = outcomes(READERS_ONLY)
    assert np.mean([one.asked for one in alone]) > np.mean(
        [one.asked for one in shipped]
    )
    assert np.mean([one.all for one in alone]) < np.mean([one.all for one in shipped])


def test_a_seed_decides_everything() -> None:
    one, other = (run_case(DemandCase(SHIPPED, SMALL), seed=3) for _ in range(2))
    np.testing.assert_array_equal(one.asked_by_day, other.asked_by_day)


def test_readers_ask_the_same_whatever_the_robot_is_told() -> None:
    readers = [Readers(SMALL, seed=5) for _ in range(2)]
    for _ in range(4):
        readers[0].ask_for_a_day()
        readers[0].factors(LOUD)
        readers[1].ask_for_a_day()
    np.testing.assert_array_equal(readers[0].opened, readers[1].opened)
    assert readers[0].law.sum() == pytest.approx(1.0)


def test_the_report_has_a_row_for_each_case_and_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demand, "QUICK", replace(SMALL, pages=40, days=6))
    report = demand.run(lambda share, what: None, tmp_path, quick=True, seeds=2)
    assert len(report.rows) == 6 * 6 + 3
    assert {path.suffix for path in report.figures} == {".svg", ".png"}
    assert all(path.stat().st_size > 5_000 for path in report.figures)
