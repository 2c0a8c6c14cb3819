"""Pure mathematics: prices, bounds, posteriors, queues. Nothing here knows a robot, a clock or a file.

The shop window: `from trapline.theory import FetcherQueue`. A name is loaded when it is asked for, so that a command
that needs one of them does not import them all.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from trapline.theory.age import age_total as age_total
    from trapline.theory.age import best_age_rates as best_age_rates
    from trapline.theory.age import page_age as page_age
    from trapline.theory.change_rate.gamma import GammaRate as GammaRate
    from trapline.theory.change_rate.grid import GridRate as GridRate
    from trapline.theory.ephemeral.bound import relaxed_bound as relaxed_bound
    from trapline.theory.ephemeral.cycle import long_run_reward as long_run_reward
    from trapline.theory.ephemeral.observed import ObservedIndex as ObservedIndex
    from trapline.theory.ephemeral.observed import observed_bound as observed_bound
    from trapline.theory.ephemeral.source import EphemeralSource as EphemeralSource
    from trapline.theory.ephemeral.source import Sources as Sources
    from trapline.theory.estimators import bias_reduced_rate as bias_reduced_rate
    from trapline.theory.estimators import likeliest_rate as likeliest_rate
    from trapline.theory.freshness import freshness_bound as freshness_bound
    from trapline.theory.polling.allocation import best_rates as best_rates
    from trapline.theory.polling.allocation import detections as detections
    from trapline.theory.polling.allocation import proportional_rates as proportional_rates
    from trapline.theory.polling.realised import realised as realised
    from trapline.theory.polling.slotted import slotted_bound as slotted_bound
    from trapline.theory.polling.slotted import slotted_price as slotted_price
    from trapline.theory.price import due_after as due_after
    from trapline.theory.price import visit_price as visit_price
    from trapline.theory.queueing.fetcher_queue import FetcherQueue as FetcherQueue
    from trapline.theory.queueing.general_queue import GeneralQueue as GeneralQueue
    from trapline.theory.queueing.indexing_times import IndexingTimes as IndexingTimes
    from trapline.theory.queueing.two_speeds import TwoSpeedQueue as TwoSpeedQueue

_WHERE: Final = {
    "EphemeralSource": "ephemeral.source",
    "FetcherQueue": "queueing.fetcher_queue",
    "GammaRate": "change_rate.gamma",
    "GeneralQueue": "queueing.general_queue",
    "GridRate": "change_rate.grid",
    "IndexingTimes": "queueing.indexing_times",
    "ObservedIndex": "ephemeral.observed",
    "Sources": "ephemeral.source",
    "TwoSpeedQueue": "queueing.two_speeds",
    "age_total": "age",
    "best_age_rates": "age",
    "best_rates": "polling.allocation",
    "bias_reduced_rate": "estimators",
    "detections": "polling.allocation",
    "due_after": "price",
    "freshness_bound": "freshness",
    "likeliest_rate": "estimators",
    "long_run_reward": "ephemeral.cycle",
    "observed_bound": "ephemeral.observed",
    "page_age": "age",
    "proportional_rates": "polling.allocation",
    "realised": "polling.realised",
    "relaxed_bound": "ephemeral.bound",
    "slotted_bound": "polling.slotted",
    "slotted_price": "polling.slotted",
    "visit_price": "price",
}


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"trapline.theory has no {name}")
    return getattr(import_module(f"trapline.theory.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted(_WHERE)
