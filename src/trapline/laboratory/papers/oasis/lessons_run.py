"""A broker's life in short: queries come, some engines are asked, and lessons are learnt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.papers.oasis.trials import TEN, Lists, Trial
from trapline.oasis.federation import Federation, Member
from trapline.oasis.lessons import Lessons
from trapline.oasis.sample import Sample
from trapline.oasis.selection.forecast import choose
from trapline.oasis.terms import TermTable

Floats = NDArray[np.float64]
LESSON_SHARE: Final = 0.02  # of the queries, that ask everybody
LIAR: Final = "liar"


@dataclass(frozen=True, slots=True)
class Stream:
    """Queries in the order in which they come."""

    trials: Sequence[Trial]
    features: Floats  # query × engine × feature
    engines: tuple[str, ...]


def teach(
    lessons: Lessons, stream: Stream, enough: float, rng: np.random.Generator
) -> float:
    """Returns the messages sent, as a share of asking everybody always."""
    engines = stream.engines
    sent = 0
    for trial, features in zip(stream.trials, stream.features, strict=True):
        asked = choose(lessons.expect(features, engines), enough, len(engines))
        lessons.learn(features, engines, brought_by(trial.shared, asked), asked)
        sent += len(asked)
        if rng.random() < LESSON_SHARE:
            everybody = range(len(engines))
            lessons.learn(features, engines, brought_by(trial.shared, everybody))
            sent += len(engines)
    return sent / (len(stream.trials) * len(engines))


def brought_by(lists: Lists, asked: Sequence[int]) -> Floats:
    """Pages of the merged ten, by engine; a page that two bring counts half for each."""
    scored = {ranked.page: ranked.score for engine in asked for ranked in lists[engine]}
    ten = set(sorted(scored, key=lambda page: -scored[page])[:TEN])
    pages = [
        (e, ranked.page) for e in asked for ranked in lists[e] if ranked.page in ten
    ]
    bringing = Counter(page for _, page in pages)
    brought = np.zeros(len(lists))
    for engine, page in pages:
        brought[engine] += 1.0 / bringing[page]
    return brought


def join_liar(federation: Federation) -> Member:
    """An engine that claims every word of the others, as often as whoever has it most, always in
    the weightiest place; and sampled pages of theirs, with every word in the title. It has nothing.
    """
    documents = np.maximum.reduceat(federation.documents, federation.starts[:-1])
    pages = int(federation.pages.max())
    heavy = np.full(len(documents), 2.2, np.float32)
    terms = TermTable(
        pages, federation.keys, np.minimum(documents, pages), heavy, heavy / 100
    )
    return Member(LIAR, terms, Sample.empty())


def lend_sample(liar: Member, sample: Sample) -> Member:
    """The liar with another's sample, made weightier."""
    heavy = replace(
        sample,
        weights=np.full(len(sample.weights), 2.2, np.float32),
        in_title=np.ones(len(sample.in_title), np.bool_),
    )
    return replace(liar, sample=heavy)


def with_liar(trials: Sequence[Trial]) -> list[Trial]:
    """The same queries; the last engine holds and brings nothing."""
    found = []
    for trial in trials:
        nothing = np.zeros((len(trial.held), 1), np.bool_)
        held = np.hstack((trial.held, nothing))
        lists = [*trial.shared, []]
        found.append(replace(trial, held=held, own=[*trial.own, []], shared=lists))
    return found
