"""Experiments: every id loads, listing is light, and the agenda's experiment says what it should in
a tiny world.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from trapline.core.errors import BadNumber, UnknownName
from trapline.laboratory.papers.foundations.agenda import (
    PER_S,
    AgendaCase,
    AgendaSizes,
    host_of_pages,
    make_world,
    run_case,
    run_study,
    stationary_start,
)
from trapline.laboratory.papers.foundations.agenda_report import ID, TITLE, WANTED
from trapline.laboratory.runs.drive import Log, visit_ages
from trapline.laboratory.study.registry import (
    EXPERIMENTS,
    list_experiments,
    load_experiment,
    run_experiment,
)
from trapline.laboratory.study.report import Report
from trapline.laboratory.study.sweep import Extent
from trapline.theory.freshness import freshness_bound, freshness_earned

TINY = AgendaSizes(pages=600, hosts=30, settled=(5.0, 12.0))
THREE_SEEDS = Extent(seeds=3)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_id_loads(name: str) -> None:
    assert callable(load_experiment(name))
    assert name in [listed.id for listed in list_experiments()]


def test_the_registry_and_the_experiment_name_themselves_alike() -> None:
    assert EXPERIMENTS[ID].title == TITLE


def test_listing_experiments_imports_nothing_heavy() -> None:
    program = (
        "import sys; from trapline.laboratory.study.registry import list_experiments; "
        "list_experiments();"
        "print([name for name in ('numba', 'numpy', 'scipy', 'matplotlib') if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


def test_an_unknown_experiment_and_a_single_seed_are_mistakes() -> None:
    with pytest.raises(
        UnknownName,
        match=r"no experiment named 'foundations/agend'.*foundations/agenda",
    ):
        run_experiment("foundations/agend")
    with pytest.raises(BadNumber, match="at least 2"):
        run_experiment("foundations/agenda", seeds=1)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, list[float]]:
    done: list[float] = []
    report = run_study(
        TINY,
        THREE_SEEDS,
        lambda share, what: done.append(share),
        tmp_path_factory.mktemp("agenda"),
    )
    return report, done


def test_the_agenda_is_close_to_the_argmax_in_a_tiny_world(
    tiny: tuple[Report, list[float]],
) -> None:
    report, _ = tiny
    rows = {str(row["id"]): row for row in report.rows}
    assert all(
        row["paper"] is None and isinstance(row["ours"], float) for row in report.rows
    )
    for world, objective in WANTED:
        row = rows[f"{world}/{objective}/agenda/argmax"]
        assert (
            isinstance(row["ours"], float)
            and isinstance(row["low"], float)
            and isinstance(row["high"], float)
        )
        assert 0.94 < row["low"] <= row["ours"] <= row["high"] < 1.02
        assert (
            row["wanted"] == WANTED[world, objective]
            and row["seeds"] == THREE_SEEDS.seeds
        )
        assert any(remark.startswith(world) for remark in report.remarks)
    for name, row in rows.items():
        if (
            name.endswith("/bound")
            and "price" not in name
            and isinstance(row["ours"], float)
            and row["unit"] == "share"
        ):
            assert 0.9 < row["ours"] < 1.02, name


def test_progress_moves_with_every_seed_and_the_figure_is_there(
    tiny: tuple[Report, list[float]],
) -> None:
    report, done = tiny
    assert (
        done[0] == 0.0
        and done[-1] == 1.0
        and done == sorted(done)
        and len(done) == 1 + 2 * (3 + 2)
    )
    assert sorted(path.suffix for path in report.figures) == [".png", ".svg"]
    assert all(path.stat().st_size > 1000 for path in report.figures)


def test_the_same_seed_gives_the_same_outcome() -> None:
    case = AgendaCase(TINY, "saturated-hosts", "freshness")
    assert run_case(case, 3) == run_case(case, 3)


def test_hosts_have_zipf_sizes_and_none_is_empty() -> None:
    sizes = np.bincount(host_of_pages(20_000, 200))
    assert sizes.sum() == 20_000 and len(sizes) == 200 and sizes.min() >= 1
    np.testing.assert_allclose(sizes * np.arange(1, 201), sizes[0], rtol=0.05)


def test_rates_are_log_uniform_over_three_decades_around_one_change_a_round() -> None:
    case = AgendaCase(AgendaSizes(), "no-gaps", "freshness")
    decades = np.log10(make_world(case, seed=1).rate * case.round_s)
    assert -1.5 <= decades.min() < -1.49 and 1.49 < decades.max() <= 1.5
    quarters, _ = np.histogram(decades, 4, (-1.5, 1.5))
    assert abs(quarters / 5000 - 1.0).max() < 0.06


@pytest.mark.parametrize("world", ["no-gaps", "saturated-hosts"])
def test_the_start_is_as_fresh_as_the_bound(world: str) -> None:
    """Pages as old as at a random instant of the bound's schedule are as fresh as it keeps them."""
    truth = make_world(AgendaCase(TINY, world, "freshness"), seed=1)
    weight = np.ones(TINY.pages)
    bound = freshness_bound(truth.rate, weight, PER_S, truth.host, truth.gap_s)
    last_s = stationary_start(truth, bound, seed=1)
    nothing = np.zeros(0), np.zeros(0, np.int64)
    fresh = freshness_earned(truth.rate, weight, last_s, *nothing, window=(0.0, 1e-6))
    assert fresh == pytest.approx(bound.value, rel=0.02)


def test_ages_count_from_the_visit_before() -> None:
    log = Log(np.array([1.0, 2.0, 4.0, 7.0, 11.0]), np.array([2, 0, 2, 2, 0]))
    assert visit_ages(log, np.array([-3.0, -9.0, 0.5])).tolist() == [
        0.5,
        5.0,
        3.0,
        3.0,
        9.0,
    ]
