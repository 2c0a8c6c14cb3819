"""A federation whose truth is known, drawn from a seed: web, engines, lives, lies, queries.

>>> world = FederationWorld.generate(FederationShape(pages=300, hosts=30, engines=3), seed=1)
>>> moment = world.at(0.0)
>>> world.describe(2, moment).pages == int(moment.held[2].sum())
True
>>> query = world.queries().ask(at_s=0.0)
>>> 0 < len(world.central_ten(query, moment)) <= 10
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.laboratory.worlds.federation.answers import (
    TEN,
    answer_falsely,
    answer_honestly,
)
from trapline.laboratory.worlds.federation.bags_of_words import Subjects, draw_bags
from trapline.laboratory.worlds.federation.descriptions import claim, describe
from trapline.laboratory.worlds.federation.fates import (
    Fate,
    Lie,
    LifeShape,
    draw_fates,
)
from trapline.laboratory.worlds.federation.query_stream import QueryStream, WorldQuery
from trapline.laboratory.worlds.federation.slices import (
    Gathering,
    cut_by_host,
    cut_by_topic,
)
from trapline.laboratory.worlds.federation.topical_pages import draw_topics, prominence
from trapline.laboratory.worlds.federation.word_index import (
    FoundPages,
    WordIndex,
    first_pages,
    word_keys,
)
from trapline.laboratory.worlds.host_layout import Layout
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.oasis.federation import Member
from trapline.oasis.merging.engine_hits import EngineHits
from trapline.oasis.terms import rarity

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Cut = Literal["topic", "host"]
_LIARS_SHARE: Final = 0.02  # of the pages: what a liar really holds
# streams of chance that one seed is split into
_TEXT: Final = 1
_CUT: Final = 2
_LIFE: Final = 3
_ASKED: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class FederationShape:
    pages: int = 4000
    hosts: int = 200
    topics: int = 64
    engines: int = 16
    cut: Cut = "topic"
    life: LifeShape = LifeShape()  # noqa: RUF009  it is frozen
    turn_s: float = 80 * 86_400.0  # in which all topics have been popular once

    def __post_init__(self) -> None:
        if not 1 <= self.engines <= min(self.hosts, self.topics):
            most = "between 1 and the numbers of hosts and topics"
            raise BadNumber("engines", self.engines, most)


@dataclass(frozen=True, slots=True)
class Moment:
    """How things stand at one time."""

    now_s: float
    held: Flags  # a row an engine, a column a page
    answering: tuple[int, ...]  # engines that are alive
    everything: Flags  # pages that an honest engine holds


@dataclass(frozen=True, slots=True)
class FederationWorld:
    shape: FederationShape
    seed: int
    web: LinkedWeb
    about: Subjects
    index: WordIndex
    keys: NDArray[np.uint64]  # of the words
    fates: tuple[Fate, ...]
    gathered: tuple[Integers, ...]  # of each engine its slice, in the order it is met

    @classmethod
    def generate(cls, shape: FederationShape, seed: int) -> Self:
        """The same arguments give the same world; the web does not depend on the engines."""
        web = LinkedWeb.generate(
            shape.pages,
            shape.hosts,
            seed=seed,
            shape=Shape(life_s=shape.life.length_s, layout=Layout(crowding=0.7)),
        )
        text = np.random.default_rng((seed, _TEXT))
        about = draw_topics(web, shape.topics, text)
        index = WordIndex.of(draw_bags(about, text), prominence(web))
        fates = draw_fates(
            shape.engines, shape.life, np.random.default_rng((seed, _LIFE))
        )
        rng = np.random.default_rng((seed, _CUT))
        honest = _put_in_order(
            cut_web(
                web,
                about,
                shape,
                rng,
            ),
            web,
            shape.life,
        )
        false = [
            rng.permutation(shape.pages)[: round(_LIARS_SHARE * shape.pages)]
            for _ in shape.life.liars
        ]
        gathered = (*honest, *false)
        return cls(
            shape,
            seed,
            web,
            about,
            index,
            word_keys(),
            fates,
            gathered,
        )

    def at(self, now_s: float) -> Moment:
        lives = self.web.truth.pages
        alive = (lives["born_s"] <= now_s) & (now_s < lives["dies_s"])
        held = np.zeros((len(self.fates), self.web.pages), np.bool_)
        for row, fate, pages in zip(
            held,
            self.fates,
            self.gathered,
            strict=True,
        ):
            row[pages[: round(fate.share_held(now_s) * len(pages))]] = True
        held &= alive
        answering = [e for e, fate in enumerate(self.fates) if fate.lives(now_s)]
        return Moment(
            now_s,
            held,
            tuple(answering),
            np.asarray(held[: self.shape.engines].any(axis=0)),
        )

    def describe(self, engine: int, moment: Moment) -> Member:
        """An honest engine."""
        pages = np.flatnonzero(moment.held[engine])
        return describe(
            self.fates[engine].name,
            pages,
            self.index,
            self.keys,
        )

    def describe_all(self, moment: Moment, age_s: float = 0.0) -> list[Member]:
        """Those that are alive, in their order, as they were some time ago, or at their birth;
        liars say what they like.
        """
        honest = [e for e in moment.answering if self.fates[e].lie is Lie.NONE]
        false = [e for e in moment.answering if self.fates[e].lie is not Lie.NONE]
        then_s = max(0.0, moment.now_s - age_s)
        then = self.at(then_s) if age_s else moment
        members = [
            self.describe(
                e, then if e in then.answering else self.at(self.fates[e].born_s)
            )
            for e in honest
        ]
        return [*members, *(claim(self.fates[e].name, members) for e in false)]

    def queries(self) -> QueryStream:
        """From the first one on."""
        return QueryStream(
            self.index,
            self.about.topic,
            self.keys,
            turn_s=self.shape.turn_s,
            seed=int(np.random.SeedSequence((self.seed, _ASKED)).generate_state(1)[0]),
        )

    def central_ten(self, query: WorldQuery, moment: Moment) -> Integers:
        """What one index over everything answers, by its own rarities."""
        rarities = self.true_rarities(query, moment.everything)
        found = self.index.find(query.words, rarities)
        return first_pages(found, moment.everything, TEN)

    def true_rarities(self, query: WorldQuery, held: Flags) -> list[float]:
        pages = int(held.sum())
        having = [self.index.pages_with(word) for word in query.words]
        return [rarity(pages, int(held[some].sum())) for some in having]

    def find(self, query: WorldQuery, rarities: Sequence[float]) -> FoundPages:
        """With rarities that a broker told."""
        return self.index.find(query.words, rarities)

    def answer(
        self, engine: int, query: WorldQuery, found: FoundPages, moment: Moment
    ) -> EngineHits:
        """`found` by the rarities that came with the query."""
        fate = self.fates[engine]
        held = moment.held[engine]
        honest = answer_honestly(
            fate.name,
            query,
            found,
            held,
            self.index,
        )
        return answer_falsely(fate.lie, honest, query)


def cut_web(
    web: LinkedWeb, about: Subjects, shape: FederationShape, rng: np.random.Generator
) -> Flags:
    """A row an engine, a column a page."""
    if shape.cut == "host":
        return cut_by_host(web, shape.engines, rng)
    return cut_by_topic(about, shape.engines, rng)


def _put_in_order(slices: Flags, web: LinkedWeb, life: LifeShape) -> list[Integers]:
    pages = [np.flatnonzero(row) for row in slices]
    if life.began_with >= 1.0:
        return pages
    gathering = Gathering(web)
    return [gathering.order(some) for some in pages]
