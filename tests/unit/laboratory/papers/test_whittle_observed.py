"""whittle/observed: contents that are seen are worth looking at."""

from __future__ import annotations

from trapline.laboratory.papers.whittle.observed import CONTENT, Case, Setting, run_case
from trapline.laboratory.study.registry import run_experiment

FEW = Setting(12, (0.03, 1.0), (0.03, 0.5), slots=1_000)


def test_visits_by_content_bring_more_than_by_age_or_greedily() -> None:
    earned = {
        price: run_case(Case(FEW, price), seed=3)
        for price in (CONTENT, "formula", "age", "greedy")
    }
    assert earned[CONTENT] > 1.15 * earned["age"]
    assert earned[CONTENT] > 1.02 * earned["greedy"]
    assert 0.97 * earned[CONTENT] < earned["formula"] < 1.01 * earned[CONTENT]


def test_the_quick_form_says_it_in_a_line() -> None:
    report = run_experiment("whittle/observed", quick=True)
    assert len(report.rows) == 3 and report.remarks[0].startswith("by age ")
