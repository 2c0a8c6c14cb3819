"""search/quality: known items, weights that are learnt from them, and wrong wishes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from trapline.core.errors import FolderMissing, UserMistake
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, LinkText, UrlRow
from trapline.laboratory.papers.search.learnt_weights import (
    FACTORS,
    Case,
    learn_weights,
    reciprocal_rank,
)
from trapline.laboratory.study.known_items import Called, make_items
from trapline.laboratory.study.registry import run_experiment
from trapline.search.ranking.second_look import WEIGHTS, Weights
from trapline.stores.sqlite.store import SqliteStore


def called(number: int) -> Called:
    text = (
        f"Introduction.\nThe planet number{number} circles its star every odd day. " * 3
    )
    page = Page(
        number,
        f"http://a/{number}",
        f"Planet Atlas {number}",
        text,
        0.5,
        1,
        "",
        "",
        1,
        1,
    )
    return Called(page, [LinkText(f"red planet called{number}", 1, 1)])


def test_items_belong_to_their_pages() -> None:
    pages = [called(number) for number in range(40)]
    items = make_items(pages, 10, seed=3)
    assert {kind: len(some) for kind, some in items.items()}["titles"] == 10
    for item in items["titles"]:
        assert item.query == f"planet atlas {item.page}"
    for item in items["link texts"]:
        assert item.query == f"red planet called{item.page}"
    for item in items["sentences"]:
        assert item.query in " ".join(pages[item.page].page.text.lower().split())
    assert items == make_items(pages, 10, seed=3)
    assert items != make_items(pages, 10, seed=4)


def test_weights_go_to_factors_that_tell() -> None:
    rng = np.random.default_rng(1)
    cases = []
    for _ in range(200):
        factors = rng.random((20, len(FACTORS)))
        factors[7, FACTORS.index("closeness")] += 0.5
        factors[7, FACTORS.index("address")] -= 0.5
        cases.append(Case(factors, 7))
    learnt = learn_weights([cases])
    assert max(learnt) == learnt.closeness > 1.0
    assert learnt.address == 0.0  # what speaks against a page is not used
    without = learn_weights([cases], ["closeness"])
    assert without.closeness == 0.0
    assert reciprocal_rank(cases, learnt) > reciprocal_rank(cases, without) + 0.05
    assert reciprocal_rank([Case(cases[0].factors, -1)], learnt) == 0.0


def test_every_factor_is_in_the_table() -> None:
    report = run_experiment("search/quality", quick=True)
    rows = {str(row["id"]): row for row in report.rows}
    assert set(rows) == {
        "shipped weights",
        "learnt weights",
        *(f"without {name}" for name in Weights._fields if name != "meaning"),
    }
    closeness = rows["without closeness"]["loses"]
    assert isinstance(closeness, float)
    assert closeness > 0.01
    titles = rows["shipped weights"]["titles"]
    assert isinstance(titles, float)
    assert titles > 0.9
    assert all(weight >= 0.0 for weight in WEIGHTS)


def test_wrong_data_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="takes no --data"):
        run_experiment("talim/fig-2", data=tmp_path)
    with pytest.raises(FolderMissing):
        run_experiment("search/quality", quick=True, data=tmp_path / "none")
    store = SqliteStore(tmp_path / "small")
    row = UrlRow(0, "http://a/0", 0)
    hosts = [HostRow(0, "a:80", "http://a/")]
    store.commit(Batch(hosts=hosts, urls=[row], pages=[called(0).page]))
    store.close()
    with pytest.raises(UserMistake, match="50 at least"):
        run_experiment("search/quality", quick=True, data=tmp_path / "small")
