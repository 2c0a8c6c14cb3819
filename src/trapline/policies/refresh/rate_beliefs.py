"""Beliefs about change rates: posteriors of pages under priors that all pages fill.

The mind of `posterior`, and what its kernels do with it before any price is written: a page's
evidence (theory/change_rate/evidence.py) becomes a posterior on a grid of rates, under a prior that
is the mean of the pages' posteriors, on the whole and by host (empirical Bayes).
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from trapline.core.ports import Pages
from trapline.policies.mind import Records, as_records, as_table
from trapline.policies.refresh.refresh_policy import Floats
from trapline.theory.change_rate.evidence import CHANGES, UNCHANGED, weigh
from trapline.theory.kernel import bare_kernel

SIZE: Final = 48  # rates on the grid
# pages that outweigh ignorance, and pages of a host that outweigh all others
TRUST: Final = 20.0


class Settings(NamedTuple):
    freshness: bool  # the objective; else detections
    remembers: float
    curiosity: float
    horizon_s: float


# What is learnt on the whole. `turns` pages make a round, of which a visit a page takes `round` s.
LEARNT: Final = np.dtype(
    [
        (name, np.float64)
        for name in ("paid", "cursor", "turns", "pages", "seen", "since", "round")
    ]
)


# Of a host: its pages with evidence, how often they were looked at, mean of their posteriors.
HOST: Final = np.dtype(
    [("pages", np.float64), ("looks", np.float64), ("mean", np.float64, (SIZE,))]
)


class Grid(NamedTuple):
    rates: Floats
    logs: Floats  # of the rates
    mean: Floats  # of all pages' posteriors
    prior: Floats  # of the page at hand
    weights: Floats  # its posterior


class Mind(NamedTuple):
    settings: Settings
    learnt: Records  # one
    grid: Grid
    hosts: Records
    pages: Records


@bare_kernel
def visits_of(mind: Mind, page: int) -> float:
    """How many visits are remembered."""
    evidence = mind.pages["evidence"][page]
    return float(evidence[CHANGES] + evidence[UNCHANGED])


@bare_kernel
def expect(mind: Mind, host: int, known: float) -> None:
    """The prior of a page of a host (−1 = any) of which `known` other pages have evidence."""
    grid = mind.grid
    pages = mind.learnt["pages"][0]
    share = pages / (pages + TRUST)
    for i in range(SIZE):
        grid.prior[i] = share * grid.mean[i] + (1.0 - share) / SIZE
    if known > 0.0:
        mean = mind.hosts["mean"][host]
        for i in range(SIZE):
            usual = grid.prior[i]
            grid.prior[i] = (known * mean[i] + TRUST * usual) / (known + TRUST)


@bare_kernel
def believe(mind: Mind, page: int, host: int) -> None:
    """The posterior of a page, from the prior of its host."""
    grid = mind.grid
    known = mind.hosts["pages"][host] if host < len(mind.hosts) else 0.0
    # the page itself is one of its host's
    others = known - 1.0 if visits_of(mind, page) > 0.0 else known
    expect(mind, host, others)
    weigh(grid.rates, grid.prior, mind.pages["evidence"][page], grid.weights)


@bare_kernel
def believe_all(mind: Mind, pages: Pages, hosts: Pages, weights: Floats) -> None:
    """The posteriors of many pages, written to rows of `weights`."""
    for row in range(len(pages)):
        believe(mind, pages[row], hosts[row])
        for i in range(SIZE):
            weights[row, i] = mind.grid.weights[i]


@bare_kernel
def found_worth(mind: Mind, host: int) -> float:
    """What finding a page of relevance 1 on a host (−1 = any) is worth.

    E[1/(D + 1/horizon)] seconds, or 1 find.
    """
    if not mind.settings.freshness:
        return 1.0
    grid = mind.grid
    expect(mind, host, mind.hosts["pages"][host] if host >= 0 else 0.0)
    worth = 0.0
    for i in range(SIZE):
        worth += grid.prior[i] / (grid.rates[i] + 1.0 / mind.settings.horizon_s)
    return float(worth)


@bare_kernel
def spread_of(mind: Mind) -> tuple[float, float]:
    """(ln E[D] − E[ln D] of what the price averages, its ceiling).

    The spread is 0 where the rate is known; the ceiling is what no age brings the price above.
    """
    grid = mind.grid
    total = 0.0
    mean = 0.0
    logs = 0.0
    for i in range(SIZE):
        rate = grid.rates[i]
        part = grid.weights[i] / rate if mind.settings.freshness else grid.weights[i]
        total += part
        mean += part * rate
        logs += part * grid.logs[i]
    return math.log(mean / total) - logs / total, total


@bare_kernel
def share(mind: Mind, host: int) -> None:
    """The posterior at hand becomes part of the priors: running means over the pages."""
    learnt = mind.learnt
    hosts = mind.hosts
    learnt["seen"][0] += 1.0
    _mix_in(mind.grid, mind.grid.mean, 1.0 / min(learnt["seen"][0], learnt["pages"][0]))
    if hosts["pages"][host] > 1.0:  # a page alone on its host has nobody to tell
        hosts["looks"][host] += 1.0
        step = 1.0 / min(hosts["looks"][host], hosts["pages"][host])
        _mix_in(mind.grid, hosts["mean"][host], step)


@bare_kernel
def _mix_in(grid: Grid, mean: Floats, step: float) -> None:
    for i in range(SIZE):
        mean[i] += step * (grid.weights[i] - mean[i])


def new_grid(rates: Floats) -> Grid:
    rows = [np.zeros(SIZE) for _ in range(3)]
    return Grid(np.array(rates, np.float64), np.log(rates), *rows)


# The saved form of a mind, in one row: settings, a free place, what is learnt, three numbers
# of policies that are built on this one, the grid, the hosts.
_LEARNT_AT: Final = len(Settings._fields) + 1
MORE_AT: Final = _LEARNT_AT + len(LEARNT.names or ())
_GRID_AT: Final = MORE_AT + 3
_HOSTS_AT: Final = _GRID_AT + len(Grid._fields) * SIZE


def as_numbers(mind: Mind) -> Floats:
    settings = np.array([*mind.settings, 0.0])
    learnt = as_table(mind.learnt)[0]
    hosts = as_table(mind.hosts).ravel()
    return np.concatenate((settings, learnt, np.zeros(3), *mind.grid, hosts))


def from_numbers(numbers: Floats, own: Mind) -> Mind:
    rows = numbers[_GRID_AT:_HOSTS_AT].reshape(-1, SIZE)
    return own._replace(
        learnt=as_records(numbers[None, _LEARNT_AT:MORE_AT], LEARNT),
        grid=Grid(*(row.copy() for row in rows)),
        hosts=as_records(numbers[_HOSTS_AT:].reshape(-1, HOST.itemsize // 8), HOST),
    )
