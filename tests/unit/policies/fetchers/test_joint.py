"""joint: what a visit must be worth, from prices and the queue; in the laboratory as live."""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.cards import blank_cards
from trapline.core.records import Kind, QueueTally, Ticket
from trapline.laboratory.papers.whittle.joint_control import (
    ADAPTIVE,
    JOINT,
    Case,
    Setting,
    run_case,
)
from trapline.policies.fetchers.joint import Joint
from trapline.robot.fetcher_controller import FetcherController
from trapline.theory.price import offer_loss, offer_price

EVEN = QueueTally(1000.0, 970, 950, 9_700.0, 950.0, 0)  # λ = 0.1, μ = 1


def told(fading: float, price: float = 10.0) -> Joint:
    policy = Joint(most=16, capacity=8)
    for _ in range(50):
        policy.note_visit(price, fading * price)
    policy.learn(EVEN)
    return policy


def test_before_anything_is_measured_a_few_fetchers_set_out_for_anything() -> None:
    reserves = Joint(most=16, capacity=8).reserves(0)
    assert (reserves.prices[:8] == -math.inf).all()
    assert (reserves.prices[8:] == math.inf).all()


def test_the_reserve_is_in_prices_and_rises_with_the_queue() -> None:
    cheap = told(0.05, price=1.0)
    dear = told(0.05, price=100.0)
    assert dear.reserves(3).prices[5] == pytest.approx(
        100.0 * cheap.reserves(3).prices[5]
    )
    queues = [cheap.reserves(queue).prices[8] for queue in range(8)]
    assert all(np.diff(queues) > 0.0)
    assert queues[0] < cheap.usual < queues[7]


def test_the_faster_it_fades_the_fewer_usual_visits_are_under_way() -> None:
    awake = []
    for fading in (0.001, 0.05, 0.3):
        policy = told(fading)
        usual = policy.reserves(2).prices <= policy.usual
        awake.append(int(usual.sum()))
    assert awake[0] > awake[1] > awake[2]


def test_what_has_no_price_is_taken_for_usual_and_teaches_none() -> None:
    policy = told(0.05)
    before = policy.usual, policy.fading
    policy.note_visit(math.inf, 0.0)
    assert (policy.usual, policy.fading) == before
    assert policy.reserves(0).usual == policy.usual
    assert Joint(most=4, capacity=4).reserves(0).usual == 1.0


def test_a_robots_txt_is_no_cheap_page() -> None:
    policy = Joint(most=16, capacity=8)
    controller = FetcherController(policy, capacity=8)
    for number in range(90):
        kind, page, price = [(Kind.ROBOTS, -1, 0.0), (Kind.PAGE, 7, 30.0)][
            number % 3 > 0
        ]
        controller.note_visit(Ticket(number, kind, page, 0, 0.0, price), 0.05 * price)
    assert policy.usual == pytest.approx(30.0)
    assert policy.fading == pytest.approx(0.05)


def test_the_controller_asks_for_the_fetchers_that_are_not_at_work_yet() -> None:
    policy = told(0.05)
    controller = FetcherController(policy, capacity=8)
    reserves = controller.reserves(queue_length=3, active=5)
    assert controller.prices_visits
    assert reserves.prices.tolist() == policy.reserves(3).prices[5:].tolist()
    assert controller.target(0.0, 3, 5, "arrival") == 16


@pytest.mark.parametrize("shape", [math.inf, 3.0])
def test_what_waits_loses_what_its_gain_would_grow_by_without_an_end(
    shape: float,
) -> None:
    """For known rates: rate·G, G = worth·(1 − e^(−y)); averaged over a Gamma posterior else."""
    cards = blank_cards(1)
    cards["base"] = 0.0
    cards["last"] = 0.0
    cards["worth"][0, 0], cards["rate"][0, 0], cards["shape"][0, 0] = 5.0, 0.2, shape
    draws = np.full(1, 0.2)
    if shape < math.inf:
        draws = np.random.default_rng(1).gamma(shape, 0.2 / shape, 200_000)
    expected = float(np.mean(5.0 * draws * -np.expm1(-draws * 3.0)))
    assert offer_loss(cards, 0, 3.0) == pytest.approx(expected, rel=0.01)
    cards["cost"] = 4.0
    assert offer_loss(cards, 0, 3.0) == pytest.approx(expected / 4.0, rel=0.01)
    assert offer_price(cards, 0, 3.0) > 0.0


def test_it_earns_more_than_control_that_knows_no_prices() -> None:
    """Where reading is slow beside the fading of what waits; dearer visits are made, and fewer."""
    slow = Setting(read_s=0.5, sources=100, readings=400)
    joint = run_case(Case(slow, JOINT), seed=1)
    separate = run_case(Case(slow, ADAPTIVE), seed=1)
    assert joint.earned > 1.03 * separate.earned
    assert joint.price > separate.price and joint.visits < separate.visits
    assert joint.waiting_s < 0.6 * separate.waiting_s
