"""Compile the laboratory's kernels once; `make install` does.

A tiny world is driven through all three paths of the scheduler; a run then finds its kernels
in the cache. Those of the live robot are compiled by `trapline.live.warm_up`.
"""

from __future__ import annotations

import numpy as np

from trapline.core.records import Kind, QueueTally, Ticket
from trapline.laboratory.runs.compiled import hold_all, run_compiled
from trapline.laboratory.runs.drive import drive, new_controller
from trapline.laboratory.runs.measures import Tracker
from trapline.laboratory.runs.polling import poll
from trapline.laboratory.runs.unit_values import fill
from trapline.laboratory.study.contestants import make_contestant
from trapline.laboratory.worlds.knapsack.unit_values import UnitValueWorld
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.polling import PollingWorld
from trapline.laboratory.worlds.queue import QueueWorld
from trapline.laboratory.worlds.truth import Truth, fresh_copy
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.fetchers.average_reward import AverageReward
from trapline.policies.fetchers.fixed import Fixed
from trapline.policies.refresh.argmax import Argmax
from trapline.policies.refresh.automata.htraa import HTraa
from trapline.policies.refresh.automata.lakg import Lakg
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.policies.refresh.known_rate import KnownRate
from trapline.policies.refresh.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController
from trapline.theory.discovery.graph import web_graph
from trapline.theory.discovery.iterated_horn import iterated_horn
from trapline.theory.discovery.polite_bound import polite_bound
from trapline.theory.discovery.polite_reference import polite_reference
from trapline.theory.discovery.random_baseline import random_baseline
from trapline.theory.freshness import freshness_bound, freshness_earned


def _controller(
    truth: Truth, refresh: CardPolicy | Argmax, seeds: list[int]
) -> RequestController:
    return new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=refresh,
        budget=Budget(per_s=8.0),
        seeds=seeds,
    )


def warm_laboratory() -> None:
    web = LinkedWeb.generate(pages=60, hosts=4, shape=Shape(gap_s=1.0, latency_s=0.1))
    rate = web.truth.rate
    known = KnownRate(rate, 1.0 / rate)
    for policy in (Uniform(), NutchAdaptive(10.0, 1.0, 100.0), known, Argmax(known)):
        truth = fresh_copy(web.truth)
        controller = _controller(truth, policy, web.seeds)
        tracker = Tracker(truth, np.array([1.0]))
        drive(controller, truth, room=2, visits=100, watch=tracker.watch)
        other = _controller(truth, policy, web.seeds)
        other.load(controller.save())
        other.take_back_all(controller.now_s)
        other.land(Ticket(-1, Kind.PAGE, -1, 0, 0.0, 0.0), controller.now_s)
    truth = fresh_copy(web.truth)
    controller = _controller(truth, known, [])
    last_s = np.full(60, -1.0)
    hold_all(controller, truth, last_s)
    log = run_compiled(controller, truth, room=2, visits=10)
    freshness_earned(
        rate, np.ones(60), last_s, log.issued_s, log.page, window=(0.0, 1.0)
    )
    freshness_bound(rate, np.ones(60), 1.0)
    _warm_discovery(web)
    _warm_polling()
    _warm_queue()


def _warm_discovery(web: LinkedWeb) -> None:
    graph = web_graph(web.relevance, web.truth.link_start, web.truth.link_to, web.seeds)
    iterated_horn(graph)
    random_baseline(graph, horizon=9, draws=2)
    for curve in (polite_bound, polite_reference):
        curve(graph, web.host, every=2, steps=9)


def _warm_polling() -> None:
    world = PollingWorld.zipf(8)
    for name in ("argmax", "estimator", "htraa", "lakg", "posterior"):
        poll(make_contestant(name, world), world, polls=90, checkpoints=[90])
    materials = UnitValueWorld.family("linear", materials=8, seed=1)
    for automaton in (HTraa.for_pages(8), Lakg.for_pages(8)):
        fill(automaton, materials, accesses=9, seed=1)


def _warm_queue() -> None:
    """The response queue as a world, with and without clocks, and the one fetcher policy that has
    kernels.
    """
    learner = AverageReward(4, 4)
    learner.learn(QueueTally(1.0, 1, 0, 1.0, 0.0, 0, 1, 1))
    learner.learnt_wakes()
    for policy in (Fixed(4, 4), learner):
        QueueWorld(most=4, capacity=4, fetch_rate=1.0, process_rate=1.0).run(policy, 10)
    QueueWorld(
        most=4, capacity=4, fetch_rate=1.0, process_rate=1.0, process_law="pareto"
    ).run(Fixed(4, 4), 10)
