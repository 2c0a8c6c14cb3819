"""average-reward: how many fetchers, learnt without a model: differential Q-learning (Wan, Naik &
Sutton 2021), the future work of `omeara`.

What a decision leads to is known (so many in the queue, so many awake), only what that is worth is
not; so Q(state, action) is kept as one value V of the situation after it. Between two events,
`elapsed` apart and at a cost c,

    d = c − c̄·elapsed + min_a V(after a) − V(before),   V(before) += α·d,   c̄ += η·α·d

with time counted in mean processing times. α fades with the visits to a situation, down to `step`;
so does the chance ε of the decision that looks worse.

>>> policy = AverageReward(most=4, capacity=3)
>>> policy.learn(QueueTally(1.0, 1, 0, 1.0, 1.0, 0, queue=1, awake=1))
>>> policy.patience, bool(policy.wakes()[0, 1, 0])  # never nobody, with nothing to do
(1, True)
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, check_count, check_rate
from trapline.core.records import QueueTally
from trapline.policies.fetchers.fetcher_policy import FetcherPolicy
from trapline.policies.mind import Records
from trapline.theory.kernel import kernel
from trapline.theory.queueing.switching import ARRIVAL, DEPARTURE, level_wakes

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_FADING: Final = 0.6  # of the step, by the visits to a situation
# visits to a situation, from which on it is explored less and less
_FAMILIAR: Final = 100.0

# The mean cost, the situation it was left in, what was processed, and how long that took.
PROGRESS: Final = np.dtype(
    [(name, np.float64) for name in ("mean", "queue", "awake", "processed", "busy_s")]
)


class Options(NamedTuple):
    weight: float
    step: float
    mean_step: float
    explore: float


class Mind(NamedTuple):
    options: Options
    values: Floats  # V of each situation [queue, awake]
    visits: Floats  # to each
    progress: Records  # one


@kernel
def best_wake(values: Floats, event: int, queue: int, awake: int) -> tuple[bool, float]:
    """At an event with so many just before it: is waking one better, and what is the better of the
    two worth?
    """
    capacity = values.shape[0] - 1
    most = values.shape[1] - 1
    after = queue - 1 if event == DEPARTURE else min(queue + 1, capacity)
    rest = awake if event == DEPARTURE else awake - 1
    if rest == 0 and after == 0:
        return True, values[after, 1]
    if rest == most:
        return False, values[after, rest]
    wake = values[after, rest + 1] < values[after, rest]
    return wake, values[after, rest + 1] if wake else values[after, rest]


@kernel
def lesson(mind: Mind, event: int, elapsed: float, busy: float, blocked: int) -> None:
    """An event, `elapsed` after the last one, of which so long `busy`.

    It teaches what the situation until then was worth.
    """
    options = mind.options
    values = mind.values
    visits = mind.visits
    progress = mind.progress
    queue = int(progress["queue"][0])
    awake = int(progress["awake"][0])
    progress["processed"][0] += event == DEPARTURE
    progress["busy_s"][0] += busy
    known = progress["busy_s"][0] > 0.0
    rate = progress["processed"][0] / progress["busy_s"][0] if known else 0.0
    _, best = best_wake(values, event, queue, awake)
    cost = options.weight * (elapsed - busy) * rate + blocked
    usual = progress["mean"][0] * elapsed * rate
    error = cost - usual + best - values[queue, awake]
    visits[queue, awake] += 1.0
    step = max(options.step, visits[queue, awake] ** -_FADING)
    values[queue, awake] += step * error
    progress["mean"][0] += options.mean_step * step * error


@kernel
def decide(mind: Mind, wakes: Bools, queue: int, awake: int, chance: Floats) -> None:
    """The situation is now this: set the two decisions that can follow."""
    values = mind.values
    mind.progress["queue"][0] = queue
    mind.progress["awake"][0] = awake
    visits = mind.visits[queue, awake]
    tried = mind.options.explore / math.sqrt(1.0 + visits / _FAMILIAR)
    for event in (DEPARTURE, ARRIVAL):
        if (event == DEPARTURE and queue == 0) or (event == ARRIVAL and awake == 0):
            continue
        wake, _ = best_wake(values, event, queue, awake)
        if chance[event] < tried:
            wake = not wake
        least = event == DEPARTURE and queue == 1 and awake == 0
        most = event == DEPARTURE and awake == values.shape[1] - 1
        wakes[event, queue, awake] = (wake or least) and not most


class AverageReward(FetcherPolicy):
    patience = 1
    learns_by_kernel = True
    explores = True

    def __init__(
        self,
        most: int,
        capacity: int,
        weight: float = 1.0,
        *,
        step: float = 0.02,
        mean_step: float = 0.002,
        explore: float = 0.3,
        seed: int = 0,
    ) -> None:
        """`weight` is γ/μ; `step` the least α, `mean_step` η, `explore` the largest ε."""
        check_count("the number of fetchers", most, "nobody else brings pages")
        check_count(
            "the room of the queue", capacity, "the page being processed needs a place"
        )
        check_rate(
            "the weight of starvation", weight, "without it no fetcher at all is best"
        )
        for name, found in (
            ("step", step),
            ("mean_step", mean_step),
            ("explore", explore),
        ):
            if not 0.0 <= found <= 1.0:
                raise BadNumber(f"{name} of average-reward", found, "between 0 and 1")
        if not 0 <= seed < 2**63 or seed != int(seed):
            raise BadNumber(
                "the seed of average-reward", seed, "a whole number, at least 0"
            )
        self.start = max(1, most // 2)
        progress = np.zeros(1, PROGRESS)
        progress["awake"] = self.start
        self.mind = Mind(
            Options(float(weight), float(step), float(mean_step), float(explore)),
            np.zeros((capacity + 1, most + 1)),
            np.zeros((capacity + 1, most + 1)),
            progress,
        )
        self.chance = np.random.default_rng(int(seed))
        self._wakes = level_wakes(capacity, most, self.start)

    def wakes(self) -> Bools:
        return self._wakes

    def learn(self, tally: QueueTally) -> None:
        if not tally.arrivals and not tally.departures:
            return
        event = ARRIVAL if tally.arrivals else DEPARTURE
        lesson(self.mind, event, tally.elapsed_s, tally.busy_s, tally.blocked)
        chance = self.chance.random(2)
        decide(self.mind, self._wakes, tally.queue, tally.awake, chance)

    def learnt_wakes(self) -> Bools:
        values = self.mind.values
        wakes = np.zeros((2, *values.shape), dtype=bool)
        for queue, awake in np.ndindex(values.shape):
            if queue:
                wakes[DEPARTURE, queue, awake] = best_wake(
                    values, DEPARTURE, queue, awake
                )[0]
            if awake:
                wakes[ARRIVAL, queue, awake] = best_wake(values, ARRIVAL, queue, awake)[
                    0
                ]
        return wakes
