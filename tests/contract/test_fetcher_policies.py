"""What every fetcher policy in the registry promises, whoever wrote it."""

from __future__ import annotations

import math
import pickle
from inspect import Parameter, signature
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.contract.registered import fetcher_makers
from trapline.app.settings_tables import FetchersTable
from trapline.core.errors import BadNumber, UnknownName, UserMistake
from trapline.core.records import QueueTally
from trapline.policies.fetchers.adaptive import Adaptive
from trapline.policies.fetchers.fixed import Fixed
from trapline.policies.registry import (
    FETCHERS,
    fetcher_class,
    make_fetcher_policy,
)
from trapline.robot.fetcher_controller import FetcherController
from trapline.theory.queueing.switching import DEPARTURE

MOST = 12
CAPACITY = 5
TOLD = {"fetch_rate": 0.1, "process_rate": 1.0}
MAKERS = fetcher_makers()


def needed_options(name: str) -> dict[str, float]:
    """What it must be told: the options of its example that have no default."""
    known = signature(fetcher_class(name)).parameters
    said = fetcher_class(name).example_options().items()
    return {
        option: value
        for option, value in said
        if known[option].default is Parameter.empty
    }


OPTIONS = {name: needed_options(name) for name in MAKERS if needed_options(name)}
every_policy = pytest.mark.parametrize("name", MAKERS)
every_size = pytest.mark.parametrize(
    ("most", "capacity"), [(1, 1), (1, 4), (3, 1), (12, 5)]
)


def some_tallies(
    count: int, most: int = MOST, capacity: int = CAPACITY, seed: int = 1
) -> list[QueueTally]:
    """Of any life that a queue may have; every fifth is of a single event, as `average-reward`
    wants them all.
    """
    chance = Random(seed)
    tallies = []
    for number in range(count):
        elapsed_s = chance.expovariate(0.1)
        busy_s = elapsed_s * chance.random()
        awake = chance.randint(0, most)
        arrivals, departures = (
            (1, 0)
            if number % 5 == 0
            else (chance.randint(0, 30), chance.randint(0, 30))
        )
        blocked = chance.randint(0, arrivals)
        queue = chance.randint(0 if awake else 1, capacity)
        tallies.append(
            QueueTally(
                elapsed_s,
                arrivals,
                departures,
                elapsed_s * awake,
                busy_s,
                blocked,
                queue,
                awake,
            )
        )
    return tallies


def check_table(wakes: NDArray[np.bool_], most: int, capacity: int) -> None:
    assert wakes.shape == (2, capacity + 1, most + 1)
    assert wakes.dtype == np.bool_
    assert wakes[DEPARTURE, 1, 0], "nobody would be awake, with nothing to do"
    assert not wakes[DEPARTURE, 1:, most].any(), (
        "one more than there are would be woken"
    )


def test_the_shared_checks_cover_the_whole_registry() -> None:
    assert set(MAKERS) == set(FETCHERS)


@every_policy
def test_a_name_leads_to_its_class(name: str) -> None:
    found = fetcher_class(name)
    assert found.__module__ == FETCHERS[name].partition(":")[0]
    assert type(MAKERS[name](MOST, CAPACITY)) is found


@every_policy
@every_size
def test_the_table_is_whole_and_never_leaves_nobody_with_nothing_to_do(
    name: str, most: int, capacity: int
) -> None:
    policy = MAKERS[name](most, capacity)
    assert 1 <= policy.start <= most
    assert policy.patience >= 1
    check_table(policy.wakes(), most, capacity)
    for tally in some_tallies(150, most, capacity):
        policy.learn(tally)
        check_table(policy.wakes(), most, capacity)


@every_policy
@every_size
def test_never_more_are_awake_than_there_are(
    name: str, most: int, capacity: int
) -> None:
    """Through the controller, in a queue that goes up and down by chance, with slow fetchers and
    with fast ones.
    """
    policy = MAKERS[name](most, capacity)
    controller = FetcherController(policy, capacity)
    chance = Random(7)
    now_s = 0.0
    queue = 0
    before = policy.start
    for number in range(3000):
        now_s += chance.expovariate(1.0)
        arrives = not queue or (
            before > 0 and chance.random() < (0.3 if number % 1000 < 500 else 0.7)
        )
        if arrives:
            awake = controller.target(now_s, queue + 1, before - 1, "arrival")
            queue = min(queue + 1, capacity)
            assert before - 1 <= awake <= before
        else:
            queue -= 1
            awake = controller.target(now_s, queue, before, "departure")
            assert before <= awake <= before + 1
        assert 0 <= awake <= most
        assert awake or queue
        controller.target(now_s, queue, awake, "tick")
        before = awake


@every_policy
@pytest.mark.parametrize(
    "tally",
    [
        QueueTally(0.0, 0, 0, 0.0, 0.0, 0),
        QueueTally(0.0, 0, 0, 0.0, 0.0, 0, queue=CAPACITY, awake=0),
        # twelve days without anything
        QueueTally(1e6, 0, 0, 0.0, 0.0, 0, queue=0, awake=1),
        QueueTally(1e6, 1, 1, 1e6 * MOST, 0.1, 0, queue=0, awake=MOST),
        QueueTally(1e6, 0, 1, 0.0, 1e6, 0, queue=CAPACITY, awake=0),
        QueueTally(
            1e4, 10**12, 10**12, 1e4 * MOST, 1e4, 10**11, queue=CAPACITY, awake=MOST
        ),
        QueueTally(1e-9, 1, 0, 1e-9, 0.0, 0, queue=1, awake=1),
        QueueTally(1e-9, 0, 1, 1e-9, 1e-9, 0, queue=0, awake=1),
        # two events at once: a coarse clock
        QueueTally(0.0, 1, 0, 0.0, 0.0, 1, queue=CAPACITY, awake=0),
    ],
    ids=[
        "nothing",
        "full",
        "idle",
        "dull",
        "stuck",
        "huge",
        "tiny arrival",
        "tiny departure",
        "no time",
    ],
)
def test_any_tally_is_tolerated(name: str, tally: QueueTally) -> None:
    policy = MAKERS[name](MOST, CAPACITY)
    before = some_tallies(40)
    after = some_tallies(40, seed=2)
    for told in [tally, *before, tally, tally, *after]:
        policy.learn(told)
        check_table(policy.wakes(), MOST, CAPACITY)


@pytest.mark.parametrize(
    ("fetching_s", "busy_s"), [(10.0, 0.0), (0.0, 10.0), (0.0, 0.0)]
)
def test_adaptive_tolerates_work_that_took_no_time(
    fetching_s: float, busy_s: float
) -> None:
    policy = Adaptive(MOST, CAPACITY)
    policy.learn(QueueTally(10.0, 32, 32, fetching_s, busy_s, 0, 1, 1))
    check_table(policy.wakes(), MOST, CAPACITY)


@every_policy
def test_the_same_tallies_lead_to_the_same_tables(name: str) -> None:
    one = MAKERS[name](MOST, CAPACITY)
    other = MAKERS[name](MOST, CAPACITY)
    assert one.start == other.start
    for tally in some_tallies(300):
        one.learn(tally)
        other.learn(tally)
        assert one.wakes().tobytes() == other.wakes().tobytes()


@every_policy
def test_memory_is_bounded(name: str) -> None:
    policy = MAKERS[name](MOST, CAPACITY)
    tallies = some_tallies(400)
    sizes = []
    for _ in range(5):
        for tally in tallies:
            policy.learn(tally)
        sizes.append(len(pickle.dumps(policy)))
    assert sizes[-1] <= 1.2 * sizes[1] + 200
    assert sizes[-1] < 200_000


# from the settings to a policy


@every_policy
def test_the_settings_lead_to_a_policy(name: str) -> None:
    table = FetchersTable.model_validate(
        {"policy": name, "most": 6, "queue_room": 4, "options": OPTIONS.get(name, {})}
    )
    policy = make_fetcher_policy(
        table.policy, table.most, table.queue_room, table.options
    )
    assert type(policy) is fetcher_class(name)
    check_table(policy.wakes(), 6, 4)


def test_options_reach_the_policy() -> None:
    weights = (0.2, 5.0)
    few, many = (
        make_fetcher_policy("static", 64, 5, {**TOLD, "weight": weight}).start
        for weight in weights
    )
    assert few < 10 < many


def test_a_whole_number_of_the_settings_is_taken_as_one() -> None:
    table = FetchersTable.model_validate({"policy": "fixed", "options": {"count": 8}})
    assert (
        make_fetcher_policy(
            table.policy, table.most, table.queue_room, table.options
        ).start
        == 8
    )


def test_a_seed_of_the_settings_is_taken() -> None:
    table = FetchersTable.model_validate(
        {"policy": "average-reward", "options": {"seed": 3}}
    )
    assert (
        make_fetcher_policy(
            table.policy, table.most, table.queue_room, table.options
        ).start
        == 32
    )


@pytest.mark.parametrize("seed", [-1.0, math.nan])
def test_a_seed_that_is_none_is_a_bad_number(seed: float) -> None:
    with pytest.raises(BadNumber):
        make_fetcher_policy("average-reward", MOST, CAPACITY, {"seed": seed})


def refusal(
    name: str, options: dict[str, float], most: float = MOST, capacity: float = CAPACITY
) -> UserMistake:
    with pytest.raises(UserMistake) as caught:
        make_fetcher_policy(name, most, capacity, options)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return caught.value


@every_policy
def test_an_option_that_it_does_not_know_is_refused_in_one_line(name: str) -> None:
    mistake = refusal(name, {**OPTIONS.get(name, {}), "wieght": 1.0})
    assert type(mistake) is UserMistake
    assert name in str(mistake) and "wieght" in str(mistake)


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_that_it_needs_is_asked_for_in_one_line(name: str) -> None:
    mistake = refusal(name, {})
    assert type(mistake) is UserMistake
    assert name in str(mistake) and "lacks" in str(mistake)


def test_what_only_programs_hand_in_is_no_option() -> None:
    refusal("adaptive", {"plans": 1.0})


def test_a_name_that_is_not_registered_is_refused_with_those_that_are() -> None:
    mistake = refusal("adaptative", {})
    assert isinstance(mistake, UnknownName)
    assert all(name in str(mistake) for name in FETCHERS)


@every_policy
@pytest.mark.parametrize(
    ("most", "capacity"),
    [
        (0, 5),
        (-1, 5),
        (2.5, 5),
        (math.nan, 5),
        (4, 0),
        (4, -1),
        (4, 1.5),
        (4, math.nan),
    ],
)
def test_sizes_must_be_whole_and_at_least_one(
    name: str, most: float, capacity: float
) -> None:
    assert isinstance(refusal(name, OPTIONS.get(name, {}), most, capacity), BadNumber)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("adaptive", "weight"),
        ("autothrottle", "concurrency"),
        ("average-reward", "weight"),
        ("bandwidth", "target"),
        ("phase-type", "weight"),
        ("static", "fetch_rate"),
        ("static", "process_rate"),
        ("static", "weight"),
        ("switching", "fetch_rate"),
        ("switching", "process_rate"),
        ("switching", "weight"),
    ],
)
def test_rates_and_weights_must_be_positive_numbers(
    name: str, option: str, bad: float
) -> None:
    assert isinstance(refusal(name, {**OPTIONS.get(name, {}), option: bad}), BadNumber)


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan])
@pytest.mark.parametrize("option", ["step", "mean_step", "explore"])
def test_shares_of_average_reward_lie_between_0_and_1(option: str, bad: float) -> None:
    mistake = refusal("average-reward", {option: bad})
    assert isinstance(mistake, BadNumber) and option in str(mistake)


@pytest.mark.parametrize("count", [0.0, -1.0, 8.5, math.nan, MOST + 1.0])
def test_a_count_that_is_none_or_too_large_is_a_bad_number(count: float) -> None:
    assert isinstance(refusal("fixed", {"count": count}), BadNumber)


def test_more_than_there_are_cannot_be_kept_awake() -> None:
    with pytest.raises(BadNumber, match="at most 12"):
        Fixed(MOST, CAPACITY, MOST + 1)
