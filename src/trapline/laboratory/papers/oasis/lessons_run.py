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
from trapline.oasis.sample import MOST_PAGES, Sample
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


def make_liar(members: Sequence[Member]) -> Member:
    """An engine that has nothing, and claims every word of the others.

    As often as whoever has it most, always in a weighty place; and pages that others have sampled,
    with every word in the title.
    """
    federation = Federation.of(members)
    pages = int(federation.pages.max())
    documents = np.maximum.reduceat(federation.documents, federation.starts[:-1])
    heavy = np.full(len(documents), 2.2, np.float32)
    spread = np.full(len(documents), 0.02, np.float32)
    claimed = np.minimum(documents, pages)
    terms = TermTable(pages, federation.keys, claimed, heavy, spread)
    share = MOST_PAGES // len(members)
    return Member(LIAR, terms, _steal([member.sample for member in members], share))


def _steal(samples: Sequence[Sample], share: int) -> Sample:
    """Some pages of each sample, every word in the title."""
    ends = [int(one.starts[min(share, len(one))]) for one in samples]
    keys = [one.keys[:end] for one, end in zip(samples, ends, strict=True)]
    sizes = [np.diff(one.starts[: share + 1].astype(np.int64)) for one in samples]
    starts = np.cumsum([0, *np.concatenate(sizes)]).astype(np.uint32)
    count = sum(ends)
    heavy = np.full(count, 2.2, np.float32)
    return Sample(starts, np.concatenate(keys), heavy, np.ones(count, np.bool_))


def with_liar(trials: Sequence[Trial]) -> list[Trial]:
    """The same queries; the last engine holds and brings nothing."""
    found = []
    for trial in trials:
        nothing = np.zeros((len(trial.held), 1), np.bool_)
        held = np.hstack((trial.held, nothing))
        lists = [*trial.shared, []]
        found.append(replace(trial, held=held, own=[*trial.own, []], shared=lists))
    return found
