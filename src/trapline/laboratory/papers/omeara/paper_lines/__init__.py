"""O'Meara & Patel, line by line: one file for each part of the paper.

Comes in: nothing. Goes out: `LINES`, one record for each equation, figure, claim … of the paper.
"""

from __future__ import annotations

from typing import Final

from trapline.laboratory.papers.omeara.paper_lines import (
    beyond,
    controller,
    results,
    robot,
)

LINES: Final = (*robot.LINES, *controller.LINES, *results.LINES, *beyond.LINES)
