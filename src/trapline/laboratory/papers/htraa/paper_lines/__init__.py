"""Granmo & Oommen, line by line: one file for each part of the paper.

Comes in: nothing. Goes out: `LINES`, one record for each equation, figure, claim … of the paper.
"""

from __future__ import annotations

from typing import Final

from trapline.laboratory.papers.htraa.paper_lines import (
    automata,
    beyond,
    problem,
    results,
)

LINES: Final = (*problem.LINES, *automata.LINES, *results.LINES, *beyond.LINES)
