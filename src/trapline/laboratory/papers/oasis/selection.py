"""oasis/selection: which engines to ask, and how many.

A collection is cut into sixteen topical engines (`--data DIR`, or a web of the laboratory), a third
of its pages held by two. Judged is the share of one central index's first ten that the engines
asked hold: for each selector, for more engines asked, for smaller and older descriptions, for as
many engines as the forecast needs, after lessons, and with an engine that lies. Weights that judge
a query were learnt from queries about other hosts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.papers.oasis.federated_collection import shrink
from trapline.laboratory.papers.oasis.judging import (
    COLUMNS,
    Choice,
    best_choice,
    choice_row,
    first_of,
)
from trapline.laboratory.papers.oasis.learning import (
    all_features,
    folds_by_host,
    learn_by_fold,
    learn_weights,
)
from trapline.laboratory.papers.oasis.lessons_run import (
    Stream,
    make_liar,
    teach,
    with_liar,
)
from trapline.laboratory.papers.oasis.selection_picture import draw_selection
from trapline.laboratory.papers.oasis.study import Study, make_study
from trapline.laboratory.papers.oasis.trials import Trial
from trapline.laboratory.study.report import Progress, Report, Row, draw_figures
from trapline.oasis.federation import Federation, Member
from trapline.oasis.lessons import Lessons
from trapline.oasis.selection.features import FEATURES
from trapline.oasis.selection.forecast import choose
from trapline.oasis.selection.registry import make_selector, selector_names

ID: Final = "oasis/selection"
TITLE: Final = (
    "Which engines to ask, and how many: the share of the central ten that comes back"
)
ASKED: Final = (1, 2, 3, 4, 5, 8)
THREE: Final = 3
BYTES: Final = (500_000, 250_000, 100_000)  # of packed statistics; 1 MB is the rule
SAMPLED: Final = (300, 0)  # pages; 1,000 is the rule
LIVED: Final = 1000  # queries before the forecast is judged once more
LIE_UNTIL: Final = 200  # queries after which the harm of a liar is looked at

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Learnt:
    """Weights by fold, and the fold of each judged query."""

    fold: NDArray[np.intp]
    weights: tuple[Floats, Floats]
    enough: tuple[float, float]  # for three engines on average, of the fold learnt from

    def scores(self, features: Floats) -> Floats:
        both = np.array([features @ weights for weights in self.weights])
        found: Floats = both[self.fold, np.arange(len(self.fold))]
        return found


def run(
    progress: Progress,
    out: Path | None,
    quick: bool,
    seeds: int | None,
    data: Path | None = None,
) -> Report:
    """`seeds`: orders in which queries come, for lessons."""
    study = make_study(progress, quick, data)
    return make_report(study, out, seeds or (2 if quick else 5), data)


def make_report(
    study: Study, out: Path | None, draws: int, data: Path | None
) -> Report:
    federation = study.federation
    features = all_features(study.judged, federation)
    learnt = learn(study, features)
    rows = [
        *_selector_rows(study.judged, federation),
        *_asked_rows(study.judged, learnt.scores(features)),
        *_description_rows(study, learnt),
        *_forecast_rows(study, features, learnt, draws),
        *_liar_rows(study, learnt, draws),
    ]
    draw = partial(draw_selection, TITLE, rows)
    where = "a web of the laboratory" if data is None else str(data)
    return Report(
        ID,
        TITLE,
        COLUMNS,
        rows,
        _remarks(study, rows, where),
        draw_figures(ID, out, draw),
    )


def learn(study: Study, features: Floats) -> Learnt:
    fold = folds_by_host(study.judged, study.urls)
    shares = np.array([trial.shares() for trial in study.judged])
    weights = learn_by_fold(features, shares, fold)
    enough = [
        _enough_for(weights[judged], features[fold != judged]) for judged in (0, 1)
    ]
    return Learnt(fold, weights, (enough[0], enough[1]))


def _enough_for(weights: Floats, features: Floats, asked: float = THREE) -> float:
    """The share by forecast at which so many engines are asked on average."""
    expected = [Lessons(weights).expect(some, _names(some)) for some in features]
    low, high = 0.0, 1.0
    for _ in range(20):
        middle = (low + high) / 2.0
        found = np.mean([len(choose(s, middle, len(s))) for s in expected])
        low, high = (middle, high) if found < asked else (low, middle)
    return low


def _names(features: Floats) -> tuple[str, ...]:
    return tuple(map(str, range(len(features))))


def _selector_rows(trials: Sequence[Trial], federation: Federation) -> list[Row]:
    rows = []
    for name in selector_names():
        if name != "learnt":
            selector = make_selector(name)
            scores = [selector.score(trial.keys, federation) for trial in trials]
            chosen = first_of(np.array(scores), THREE)
            rows.append(choice_row(f"{name}, {THREE} asked", trials, chosen))
    return rows


def _asked_rows(trials: Sequence[Trial], scores: Floats) -> list[Row]:
    rows = [
        choice_row(f"learnt, {asked} asked", trials, first_of(scores, asked))
        for asked in ASKED
    ]
    for asked in ASKED[:4]:
        known = [best_choice(trial, asked) for trial in trials]
        rows.append(choice_row(f"oracle, {asked} asked", trials, known))
    return rows


def _description_rows(study: Study, learnt: Learnt) -> list[Row]:
    """Smaller and older, with the weights for whole ones."""
    whole = 1_000_000, 1000
    changed = {
        f"statistics of {most // 1000} KB": [
            shrink(m, most, whole[1]) for m in study.members
        ]
        for most in BYTES
    }
    for sampled in SAMPLED:
        shrunk = [shrink(member, whole[0], sampled) for member in study.members]
        changed[f"sample of {sampled}"] = shrunk
    changed["a day old"] = study.yesterday
    return [
        _learnt_row(f"learnt, {name}", study.judged, members, learnt)
        for name, members in changed.items()
    ]


def _learnt_row(
    name: str, trials: Sequence[Trial], members: Sequence[Member], learnt: Learnt
) -> Row:
    scores = learnt.scores(all_features(trials, Federation.of(members)))
    return choice_row(name, trials, first_of(scores, THREE))


def _forecast_rows(
    study: Study, features: Floats, learnt: Learnt, draws: int
) -> list[Row]:
    engines = study.federation.engines
    before = _forecast_choices(features, engines, learnt, {})
    rows = [choice_row("forecast, nothing learnt yet", study.judged, before)]
    pools = _pools(study.judged, study.stream, study.federation, learnt)
    choices = []
    sent = []
    for seed in range(draws):
        taught, share = _teach(learnt, pools, seed, LIVED)
        sent.append(share)
        choices.append(_forecast_choices(features, engines, learnt, taught))
    lived = min(LIVED, *(len(pool.trials) for pool in pools))
    name = f"forecast, after {lived:,} queries with lessons"
    rows.append(choice_row(name, study.judged, *choices))
    messages = float(np.mean(sent))
    rows.append({"id": "messages, as a share of asking all", "all": messages})
    return rows


def _pools(
    judged: Sequence[Trial],
    stream: Sequence[Trial],
    federation: Federation,
    learnt: Learnt,
) -> tuple[Stream, Stream]:
    """For each fold the queries to learn from: the stream, and those judged of the other fold."""
    found = []
    for fold in (0, 1):
        others = [t for t, own in zip(judged, learnt.fold, strict=True) if own != fold]
        trials = [*stream, *others]
        features = all_features(trials, federation)
        found.append(Stream(trials, features, federation.engines))
    return found[0], found[1]


def _teach(
    learnt: Learnt, pools: tuple[Stream, Stream], seed: int, queries: int
) -> tuple[dict[int, Lessons], float]:
    """For each fold a broker that has lived through so many queries, in an order of its own."""
    rng = np.random.default_rng(seed)
    taught = {}
    sent = []
    for fold, pool in enumerate(pools):
        order = rng.permutation(len(pool.trials))[:queries]
        trials = [pool.trials[n] for n in order]
        mixed = Stream(trials, pool.features[order], pool.engines)
        taught[fold] = Lessons(learnt.weights[fold])
        sent.append(teach(taught[fold], mixed, learnt.enough[fold], rng))
    return taught, float(np.mean(sent))


def _forecast_choices(
    features: Floats,
    engines: tuple[str, ...],
    learnt: Learnt,
    taught: dict[int, Lessons],
) -> list[Choice]:
    found: list[Choice] = []
    for fold, some in zip(learnt.fold, features, strict=True):
        lessons = taught.get(int(fold)) or Lessons(learnt.weights[fold])
        shares = lessons.expect(some, engines)
        found.append(choose(shares, learnt.enough[fold], len(engines)))
    return found


def _liar_rows(study: Study, learnt: Learnt, draws: int) -> list[Row]:
    """Three are asked, and one more engine claims to be good for everything."""
    federation = Federation.of([*study.members, make_liar(study.members)])
    judged = with_liar(study.judged)
    features = all_features(judged, federation)
    pools = _pools(judged, with_liar(study.stream), federation, learnt)
    rows = [
        choice_row(
            "learnt, with a liar", judged, first_of(learnt.scores(features), THREE)
        )
    ]
    choices = []
    for seed in range(draws):
        taught, _ = _teach(learnt, pools, seed, LIE_UNTIL)
        shares = [
            taught[int(fold)].expect(some, federation.engines)
            for fold, some in zip(learnt.fold, features, strict=True)
        ]
        choices.append(first_of(np.array(shares), THREE))
    name = f"learnt, with a liar, after {LIE_UNTIL} queries"
    rows.append(choice_row(name, judged, *choices))
    return rows


def _remarks(study: Study, rows: Sequence[Row], where: str) -> list[str]:
    features = all_features(study.judged, study.federation)
    shares = np.array([trial.shares() for trial in study.judged])
    weights = learn_weights(features, shares)
    told = ", ".join(f"{n} {w:.3f}" for n, w in zip(FEATURES, weights, strict=True))
    by_id = {row["id"]: row["all"] for row in rows}
    whole = float(by_id[f"learnt, {THREE} asked"] or 0.0)
    lied = float(by_id["learnt, with a liar"] or 0.0)
    mended = float(by_id[f"learnt, with a liar, after {LIE_UNTIL} queries"] or 0.0)
    gone = 1.0 - (whole - mended) / max(whole - lied, 1e-9)
    return [
        f"{len(study.judged):,} queries on {len(study.urls):,} pages of {where}, "
        f"{len(study.members)} engines; ± is half of the 95 % interval over queries.",
        f"Of a liar's harm {gone:.0%} is gone after {LIE_UNTIL} queries.",
        f"Weights learnt from all queries: {told}.",
    ]
