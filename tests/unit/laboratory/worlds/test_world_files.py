"""Worlds in files: what is written comes back; what is damaged, foreign, newer or impossible is
refused in one line.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trapline.core.errors import UserMistake, WorldUnreadable
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import make_truth, visit
from trapline.laboratory.worlds.world_files import (
    VERSION,
    World,
    load_world,
    save_world,
)

Arrays = dict[str, Any]


def web() -> LinkedWeb:
    return LinkedWeb.generate(
        60, hosts=3, seed=5, shape=Shape(drift=0.5, latency_s=0.1)
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    save_world(tmp_path / "a.world", web())
    return tmp_path / "a.world"


def write(path: Path, arrays: Arrays) -> None:
    with path.open("wb") as file:
        np.savez(file, **arrays)


def arrays_of(path: Path) -> Arrays:
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def test_what_is_written_comes_back(path: Path) -> None:
    found = load_world(path)
    wanted = web()
    assert (found.topic, found.seeds, list(found.urls)) == (
        wanted.topic,
        wanted.seeds,
        [],
    )
    for name in wanted.truth._fields:
        one = getattr(found.truth, name)
        other = getattr(wanted.truth, name)
        assert one.dtype == other.dtype and np.array_equal(one, other), name
    assert [entry.name for entry in path.parent.iterdir()] == ["a.world"]


def test_a_world_by_hand_with_urls_and_events(tmp_path: Path) -> None:
    truth = make_truth(
        host=np.array([0, 1], np.int32),
        rate=np.zeros(2),
        gap_s=np.array([1.0, 2.0]),
        links=(np.array([0, 1, 1]), np.array([1], np.int32)),
        events=(np.array([0, 0, 2]), np.array([3.0, 7.0])),
    )
    world = World("jazz — 爵士", [1], truth, ("http://a/", "http://ä.example/b"))
    save_world(str(tmp_path / "w.npz"), world)
    found = load_world(str(tmp_path / "w.npz"))
    assert (found.topic, found.seeds, list(found.urls)) == (
        world.topic,
        world.seeds,
        list(world.urls),
    )
    assert found.truth.event_s.tolist() == [3.0, 7.0] and len(found.truth.clues) == 0


def test_a_world_that_was_read_is_as_nobody_has_seen_it(tmp_path: Path) -> None:
    seen = web()
    fresh = web()
    for page in range(60):
        visit(seen.truth, page, 500.0)
    save_world(tmp_path / "w", seen)
    assert np.array_equal(load_world(tmp_path / "w").truth.pages, fresh.truth.pages)


def test_a_file_is_replaced_whole(path: Path) -> None:
    save_world(path, LinkedWeb.generate(30, hosts=2, seed=1))
    assert len(load_world(path).truth.pages) == 30


def test_the_same_world_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    save_world(tmp_path / "again", web())
    assert path.read_bytes() == (tmp_path / "again").read_bytes()


def refused(path: Path, problem: str) -> None:
    with pytest.raises(WorldUnreadable, match=problem) as raised:
        load_world(path)
    assert isinstance(raised.value, UserMistake)
    assert str(path) in str(raised.value) and "\n" not in str(raised.value)


def test_files_that_are_no_worlds(tmp_path: Path) -> None:
    refused(tmp_path / "nothing", "no such file")
    refused(tmp_path, "damaged, or no world")
    for number, content in enumerate(
        (b"", b"hello", b"PK\x03\x04" + bytes(50), b"\x93NUMPY\x01\x00")
    ):
        file = tmp_path / f"{number}"
        file.write_bytes(content)
        refused(file, "damaged, or no world")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    refused(tmp_path / "other.npz", "not written by Trapline as a world")
    with zipfile.ZipFile(tmp_path / "zip", "w") as archive:
        archive.writestr("trapline_world.npy", "no array")
    refused(tmp_path / "zip", "damaged, or no world")


def test_a_torn_file_is_refused(path: Path) -> None:
    whole = path.read_bytes()
    for share in (0.1, 0.5, 0.9, 0.999):
        path.write_bytes(whole[: int(share * len(whole))])
        refused(path, "damaged, or no world")


def test_a_flipped_byte_is_noticed_or_harmless(path: Path) -> None:
    whole = path.read_bytes()
    wanted = web().truth
    rng = np.random.default_rng(3)
    noticed = 0
    for place in rng.choice(len(whole), 150, replace=False).tolist():
        path.write_bytes(
            whole[:place]
            + bytes([whole[place] ^ int(rng.integers(1, 256))])
            + whole[place + 1 :]
        )
        try:
            found = load_world(path).truth
        except WorldUnreadable:
            noticed += 1
        else:
            assert all(
                np.array_equal(getattr(found, part), getattr(wanted, part))
                for part in wanted._fields
            ), place
    assert noticed > 100


def test_a_newer_file_is_named_as_such(path: Path) -> None:
    write(
        path,
        arrays_of(path)
        | {"trapline_world": np.array(VERSION + 1), "unheard": np.zeros(2)},
    )
    refused(path, f"newer Trapline .version {VERSION + 1}")


def test_objects_are_never_unpickled(path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
            return (pytest.fail, ("unpickled",))

    arrays = arrays_of(path)
    trap = io.BytesIO()
    np.lib.format.write_array(trap, np.array([Trap()], object), allow_pickle=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, found in arrays.items():
            plain = io.BytesIO()
            np.save(plain, found)
            archive.writestr(
                f"{name}.npy", (trap if name == "urls" else plain).getvalue()
            )
    refused(path, "damaged, or no world")


def _with(name: str, place: int, value: object) -> Callable[[Arrays], Arrays]:
    def change(arrays: Arrays) -> Arrays:
        column = arrays[name].copy()
        column[place] = value
        return {name: column}

    return change


def _clue(name: str, value: float) -> Callable[[Arrays], Arrays]:
    def change(arrays: Arrays) -> Arrays:
        clues = arrays["clues"].copy()
        clues[name][7] = value
        return {"clues": clues}

    return change


def _backwards(arrays: Arrays) -> Arrays:
    """The links of a page whose targets were born at different times, the other way round."""
    start = arrays["link_start"]
    target = arrays["link_to"].copy()
    born_s = arrays["born_s"]
    for first, last in pairwise(start.tolist()):
        if len(np.unique(born_s[target[first:last]])) > 1:
            target[first:last] = target[first:last][::-1]
            return {"link_to": target, "clues": arrays["clues"][:0]}
    raise AssertionError("no such page")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (_with("relevance", 3, np.nan), "relevance is nan"),
        (_with("relevance", 3, 1.5), "relevance is 1.5"),
        (_with("rate", 3, -1.0), "rate is -1"),
        (_with("rate", 3, np.inf), "rate is inf"),
        (_with("gap_s", 0, -1.0), "gap_s is -1"),
        (_with("host", 9, 3), "host is 3"),
        (_with("host", 9, -1), "host is -1"),
        (_with("link_to", 9, 60), "link_to is 60"),
        (_with("link_to", 9, -1), "link_to is -1"),
        (_with("link_start", 9, 10**6), "link_start is torn"),
        (_with("seeds", 0, 60), "seeds is 60"),
        (_with("born_s", 9, np.nan), "birth"),
        (_with("dies_s", 9, -5.0), "birth"),
        (_with("drift", 0, 7.0), "drift is 7"),
        (_clue("anchor", np.nan), "anchor of a link is nan"),
        (_clue("context", 1.5), "context of a link is 1.5"),
        (_clue("page", 1), "about another link"),
        (_clue("host", 77), "about another host"),
        (_backwards, "out of order"),
        (lambda a: {"seeds": a["seeds"][:0]}, "at least 1"),
        (lambda a: {"rate": a["rate"][:-1]}, "length of 'rate'"),
        (lambda a: {"rate": a["rate"].astype(np.float32)}, "float32"),
        (lambda a: {"rate": a["rate"][:, None]}, "2 dimensions"),
        (lambda a: {"clues": a["clues"][:-1]}, "about another link"),
        (lambda a: {"urls": np.frombuffer(b"http://a/", np.uint8)}, "number of URLs"),
        (lambda a: {"urls": np.frombuffer(b"\xff\xfe", np.uint8)}, "damaged"),
        (
            lambda a: {
                "event_start": np.array([0] * 60 + [1]),
                "event_s": np.array([5.0]),
            },
            "listed changes",
        ),
        (lambda a: {"gap_s": np.ones(4), "latency_s": np.ones(4)}, "last host"),
        (lambda a: {"host": a["host"][:0]}, "length of 'relevance'"),
    ],
)
def test_impossible_worlds_are_refused(
    path: Path, change: Callable[[Arrays], Arrays], problem: str
) -> None:
    arrays = arrays_of(path)
    write(path, arrays | change(arrays))
    refused(path, problem)


def test_a_missing_array_is_named(path: Path) -> None:
    arrays = arrays_of(path)
    del arrays["gap_s"]
    write(path, arrays)
    refused(path, "'gap_s' is missing")
