"""Compile every kernel once, so that no command has to wait for it: python -m trapline.laboratory.warm

A tiny world is driven through all three paths of the scheduler; what a run needs is then in the cache.
"""

from __future__ import annotations

import numpy as np

from trapline.collection.url_book import HashUrlBook
from trapline.core.links import links_to
from trapline.core.records import Observation, Outcome, QueueTally, Robots, Ticket
from trapline.laboratory.compiled import hold_all, run_compiled
from trapline.laboratory.contestants import contestant
from trapline.laboratory.drive import drive, new_controller
from trapline.laboratory.measures import Tracker
from trapline.laboratory.polling import poll
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.polling import PollingWorld
from trapline.laboratory.worlds.queue import QueueWorld
from trapline.laboratory.worlds.truth import Truth, fresh_copy
from trapline.laboratory.worlds.weaving import Shape
from trapline.policies.argmax import Argmax
from trapline.policies.card_policy import CardPolicy
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.fetchers.average_reward import AverageReward
from trapline.policies.fetchers.fixed import Fixed
from trapline.policies.known_rate import KnownRate
from trapline.policies.nutch_adaptive import NutchAdaptive
from trapline.policies.registry import live_discoverer, live_policy
from trapline.policies.uniform import Uniform
from trapline.robot.agenda import Budget
from trapline.robot.request_controller import RequestController
from trapline.theory.discovery.graph import web_graph
from trapline.theory.discovery.iterated_horn import iterated_horn
from trapline.theory.discovery.polite_bound import polite_bound
from trapline.theory.discovery.polite_reference import polite_reference
from trapline.theory.discovery.random_baseline import random_baseline
from trapline.theory.freshness import freshness_bound, freshness_earned
from trapline.topic.relevance import Topic
from trapline.topic.words import bag_of


def _controller(truth: Truth, refresh: CardPolicy | Argmax, seeds: list[int]) -> RequestController:
    return new_controller(truth, discovery=BreadthFirst(), refresh=refresh, budget=Budget(per_s=8.0), seeds=seeds)


def warm() -> None:
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
        other.land_again(-1, 0, controller.now_s)
    truth = fresh_copy(web.truth)
    controller = _controller(truth, known, [])
    last_s = np.full(60, -1.0)
    hold_all(controller, truth, last_s)
    log = run_compiled(controller, truth, room=2, visits=10)
    freshness_earned(rate, np.ones(60), last_s, log.issued_s, log.page, 0.0, 1.0)
    freshness_bound(rate, np.ones(60), 1.0)
    _warm_discovery(web)
    _warm_polling()
    _warm_queue()
    for refresh in ("auto", "posterior", "htraa", "lakg"):
        warm_live("auto", refresh)
    warm_live("breadth-first", "posterior")


def _warm_discovery(web: LinkedWeb) -> None:
    graph = web_graph(web.relevance, web.truth.link_start, web.truth.link_to, web.seeds)
    iterated_horn(graph)
    random_baseline(graph, horizon=9, draws=2)
    for curve in (polite_bound, polite_reference):
        curve(graph, web.host, every=2, steps=9)


def _warm_polling() -> None:
    world = PollingWorld.zipf(8)
    for name in ("argmax", "estimator", "htraa", "lakg", "posterior"):
        poll(contestant(name, world), world, polls=90, checkpoints=[90])


def _warm_queue() -> None:
    """The response queue as a world, with and without clocks, and the one fetcher policy that has kernels."""
    learner = AverageReward(4, 4)
    learner.learn(QueueTally(1.0, 1, 0, 1.0, 0.0, 0, 1, 1))
    learner.greedy()
    for policy in (Fixed(4, 4), learner):
        QueueWorld(most=4, capacity=4, fetch_rate=1.0, process_rate=1.0).run(policy, 10)
    QueueWorld(most=4, capacity=4, fetch_rate=1.0, process_rate=1.0, process_law="pareto").run(Fixed(4, 4), 10)


def warm_live(discovery: str, refresh: str) -> None:
    """What the live robot calls: a host is located, robots.txt read, pages are visited, fail and are found changed.

    Run before a crawl's clock starts, so that no kernel is compiled, or loaded, while a host waits.
    """
    book = HashUrlBook(0)
    (page, host), (other, _) = book.number("http://127.0.0.1/"), book.number("http://127.0.0.1/b")
    book.number("http://127.0.0.1/")
    controller = RequestController(
        discovery=live_discoverer(discovery),
        refresh=live_policy(refresh),
        budget=Budget(),
        url=book.url,
        gap_s=lambda host, delay_s: 1.0,
    )
    controller.admit(links_to([page, other], [host, host]), 0.0)
    controller.locate(host, "127.0.0.1", 0.0)
    rules = Observation(_asked(controller, 1.0), Outcome.OK, robots=Robots("User-agent: *\nDisallow: /x", 1e9))
    controller.settle(rules, 1.0)
    controller.settle(Observation(_asked(controller, 3.0), Outcome.FAILED, retry_after_s=1.0), 3.0)
    controller.settle(Observation(_asked(controller, 9.0), Outcome.OK, True, 1.0), 9.0)
    controller.load(controller.save())
    for now_s in (99.0, 199.0, 299.0):  # both pages are held by then, and one is visited again
        controller.settle(Observation(_asked(controller, now_s), Outcome.OK, True, 1.0), now_s)
    controller.issue(399.0, 1)
    controller.take_back_all(399.0)
    controller.next_time()
    _warm_topic()


def _warm_topic() -> None:
    """Reading a document and its links, with a topic of words and examples."""
    topic = Topic.from_text("warm")
    topic.exemplify("example", bag_of("Warm", "a warm example"))
    topic.learn(bag := bag_of("Cold", "and cold"), topic.judge(bag))
    topic.links([("http://127.0.0.1/", "warm", "and cold", 1)], [(0, 0)])


def _asked(controller: RequestController, now_s: float) -> Ticket:
    [ticket] = controller.issue(now_s, 1)
    controller.land(ticket, now_s)
    return ticket


if __name__ == "__main__":
    warm()
