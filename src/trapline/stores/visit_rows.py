"""Visits as rows, whatever table they go to."""

from __future__ import annotations

from typing import Any

from trapline.core.records import Visit


def visit_row(visit: Visit) -> tuple[Any, ...]:
    """The remark comes last."""
    return (
        visit.number,
        visit.page,
        visit.host,
        int(visit.kind),
        visit.issued_s,
        visit.ended_s,
        visit.price,
        int(visit.outcome),
        visit.status,
        visit.changed,
        visit.relevance,
        visit.remark,
    )
