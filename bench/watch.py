"""How soon does a watch see a change, beside the rules of changedetection.io and urlwatch?

    python bench/watch.py                            20 seeds of 1,000 pages, then 10,000 pages once
    python bench/watch.py --every 10                 each page every ten minutes on the average
    python bench/watch.py --data DIR                 real change histories as well (*.csv.gz)
    python bench/watch.py --out delays.png           and a picture
    python bench/watch.py --quick                    a first look: 300 pages, 3 seeds

A day of pretend time, from nothing: no page was ever seen before. All drive the RequestController
of the live robot, keep the gap of each host, and may make the same number of visits.

    auto               what `trapline watch` does: how often each page changes is learnt
    changedetection.io every page at the same interval, give or take a tenth
    urlwatch           all pages in one round, again and again, as cron starts it

Pages change at times drawn before anybody looks: one in five never, the others at rates that are
log-normal over pages (median once in two days; nobody more often than every ten minutes).

How to read the table
    delay      minutes from a change to the first visit after it. A change that was not seen by the
               end of the day counts as seen then. "by page": the mean of the pages' means, so
               that a page that changes often counts no more than others
    seen       share of the changes that a visit followed
    visits     of those that the budget allows; "hurried" counts visits before a host's gap was over
Over seeds: the mean, and the band that holds it 19 times in 20. The exit code is always 0.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import Cards
from trapline.core.ports import Seen
from trapline.laboratory.runs.compiled import runner
from trapline.laboratory.runs.drive import Log, new_controller
from trapline.laboratory.worlds.traces import DAY_S, Traces
from trapline.laboratory.worlds.truth import Truth, make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.registry import make_refresh_policy
from trapline.robot.agenda.agenda import Budget
from trapline.theory.chance import mix_hash

GAP_S: Final = 1.0
LATENCY_S: Final = 0.3
FETCHERS: Final = 64
NEVER: Final = 0.2  # of the pages
MEDIAN_S: Final = 2 * DAY_S
SIGMA: Final = 2.0
FASTEST_S: Final = 600.0
JITTER: Final = 0.1
SMALL: Final = (1_000, 200, 20)  # pages, hosts, seeds
LARGE: Final = (10_000, 2_000, 1)
QUICK: Final = (300, 60, 3)
REAL: Final = ("mdn", "webref", "k8s")
REAL_DAYS: Final = 60.0

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class World(NamedTuple):
    """Pages that change at listed times."""

    truth: Truth
    page: Integers  # of each change
    when_s: Floats
    end_s: float
    every_s: float  # seconds in which each page may be visited once


class FixedInterval(RefreshPolicy):
    """changedetection.io: constant, with jitter."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._visits = 0

    def settle(self, cards: Cards, page: int, seen: Seen) -> Sequence[int]:
        self._visits += 1
        shift = JITTER * (2.0 * mix_hash(0, page, self._visits) - 1.0)
        cards["base"][page] = math.inf
        cards["not_before"][page] = seen.now_s + self._every_s * (1.0 + shift)
        return (page,)


class Rounds(RefreshPolicy):
    """urlwatch: cron starts a round, and all pages are asked for."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s

    def settle(self, cards: Cards, page: int, seen: Seen) -> Sequence[int]:
        rounds = math.floor(seen.now_s / self._every_s)
        cards["base"][page] = math.inf
        cards["not_before"][page] = (rounds + 1) * self._every_s
        return (page,)


@dataclass(frozen=True, slots=True)
class Contestant:
    name: str
    make: Callable[[float], RefreshPolicy]
    spread: bool = True  # the budget spreads its visits; else it is spent in rounds


CONTESTANTS: Final = (
    Contestant("auto", lambda _: make_refresh_policy("auto")),
    Contestant("changedetection.io", FixedInterval),
    Contestant("urlwatch", Rounds, spread=False),
)


class Result(NamedTuple):
    page: Integers  # of each change
    delays_s: Floats
    seen: float
    visits: int
    allowed: int
    hurried: int

    def figures(self) -> tuple[float, float, float, float]:
        """Mean, median and ninth decile of the delay, and its mean by page, in minutes."""
        found = self.delays_s / 60.0
        middle, late = np.quantile(found, [0.5, 0.9]).tolist()
        changes = np.bincount(self.page)
        by_page = np.bincount(self.page, found)[changes > 0] / changes[changes > 0]
        return float(found.mean()), middle, late, float(by_page.mean())


def make_world(pages: int, hosts: int, seed: int, every_s: float) -> World:
    chance = np.random.default_rng(seed)
    sizes = 1.0 / np.arange(1, hosts + 1) ** 0.8
    host = chance.choice(hosts, pages, p=sizes / sizes.sum()).astype(np.int32)
    gap_s = np.exp(chance.normal(math.log(MEDIAN_S), SIGMA, pages)).clip(FASTEST_S)
    rate = np.where(chance.random(pages) < NEVER, 0.0, 1.0 / gap_s)
    counts = chance.poisson(rate * DAY_S)
    page = np.repeat(np.arange(pages), counts)
    when_s = chance.uniform(0.0, DAY_S, len(page))
    return _world(host, page, when_s, DAY_S, every_s, seed)


def real_world(path: Path, every_s: float) -> World:
    """The last days of a history, its mass edits left out; pages that live through all of them."""
    rows = Traces.load(path)
    start_s = rows.last_s - (REAL_DAYS + 1.0) * DAY_S
    window = rows.between(start_s, REAL_DAYS, pages=1_000, skip_mass_edits=True)
    end_s = REAL_DAYS * DAY_S
    stays = (np.arange(len(window.page)) < window.held) & (window.dies_s >= end_s)
    owner = np.repeat(np.arange(len(window.page)), np.diff(window.event_start))
    new_number = np.cumsum(stays) - 1
    kept = stays[owner] & (window.event_s < end_s)
    host = np.zeros(int(stays.sum()), np.int32)
    return _world(
        host, new_number[owner[kept]], window.event_s[kept], end_s, every_s, seed=0
    )


def _world(
    host: NDArray[np.int32],
    page: Integers,
    when_s: Floats,
    end_s: float,
    every_s: float,
    seed: int,
) -> World:
    order = np.lexsort((when_s, page))
    page = page[order]
    when_s = when_s[order]
    start = np.searchsorted(page, np.arange(len(host) + 1))
    truth = make_truth(
        host=host,
        rate=np.zeros(len(host)),
        gap_s=GAP_S,
        latency_s=LATENCY_S,
        events=(start, when_s),
        seed=seed,
    )
    return World(truth, page, when_s, end_s, every_s)


def watch(world: World, contestant: Contestant) -> Result:
    pages = len(world.truth.pages)
    allowed = round(pages * world.end_s / world.every_s)
    per_s = pages / world.every_s if contestant.spread else math.inf
    controller = new_controller(
        world.truth,
        discovery=BreadthFirst(),
        refresh=contestant.make(world.every_s),
        # as `watch` does: a page never seen goes first
        budget=Budget(per_s=per_s, discovery_share=1.0),
        seeds=list(range(pages)),
    )
    run = runner(controller)
    log = run(world.truth, room=FETCHERS, visits=allowed, until_s=world.end_s)
    delays_s, seen = _delays(world, log)
    return Result(
        world.page, delays_s, seen, len(log.page), allowed, _hurried(world, log)
    )


def _delays(world: World, log: Log) -> tuple[Floats, float]:
    """From each change to the first visit after it, and the share that a visit followed."""
    visits = np.sort(log.page * world.end_s + log.issued_s)
    found = np.searchsorted(visits, world.page * world.end_s + world.when_s)
    after = np.append(visits, math.inf)[found] - world.page * world.end_s
    seen = after < world.end_s
    return np.minimum(after, world.end_s) - world.when_s, float(seen.mean())


def _hurried(world: World, log: Log) -> int:
    """Visits to a host that set out before its gap was over; half a microsecond is rounding."""
    host = world.truth.host[log.page].astype(np.float64)
    order = np.lexsort((log.issued_s, host))
    same = np.diff(host[order]) == 0
    return int(np.count_nonzero(np.diff(log.issued_s[order])[same] < GAP_S - 5e-7))


def compare(worlds: Iterable[World]) -> Iterator[dict[str, Result]]:
    for world in worlds:
        found = {}
        for contestant in CONTESTANTS:
            copy = world._replace(truth=_untouched(world.truth))
            found[contestant.name] = watch(copy, contestant)
        yield found


def _untouched(truth: Truth) -> Truth:
    """Each contestant begins at the beginning."""
    return truth._replace(pages=truth.pages.copy())


def print_results(title: str, runs: list[dict[str, Result]], unit: float = 1.0) -> None:
    word = "minutes" if unit == 1.0 else "hours"
    print(f"\n{title}: {len(runs[0]['auto'].delays_s):,} changes")
    heading = ("mean", "median", "9 in 10", "by page", "seen", "visits", "hurried")
    print(f"{f'delay in {word}':20}" + "".join(f"{name:>16}" for name in heading))
    for name in runs[0]:
        results = [run[name] for run in runs]
        figures = zip(*(result.figures() for result in results), strict=True)
        cells = [say_band([value / unit for value in values]) for values in figures]
        cells.append(f"{statistics.mean(result.seen for result in results):.1%}")
        visits = statistics.mean(result.visits / result.allowed for result in results)
        cells.append(f"{visits:.1%}")
        cells.append(str(sum(result.hurried for result in results)))
        print(f"{name:20}" + "".join(f"{cell:>16}" for cell in cells))
    for other in [contestant.name for contestant in CONTESTANTS[1:]]:
        ratios = [run["auto"].figures()[0] / run[other].figures()[0] for run in runs]
        print(f"auto's mean delay is {say_band(ratios, 2)} of that of {other}")


def say_band(values: Sequence[float], digits: int = 1) -> str:
    """
    >>> say_band([1.0, 2.0, 3.0]), say_band([2.0])
    ('2.0 ± 1.1', '2.0')
    """
    mean = f"{statistics.mean(values):.{digits}f}"
    if len(values) < 2:
        return mean
    band = 1.96 * statistics.stdev(values) / math.sqrt(len(values))
    return f"{mean} ± {band:.{digits}f}"


def draw(path: Path, title: str, results: dict[str, Result]) -> None:
    """The share of changes that were seen within so many minutes."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    for name, result in results.items():
        delays = np.sort(result.delays_s) / 60.0
        axes.plot(delays, np.arange(1, len(delays) + 1) / len(delays), label=name)
    axes.set_xlim(0.0, 120.0)
    axes.set_ylim(0.0, 1.0)
    axes.set_xlabel("minutes after the change")
    axes.set_ylabel("share of changes that were seen")
    axes.set_title(title)
    axes.legend()
    figure.savefig(path, dpi=150, bbox_inches="tight")
    print(f"\nwritten to {path}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--every", type=float, default=60.0, help="minutes, a page")
    parser.add_argument("--data", type=Path, help="a folder of change histories")
    parser.add_argument("--out", type=Path, help="a picture")
    parser.add_argument("--quick", action="store_true", help="a first look")
    return parser.parse_args()


def main() -> None:
    wishes = arguments()
    began_s = time.monotonic()
    every_s = 60.0 * wishes.every
    last: tuple[str, dict[str, Result]] | None = None
    for pages, hosts, seeds in (QUICK,) if wishes.quick else (SMALL, LARGE):
        worlds = (make_world(pages, hosts, seed, every_s) for seed in range(seeds))
        title = f"{pages:,} pages on {hosts:,} hosts, a day, {seeds} seeds"
        runs = list(compare(worlds))
        print_results(title, runs)
        last = (title, runs[0])
    for name in REAL if wishes.data else ():
        path = wishes.data / f"{name}.csv.gz"
        runs = list(compare([real_world(path, DAY_S)]))
        print_results(f"{name}, {REAL_DAYS:.0f} days, a visit a day", runs, unit=60.0)
    if wishes.out and last:
        draw(wishes.out, *last)
    print(f"\n{time.monotonic() - began_s:.0f} s")


if __name__ == "__main__":
    main()
