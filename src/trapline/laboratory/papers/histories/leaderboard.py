"""histories/leaderboard: all refresh policies on all histories of a folder, at three budgets.

`--data FOLDER` has histories, `*.csv.gz` (worlds/traces.py); without it the small made-up one of
the package is played. Each is played whole, as `lab compare traces` does. The budgets are a visit a
page in 50, 20 and 5 days: scarce, as in the published comparisons, and plenty. All policies play
that can run live, compiled, in their defaults; the others poll a page a step (paper `htraa`).

A share says how far a policy gets from uniform (0) to the oracle, which is told changes in windows
of 30 days (1). The default is *first*, *tied* with the best if the intervals overlap, or *beaten*.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from trapline.core.errors import UserMistake
from trapline.laboratory.compare.traces import (
    ReplayedPolicy,
    ReplaySetting,
    TracesWishes,
    replay_setting,
    run_case,
)
from trapline.laboratory.compare.traces_report import (
    ORACLE,
    UNIFORM,
    FreshnessRun,
)
from trapline.laboratory.papers.histories.leaderboard_picture import Standing, draw
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.report import Progress, Report, Row, draw_figures
from trapline.laboratory.study.sweep import extent_for, sweep
from trapline.laboratory.worlds.traces import SAMPLE
from trapline.policies.registry import AUTO, policy_names, refresh_class

ID: Final = "histories/leaderboard"
TITLE: Final = "Who keeps real pages fresh: all refresh policies on recorded changes"
COLUMNS: Final = (
    "id",
    "share",
    "low",
    "high",
    "freshness",
    "visits",
    "place",
    "seeds",
)
BUDGETS: Final = (0.02, 0.05, 0.2)  # visits a day for each page that lives
PAGES: Final = 2_000
DRAWS: Final = 5
DEFAULT: Final = AUTO["refresh"]
QUICK: Final = (DEFAULT, "posterior", "nutch-adaptive")
# of freshness between uniform and the oracle, in each draw, from which on shares mean something
_ROOM: Final = 0.001

Runs = dict[ReplayedPolicy, list[FreshnessRun]]


@dataclass(frozen=True, slots=True)
class Contest:
    """A history at a budget, and how each policy did there, the best first."""

    setting: ReplaySetting
    rows: list[Row]

    @property
    def name(self) -> str:
        return f"{self.setting.history}, {self.setting.per_page_day:g} a day"

    def row_of(self, policy: str) -> Row:
        [found] = [row for row in self.rows if row["id"] == f"{self.name}: {policy}"]
        return found


def run(
    progress: Progress,
    out: Path | None,
    quick: bool,
    seeds: int | None,
    data: Path | None = None,
) -> Report:
    extent = extent_for(quick, seeds, full=DRAWS)
    settings = [
        _setting(history, per_page_day, quick)
        for history in histories_in(data)
        for per_page_day in ((0.05,) if quick else BUDGETS)
    ]
    names = (*(QUICK if quick else contestants()), UNIFORM, ORACLE)
    cases = [
        ReplayedPolicy(name, setting)
        for setting in settings
        for name in dict.fromkeys(names)
    ]
    found = sweep(run_case, cases, extent, progress, cost=_work_of)
    contests = [judge(setting, found) for setting in settings]
    rows = [row for contest in contests for row in contest.rows]
    standings = [_standing(contest) for contest in contests]
    figures = draw_figures(ID, out, lambda: draw(standings, DEFAULT, extent.seeds))
    return Report(ID, TITLE, COLUMNS, rows, _remarks(contests, extent.seeds), figures)


def contestants() -> list[str]:
    """All policies that a live robot can have and that the compiled loop can run."""
    found = []
    for name in policy_names("refresh"):
        kind = refresh_class(name)
        if kind.compiles and not kind.laboratory_only:
            found.append(name)
    return found


def histories_in(folder: Path | None) -> list[Path]:
    """Each history has a file, beside which another may name its pages."""
    if folder is None:
        return [SAMPLE]
    files = sorted(folder.glob("*.csv.gz"))
    found = [path for path in files if not path.name.endswith(".pages.csv.gz")]
    if not found:
        raise UserMistake(f"{folder} holds no history: no file *.csv.gz")
    return found


def _setting(history: Path, per_page_day: float, quick: bool) -> ReplaySetting:
    pages = 150 if quick else PAGES
    wishes = TracesWishes(
        (DEFAULT,), data=history, per_page_day=per_page_day, pages=pages
    )
    return replay_setting(wishes)


def _work_of(case: ReplayedPolicy) -> float:
    return case.setting.per_page_day


def judge(setting: ReplaySetting, found: Runs) -> Contest:
    """The rows of one history at one budget."""
    here = {case.name: runs for case, runs in found.items() if case.setting == setting}
    start = _freshness(here[UNIFORM])
    room = _freshness(here[ORACLE]) - start
    contest = Contest(setting, [])
    for name, runs in here.items():
        row = _row(f"{contest.name}: {name}", runs)
        if (room > _ROOM).all():
            # draw by draw: how far there is to go depends on which pages are important
            share = Estimate.of((_freshness(runs) - start) / room)
            row |= {"share": share.mean, "low": share.low, "high": share.high}
        contest.rows.append(row)
    contest.rows.sort(key=lambda row: -_number(row, "freshness"))
    contest.row_of(DEFAULT)["place"] = place_of(contest)
    return contest


def _row(name: str, runs: list[FreshnessRun]) -> Row:
    return {
        "id": name,
        "freshness": float(np.mean(_freshness(runs))),
        "visits": float(np.mean([run.visits for run in runs])),
        "seeds": len(runs),
    }


def place_of(contest: Contest) -> str | None:
    """Of the default among all that are told nothing: first, tied or beaten."""
    own = contest.row_of(DEFAULT)
    if "share" not in own:
        return None
    best = best_rival(contest)
    if best is None or _number(best, "share") <= _number(own, "share"):
        return "first"
    return "tied" if _number(best, "low") <= _number(own, "high") else "beaten"


def best_rival(contest: Contest) -> Row | None:
    rivals = [row for row in contest.rows if _policy_of(row) not in (DEFAULT, ORACLE)]
    return max(rivals, key=lambda row: _number(row, "freshness"), default=None)


def _freshness(
    runs: list[FreshnessRun],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([run.freshness for run in runs])


def _policy_of(row: Row) -> str:
    return str(row["id"]).rpartition(": ")[2]


def _number(row: Row, column: str) -> float:
    return float(row[column] or 0.0)


def _standing(contest: Contest) -> Standing:
    shares = {
        _policy_of(row): (
            _number(row, "share"),
            _number(row, "low"),
            _number(row, "high"),
        )
        for row in contest.rows
        if "share" in row and _policy_of(row) != ORACLE
    }
    place = contest.row_of(DEFAULT).get("place")
    return Standing(
        contest.setting.history,
        contest.setting.per_page_day,
        shares,
        str(place or ""),
    )


def _remarks(contests: list[Contest], seeds: int) -> list[str]:
    remarks = [
        f"`share`: of the way from {UNIFORM} to {ORACLE}, which is told how many changes each page "
        f"has in windows of 30 days; 95 % interval of the mean over {seeds} draws of pages and "
        "importance (Pareto); empty where there is no way to go",
        "`freshness`: weighted by importance, after the days to settle; `visits` that were made, a "
        "page and day",
    ]
    for place in ("first", "tied", "beaten"):
        there = [
            contest.name
            for contest in contests
            if contest.row_of(DEFAULT).get("place") == place
        ]
        if there:
            remarks.append(f"{DEFAULT}, the default, is {place}: {'; '.join(there)}")
    return remarks
