"""Whatever world and whatever times: looking at a page more often never changes what is seen in the
end.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from trapline.laboratory.worlds.truth import Truth, make_truth, version

times = st.lists(st.floats(0.0, 500.0), min_size=1, max_size=12).map(sorted)


def world(seed: int, rate: float, births: list[float]) -> Truth:
    """Page 0 lists all the others, which are born in order."""
    pages = len(births) + 1
    start = np.full(pages + 1, len(births), np.int64)
    start[0] = 0
    links = (start, np.arange(1, pages, dtype=np.int32))
    return make_truth(
        host=np.zeros(pages, np.int32),
        rate=np.full(pages, rate),
        born_s=np.array([-1.0, *births]),
        links=links,
        seed=seed,
    )


@settings(deadline=None)
@given(seed=st.integers(0, 2**31), rate=st.floats(0.0, 0.5), births=times, asked=times)
def test_one_history_whoever_asks(
    seed: int, rate: float, births: list[float], asked: list[float]
) -> None:
    nosy = world(seed, rate, births)
    seen = [version(nosy, 0, now_s) for now_s in asked]
    assert seen == [version(world(seed, rate, births), 0, now_s) for now_s in asked]
    assert seen == sorted(seen)


@settings(deadline=None)
@given(seed=st.integers(0, 2**31), births=times, asked=times)
def test_a_page_that_is_still_has_as_many_versions_as_births(
    seed: int, births: list[float], asked: list[float]
) -> None:
    truth = world(seed, 0.0, births)
    assert [version(truth, 0, t) for t in asked] == [
        sum(born <= t for born in births) for t in asked
    ]
