"""Talim, Liu, Nain & Coffman, line by line: one file for each part of the paper.

Comes in: nothing. Goes out: `LINES`, one record for each equation, figure, claim … of the paper.
"""

from __future__ import annotations

from typing import Final

from trapline.laboratory.papers.talim.paper_lines import beyond, dynamic, static

LINES: Final = (*static.LINES, *dynamic.LINES, *beyond.LINES)
