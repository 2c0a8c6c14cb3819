"""What `talim`'s learner must reach: on every cell of the paper's tables, rates unknown, nearly the
optimum.
"""

from __future__ import annotations

import pytest

from trapline.laboratory.papers.talim.learners import CellCase, run_case
from trapline.laboratory.papers.talim.printed import CELLS, Cell


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.id)
def test_adaptive_is_within_2_percent_of_the_optimum_after_100_000_events(
    cell: Cell,
) -> None:
    [[cost]] = run_case(
        CellCase(cell, "adaptive", seeds=1, checkpoints=(100_000,))
    ).costs.tolist()
    assert 1.0 - 1e-9 <= cost <= 1.02


def test_the_paper_has_45_cells() -> None:
    assert len(CELLS) == 45
