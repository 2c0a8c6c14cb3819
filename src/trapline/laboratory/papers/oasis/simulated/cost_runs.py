"""What a query costs in a federation of some size, cut by topic or by host: one world, one seed.

The web grows with its engines: so many pages and topics for each. Queries go to a broker that has
learnt for a while; the same ones to everybody, and to one index over everything.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.runs.federated_search import (
    BrokerHabits,
    PretendBroker,
    Searched,
)
from trapline.laboratory.worlds.federation.answers import TEN
from trapline.laboratory.worlds.federation.fates import LifeShape
from trapline.laboratory.worlds.federation.federation_world import (
    Cut,
    FederationShape,
    FederationWorld,
    Moment,
)
from trapline.laboratory.worlds.federation.query_stream import WorldQuery
from trapline.laboratory.worlds.federation.word_index import first_pages
from trapline.oasis.deltas import pack_delta
from trapline.oasis.federation import Federation, Member
from trapline.oasis.packing import pack_sample, pack_terms
from trapline.search.ranking.second_look import DEPTH

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
PAGES: Final = 250  # of the web for each engine
TOPICS: Final = 4
HOSTS: Final = 16
HOUR_S: Final = 3600.0
DAY_S: Final = 24 * HOUR_S
# bytes of a request and an answer of `trapline serve`, headers with it, as curl counts them
REQUEST: Final = 260
ANSWER: Final = 500
HIT: Final = 700
_USERS: Final = REQUEST + ANSWER + 10 * HIT  # the user's own request


@dataclass(frozen=True, slots=True)
class CostCase:
    engines: int
    cut: Cut
    learnt_from: int = 100  # queries
    queries: int = 200  # that are measured after them

    @property
    def name(self) -> str:
        return f"{self.engines} engines by {self.cut}"

    @property
    def asked(self) -> tuple[int, ...]:
        """How many engines are asked, for the curve of quality against them."""
        steps = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192)
        return (*(step for step in steps if step < self.engines), self.engines)

    def world(self, seed: int) -> FederationWorld:
        # a twentieth of the pages is new each day, and half as many go
        life = LifeShape(length_s=2 * DAY_S)
        shape = FederationShape(
            pages=PAGES * self.engines,
            hosts=HOSTS * self.engines,
            topics=max(TOPICS * self.engines, 16),
            engines=self.engines,
            cut=self.cut,
            life=life,
            turn_s=np.inf,
        )
        return FederationWorld.generate(shape, seed)


@dataclass(frozen=True, slots=True)
class Price:
    """Of one query, on average."""

    share: float  # of the central ten that came back
    messages: float  # requests, the user's own among them
    bytes: float  # of requests and answers
    work: float  # postings that were read, and read again for the second look


@dataclass(frozen=True, slots=True)
class CostResult:
    central: Price
    all: Price  # everybody is asked
    chosen: Price  # as many as the forecast needs; lessons are counted
    lessons: float  # of the messages of `chosen`
    read_by_broker: float  # of the work of `chosen`: entries of descriptions
    described: float  # bytes of all descriptions
    changed: float  # bytes of what differs an hour later, samples as a whole
    curve: Floats  # share of the central ten by engines asked


def run_cost(case: CostCase, seed: int) -> CostResult:
    world = case.world(seed)
    moment = world.at(0.0)
    members = world.describe_all(moment)
    bill = Bill(
        case,
        world,
        moment,
        Federation.of(members),
    )
    habits = BrokerHabits(refresh_s=np.inf)
    broker = PretendBroker(
        world,
        habits,
        np.random.default_rng(seed),
    )
    stream = world.queries()
    for _ in range(case.learnt_from):
        broker.search(stream.ask(0.0), moment)
    for _ in range(case.queries):
        query = stream.ask(0.0)
        bill.add(query, broker.search(query, moment))
    later = world.describe_all(world.at(HOUR_S))
    return bill.total(_bytes_of(members), _bytes_between(members, later))


class Bill:
    """Sums over queries."""

    def __init__(
        self,
        case: CostCase,
        world: FederationWorld,
        moment: Moment,
        federation: Federation,
    ) -> None:
        self._case = case
        self._world = world
        self._moment = moment
        self._federation = federation
        self._prices: dict[str, list[tuple[float, ...]]] = defaultdict(list)
        self._broker: list[tuple[float, float]] = []  # lessons, entries read
        self._curves: list[Floats] = []

    def add(
        self,
        query: WorldQuery,
        searched: Searched,
    ) -> None:
        work, hits = _loads(
            self._world,
            self._moment.held,
            query,
        )
        central, _ = _loads(
            self._world,
            self._moment.everything[None],
            query,
        )
        read = _entries_read(self._federation, query)
        bytes_of = REQUEST + ANSWER + HIT * hits
        own = searched.asked[0]
        everybody = [engine for engine in range(len(work)) if engine != own]
        others = [*searched.asked[1:], *searched.lesson]
        curve = self._curve(query, searched)
        self._curves.append(curve)
        self._prices["central"].append((1.0, 1.0, _USERS, central[0]))
        for name, share, asked, more in (
            ("all", curve[-1], everybody, 0.0),
            ("chosen", searched.share, others, read),
        ):
            messages = 1.0 + len(asked)
            told = _USERS + bytes_of[asked].sum()
            paid = work[[own, *asked]].sum() + more
            self._prices[name].append((share, messages, told, paid))
        self._broker.append((len(searched.lesson), read))

    def total(
        self,
        described: float,
        changed: float,
    ) -> CostResult:
        prices = {name: np.mean(rows, axis=0) for name, rows in self._prices.items()}
        lessons, read = np.mean(self._broker, axis=0).tolist()
        return CostResult(
            Price(*prices["central"].tolist()),
            Price(*prices["all"].tolist()),
            Price(*prices["chosen"].tolist()),
            lessons,
            read,
            described,
            changed,
            np.mean(self._curves, axis=0),
        )

    def _curve(
        self,
        query: WorldQuery,
        searched: Searched,
    ) -> Floats:
        """What comes back when the first k of the forecast are asked."""
        world = self._world
        ten = world.central_ten(query, self._moment)
        if not len(ten):
            return np.ones(len(self._case.asked))
        rarities = [forms[0] for forms in self._federation.rarities(query.keys)]
        found = world.find(query, rarities)
        back = []
        for count in self._case.asked:
            asked = self._moment.held[list(searched.ranked[:count])]
            held: Flags = np.asarray(asked.any(axis=0))
            back.append(np.isin(ten, first_pages(found, held)).mean())
        return np.array(back)


def _loads(
    world: FederationWorld, held: Flags, query: WorldQuery
) -> tuple[Floats, Floats]:
    """Of each engine (a row of `held`): its work, and the hits that it answers with."""
    having = [world.index.pages_with(word) for word in query.words]
    postings = np.sum([held[:, pages].sum(axis=1) for pages in having], axis=0)
    met = held[:, np.unique(np.concatenate(having))].sum(axis=1)
    work = postings + len(query.words) * np.minimum(met, DEPTH)
    return work.astype(np.float64), np.minimum(met, TEN).astype(np.float64)


def _entries_read(federation: Federation, query: WorldQuery) -> float:
    """Of statistics and samples: what choosing costs the broker."""
    statistics = federation.look_up(query.keys).documents
    samples = federation.samples
    places = np.searchsorted(samples.keys, [forms[0] for forms in query.keys.words])
    keys = np.append(samples.keys, 0)
    met = [
        p
        for p, f in zip(
            places,
            query.keys.words,
            strict=True,
        )
        if keys[p] == f[0]
    ]
    sampled = sum(int(samples.starts[p + 1] - samples.starts[p]) for p in met)
    return float(np.count_nonzero(statistics) + sampled)


def _bytes_of(members: list[Member]) -> float:
    return float(
        sum(len(pack_terms(m.terms)) + len(pack_sample(m.sample)) for m in members)
    )


def _bytes_between(before: list[Member], after: list[Member]) -> float:
    return float(
        sum(
            len(pack_delta(old.terms, new.terms)) + len(pack_sample(new.sample))
            for old, new in zip(
                before,
                after,
                strict=True,
            )
        )
    )
