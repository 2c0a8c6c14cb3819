"""lspe/lifetime: who knows what is dropped earns more than who applies the paper's factor."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapline.laboratory.papers.lspe import lifetime
from trapline.laboratory.study.registry import EXPERIMENTS


def test_the_index_by_ages_beats_the_papers_factor(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    few = {name: lifetime.LIFETIMES[name] for name in ("M = 1", "M = ∞")}
    monkeypatch.setattr(lifetime, "LIFETIMES", few)
    monkeypatch.setattr(lifetime, "COUNT", 40)
    assert EXPERIMENTS[lifetime.ID].title == lifetime.TITLE
    report = lifetime.run(lambda share, what: None, tmp_path, True, 2)
    shares = {str(row["id"]): float(row["ours"] or 0.0) for row in report.rows}
    assert len(shares) == len(lifetime.MAKERS) * 5
    assert shares["index/M = 1, budget 2"] > 0.98
    assert shares["paper's factor/M = 1, budget 2"] < 0.9
    assert shares["M ignored/M = 1, budget 2"] < 0.9
    assert shares["index/M = ∞, budget 1"] == shares["paper's factor/M = ∞, budget 1"]
    assert shares["index/random, budget 2"] > shares["paper's factor/random, budget 2"]
    assert len(report.figures) == 2
