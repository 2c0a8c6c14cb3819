"""Avrachenkov & Borkar 2015, line by line: one file for each part of the paper.

Comes in: nothing. Goes out: `LINES`, one record for each equation, figure, claim … of the paper.
"""

from __future__ import annotations

from typing import Final

from trapline.laboratory.papers.whittle.paper_lines import index, results

LINES: Final = (*index.LINES, *results.LINES)
