"""Pure mathematics: prices, bounds, posteriors, queues.

Nothing here knows a robot, a clock or a file.

The shop window: `from trapline.theory import FetcherQueue`. A name is loaded when it is asked for,
so that a command that needs one of them does not import them all.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from trapline.theory.age import age_total as age_total
    from trapline.theory.age import best_age_rates as best_age_rates
    from trapline.theory.age import page_age as page_age
    from trapline.theory.bandits.joint_optimum import JointArms as JointArms
    from trapline.theory.bandits.markov_decisions import Decisions as Decisions
    from trapline.theory.bandits.restless_arm import RestlessArm as RestlessArm
    from trapline.theory.bandits.restless_arm import aging_arm as aging_arm
    from trapline.theory.bandits.restless_arm import whittle_index as whittle_index
    from trapline.theory.change_rate.gamma import GammaRate as GammaRate
    from trapline.theory.change_rate.grid import GridRate as GridRate
    from trapline.theory.discovery.dominator_bound import (
        dominator_bound as dominator_bound,
    )
    from trapline.theory.discovery.dominator_bound import (
        dominator_horn as dominator_horn,
    )
    from trapline.theory.discovery.dominators import dominator_tree as dominator_tree
    from trapline.theory.discovery.graph import Graph as Graph
    from trapline.theory.discovery.graph import reachable as reachable
    from trapline.theory.discovery.graph import total_relevance as total_relevance
    from trapline.theory.discovery.graph import web_graph as web_graph
    from trapline.theory.discovery.horn import HornOrder as HornOrder
    from trapline.theory.discovery.horn import horn_order as horn_order
    from trapline.theory.discovery.iterated_horn import iterated_horn as iterated_horn
    from trapline.theory.discovery.performance import Performance as Performance
    from trapline.theory.discovery.performance import performance as performance
    from trapline.theory.discovery.polite_bound import polite_bound as polite_bound
    from trapline.theory.discovery.polite_reference import (
        polite_reference as polite_reference,
    )
    from trapline.theory.discovery.polite_reference import polite_walk as polite_walk
    from trapline.theory.discovery.random_baseline import (
        RandomBaseline as RandomBaseline,
    )
    from trapline.theory.discovery.random_baseline import (
        random_baseline as random_baseline,
    )
    from trapline.theory.discovery.sorted_bound import sorted_bound as sorted_bound
    from trapline.theory.ephemeral.bound import relaxed_bound as relaxed_bound
    from trapline.theory.ephemeral.cycle import long_run_reward as long_run_reward
    from trapline.theory.ephemeral.observed import ObservedIndex as ObservedIndex
    from trapline.theory.ephemeral.observed import observed_bound as observed_bound
    from trapline.theory.ephemeral.source import EphemeralSource as EphemeralSource
    from trapline.theory.ephemeral.source import Sources as Sources
    from trapline.theory.estimators import bias_reduced_rate as bias_reduced_rate
    from trapline.theory.estimators import likeliest_rate as likeliest_rate
    from trapline.theory.freshness import freshness_bound as freshness_bound
    from trapline.theory.knapsack.equality_knapsack import best_mix as best_mix
    from trapline.theory.knapsack.traa_chain import TraaChain as TraaChain
    from trapline.theory.polling.allocation import best_rates as best_rates
    from trapline.theory.polling.allocation import detections as detections
    from trapline.theory.polling.allocation import (
        proportional_rates as proportional_rates,
    )
    from trapline.theory.polling.realised import (
        detections_of_schedule as detections_of_schedule,
    )
    from trapline.theory.polling.whole_steps import slotted_bound as slotted_bound
    from trapline.theory.polling.whole_steps import slotted_price as slotted_price
    from trapline.theory.price import due_after as due_after
    from trapline.theory.price import visit_price as visit_price
    from trapline.theory.queueing.areas.joint import JointAreas as JointAreas
    from trapline.theory.queueing.areas.rents import best_rent as best_rent
    from trapline.theory.queueing.areas.shares import best_shares as best_shares
    from trapline.theory.queueing.coxian import Coxian as Coxian
    from trapline.theory.queueing.coxian_fits import Moments as Moments
    from trapline.theory.queueing.coxian_fits import fit_moments as fit_moments
    from trapline.theory.queueing.fetcher_classes import ClassQueue as ClassQueue
    from trapline.theory.queueing.fetcher_queue import FetcherQueue as FetcherQueue
    from trapline.theory.queueing.general_queue import GeneralQueue as GeneralQueue
    from trapline.theory.queueing.indexing_times import IndexingTimes as IndexingTimes
    from trapline.theory.queueing.phase_queue import PhaseQueue as PhaseQueue
    from trapline.theory.queueing.renewal_queue import RenewalQueue as RenewalQueue

_WHERE: Final = {
    "ClassQueue": "queueing.fetcher_classes",
    "Coxian": "queueing.coxian",
    "Decisions": "bandits.markov_decisions",
    "EphemeralSource": "ephemeral.source",
    "FetcherQueue": "queueing.fetcher_queue",
    "GammaRate": "change_rate.gamma",
    "GeneralQueue": "queueing.general_queue",
    "Graph": "discovery.graph",
    "GridRate": "change_rate.grid",
    "HornOrder": "discovery.horn",
    "IndexingTimes": "queueing.indexing_times",
    "JointAreas": "queueing.areas.joint",
    "JointArms": "bandits.joint_optimum",
    "Moments": "queueing.coxian_fits",
    "ObservedIndex": "ephemeral.observed",
    "Performance": "discovery.performance",
    "PhaseQueue": "queueing.phase_queue",
    "RandomBaseline": "discovery.random_baseline",
    "RenewalQueue": "queueing.renewal_queue",
    "RestlessArm": "bandits.restless_arm",
    "Sources": "ephemeral.source",
    "TraaChain": "knapsack.traa_chain",
    "age_total": "age",
    "aging_arm": "bandits.restless_arm",
    "best_age_rates": "age",
    "best_mix": "knapsack.equality_knapsack",
    "best_rates": "polling.allocation",
    "best_rent": "queueing.areas.rents",
    "best_shares": "queueing.areas.shares",
    "bias_reduced_rate": "estimators",
    "detections": "polling.allocation",
    "detections_of_schedule": "polling.realised",
    "dominator_bound": "discovery.dominator_bound",
    "dominator_horn": "discovery.dominator_bound",
    "dominator_tree": "discovery.dominators",
    "due_after": "price",
    "fit_moments": "queueing.coxian_fits",
    "freshness_bound": "freshness",
    "horn_order": "discovery.horn",
    "iterated_horn": "discovery.iterated_horn",
    "likeliest_rate": "estimators",
    "long_run_reward": "ephemeral.cycle",
    "observed_bound": "ephemeral.observed",
    "page_age": "age",
    "performance": "discovery.performance",
    "polite_bound": "discovery.polite_bound",
    "polite_reference": "discovery.polite_reference",
    "polite_walk": "discovery.polite_reference",
    "proportional_rates": "polling.allocation",
    "random_baseline": "discovery.random_baseline",
    "reachable": "discovery.graph",
    "relaxed_bound": "ephemeral.bound",
    "slotted_bound": "polling.whole_steps",
    "slotted_price": "polling.whole_steps",
    "sorted_bound": "discovery.sorted_bound",
    "total_relevance": "discovery.graph",
    "visit_price": "price",
    "web_graph": "discovery.graph",
    "whittle_index": "bandits.restless_arm",
}


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"trapline.theory has no {name}")
    return getattr(import_module(f"trapline.theory.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted(_WHERE)
