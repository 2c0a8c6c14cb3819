"""greedy: visit what would bring most now, whatever waiting would bring.

Blind to what a visit costs in later gains.

>>> from trapline.theory.ephemeral.source import EphemeralSource, Sources
>>> policy = Greedy(Sources.of([EphemeralSource(250, 1.0, 0.7), EphemeralSource(250, 0.7, 0.35)]))
>>> policy.choose(None, None, now_s=1.0)
0
"""

from __future__ import annotations

from typing import Self

from trapline.policies.refresh.refresh_policy import KnownPages
from trapline.policies.refresh.slots.slot_chooser import (
    Floats,
    SlottedChooser,
    sources_of,
)
from trapline.theory.ephemeral.source import Sources


class Greedy(SlottedChooser):
    def __init__(self, sources: Sources) -> None:
        super().__init__(len(sources), sources.cost)
        self._sources = sources

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        return cls(sources_of(known))

    def prices(self, now: float) -> Floats:
        return self._sources.content(now - self.last) / self._sources.cost
