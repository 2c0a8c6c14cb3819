"""The chain, the knapsack and irregular switches as experiments: rows, claims and pictures of a
small run.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from trapline.laboratory.papers.htraa import chain, irregular, knapsack
from trapline.laboratory.papers.htraa.fig_9_10 import SORTED
from trapline.laboratory.study.registry import EXPERIMENTS
from trapline.laboratory.worlds.knapsack.unit_values import FAMILIES
from trapline.theory.knapsack.traa_chain import MODES


def test_titles_are_those_of_the_registry() -> None:
    for module in (chain, irregular, knapsack):
        assert EXPERIMENTS[module.ID].title == module.TITLE


def test_the_chain_is_set_beside_accesses_and_polls(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(chain, "RESOLUTIONS", (20,))
    report = chain.run(lambda share, what: None, tmp_path, True, 2)
    assert len(report.rows) == 2 * len(MODES)
    for row in report.rows:
        assert row["ours"] == pytest.approx(row["chain"], abs=0.05)
        assert row["sd"] == pytest.approx(row["chain's sd"], abs=0.04)
        if str(row["id"]).startswith("unit values"):
            assert float(row["apart"] or 1.0) < 0.2
    assert all(path.exists() for path in report.figures)


def test_the_knapsack_is_filled_nearly_as_well_as_can_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    few = {name: FAMILIES[name] for name in ("hyperbolic", "linear")}
    monkeypatch.setattr(knapsack, "SIZES", (2, 8))
    monkeypatch.setattr(knapsack, "FAMILIES", few)
    report = knapsack.run(lambda share, what: None, tmp_path, True, 2)
    rows = {str(row["id"]): row for row in report.rows}
    assert len(rows) == 2 * 2 * len(few) + 2
    for family in few:
        row = rows[f"H-TRAA/{family}, n = 8"]
        assert 0.97 < float(row["ours"] or 0.0) <= 1.0
        assert float(row["uniform"] or 1.0) < float(row["ours"] or 0.0)
    assert rows["claim/as well as LAKG"]["verdict"] != "fails"
    assert np.isfinite(float(rows["claim/solves"]["ours"] or 0.0))
    assert len(report.figures) == 2


def test_regular_and_irregular_switches_meet_the_same_learners(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(irregular, "EVERY", {"htraa/fig-9": 80_000})
    monkeypatch.setattr(irregular, "LEARNERS", {SORTED: "#0b6e99"})
    report = irregular.run(lambda share, what: None, tmp_path, True, 2)
    rows = {str(row["id"]): row for row in report.rows}
    assert len(rows) == 3
    kinds = [rows[f"{SORTED}/{kind}, r = 4,000"] for kind in ("regular", "irregular")]
    assert kinds[0]["ours"] != kinds[1]["ours"], "another world"
    assert all(float(row["whole run"] or 0.0) > 0.7 for row in kinds)
    assert len(report.figures) == 2
