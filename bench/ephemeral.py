"""How fast are ephemeral sources priced and chosen? Run by `make bench`; `--quick` for a first
look.

    index      Whittle's index of a million sources at their ages
    step       one slot: the 100 dearest of a million chosen and settled, averaged over slots,
               re-sorting included
Times are milliseconds of processor time; best and worst of the repetitions. A bench informs, tests
judge: exit code 0.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Final

import numpy as np

from trapline.core.cards import HELD, blank_cards
from trapline.core.records import Outcome
from trapline.laboratory.worlds.ephemeral import random_sources
from trapline.policies.refresh.refresh_policy import a_visit
from trapline.policies.refresh.whittle import ManySourcesWhittle

SOURCES: Final = 1_000_000
VISITS: Final = 100  # a slot
REPEATS: Final = 3


def milliseconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1e3 * (time.process_time() - start)


def show(what: str, measured: list[float], wanted: float) -> None:
    reached = "reached" if min(measured) <= wanted else "below target"
    print(
        f"{what:<50} {min(measured):>9.1f} {max(measured):>9.1f} {f'≤ {wanted:g}':>9}  ms  "
        f"{reached}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure ephemeral sources.")
    parser.add_argument(
        "--quick", action="store_true", help="a tenth of the sources and slots"
    )
    count, slots = (SOURCES // 10, 100) if parser.parse_args().quick else (SOURCES, 300)
    sources = random_sources(count, seed=1)
    # as if visited in turn
    ages = (
        np.random.default_rng(1)
        .integers(1, 2 * count // VISITS, count)
        .astype(np.float64)
    )
    print(f"{'':<50} {'best':>9} {'worst':>9} {'wanted':>9}")
    sources.price(ages)
    show(
        f"index of {count:,} sources",
        [milliseconds(lambda: sources.price(ages)) for _ in range(REPEATS)],
        50.0,
    )
    policy = ManySourcesWhittle(sources)
    cards = blank_cards(count)
    cards["state"] = HELD
    policy.last[:] = -ages
    spent = []
    for part in range(REPEATS):
        first = 1 + part * slots

        def play(first: int = first) -> None:
            for slot in range(first, first + slots):
                for _ in range(VISITS):
                    page = policy.choose(cards, None, float(slot))
                    policy.settle(
                        cards,
                        page,
                        a_visit(Outcome.OK, True, 1.0, 1.0, 1.0, float(slot)),
                    )

        spent.append(milliseconds(play) / slots)
    show(f"step: {VISITS} of {count:,} sources, mean of {slots} slots", spent, 20.0)


if __name__ == "__main__":
    main()
