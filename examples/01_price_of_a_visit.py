"""The price of a visit: when a page is worth coming back to, and why the fastest page is not the
dearest.

    python examples/01_price_of_a_visit.py

Three pages are equally relevant and change once a day, an hour and a minute. A visit at age t is
worth (1/D)·[1 − (1+y)·e^(−y)], y = D·t: the seconds of fresh content it buys. We may make 4 visits
an hour in all.
"""

from __future__ import annotations

import numpy as np

from trapline.theory.freshness import freshness_bound
from trapline.theory.price import due_after, visit_price

HOUR_S = 3600.0
NAMES = ("once a day", "once an hour", "once a minute")
RATES = np.array([1 / 86400.0, 1 / HOUR_S, 1 / 60.0])  # changes a second
WORTHS = 1.0 / RATES  # objective freshness: relevance / rate
BUDGET = 4 / HOUR_S


def share_fresh(visits_per_s: np.ndarray) -> float:
    """Mean share of the time for which the copies are current, with evenly spaced visits."""
    return float(np.mean(visits_per_s / RATES * -np.expm1(-RATES / visits_per_s)))


def main() -> None:
    print("price of a visit (fresh seconds bought), by age of the copy")
    print(
        f"{'page changes':>15} {'1 min':>8} {'10 min':>8} {'1 h':>8} {'10 h':>8} "
        f"{'whole worth':>12}"
    )
    for name, rate, worth in zip(NAMES, RATES, WORTHS, strict=True):
        prices = [
            visit_price(age, rate, worth) for age in (60.0, 600.0, HOUR_S, 10 * HOUR_S)
        ]
        print(
            f"{name:>15} "
            + " ".join(f"{price:8.1f}" for price in prices)
            + f" {worth:12.1f}"
        )

    best = freshness_bound(RATES, np.ones(3), BUDGET)
    print(
        f"\n4 visits an hour are used up at a market price of {best.price:.1f} fresh seconds "
        "a visit:"
    )
    for name, rate, worth in zip(NAMES, RATES, WORTHS, strict=True):
        wait_s = due_after(best.price, rate, worth)
        print(
            f"{name:>15}: "
            + ("never" if np.isinf(wait_s) else f"again after {wait_s / 60.0:.1f} min")
        )

    even = np.full(3, BUDGET / 3)
    proportional = BUDGET * RATES / RATES.sum()
    print("\nmean share of the time the copies are current")
    for rule, value in (
        ("by price", best.value / 3),
        ("all equally often", share_fresh(even)),
        ("in proportion to change", share_fresh(proportional)),
    ):
        print(f"{rule:>25}: {value:.3f}")


if __name__ == "__main__":
    main()
