"""Every registered policy, ready for the shared checks: as its example, and as it runs live.

A policy that is entered in the registry is checked without another line.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.fetchers.fetcher_policy import FetcherPolicy
from trapline.policies.refresh.refresh_policy import KnownPages, RefreshPolicy
from trapline.policies.registry import (
    discovery_class,
    fetcher_class,
    policy_names,
    refresh_class,
)

LIVE = ", live"  # behind a name: made as the settings' defaults make it


def name_only(key: str) -> str:
    """The registered name of a maker."""
    return key.removesuffix(LIVE)


def refresh_makers(pages: int) -> dict[str, Callable[[], RefreshPolicy]]:
    makers: dict[str, Callable[[], RefreshPolicy]] = {}
    for name in policy_names("refresh"):
        found = refresh_class(name)
        known = KnownPages.of(found.only_pages or pages, seed=7)
        makers[name] = partial(found.example, known)
        if not found.laboratory_only:
            makers[name + LIVE] = found
    return makers


def as_run(
    makers: dict[str, Callable[[], RefreshPolicy]],
) -> dict[str, Callable[[], RefreshPolicy]]:
    """Each policy once: as it runs live where it does, else its example."""
    return {
        name: makers.get(name + LIVE, make)
        for name, make in makers.items()
        if not name.endswith(LIVE)
    }


def discovery_makers(pages: int) -> dict[str, Callable[[], DiscoveryPolicy]]:
    relevance = np.linspace(0.1, 1.0, pages)
    return {
        name: partial(discovery_class(name).example, relevance)
        for name in policy_names("discovery")
    }


def fetcher_makers() -> dict[str, Callable[[int, int], FetcherPolicy]]:
    return {name: fetcher_class(name).example for name in policy_names("fetchers")}
