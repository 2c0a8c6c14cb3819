"""What do a bid and the clearing of a market cost?

    python bench/bids.py              shards of 2,000 to a million held pages; 64 and 1,024 bids
    python bench/bids.py --pages 5000 none larger

How to read the table
    Milliseconds of one processor, mean of many; known change rates, and learnt ones. Wanted: 1 to
    2 ms a bid, however many pages a shard has, and some 3 ms to clear 1,024 bids.
The exit code is always 0: a bench informs, tests judge.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from trapline.laboratory.runs.compiled import hold_all
from trapline.laboratory.runs.drive import new_controller
from trapline.laboratory.worlds.truth import make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.known_rate import KnownRate
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.robot.agenda.agenda import Budget
from trapline.robot.bidding import bid_of
from trapline.robot.request_controller import RequestController
from trapline.theory.clearing import clear

PAGES: Final = (1_000, 10_000, 100_000, 1_000_000)
A_HOST: Final = 100  # pages
SHARDS: Final = (64, 1_024)
TIMES: Final = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=PAGES[-1])
    most = parser.parse_args().pages
    print(f"{'a bid of':>18} {'hosts':>8} {'known ms':>9} {'learnt ms':>10}")
    for pages in (count for count in PAGES if count <= most):
        for hosts in (1, pages // A_HOST):
            known = bid_ms(held(pages, hosts, learnt=False))
            learnt = bid_ms(held(pages, hosts, learnt=True))
            print(f"{pages:>12,} pages {hosts:>8,} {known:>9.2f} {learnt:>10.2f}")
    one = bid_of(held(1_000, 10, learnt=False), 0, 0.0)
    for shards in SHARDS:
        bids = [replace(one, shard=shard) for shard in range(shards)]
        took = mean_ms(partial(clear, bids, 10.0 * shards))
        print(f"{shards:>11,} bids cleared {took:>16.2f}")


def held(pages: int, hosts: int, *, learnt: bool) -> RequestController:
    """A shard that holds so many pages."""
    rng = np.random.default_rng(pages)
    rate = 10.0 ** rng.uniform(-6.0, -3.0, pages)
    host = (np.arange(pages) % hosts).astype(np.int32)
    truth = make_truth(host=host, rate=rate, relevance=rng.uniform(size=pages))
    refresh: RefreshPolicy = (
        AdaptiveWhittle() if learnt else KnownRate(rate, 1.0 / rate)
    )
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=refresh,
        budget=Budget(per_s=pages / 1e4),
        seeds=[],
    )
    hold_all(controller, truth, -rng.uniform(0.0, 1e4, pages))
    controller.agenda.books.till["market"][0] = 1e3
    return controller


def bid_ms(controller: RequestController) -> float:
    return mean_ms(partial(bid_of, controller, 0, 0.0))


def mean_ms(work: Callable[[], object]) -> float:
    work()
    start_s = time.process_time()
    for _ in range(TIMES):
        work()
    return 1e3 * (time.process_time() - start_s) / TIMES


if __name__ == "__main__":
    main()
