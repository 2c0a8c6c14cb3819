"""The polling world of the paper `htraa`: page k changes with probability p_k in each step, one
poll a step.

It is a Truth with Poisson rates l = −ln(1−p), looked at in whole steps 1, 2, 3, …: a page that was
polled τ steps ago has changed with probability 1 − q^τ exactly, q = 1−p. Nothing but polls is
scarce: every page stands on a host of its own that owes no gap and answers at once. A page's weight
is its relevance.

In the paper's worlds p_k = α/k^β. Leaves of a hierarchy see the pages in order of rank (`sorted`),
in any order (`shuffled`), or sorted and then perturbed: each perturbation swaps a random page with
the one that follows. In a switching world, after every `switch_every` polls, a page drawn from the
Zipf distribution as it is then (page of rank k with probability p_k/Σp; the last has no successor
and is left out) changes rank with the one that follows in rank. Where switches are `irregular` that
is the mean: each period is drawn anew (geometric), the most irregular law there is, with memory of
nothing.

>>> world = PollingWorld.zipf(4, alpha=0.3, beta=1.5)
>>> world.probabilities.round(4).tolist()
[0.3, 0.1061, 0.0577, 0.0375]
>>> truth = world.truth()
>>> truth.rate.round(4).tolist(), truth.host.tolist()
([0.3567, 0.1121, 0.0595, 0.0382], [0, 1, 2, 3])
>>> PollingWorld.zipf(4, switch_every=100, irregular=True, seed=1).switches(before=500).tolist()
[6, 12, 124, 195, 218, 238, 392]
"""

from __future__ import annotations

import sys
from typing import Any, Final, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from trapline.core.errors import BadNumber, UnknownName, check_count
from trapline.laboratory.worlds.truth import Truth, make_truth, unroll
from trapline.theory.argument_checks import (
    chances,
    check_natural,
    several,
    weights_of,
)

Floats = NDArray[np.float64]

_AT_A_TIME: Final = 64  # periods are drawn
ORDERS: Final = ("sorted", "shuffled")
# streams of chance that a seed gives; 2 is compare's
_WORLD: Final = 0
_SWITCHES: Final = 1
_PERIODS: Final = 3


class PollingWorld:
    def __init__(
        self,
        change_probabilities: ArrayLike,
        weights: ArrayLike | None = None,
        *,
        switch_every: int | None = None,
        irregular: bool = False,
        seed: int = 0,
    ) -> None:
        self._start = several(
            "pages", chances("a change probability", change_probabilities), least=2
        ).copy()
        self.weights = weights_of(weights, len(self._start)).copy()
        if self.weights.max() > 1.0:
            raise BadNumber(
                "a weight", self.weights.max(), "at most 1 (it is the page's relevance)"
            )
        check_natural("the seed", seed)
        if switch_every is not None:
            check_count(
                "switch_every", switch_every, "polls from one switch to the next"
            )
        self._switch_every = switch_every
        self._irregular = irregular
        self.seed = seed
        self._weighted = weights is not None
        self._by_rank = np.sort(self._start)[::-1]
        self._draws = np.cumsum(self._by_rank[:-1])
        self._values: dict[str, float] = {}
        self._begin()

    @classmethod
    def zipf(
        cls,
        pages: int,
        alpha: float = 0.3,
        beta: float = 1.5,
        *,
        order: Literal["sorted", "shuffled"] = "sorted",
        swaps: int = 0,
        switch_every: int | None = None,
        irregular: bool = False,
        weights: ArrayLike | None = None,
        seed: int = 0,
    ) -> Self:
        """p_k = alpha/k^beta; `swaps` random neighbours change places after that.

        Weights are those of the pages as they stand then.
        """
        check_count("the number of pages", pages, "they share the polls")
        _check_zipf(alpha, beta, swaps)
        check_natural("the seed", seed)
        if order not in ORDERS:
            raise UnknownName("order of pages", order, list(ORDERS))
        rng = np.random.default_rng([seed, _WORLD])
        by_page = alpha * np.arange(1, pages + 1, dtype=np.float64) ** -beta
        if order == "shuffled":
            rng.shuffle(by_page)
        if swaps and pages > 1:
            by_page = _swap_neighbours(by_page, rng.integers(0, pages - 1, swaps))
        return cls(
            by_page,
            weights,
            switch_every=switch_every,
            irregular=irregular,
            seed=seed,
        )

    def __len__(self) -> int:
        return len(self._start)

    @property
    def probabilities(self) -> Floats:
        """Of a change in a step, page by page, as they are now."""
        return self._now.copy()

    @property
    def optimum(self) -> float:
        """Detections a step of the best polling frequencies, by the formula (evenly
        spaced polls).
        """
        from trapline.theory.polling.allocation import best_rates, detections

        if "optimum" not in self._values:
            rates = best_rates(self._now, 1.0, self.weights)
            self._values["optimum"] = float(detections(self._now, rates, self.weights))
        return self._values["optimum"]

    @property
    def bound(self) -> float:
        """No schedule detects more a step in the long run: one page at most is polled in each."""
        from trapline.theory.polling.whole_steps import slotted_bound

        if "bound" not in self._values:
            self._values["bound"] = float(slotted_bound(self._now, 1.0, self.weights))
        return self._values["bound"]

    def truth(self) -> Truth:
        """The truth before any poll; the world goes back to its start with it, so every run meets
        the same one.
        """
        self._begin()
        pages = len(self._start)
        host = np.arange(pages, dtype=np.int32)
        return make_truth(
            host=host,
            rate=-np.log1p(-self._start),
            relevance=self.weights,
            born_s=np.zeros(pages),
            seed=self.seed,
        )

    def switches(self, before: int) -> NDArray[np.int64]:
        """The polls, fewer than so many, after which a switch happens: the same in each run."""
        every = self._switch_every
        if every is None:
            return np.zeros(0, np.int64)
        if not self._irregular:
            return np.arange(every, before, every)
        rng = np.random.default_rng([self.seed, _PERIODS])
        found = np.zeros(1, np.int64)
        while found[-1] < before:
            periods = rng.geometric(1.0 / every, _AT_A_TIME)
            found = np.append(found, found[-1] + np.cumsum(periods))
        return found[(found > 0) & (found < before)]

    def switch(self, now_s: float, *truths: Truth) -> tuple[int, int]:
        """The next switch happens: two pages change probabilities, here and in these truths.

        Returns the pages.
        """
        rank = int(
            np.searchsorted(
                self._draws, self._rng.uniform(0.0, self._draws[-1]), side="right"
            )
        )
        # the largest draw may round up to the sum
        rank = min(rank, len(self._draws) - 1)
        one, other = self._page_of_rank[rank : rank + 2].tolist()
        self._page_of_rank[rank : rank + 2] = other, one
        self._now[[one, other]] = self._now[[other, one]]
        for truth in truths:
            _swap_rates(truth, one, other, now_s)
        if self._weighted:
            self._values.clear()
        return one, other

    def _begin(self) -> None:
        if self._weighted:
            self._values.clear()
        self._now = self._start.copy()
        self._page_of_rank = np.argsort(-self._start, kind="stable")
        self._rng = np.random.default_rng([self.seed, _SWITCHES])


def _swap_rates(truth: Truth, one: int, other: int, now_s: float) -> None:
    """What happened up to now happened at the old rates.

    A Poisson process has no memory: the time left to the next change, stretched by the ratio of the
    rates, is as good as drawn anew.
    """
    rates = truth.rate[[one, other]].tolist()
    for page, old, new in ((one, *rates), (other, *rates[::-1])):
        unroll(truth, page, now_s)
        left_s = float(truth.pages["next_change"][page]) - now_s
        truth.pages["next_change"][page] = now_s + left_s * old / new
        truth.rate[page] = new


def _swap_neighbours(by_page: Floats, places: NDArray[np.int64]) -> Floats:
    """Each place in turn swaps what it has with the next one.

    (A list: a million swaps take a tenth of a second.)
    """
    row: list[Any] = by_page.tolist()
    for place in places.tolist():
        row[place], row[place + 1] = row[place + 1], row[place]
    return np.array(row)


def _check_zipf(alpha: float, beta: float, swaps: int) -> None:
    if not 0.0 < alpha < 1.0:
        raise BadNumber(
            "alpha", alpha, "a probability between 0 and 1, neither included"
        )
    if not 0.0 <= beta <= sys.float_info.max:
        raise BadNumber("beta", beta, "a finite number, at least 0")
    check_natural("swaps", swaps)
