"""The document of files and JSON names every field of the records that become JSON."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest

from tests.documents import text_of
from trapline.app.demand.demand_file import AskedQuery, Demand, OpenedPage
from trapline.app.folder.dashboard_figures import (
    Dashboard,
    ErrorLine,
    Estimate,
    FetcherState,
    HostLine,
    SwitchingCurve,
    VisitShares,
)
from trapline.app.folder.orders.host_orders import HostFacts
from trapline.app.folder.planning.plan import (
    Bottleneck,
    FetcherAdvice,
    Guess,
    Plan,
    PlanPoint,
)
from trapline.app.folder.reasons import Reasons, Term
from trapline.app.folder.reindex import Reindexed
from trapline.app.folder.status import Status
from trapline.app.folder.time_line import TimedVisit, TimeLine
from trapline.app.folder.visit_counts import ErrorGroup, VisitCounts, VisitedHost
from trapline.app.output.changes import Line
from trapline.app.web.api.answers import Changes, PageText, Suggested
from trapline.app.web.api.host_list import HostList, ListedHost
from trapline.core.ports import LearntRate
from trapline.search.hits import Hit
from trapline.search.questions import Answer, Facets

PAGE = "docs/reference/json-and-files.md"
RECORDS: dict[str, list[Any]] = {
    "Changes": [Line, Changes],
    "search --json and /api/search": [Answer, Facets, Hit],
    "/api/suggest": [Suggested],
    "/api/pages": [PageText],
    "/api/hosts": [HostList, ListedHost],
    "/api/demand": [Demand, AskedQuery, OpenedPage],
    "status --json and /api/status": [
        Status,
        VisitCounts,
        ErrorGroup,
        VisitedHost,
    ],
    "plan --json and /api/plan": [Plan, PlanPoint, FetcherAdvice, Bottleneck, Guess],
    "why --json and /api/why": [Reasons, Term, LearntRate, TimeLine, TimedVisit],
    "host --json": [HostFacts, HostLine],
    "reindex --json": [Reindexed],
}
DASHBOARD = [Dashboard, Estimate, VisitShares, ErrorLine]
FETCHERS = [FetcherState, SwitchingCurve]  # which the status has, too


def fields_of(records: list[Any]) -> set[str]:
    return {
        name
        for record in records
        for name in getattr(record, "_fields", None)
        or [field.name for field in dataclasses.fields(record)]
    }


def names_in(*headings: str) -> set[str]:
    """What stands between backticks below some headings."""
    found: set[str] = set()
    for heading in headings:
        [section] = re.findall(
            rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text_of(PAGE), re.M | re.S
        )
        for shown in re.findall(r"`([^`]+)`", section):
            found |= set(re.findall(r"\w+", shown))
    return found


@pytest.mark.parametrize("heading", RECORDS)
def test_every_field_is_documented(heading: str) -> None:
    assert fields_of(RECORDS[heading]) - names_in(heading) == set()


def test_every_figure_of_the_dashboard_is_documented() -> None:
    dashboard = "status --watch --json and /api/dashboard"
    assert fields_of(DASHBOARD) - names_in(dashboard) == set()
    both = names_in(dashboard, "status --json and /api/status")
    assert fields_of(FETCHERS) - both == set()
