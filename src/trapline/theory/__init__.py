"""Pure mathematics: prices, bounds, posteriors, queues. Nothing here knows a robot, a clock or a file.

The shop window: `from trapline.theory import FetcherQueue`. A name is loaded when it is asked for, so that a command
that needs one of them does not import them all.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from trapline.theory.ephemeral.bound import relaxed_bound as relaxed_bound
    from trapline.theory.ephemeral.cycle import long_run_reward as long_run_reward
    from trapline.theory.ephemeral.observed import ObservedIndex as ObservedIndex
    from trapline.theory.ephemeral.observed import observed_bound as observed_bound
    from trapline.theory.ephemeral.source import EphemeralSource as EphemeralSource
    from trapline.theory.ephemeral.source import Sources as Sources
    from trapline.theory.freshness import freshness_bound as freshness_bound
    from trapline.theory.price import due_after as due_after
    from trapline.theory.price import visit_price as visit_price
    from trapline.theory.queueing.fetcher_queue import FetcherQueue as FetcherQueue
    from trapline.theory.queueing.general_queue import GeneralQueue as GeneralQueue
    from trapline.theory.queueing.indexing_times import IndexingTimes as IndexingTimes
    from trapline.theory.queueing.two_speeds import TwoSpeedQueue as TwoSpeedQueue

_WHERE: Final = {
    "EphemeralSource": "ephemeral.source",
    "FetcherQueue": "queueing.fetcher_queue",
    "GeneralQueue": "queueing.general_queue",
    "IndexingTimes": "queueing.indexing_times",
    "ObservedIndex": "ephemeral.observed",
    "Sources": "ephemeral.source",
    "TwoSpeedQueue": "queueing.two_speeds",
    "due_after": "price",
    "freshness_bound": "freshness",
    "long_run_reward": "ephemeral.cycle",
    "observed_bound": "ephemeral.observed",
    "relaxed_bound": "ephemeral.bound",
    "visit_price": "price",
}


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"trapline.theory has no {name}")
    return getattr(import_module(f"trapline.theory.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted(_WHERE)
