"""A paced stream of pages: against the paper's formula, and against one fetcher in phases."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.theory.queueing.coxian import Coxian
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.indexing_times import IndexingTimes
from trapline.theory.queueing.phase_queue import PhaseQueue
from trapline.theory.queueing.renewal_queue import RenewalQueue


@pytest.mark.parametrize("capacity", [1, 5, 12])
@pytest.mark.parametrize("pace", [0.3, 1.0, 2.5])
def test_exponential_times_are_the_paper(pace: float, capacity: int) -> None:
    queue = RenewalQueue(IndexingTimes.exponential(7.0), 2.0, capacity, 1.4)
    paper = FetcherQueue(0.1, 2.0, capacity, 1.4)
    assert queue.cost(pace) == pytest.approx(paper.load_cost(pace / 2.0), abs=1e-10)


@pytest.mark.parametrize("phases", [2, 6])
def test_a_lone_fetcher_in_phases_is_a_stream(phases: int) -> None:
    stream = RenewalQueue(IndexingTimes.erlang(1.0, phases), 1.0, 4, 1.4)
    lone = PhaseQueue(Coxian.erlang(1.25, phases), Coxian.exponential(1.0), 4, 1.4)
    assert stream.cost(pace=0.8) == pytest.approx(lone.static_cost(1), abs=1e-10)


def test_the_best_pace_is_below_its_neighbours() -> None:
    queue = RenewalQueue(IndexingTimes.deterministic(1.0), 1.0, 5, 2.0)
    best = queue.best_pace()
    for pace in np.linspace(0.5, 2.0, 31) * best:
        assert queue.cost(pace) >= queue.cost(best) - 1e-9
    paper = FetcherQueue(0.1, 1.0, 5, 2.0)
    same = RenewalQueue(IndexingTimes.exponential(1.0), 1.0, 5, 2.0)
    assert same.best_pace() == pytest.approx(paper.best_load, rel=1e-5)


def test_wrong_numbers_are_named() -> None:
    with pytest.raises(BadNumber, match="the pace"):
        RenewalQueue(IndexingTimes.exponential(1.0), 1.0, 5, 1.4).cost(0.0)
    with pytest.raises(BadNumber, match="the capacity K"):
        RenewalQueue(IndexingTimes.exponential(1.0), 1.0, 0, 1.4)
