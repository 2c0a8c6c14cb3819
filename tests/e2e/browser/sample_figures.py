"""Figures such as a robot in full work would give, so that every part of a page is to be seen."""

from __future__ import annotations

import time

from trapline.app.folder.dashboard_figures import (
    Dashboard,
    ErrorLine,
    Estimate,
    FetcherState,
    HostLine,
    SwitchingCurve,
    VisitShares,
)
from trapline.app.folder.planning.plan import Bottleneck, FetcherAdvice, Plan, PlanPoint

HOSTILE = '"><script>window.hacked=1</script><img src=x onerror="window.hacked=1">'


def sample_dashboard(robot: str = "at work") -> Dashboard:
    now_s = time.time()
    hosts = [
        HostLine(
            f"127.0.0.{n}:40{n}",
            60 + n,
            50,
            150 - n,
            3.0,
            2,
            0.25 * n,
            "cooling",
            0.1,
            0.0,
        )
        for n in range(2, 9)
    ]
    hosts.append(HostLine(HOSTILE, 1, 1, 1, 0.1, 0, 1.0, "idle", 0.0, 0.3))
    change = {
        "number": 1,
        "url": "http://a.org/1",
        "turn": "changed",
        "at": "",
        "at_s": now_s - 60.0,
        "title": HOSTILE,
        "added": 3,
        "removed": 1,
    }
    return Dashboard(
        time_s=now_s,
        robot=robot,
        silent_s=0.4 if robot == "at work" else 4000.0,
        pages_held=12_345,
        pages_known=45_678,
        pages_fringe=9_876,
        hosts_known=8,
        visits=54_321,
        budget=28.0,
        recall=Estimate(
            0.81, 0.74, 0.88, "relevant pages held, of those that links name"
        ),
        freshness=Estimate(
            0.86, 0.83, 0.89, "held relevance that is as the Web has it"
        ),
        visits_per_s=25.4,
        market_price=0.189,
        fetchers=_fetchers(),
        shares=VisitShares(0.31, 0.58, 0.11, 2000),
        hosts=hosts,
        changes=[change] * 6,
        errors=[ErrorLine("http://a.org/2", now_s - 9.0, "failed", 0, "timeout")],
    )


def _fetchers() -> FetcherState:
    curve = SwitchingCurve(
        departure=[16, 16, 16, 15, 13, 12, 10, 9],
        arrival=[16, 16, 14, 12, 10, 9, 7, 6],
    )
    return FetcherState(6, 4, 5, 16, 8, 40.3, 548.0, 0.93, 0, curve)


def sample_plan() -> Plan:
    return Plan(
        folder="engine",
        pages_held=12_345,
        pages_fringe=9_876,
        budget=28.0,
        problem="",
        present=_point(25.0),
        more=_point(27.5),
        less=_point(22.5),
        curve=[_point(budget) for budget in range(1, 101, 3)],
        fetchers=FetcherAdvice(40.3, 548.0, 16, 6, 8, 2, 14, 2, "budget"),
        bottlenecks=[
            Bottleneck("slow.example.org", 310, 5.0, 5.0, 0.2, 0.9, 0.41, 0.189),
            Bottleneck(HOSTILE, 31, 2.0, None, 0.5, 0.6, 0.2, 0.189),
        ],
        hosts_held_back=2,
    )


def _point(budget: float) -> PlanPoint:
    share = budget / (budget + 6.0)
    return PlanPoint(budget, budget, share, 40.0 * share, 90.0 * share**2, 1.0 / budget)
