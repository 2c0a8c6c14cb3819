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
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, check_count, check_rate
from trapline.core.records import QueueTally
from trapline.policies.fetchers.fetcher_policy import FetcherPolicy
from trapline.theory.kernel import kernel
from trapline.theory.queueing.switching import ARRIVAL, DEPARTURE, level_wakes

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# What it remembers, in one array: kernels read and write it.
_FADING: Final = 0.6  # of the step, by the visits to a situation
# visits to a situation, from which on it is explored less and less
_FAMILIAR: Final = 100.0
_MEAN, _QUEUE, _AWAKE, _PROCESSED, _BUSY = range(5)


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
def lesson(
    values: Floats,
    visits: Floats,
    memory: Floats,
    options: Floats,
    event: int,
    elapsed: float,
    busy: float,
    blocked: int,
) -> None:
    """An event, `elapsed` after the last one, of which so long `busy`: what it teaches of the
    situation till then.
    """
    weight, least_step, mean_step, _ = options
    queue = int(memory[_QUEUE])
    awake = int(memory[_AWAKE])
    memory[_PROCESSED] += event == DEPARTURE
    memory[_BUSY] += busy
    rate = memory[_PROCESSED] / memory[_BUSY] if memory[_BUSY] > 0.0 else 0.0
    _, best = best_wake(values, event, queue, awake)
    cost = weight * (elapsed - busy) * rate + blocked
    error = cost - memory[_MEAN] * elapsed * rate + best - values[queue, awake]
    visits[queue, awake] += 1.0
    step = max(least_step, visits[queue, awake] ** -_FADING)
    values[queue, awake] += step * error
    memory[_MEAN] += mean_step * step * error


@kernel
def decide(
    values: Floats,
    visits: Floats,
    memory: Floats,
    options: Floats,
    wakes: Bools,
    queue: int,
    awake: int,
    chance: Floats,
) -> None:
    """The situation is now this: set the two decisions that can follow."""
    memory[_QUEUE] = queue
    memory[_AWAKE] = awake
    for event in (DEPARTURE, ARRIVAL):
        if (event == DEPARTURE and queue == 0) or (event == ARRIVAL and awake == 0):
            continue
        wake, _ = best_wake(values, event, queue, awake)
        if chance[event] < options[3] / math.sqrt(
            1.0 + visits[queue, awake] / _FAMILIAR
        ):
            wake = not wake
        least = event == DEPARTURE and queue == 1 and awake == 0
        most = event == DEPARTURE and awake == values.shape[1] - 1
        wakes[event, queue, awake] = (wake or least) and not most


class AverageReward(FetcherPolicy):
    patience = 1
    learns_by_kernel = True

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
        self.values = np.zeros((capacity + 1, most + 1))
        self.visits = np.zeros((capacity + 1, most + 1))
        self.memory = np.zeros(5)
        self.memory[_AWAKE] = self.start
        self.options = np.array([weight, step, mean_step, explore])
        self.chance = np.random.default_rng(int(seed))
        self._wakes = level_wakes(capacity, most, self.start)

    def wakes(self) -> Bools:
        return self._wakes

    def learn(self, tally: QueueTally) -> None:
        if not tally.arrivals and not tally.departures:
            return
        event = ARRIVAL if tally.arrivals else DEPARTURE
        lesson(
            self.values,
            self.visits,
            self.memory,
            self.options,
            event,
            tally.elapsed_s,
            tally.busy_s,
            tally.blocked,
        )
        chance = self.chance.random(2)
        decide(
            self.values,
            self.visits,
            self.memory,
            self.options,
            self._wakes,
            tally.queue,
            tally.awake,
            chance,
        )

    def greedy(self) -> Bools:
        """The table without exploration: what it has learnt so far."""
        capacity = self.values.shape[0] - 1
        most = self.values.shape[1] - 1
        wakes = np.zeros((2, capacity + 1, most + 1), dtype=bool)
        for queue in range(capacity + 1):
            for awake in range(most + 1):
                if queue:
                    wakes[DEPARTURE, queue, awake] = best_wake(
                        self.values, DEPARTURE, queue, awake
                    )[0]
                if awake:
                    wakes[ARRIVAL, queue, awake] = best_wake(
                        self.values, ARRIVAL, queue, awake
                    )[0]
        return wakes
