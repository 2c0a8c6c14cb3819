"""One question on its way: who was asked, what has come so far, and the answer made of that."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from trapline.app.federation.asking.broker_answer import (
    BrokerAnswer,
    BrokerHit,
    EngineReport,
    EngineState,
)
from trapline.app.federation.asking.own_collection import (
    own_hits,
    shown_hit,
    strange_hit,
)
from trapline.app.federation.asking.passed_query import PassedQuery
from trapline.app.federation.asking.shown_words import read_shown, score_weights
from trapline.app.federation.known_engines import OWN, KnownEngine, Snapshot
from trapline.core.urls import host_of
from trapline.oasis.merging.answer_reading import ReadAnswer
from trapline.oasis.merging.engine_hits import EngineHits, Finding, Wrong
from trapline.oasis.merging.merged_list import MergedHit, cut_scores, merge
from trapline.oasis.merging.rescoring import Rescoring
from trapline.reading.identity.simhash import simhash
from trapline.search.hits import Hit
from trapline.search.index_documents import site_of
from trapline.search.questions import GIVEN, Answer, Question, Sort

TEN: Final = 10
# dropped for these, an engine has told what it must not; others are mere noise
_REFUSED: Final = (
    "a private address",
    "no URL of the Web",
    "a URL with a user's name",
    "a URL with control characters",
)
_HARMLESS: Final = ("more than asked for", "told twice")
_mark = lru_cache(5000)(simhash)


@dataclass(slots=True)
class OneQuestion:
    question: Question  # as it was asked, with its window
    snapshot: Snapshot
    passed: PassedQuery
    query_id: str
    own_name: str
    began_s: float
    clock: Callable[[], float]
    counts: bool = False  # whether a person asks: then engines count what they bring
    reports: dict[str, EngineReport] = field(default_factory=dict)  # by key
    answers: dict[str, EngineHits] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    own: Answer | None = None
    meant: str = ""  # what others are asked, if a word was misspelt
    _own_hits: dict[str, Hit] = field(default_factory=dict)
    merged: list[MergedHit] = field(default_factory=list)

    @property
    def own_key(self) -> str:
        return self.snapshot.own_key or OWN

    def question_for_others(self, most: int) -> Question:
        """For so many hits, with all that makes scores comparable."""
        return replace(
            with_window(self.question, most),
            text=self.meant or self.question.text,
            as_typed=True,
            rarities=self.passed.rarities,
            statistics=self.snapshot.federation.shared.version,
        )

    # What happens

    def note_asked(self, engine: KnownEngine | None) -> None:
        """None = the own collection."""
        self._report(engine, EngineState.AWAITED)

    def note_not_asked(self, engine: KnownEngine, reason: str) -> None:
        self._report(engine, EngineState.NOT_ASKED, reason)

    def note_failure(
        self, engine: KnownEngine | None, reason: str, *, is_garbage: bool = False
    ) -> None:
        self._report(
            engine,
            EngineState.FAILED,
            reason,
            ms=self._ms(),
        )
        if is_garbage and engine is not None:
            self.findings.append(Finding(engine.key, Wrong.ANSWER, reason))

    def take_own(self, answer: Answer) -> None:
        self.own = answer
        self._own_hits = {hit.url: hit for hit in answer.hits}
        self.answers[self.own_key] = own_hits(self.own_key, answer)
        hits = len(answer.hits)
        self._report(
            None,
            EngineState.ANSWERED,
            ms=self._ms(),
            hits=hits,
        )

    def take(
        self,
        engine: KnownEngine,
        read: ReadAnswer,
        worth: float,
    ) -> None:
        shared = self.snapshot.federation.shared.version
        comparable = read.statistics in (GIVEN, shared) and not engine.is_neighbour
        pages = engine.description.pages if engine.description else 10**6
        total = min(read.total, pages)
        answer = EngineHits(
            engine.key,
            read.hits,
            total,
            comparable,
            worth=worth,
        )
        [cut], findings = cut_scores([answer], self._rescoring())
        self.answers[engine.key] = cut
        self.findings += [*findings, *_find_dropped(engine, read)]
        self._report(
            engine,
            EngineState.ANSWERED,
            ms=self._ms(),
            hits=len(cut.hits),
            comparable=cut.comparable,
        )

    # What comes of it

    def answer(self, *, complete: bool) -> BrokerAnswer:
        found = merge(list(self.answers.values()), _mark)
        self.merged = found.hits
        if self.question.sort is Sort.CHANGED:
            self.merged.sort(key=lambda merged: -merged.hit.changed_s)
        if complete:
            self.findings += found.findings
        start = self.question.offset
        end = start + self.question.limit
        own = self.own or Answer([], 0, 0.0)
        hits = [self._show(merged) for merged in self.merged[start:end]]
        total = sum(answer.total for answer in self.answers.values())
        folded = sum(len(a.hits) for a in self.answers.values()) - len(self.merged)
        more = end < len(self.merged)
        return BrokerAnswer(
            hits,
            max(len(self.merged), total - folded),
            self.clock() - self.began_s,
            own.meant,
            f"{self.query_id[:12]}-{end}" if more else "",
            own.facets,
            own.corrected,
            own.remarks,
            self.snapshot.federation.shared.version or own.statistics,
            tuple(self.reports.values()),
            complete,
            _say_missing(self.reports.values()) if complete else "",
            self.query_id,
        )

    def best_of(self, most: int = TEN) -> dict[str, float]:
        """How many of the best each engine holds; a page that several hold is shared."""
        shares: dict[str, float] = {}
        for merged in self.merged[:most]:
            for engine in merged.origins:
                share = 1.0 / len(merged.origins)
                shares[engine] = shares.get(engine, 0.0) + share
        return shares

    def _show(self, merged: MergedHit) -> BrokerHit:
        origins = tuple(self._name(engine) for engine in merged.origins)
        own = self._own_hits.get(merged.hit.url)
        if own is not None:
            return shown_hit(own, origins, comparable=merged.comparable)
        host = site_of(host_of(merged.hit.url))
        return strange_hit(
            merged.hit,
            host,
            origins,
            comparable=merged.comparable,
        )

    def _name(self, engine: str) -> str:
        report = self.reports.get(engine)
        return report.name if report else engine

    def _rescoring(self) -> Rescoring:
        return Rescoring(self.passed.words, score_weights(), read_shown)

    def _ms(self) -> float:
        return round(1000.0 * (self.clock() - self.began_s), 1)

    def _report(
        self,
        engine: KnownEngine | None,
        state: EngineState,
        reason: str = "",
        *,
        ms: float = 0.0,
        hits: int = 0,
        comparable: bool = True,
    ) -> None:
        if engine is None:
            key, name, fingerprint, kind = self.own_key, self.own_name, OWN, OWN
        else:
            key = engine.key
            name = self.snapshot.shown_name(engine)
            fingerprint = engine.fingerprint
            kind = engine.kind
        self.reports[key] = EngineReport(
            name, fingerprint, state, ms, hits, reason, comparable, kind
        )


def _find_dropped(engine: KnownEngine, read: ReadAnswer) -> list[Finding]:
    """What an engine told that was left out, as findings."""
    refused = {why: n for why, n in read.dropped.items() if why in _REFUSED}
    senseless = {
        why: n
        for why, n in read.dropped.items()
        if why not in _REFUSED and why not in _HARMLESS
    }
    kinds = ((Wrong.ADDRESSES, refused), (Wrong.HITS, senseless))
    return [
        Finding(
            engine.key, wrong, ", ".join(f"{n} × {why}" for why, n in found.items())
        )
        for wrong, found in kinds
        if found
    ]


def _say_missing(reports: Iterable[EngineReport]) -> str:
    """A line for people: who is missing, and why."""
    failed = [one for one in reports if one.state is EngineState.FAILED]
    return "; ".join(f"{one.name} {one.reason}" for one in failed)


def with_window(question: Question, most: int) -> Question:
    """The question that is put to each engine: from the first hit to the last that is shown."""
    depth = min(most, question.offset + question.limit)
    return replace(
        question,
        limit=depth,
        offset=0,
        cursor="",
        explain=False,
    )
