"""What goes beyond the paper's queue, in quick forms: other times, arrivals, classes and areas."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from trapline.core.errors import BadNumber, UnknownName
from trapline.core.records import QueueTally
from trapline.laboratory.papers.talim import areas, arrivals, classes, service_times
from trapline.laboratory.study.registry import EXPERIMENTS, run_experiment
from trapline.laboratory.study.report import Report, Row
from trapline.laboratory.worlds.queue import QueueWorld
from trapline.policies.fetchers.adaptive import Adaptive

IDS = [one.ID for one in (areas, arrivals, classes, service_times)]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    out = tmp_path_factory.mktemp("talim")
    return {name: _run(name, out) for name in IDS}


def _run(name: str, out: Path) -> Report:
    done: list[float] = []
    report = run_experiment(
        name, progress=lambda share, what: done.append(share), out=out, quick=True
    )
    assert done[0] == 0.0 and done[-1] == 1.0 and done == sorted(done)
    return report


def number(row: Row, column: str) -> float:
    return float(str(row[column]))


@pytest.mark.parametrize("name", IDS)
def test_rows_remarks_and_names(reports: dict[str, Report], name: str) -> None:
    report = reports[name]
    assert (report.id, report.title) == (name, EXPERIMENTS[name].title)
    assert report.rows and report.remarks
    drawn = 0 if name == classes.ID else 2
    assert len(report.figures) == drawn


def test_exact_rows_lie_between_nothing_and_the_bound(
    reports: dict[str, Report],
) -> None:
    rows = [row for row in reports[service_times.ID].rows if "bound" in row]
    assert len(rows) == 2
    for row in rows:
        assert 0.0 < number(row, "ours") <= number(row, "bound")
    [tail] = [row for row in reports[service_times.ID].rows if "tail" in str(row["id"])]
    assert 0.0 < number(tail, "ours") < 0.1


def test_simulated_arrivals_are_near_the_exact_ones(reports: dict[str, Report]) -> None:
    for row in reports[arrivals.ID].rows:
        assert number(row, "ours") == pytest.approx(number(row, "exact"), rel=0.06)


def test_knowing_the_classes_never_costs_more() -> None:
    for mix in classes.MIXES[:2]:
        row = classes.row_of(mix, weight=1.4)
        assert number(row, "saved") > (-1e-9 if len(mix.rates) == 1 else 0.05)
        mirrored = classes.row_of(mix.mirrored, weight=1.4)
        assert number(mirrored, "ours") == pytest.approx(number(row, "ours"))


def test_worths_beat_shares_and_nobody_beats_the_bound(
    reports: dict[str, Report],
) -> None:
    rows = {str(row["id"]): row for row in reports[areas.ID].rows}
    exact = rows["exact/two areas/N=4"]
    assert -0.2 < number(exact, "bound") < 0.0 <= number(exact, "ours") < 0.05
    assert number(exact, "fixed shares") > number(exact, "ours")
    played = {
        name.rpartition("/")[2]: row for name, row in rows.items() if "N=90" in name
    }
    assert set(played) == set(areas.CONTROLS)
    best = played.pop("worth")
    assert number(best, "over bound") > 0.95
    assert all(number(row, "ours") > number(best, "ours") for row in played.values())


# the laws of the world


@pytest.mark.parametrize("name", service_times.LAWS)
def test_every_law_has_the_mean_of_its_rate(name: str) -> None:
    world = QueueWorld(
        most=10,
        capacity=5,
        fetch_rate=0.2,
        process_rate=2.0,
        process_law=service_times.law_named(name),
        seed=4,
    )
    policy = Adaptive(10, 5)
    busy_s = departures = 0.0
    learn = policy.learn

    def noting(tally: QueueTally) -> None:
        nonlocal busy_s, departures
        busy_s += tally.busy_s
        departures += tally.departures
        learn(tally)

    policy.learn = noting  # type: ignore[method-assign]
    world.run(policy, 60_000)
    assert busy_s / departures == pytest.approx(0.5, rel=0.1)


def test_laws_that_are_none_are_refused() -> None:
    def made(law: object) -> QueueWorld:
        return QueueWorld(
            most=1,
            capacity=1,
            fetch_rate=1.0,
            process_rate=1.0,
            process_law=law,  # type: ignore[arg-type]
        )

    with pytest.raises(UnknownName):
        made("weibull")
    for times in ([], [-1.0], [0.0], [[1.0]]):
        with pytest.raises(BadNumber):
            made(np.array(times))
