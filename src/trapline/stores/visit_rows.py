"""Visits as rows of a table, in every database the same."""

from __future__ import annotations

from typing import Any

from trapline.core.records import Kind, Outcome, Visit


def visit_of_row(row: tuple[Any, ...]) -> Visit:
    number, page, host, kind, issued_s, ended_s, price, *rest = row
    outcome, status, changed, relevance, remark = rest
    return Visit(
        number,
        page,
        host,
        Kind(kind),
        issued_s,
        ended_s,
        price,
        Outcome(outcome),
        status,
        bool(changed),
        relevance,
        remark,
    )


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
