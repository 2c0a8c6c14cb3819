"""The response queue as a world of its own: fetchers bring pages, one processor takes them, events
are all there is.

The world of `talim` (a page that finds the queue full is lost), with times of any law and rates
that jump. It counts what a fetcher policy may see, a tally every so many events; the policy answers
with its table of wake-ups. Exponential times need no clock for each fetcher, which makes them fast.
Other laws have a name, or phases (`Coxian`), or are a sample of times, all equally likely.

>>> from trapline.policies.fetchers.fixed import Fixed
>>> world = QueueWorld(most=10, capacity=5, fetch_rate=0.1, process_rate=1.0, seed=1)
>>> seen = world.run(Fixed(10, 5), events=200_000)
>>> round(1.4 * seen.starvation + seen.loss_rate, 2)  # the paper's Table 1 says 0.40
0.4
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal, cast

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, UnknownName, check_count, check_rate
from trapline.core.records import QueueTally
from trapline.policies.fetchers.average_reward import (
    AverageReward,
    Mind,
    decide,
    lesson,
)
from trapline.policies.fetchers.fetcher_policy import FetcherPolicy
from trapline.theory.kernel import kernel
from trapline.theory.queueing.coxian import Coxian
from trapline.theory.queueing.switching import ARRIVAL, DEPARTURE

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
NamedLaw = Literal["exponential", "deterministic", "pareto"]
Law = NamedLaw | Coxian | Floats

LAWS: Final[dict[str, int]] = {"exponential": 0, "deterministic": 1, "pareto": 2}
_IN_PHASES: Final = 3
_SAMPLED: Final = 4
# exponent of the Pareto law: a finite mean, a variance that takes its time to show
_TAIL: Final = 2.2

# Where the world stands, in one array: kernels read and write it.
_NOW, _QUEUE, _AWAKE, _SERVED_AT, _IN_HAND_S = range(5)
# What is counted, in the order of QueueTally.
_ELAPSED, _ARRIVALS, _DEPARTURES, _FETCHING, _BUSY, _BLOCKED, _SQUARES, _CUBES = range(
    8
)


@kernel
def _wait(place: Floats, sums: Floats, seconds: float) -> None:
    place[_NOW] += seconds
    sums[_ELAPSED] += seconds
    sums[_FETCHING] += place[_AWAKE] * seconds
    if place[_QUEUE] > 0.0:
        sums[_BUSY] += seconds
        place[_IN_HAND_S] += seconds


@kernel
def _happens(place: Floats, sums: Floats, wakes: Bools, event: int) -> bool:
    """Queue and fetchers after an event, and whether one was woken at it."""
    queue = int(place[_QUEUE])
    awake = int(place[_AWAKE])
    capacity = wakes.shape[1] - 1
    wake = wakes[event, queue, awake]
    if event == DEPARTURE:
        sums[_DEPARTURES] += 1
        sums[_SQUARES] += place[_IN_HAND_S] ** 2
        sums[_CUBES] += place[_IN_HAND_S] ** 3
        place[_IN_HAND_S] = 0.0
        place[_QUEUE] = queue - 1
        place[_AWAKE] = awake + wake
    else:
        sums[_ARRIVALS] += 1
        sums[_BLOCKED] += queue == capacity
        place[_QUEUE] = min(queue + 1, capacity)
        place[_AWAKE] = awake - 1 + wake
    if place[_QUEUE] == 0.0 and place[_AWAKE] == 0.0:
        # as the controller has it: never nobody, with nothing to do
        place[_AWAKE] = 1.0
        return True
    return wake


@kernel
def _next_memoryless(
    place: Floats,
    sums: Floats,
    fetch_rate: float,
    process_rate: float,
    until_s: float,
    rng: np.random.Generator,
) -> int:
    """Wait for the next event: which it is, −1 if the rates change before."""
    arrivals = fetch_rate * place[_AWAKE]
    total = arrivals + process_rate if place[_QUEUE] > 0.0 else arrivals
    seconds = rng.standard_exponential() / total
    if place[_NOW] + seconds >= until_s:
        _wait(place, sums, until_s - place[_NOW])
        return -1
    _wait(place, sums, seconds)
    return ARRIVAL if rng.random() * total < arrivals else DEPARTURE


@kernel
def _run_memoryless(
    place: Floats,
    sums: Floats,
    wakes: Bools,
    rates: Floats,
    until_s: float,
    events: int,
    rng: np.random.Generator,
) -> int:
    """Until so many events have happened or the rates change: how many have.

    The same steps as `_next_memoryless` and `_happens`, but in registers: this loop is all that a
    sweep waits for.
    """
    fetch_rate = rates[0]
    process_rate = rates[1]
    capacity = wakes.shape[1] - 1
    now_s = place[_NOW]
    queue = int(place[_QUEUE])
    awake = int(place[_AWAKE])
    begun_s = now_s
    fetching_s = 0.0
    starved_s = 0.0
    in_hand_s = place[_IN_HAND_S]
    arrivals = departures = blocked = 0
    while arrivals + departures < events:
        arriving = fetch_rate * awake
        total = arriving + process_rate if queue > 0 else arriving
        seconds = min(rng.standard_exponential() / total, until_s - now_s)
        now_s += seconds
        fetching_s += awake * seconds
        if queue == 0:
            starved_s += seconds
        else:
            in_hand_s += seconds
        if now_s >= until_s:
            break
        if queue > 0 and rng.random() * total >= arriving:
            departures += 1
            sums[_SQUARES] += in_hand_s**2
            sums[_CUBES] += in_hand_s**3
            in_hand_s = 0.0
            awake += wakes[DEPARTURE, queue, awake]
            queue -= 1
        else:
            arrivals += 1
            blocked += queue == capacity
            awake += wakes[ARRIVAL, queue, awake] - 1
            queue = min(queue + 1, capacity)
        if queue == 0 and awake == 0:
            awake = 1
    place[_NOW] = now_s
    place[_QUEUE] = queue
    place[_AWAKE] = awake
    place[_IN_HAND_S] = in_hand_s
    sums[_ELAPSED] += now_s - begun_s
    sums[_ARRIVALS] += arrivals
    sums[_DEPARTURES] += departures
    sums[_FETCHING] += fetching_s
    sums[_BUSY] += now_s - begun_s - starved_s
    sums[_BLOCKED] += blocked
    return arrivals + departures


@kernel
def _run_learning(
    place: Floats,
    sums: Floats,
    wakes: Bools,
    rates: Floats,
    until_s: float,
    events: int,
    rng: np.random.Generator,
    one: Floats,
    mind: Mind,
) -> int:
    """The same with average-reward, which learns at each event.

    `one` is what has passed since the last event, also where the rates changed meanwhile.
    """
    chance = np.zeros(2)
    for done in range(events):
        event = _next_memoryless(place, one, rates[0], rates[1], until_s, rng)
        if event >= 0:
            _happens(place, one, wakes, event)
            lesson(mind, event, one[_ELAPSED], one[_BUSY], int(one[_BLOCKED]))
            chance[0] = rng.random()
            chance[1] = rng.random()
            decide(mind, wakes, int(place[_QUEUE]), int(place[_AWAKE]), chance)
            sums += one
            one[:] = 0.0
        else:
            return done
    return events


@kernel
def _draw(law: int, numbers: Floats, rate: float, rng: np.random.Generator) -> float:
    """A time of mean 1/rate; `numbers` are those of the law, for mean 1."""
    if law == _IN_PHASES:
        time = 0.0
        for phase in range(0, len(numbers), 2):
            time += rng.standard_exponential() / numbers[phase]
            if rng.random() >= numbers[phase + 1]:
                break
        return time / rate
    if law == _SAMPLED:
        return numbers[int(rng.random() * len(numbers))] / rate
    if law == 0:
        return rng.standard_exponential() / rate
    if law == 1:
        return 1.0 / rate
    least = (_TAIL - 1.0) / _TAIL
    return least * (1.0 - rng.random()) ** (-1.0 / _TAIL) / rate


@kernel
def _run_clocks(
    place: Floats,
    sums: Floats,
    wakes: Bools,
    rates: Floats,
    until_s: float,
    events: int,
    rng: np.random.Generator,
    home_at: Floats,
    laws: NDArray[np.int64],
    fetch_numbers: Floats,
    process_numbers: Floats,
) -> int:
    """Times of any law: each fetcher awake has a clock, `home_at`, the processor one too."""
    for done in range(events):
        awake = int(place[_AWAKE])
        first = np.argmin(home_at[:awake]) if awake else -1
        arrives = awake > 0 and home_at[first] < place[_SERVED_AT]
        at_s = home_at[first] if arrives else place[_SERVED_AT]
        if at_s >= until_s:
            _wait(place, sums, until_s - place[_NOW])
            return done
        _wait(place, sums, at_s - place[_NOW])
        waiting = place[_QUEUE]
        wake = _happens(place, sums, wakes, ARRIVAL if arrives else DEPARTURE)
        if arrives and not wake:
            home_at[first] = home_at[awake - 1]
        elif wake:
            home_at[first if arrives else awake] = place[_NOW] + _draw(
                laws[0], fetch_numbers, rates[0], rng
            )
        if not arrives or waiting == 0.0:
            idle = place[_QUEUE] == 0.0
            place[_SERVED_AT] = (
                np.inf
                if idle
                else place[_NOW] + _draw(laws[1], process_numbers, rates[1], rng)
            )
    return events


@dataclass(frozen=True, slots=True)
class Jump:
    """From `at_s` on the rates are these."""

    at_s: float
    fetch_rate: float
    process_rate: float


@dataclass(frozen=True, slots=True)
class Seen:
    """Long-run measures of a run."""

    elapsed_s: float
    starvation: float  # share of the time
    loss_rate: float  # pages a second
    mean_fetchers: float


class QueueWorld:
    def __init__(
        self,
        *,
        most: int,
        capacity: int,
        fetch_rate: float,
        process_rate: float,
        fetch_law: Law = "exponential",
        process_law: Law = "exponential",
        jumps: tuple[Jump, ...] = (),
        seed: int = 0,
    ) -> None:
        check_count("the number of fetchers", most, "nobody else brings pages")
        check_count("the capacity", capacity, "the page being processed needs a place")
        times = [jump.at_s for jump in jumps]
        if times != sorted(times) or not all(0.0 <= at_s < math.inf for at_s in times):
            raise BadNumber("the times of the jumps", times, "in order, from 0 on")
        if not 0 <= seed < 2**63 or seed != int(seed):
            raise BadNumber("the seed", seed, "a whole number, at least 0")
        changes = [Jump(0.0, fetch_rate, process_rate), *jumps]
        for change in changes:
            check_rate(
                "the fetch rate",
                change.fetch_rate,
                "pages a second that one fetcher brings",
            )
            check_rate(
                "the process rate",
                change.process_rate,
                "pages a second that are processed",
            )
        self._rates = [
            np.array([change.fetch_rate, change.process_rate]) for change in changes
        ]
        self._until_s = [*times, math.inf]  # the end of each
        self._most = most
        self._capacity = capacity
        drawn = [_numbers(law) for law in (fetch_law, process_law)]
        self._laws = np.array([kind for kind, _ in drawn])
        self._numbers = tuple(numbers for _, numbers in drawn)
        self._rng = np.random.default_rng(seed)
        self._place = np.array([0.0, 0.0, 0.0, math.inf, 0.0])
        self._home_at = np.empty(most + 1)
        self._since = np.zeros(8)
        self._begun = False

    @property
    def now_s(self) -> float:
        return float(self._place[_NOW])

    @property
    def queue(self) -> int:
        return int(self._place[_QUEUE])

    @property
    def awake(self) -> int:
        return int(self._place[_AWAKE])

    def run(self, policy: FetcherPolicy, events: int) -> Seen:
        """So many events more, under a policy that learns on the way."""
        if events < 0:
            raise BadNumber("the number of events", events, "at least 0")
        if policy.wakes().shape != (2, self._capacity + 1, self._most + 1):
            wanted = f"for {self._most} fetchers and {self._capacity} places"
            raise BadNumber("the table of the policy", policy.wakes().shape, wanted)
        self._begin(policy)
        total = np.zeros(8)
        while events > 0:
            chunk = (
                events
                if policy.learns_by_kernel and self._memoryless
                else min(policy.patience, events)
            )
            sums = self._run_events(policy, chunk)
            total += sums
            events -= chunk
        elapsed_s = float(total[_ELAPSED])
        # several at one instant, and no time has passed: nothing can be said
        over = elapsed_s or math.nan
        return Seen(
            elapsed_s=elapsed_s,
            starvation=float(1.0 - total[_BUSY] / over),
            loss_rate=float(total[_BLOCKED] / over),
            mean_fetchers=float(total[_FETCHING] / over),
        )

    @property
    def _memoryless(self) -> bool:
        return not self._laws.any()

    def _begin(self, policy: FetcherPolicy) -> None:
        if self._begun:
            return
        self._begun = True
        self._place[_AWAKE] = policy.start
        for fetcher in range(policy.start):
            self._home_at[fetcher] = _draw(
                self._laws[0], self._numbers[0], self._rates[0][0], self._rng
            )

    def _run_events(self, policy: FetcherPolicy, events: int) -> Floats:
        """`events` events at one table, then a lesson for the policy."""
        sums = np.zeros(8)
        left = events
        while left > 0:
            while self._until_s[0] <= self.now_s:
                del self._until_s[0], self._rates[0]
            left -= self._until_change(policy, left, sums)
        if not (policy.learns_by_kernel and self._memoryless):
            policy.learn(_tally(sums, self.queue, self.awake))
        return sums

    def _until_change(self, policy: FetcherPolicy, events: int, sums: Floats) -> int:
        common = (
            self._place,
            sums,
            policy.wakes(),
            self._rates[0],
            self._until_s[0],
            events,
            self._rng,
        )
        if not self._memoryless:
            return _run_clocks(*common, self._home_at, self._laws, *self._numbers)
        if policy.learns_by_kernel:
            learner = cast("AverageReward", policy)
            return _run_learning(*common, self._since, learner.mind)
        return _run_memoryless(*common)


def _numbers(law: Law) -> tuple[int, Floats]:
    """The kind of a law, and what is drawn from, for mean 1."""
    if isinstance(law, Coxian):
        scaled = law.with_mean(1.0)
        return _IN_PHASES, np.array([scaled.rates, scaled.goes_on]).T.ravel()
    if isinstance(law, np.ndarray):
        times = np.asarray(law, dtype=np.float64)
        if times.ndim != 1 or not len(times) or not (times >= 0.0).all():
            raise BadNumber("the sample of times", law, "one number or more, from 0 on")
        check_rate("the mean time", times.mean(), "what takes no time needs no queue")
        return _SAMPLED, times / times.mean()
    if law not in LAWS:
        raise UnknownName("law of times", law, list(LAWS))
    return LAWS[law], np.empty(0)


def _tally(sums: Floats, queue: int, awake: int) -> QueueTally:
    elapsed_s, arrivals, departures, fetching_s, busy_s, blocked = sums[:6].tolist()
    return QueueTally(
        elapsed_s,
        int(arrivals),
        int(departures),
        fetching_s,
        busy_s,
        int(blocked),
        queue,
        awake,
        float(sums[_SQUARES]),
        float(sums[_CUBES]),
    )
