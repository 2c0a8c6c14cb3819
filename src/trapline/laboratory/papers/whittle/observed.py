"""whittle/observed: sources of few arrivals whose contents are seen: by which price are they best
visited?

Items come one by one (eq. 17) and fade; one source is visited in each slot, and all contents are
seen. `content` is the price that the live robot uses of what feeds and sitemaps announce
(theory/ephemeral/content_price.py), `formula` is Theorem 1, of which the paper says that it is the
same, `age` looks at no contents, `greedy` visits what holds most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.study.estimate import estimate_row
from trapline.laboratory.study.report import Progress, Report, Row
from trapline.laboratory.study.sweep import extent_for, sweep
from trapline.theory.ephemeral.content_price import content_price
from trapline.theory.price import visit_price

Floats = NDArray[np.float64]

ID: Final = "whittle/observed"
TITLE: Final = "Contents that are seen: what visits by their price bring, at low rates"
POINTS: Final = 120  # of the tables of prices
WORTHS: Final = (0.3, 3.0)
CONTENT: Final = "content"


@dataclass(frozen=True, slots=True)
class Setting:
    """Sources whose rates are drawn evenly on a logarithmic scale."""

    sources: int
    arrivals: tuple[float, float]  # a slot
    decay: tuple[float, float]
    slots: int = 6_000

    @property
    def name(self) -> str:
        few, many = self.arrivals
        return f"{self.sources} sources, {few:g} to {many:g} items a slot"


SETTINGS: Final = (
    Setting(12, (0.03, 1.0), (0.03, 0.5)),
    Setting(40, (0.03, 3.0), (0.1, 1.0)),
    Setting(40, (0.01, 0.3), (0.1, 1.0)),
)
QUICK: Final = Setting(12, (0.03, 1.0), (0.03, 0.5), slots=400)


class SeenSources(NamedTuple):
    rate: Floats
    decay: Floats
    worth: Floats  # of an item

    @classmethod
    def draw(
        cls,
        setting: Setting,
        seed: int,
    ) -> SeenSources:
        chance = np.random.default_rng(seed)
        return cls(
            rate=_draw(chance, setting, setting.arrivals),
            decay=_draw(chance, setting, setting.decay),
            worth=_draw(chance, setting, WORTHS),
        )


def _draw(
    chance: np.random.Generator,
    setting: Setting,
    ends: tuple[float, float],
) -> Floats:
    low, high = np.log(ends)
    logs = chance.uniform(low, high, setting.sources)
    return np.asarray(np.exp(logs), np.float64)


# of all sources, by their contents in items and by their ages in slots
Price = Callable[[Floats, Floats], Floats]


def by_content(sources: SeenSources) -> Price:
    """From a table of each source: a run asks for its prices in every slot."""
    arrivals = sources.rate / sources.decay
    step = max(6.0, 3.0 * float(arrivals.max())) / (POINTS - 1)
    grid = np.linspace(0.0, step * (POINTS - 1), POINTS)
    table = _price_table(grid, arrivals)
    rows = np.arange(len(arrivals))

    def price(
        content: Floats,
        _: Floats,
    ) -> Floats:
        place = np.minimum(content / step, POINTS - 1.001)
        before = place.astype(np.int64)
        share = place - before
        low = table[rows, before]
        high = table[rows, before + 1]
        found = low + share * (high - low)
        return np.asarray(sources.worth * found, np.float64)

    return price


def _price_table(
    grid: Floats,
    arrivals: Floats,
) -> Floats:
    """[source, point]"""
    rows = []
    for rate in arrivals.tolist():
        row = [content_price(content, rate) for content in grid.tolist()]
        rows.append(row)
    return np.array(rows)


def by_formula(sources: SeenSources) -> Price:
    """Theorem 1 on the continuous clock; from the mean content on, the content itself."""
    arrivals = sources.rate / sources.decay

    def price(
        content: Floats,
        _: Floats,
    ) -> Floats:
        share = np.minimum(content / arrivals, 1.0 - 1e-12)
        left = 1.0 - share
        inside = arrivals * (share + left * np.log(left))
        found = np.where(content >= arrivals, content, inside)
        return np.asarray(sources.worth * found, np.float64)

    return price


def by_age(sources: SeenSources) -> Price:
    ceiling = sources.worth * sources.rate / sources.decay

    def price(
        _: Floats,
        age: Floats,
    ) -> Floats:
        found = visit_price(age, sources.decay, ceiling)
        return np.asarray(found, np.float64)

    return price


def greedy(sources: SeenSources) -> Price:
    def price(
        content: Floats,
        _: Floats,
    ) -> Floats:
        found = sources.worth * content
        return np.asarray(found, np.float64)

    return price


PRICES: Final[dict[str, Callable[[SeenSources], Price]]] = {
    CONTENT: by_content,
    "formula": by_formula,
    "age": by_age,
    "greedy": greedy,
}


@dataclass(frozen=True, slots=True)
class Case:
    setting: Setting
    price: str

    @property
    def name(self) -> str:
        return f"{self.price}, {self.setting.name}"


def run(
    progress: Progress,
    out: Path | None,
    quick: bool,
    seeds: int | None,
) -> Report:
    settings = (QUICK,) if quick else SETTINGS
    cases = [Case(setting, price) for setting in settings for price in PRICES]
    found = sweep(run_case, cases, extent_for(quick, seeds), progress)
    rows = [_row(case, found) for case in cases if case.price != CONTENT]
    return Report(
        ID, TITLE, ("id", "paper", "ours", "low", "high", "seeds"), rows, _remarks(rows)
    )


def _row(
    case: Case,
    found: dict[Case, list[float]],
) -> Row:
    best = found[Case(case.setting, CONTENT)]
    shares = np.array(found[case]) / np.array(best)
    name = f"{case.setting.name}: {case.price}/{CONTENT}"
    return estimate_row(name, shares.tolist())


def _remarks(rows: list[Row]) -> list[str]:
    age = _span(rows, "age")
    formula = _span(rows, "formula")
    held = _span(rows, "greedy")
    return [
        f"by age {age} of what is earned by content, by the paper's formula {formula}, "
        f"greedily {held}"
    ]


def _span(rows: list[Row], price: str) -> str:
    shares = []
    for row in rows:
        if f": {price}/" in str(row["id"]):
            shares.append(float(row["ours"] or 0.0))
    return f"{min(shares):.1%} to {max(shares):.1%}"


def run_case(
    case: Case,
    seed: int,
) -> float:
    """Earned a slot."""
    sources = SeenSources.draw(case.setting, seed)
    price = PRICES[case.price](sources)
    chance = np.random.default_rng([seed, 1])
    count = len(sources.rate)
    content = np.zeros(count)
    age = np.zeros(count)
    earned = 0.0
    for _ in range(case.setting.slots):
        content *= np.exp(-sources.decay)
        content += _new_items(sources, chance)
        age += 1.0
        chosen = int(np.argmax(price(content, age)))
        earned += float(sources.worth[chosen] * content[chosen])
        content[chosen] = age[chosen] = 0.0
    return earned / case.setting.slots


def _new_items(
    sources: SeenSources,
    chance: np.random.Generator,
) -> Floats:
    """What came in one slot, as far as interest in it is left at its end."""
    come = chance.poisson(sources.rate)
    whose = np.repeat(np.arange(len(come)), come)
    left = np.exp(-sources.decay[whose] * chance.random(len(whose)))
    return np.asarray(np.bincount(whose, left, len(come)), np.float64)
