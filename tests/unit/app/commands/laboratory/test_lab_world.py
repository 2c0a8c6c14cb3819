"""`lab world`: what a folder knows becomes a world; what cannot, is said in one line and nothing is
written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from trapline.app.commands.laboratory.lab_world import Made, make_world
from trapline.core.errors import (
    FolderMissing,
    ScheduleMissing,
    StoreCorrupt,
    UserMistake,
)
from trapline.core.links import links_to
from trapline.core.records import Kind, Outcome, Page, Robots, Visit
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.laboratory.worlds.world_files import World, load_world
from trapline.stores.sqlite.store import SqliteStore

SETTINGS = {
    "topic": "stars",
    "seeds": ["http://127.0.0.2:8000/0"],
    "manners": {"gap_s": 2.0, "own": {"127.0.0.3:8000": 0.5}},
}
URLS = [f"http://127.0.0.{2 + page % 2}:8000/{page}" for page in range(6)]


def page(number: int, relevance: float) -> Page:
    return Page(
        number, URLS[number], "title", "text", relevance, number, "", "", 1.0, 1.0
    )


def visit(
    number: int,
    page: int,
    ended_s: float,
    changed: bool = True,
    outcome: Outcome = Outcome.OK,
) -> Visit:
    return Visit(
        number,
        page,
        page % 2,
        Kind.PAGE,
        ended_s - 0.25,
        ended_s,
        1.0,
        outcome,
        200,
        changed,
        0.5,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Page 0 leads to 1, 2 and 4, page 1 to 3; 2 is gone, 3 and 4 were never visited, to 5 leads
    nothing.
    """
    made = tmp_path / "engine"
    store = SqliteStore(made)
    store.commit(
        Batch(
            hosts=[
                HostRow(
                    host,
                    f"127.0.0.{2 + host}:8000",
                    f"http://127.0.0.{2 + host}:8000/",
                )
                for host in range(2)
            ],
            robots=[(1, Robots("User-agent: *\nCrawl-delay: 4", 9.0))],
            urls=[UrlRow(number, url, number % 2) for number, url in enumerate(URLS)],
            pages=[page(0, 0.25), page(1, 0.75), page(5, 1.0)],
            links=[(0, links_to([1, 2, 4], [1, 0, 0])), (1, links_to([3], [1]))],
            visits=[
                visit(0, 0, 100.0),
                visit(1, 1, 101.0),
                visit(2, 2, 102.0, outcome=Outcome.GONE),
                visit(3, 5, 103.0),
                visit(4, 0, 200.0, changed=True),
                visit(5, 1, 201.0, changed=False),
            ],
            notes={"settings": json.dumps(SETTINGS)},
        )
    )
    store.close()
    yield made


def made_of(folder: Path, out: Path) -> tuple[Made, World]:
    return make_world(
        folder, out, force=False, progress=lambda share, what: None
    ), load_world(out)


def test_what_a_folder_knows(folder: Path, tmp_path: Path) -> None:
    made, world = made_of(folder, tmp_path / "w.npz")
    truth = world.truth
    assert (world.topic, world.urls) == ("stars", URLS)
    assert world.seeds == [0, 5]
    assert truth.host.tolist() == [0, 1, 0, 1, 0, 1]
    assert truth.relevance.tolist() == [0.25, 0.75, 0.0, 0.0, 0.0, 1.0]
    assert truth.link_start.tolist() == [0, 3, 4, 4, 4, 4, 4]
    assert truth.clues["page"].tolist() == [1, 2, 4, 3] == truth.link_to.tolist()
    assert [dies_s == 0.0 for dies_s in truth.dies_s] == [
        False,
        False,
        True,
        False,
        False,
        False,
    ]
    assert truth.gap_s.tolist() == [2.0, 4.0]
    assert truth.latency_s.tolist() == [0.25, 0.25]
    assert truth.rate[0] > truth.rate[3] > truth.rate[1] > 0.0
    assert made == Made(str(tmp_path / "w.npz"), 6, 3, 1, 2, 4, 2, unlinked=1)
    assert "The links of 1 held pages are not kept" in str(made)


def test_a_world_of_a_folder_that_a_robot_works_on(
    folder: Path, tmp_path: Path
) -> None:
    store = SqliteStore(folder)
    before = {path.name for path in folder.iterdir()}
    made, _ = made_of(folder, tmp_path / "w.npz")
    assert made.pages == 6
    assert {path.name for path in folder.iterdir()} == before
    store.close()


def test_the_file_is_named_after_the_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        make_world(folder, None, force=False, progress=lambda share, what: None).file
        == "engine.npz"
    )
    assert Path("engine.npz").exists()


def test_a_file_that_exists_is_left_alone_unless_asked(
    folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "w.npz"
    out.write_text("mine")
    with pytest.raises(UserMistake, match="--force"):
        make_world(folder, out, force=False, progress=lambda share, what: None)
    assert out.read_text() == "mine"
    make_world(folder, out, force=True, progress=lambda share, what: None)
    assert load_world(out).topic == "stars"


def empty(folder: Path) -> None:
    SqliteStore(folder).close()


def never_run(folder: Path) -> None:
    store = SqliteStore(folder)
    store.commit(
        Batch(hosts=[HostRow(0, "a:80", "http://a/")], urls=[UrlRow(0, "http://a/", 0)])
    )
    store.commit(Batch(pages=[replace(page(0, 1.0), url="http://a/")]))
    store.close()


def holding_nothing(folder: Path) -> None:
    store = SqliteStore(folder)
    store.commit(Batch(notes={"settings": json.dumps(SETTINGS)}))
    store.close()


def not_an_engine(folder: Path) -> None:
    folder.mkdir()
    (folder / "notes.txt").write_text("hello")


def torn(folder: Path) -> None:
    folder.mkdir()
    (folder / "store.sqlite").write_text("hello")


def nowhere(folder: Path) -> None:
    """There is no such folder."""


REFUSED: dict[str, tuple[Callable[[Path], None], type[Exception]]] = {
    "nowhere": (nowhere, FolderMissing),
    "not an engine": (not_an_engine, FolderMissing),
    "empty": (empty, ScheduleMissing),
    "no robot has run": (never_run, ScheduleMissing),
    "nothing is held": (holding_nothing, UserMistake),
    "torn": (torn, StoreCorrupt),
}


@pytest.mark.parametrize("case", REFUSED)
def test_folders_that_are_no_world(case: str, tmp_path: Path) -> None:
    prepare, error = REFUSED[case]
    prepare(tmp_path / "engine")
    out = tmp_path / "w.npz"
    with pytest.raises(error) as raised:
        make_world(
            tmp_path / "engine", out, force=False, progress=lambda share, what: None
        )
    assert "\n" not in str(raised.value)
    assert not out.exists()
