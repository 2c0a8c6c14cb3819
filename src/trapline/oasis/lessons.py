"""What queries teach: how much the features count, and how far an engine keeps what it promises.

A query that asked everybody is a lesson: it is known which engines held the ten best. An ordinary
query tells it of the engines asked, so it is learnt by their shares among themselves. A result that
somebody opened tells it too, and counts less.

Two things are learnt. The weights of the features, by steps of gradient (the loss is the cross
entropy of forecast and truth); they stay near the shipped ones. And an engine's record: what it was
forecast to bring by its description, and what it brought. An engine that claims words or pages it
has not is asked, brings nothing, and is asked less and less: its trust is (prior + brought) /
(prior + forecast). With little trust its description is not believed at all, lest its words spoil
the shared table.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.oasis.selection.learnt import shipped_weights, softmax

Floats = NDArray[np.float64]
_PRIOR: Final = (
    1.0  # lists of ten that an engine nobody has asked is believed to have brought
)
_MOST_TRUST: Final = 2.0  # nobody is raised by more
_LEAST_TRUST: Final = 1e-4
_DOUBTED: Final = 0.4  # trust below which a description is not believed
_BELIEVED: Final = 0.6  # and above which it is believed again
_FEWEST_LISTS: Final = 2.0  # of ten that it was forecast to bring: less proves nothing
_KEPT: Final = (
    0.999  # of a record, by each query that adds to it: what was long ago fades
)
# larger ones did harm: weights learnt from thousands of queries forget more than they gain
_STEP: Final = 0.0005
_PULL: Final = 1e-3  # towards the shipped weights, by each lesson
_OPENED: Final = 0.3  # what an opened result counts, beside a whole list


@dataclass(frozen=True, slots=True)
class LessonsState:
    """To be kept and restored."""

    weights: Floats
    engines: tuple[str, ...]
    records: Floats  # a row an engine: forecast, brought


class Lessons:
    def __init__(self, weights: Floats | None = None) -> None:
        self._shipped = shipped_weights() if weights is None else weights.copy()
        self.weights = self._shipped.copy()
        self._records: dict[str, tuple[float, float]] = {}

    def trust(self, engines: Sequence[str]) -> Floats:
        """1 = brings what its description makes one expect."""
        none = (0.0, 0.0)
        pairs = np.array([self._records.get(engine, none) for engine in engines])
        forecast, brought = pairs.reshape(-1, 2).T
        trust = (_PRIOR + brought) / (_PRIOR + forecast)
        bounded: Floats = np.clip(trust, _LEAST_TRUST, _MOST_TRUST)
        return bounded

    def find_doubted(self, before: Set[str] = frozenset()) -> frozenset[str]:
        """Engines that bring so little that what they say of themselves is not believed; those
        that were doubted before must bring more than others to be believed again.
        """
        engines = tuple(self._records)
        trust = dict(zip(engines, self.trust(engines).tolist(), strict=True))
        proven = [e for e in engines if self._records[e][0] >= _FEWEST_LISTS]
        newly = {engine for engine in proven if trust[engine] < _DOUBTED}
        still = {e for e in before if trust.get(e, 1.0) < _BELIEVED}
        return frozenset(newly | still)

    def say_record(self, engine: str) -> str:
        """What was expected of an engine, and what it brought."""
        forecast, brought = self._records.get(engine, (0.0, 0.0))
        return f"brought {10.0 * brought:.0f} of {10.0 * forecast:.0f} results expected"

    def expect(self, features: Floats, engines: Sequence[str]) -> Floats:
        """The share of the ten best that each engine holds; sums to 1."""
        return softmax(features @ self.weights + np.log(self.trust(engines)))

    def learn(
        self,
        features: Floats,
        engines: Sequence[str],
        brought: Floats,
        asked: Sequence[int] | None = None,
    ) -> None:
        """From what engines brought of the ten best, as numbers of pages or shares.

        `asked` None = everybody was. Where nobody brought anything, those asked had promised more
        than they kept; of the features it says nothing.
        """
        places = np.arange(len(engines)) if asked is None else np.array(asked, np.intp)
        self._learn(features, engines, brought, places, 1.0)

    def learn_opened(
        self,
        features: Floats,
        engines: Sequence[str],
        opened: int,
        asked: Sequence[int],
    ) -> None:
        """From a result that somebody opened: the engine at the place `opened` brought it."""
        brought = np.zeros(len(engines))
        brought[opened] = 1.0
        self._learn(features, engines, brought, np.array(asked, np.intp), _OPENED)

    def state(self) -> LessonsState:
        engines = tuple(self._records)
        records = np.array([self._records[engine] for engine in engines])
        return LessonsState(self.weights.copy(), engines, records.reshape(-1, 2))

    @classmethod
    def restore(cls, state: LessonsState) -> Lessons:
        """What does not fit this Trapline's features, or is no number, is forgotten."""
        lessons = cls()
        fits = state.weights.shape == lessons.weights.shape
        if fits and np.isfinite(state.weights).all():
            lessons.weights = state.weights.copy()
        for engine, (forecast, brought) in zip(
            state.engines, state.records.tolist(), strict=True
        ):
            if np.isfinite(forecast + brought):
                lessons._records[engine] = max(0.0, forecast), max(0.0, brought)
        return lessons

    def _learn(
        self,
        features: Floats,
        engines: Sequence[str],
        brought: Floats,
        places: NDArray[np.intp],
        weight: float,
    ) -> None:
        told = brought[places].astype(np.float64)
        if not len(told) or not (np.isfinite(told) & (told >= 0.0)).all():
            return
        some = features[places]
        names = [engines[place] for place in places]
        plain = softmax(some @ self.weights)
        if told.any():
            told = told / told.sum()
            believed = softmax(some @ self.weights + np.log(self.trust(names)))
            self._step(some, told - believed, weight)
        for name, forecast, share in zip(names, plain, told, strict=True):
            self._note(name, weight * forecast, weight * share)

    def _step(self, features: Floats, error: Floats, weight: float) -> None:
        self.weights += _STEP * weight * (error @ features)
        self.weights += _PULL * weight * (self._shipped - self.weights)

    def _note(self, engine: str, forecast: float, brought: float) -> None:
        before = self._records.get(engine, (0.0, 0.0))
        self._records[engine] = (
            _KEPT * before[0] + forecast,
            _KEPT * before[1] + brought,
        )
