"""search/quality: what each factor of the second look is worth.

Known items made out of a collection are split in halves; weights are learnt on one and tried on the
other. Then every factor is left out in turn and the others are learnt anew. A factor that nobody
misses does not belong there. `--data DIR` takes the collection of an engine's folder; else it is a
web of the laboratory, whose prose is too regular to learn weights from. `meaning` is judged where
the folder's index has word vectors (`trapline reindex DIR --meaning`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from trapline.core.errors import UserMistake
from trapline.laboratory.papers.search.learnt_weights import (
    FACTORS,
    Case,
    learn_weights,
    make_case,
    reciprocal_rank,
)
from trapline.laboratory.study.collections import (
    index_without,
    read_collection,
    vectors_of,
)
from trapline.laboratory.study.known_items import KINDS, make_items
from trapline.laboratory.study.report import Cell, Progress, Report, Row
from trapline.search.ranking.second_look import WEIGHTS, Weights

ID: Final = "search/quality"
TITLE: Final = "What each factor of the search's ranking is worth, left out in turn"
SEEDS: Final = 5
SIZE: Final = 400  # items of a kind

Cases = dict[str, list[Case]]


def run(
    progress: Progress,
    out: Path | None,
    quick: bool,
    seeds: int | None,
    data: Path | None = None,
) -> Report:
    pages = read_collection(data, 400 if quick else 3000)
    if len(pages) < 50:
        raise UserMistake(
            f"{data} holds {len(pages)} pages: known items need 50 at least; crawl more"
        )
    vectors = vectors_of(data)
    # without word vectors it is 0 everywhere
    factors = [name for name in FACTORS if vectors or name != "meaning"]
    draws = seeds or (2 if quick else SEEDS)
    size = 60 if quick else SIZE
    rows: dict[str, list[dict[str, float]]] = defaultdict(list)
    learnt = []
    for seed in range(draws):
        items = make_items(pages, size, seed)
        held_out = defaultdict(set)
        for item in items["link texts"]:
            held_out[item.page].add(item.query)
        view = index_without(pages, held_out, vectors)
        cases = {
            kind: [make_case(view, item) for item in items[kind]] for kind in KINDS
        }
        learnt.append(_try_all(cases, rows, factors))
        progress((seed + 1) / draws, f"draw {seed + 1} of {draws}")
    return _report(rows, learnt, len(pages), data)


def _try_all(
    cases: Cases, rows: dict[str, list[dict[str, float]]], factors: Sequence[str]
) -> Weights:
    first = {kind: some[0::2] for kind, some in cases.items() if len(some) > 1}
    second = {kind: some[1::2] for kind, some in cases.items() if len(some) > 1}
    whole = learn_weights(list(first.values()))
    rows["shipped weights"].append(_ranks(second, WEIGHTS))
    rows["learnt weights"].append(_ranks(second, whole))
    for name in factors:
        without = learn_weights(list(first.values()), (name,))
        rows[f"without {name}"].append(_ranks(second, without))
    return whole


def _ranks(cases: Mapping[str, Sequence[Case]], weights: Weights) -> dict[str, float]:
    return {kind: reciprocal_rank(some, weights) for kind, some in cases.items()}


def _report(
    rows: Mapping[str, list[dict[str, float]]],
    learnt: Sequence[Weights],
    pages: int,
    data: Path | None,
) -> Report:
    whole = rows["learnt weights"]
    table = [_row(name, draws, whole) for name, draws in rows.items()]
    mean = np.mean(np.array(learnt), axis=0)
    told = ", ".join(f"{n} {w:.2f}" for n, w in zip(FACTORS, mean, strict=True))
    where = "a web of the laboratory" if data is None else str(data)
    remarks = [
        f"Mean reciprocal rank within ten on items not learnt from, {pages:,} pages of {where}.",
        "`loses` is what all kinds together lose against the learnt weights, ± two standard "
        "errors over the draws.",
        f"Learnt weights, mean of the draws: {told}.",
    ]
    return Report(ID, TITLE, ("id", *KINDS, "loses", "±"), table, remarks)


def _row(
    name: str, draws: list[dict[str, float]], whole: list[dict[str, float]]
) -> Row:
    row: dict[str, Cell] = {"id": name}
    for kind in KINDS:
        values = [draw[kind] for draw in draws if kind in draw]
        row[kind] = float(np.mean(values)) if values else None
    lost = [
        np.mean([best[kind] - draw[kind] for kind in draw])
        for draw, best in zip(draws, whole, strict=True)
    ]
    row["loses"] = float(np.mean(lost))
    row["±"] = float(2.0 * np.std(lost, ddof=1) / np.sqrt(len(lost)))
    return row
