"""Worlds in files: one .npz of plain arrays, with a version number; nothing in it is ever executed.

A file holds what was there from the start. The history that visits unrolled is not kept: a world
that was read is as nobody has seen it yet.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from trapline.core.errors import BadNumber, WorldUnreadable
from trapline.core.links import LINK
from trapline.laboratory.worlds.truth import Floats, Truth, make_truth

VERSION: Final = 1

_MARK: Final = "trapline_world"  # the array that holds the version
_PAGE_COLUMNS: Final = ("relevance", "rate", "born_s", "dies_s", "host")
_ARRAYS: Final[dict[str, DTypeLike]] = {
    "relevance": np.float64,
    "rate": np.float64,
    "born_s": np.float64,
    "dies_s": np.float64,
    "host": np.int32,
    "link_start": np.int64,
    "link_to": np.int32,
    "gap_s": np.float64,
    "latency_s": np.float64,
    "seed": np.int64,
    "event_start": np.int64,
    "event_s": np.float64,
    "clues": LINK,
    "drift": np.float64,
    "seeds": np.int64,
    "topic": np.uint8,
    "urls": np.uint8,
}

# What a file that is no .npz, or no longer one, makes zipfile and numpy raise.
_DAMAGE: Final = (
    OSError,
    EOFError,
    ValueError,
    KeyError,
    RuntimeError,
    MemoryError,
    SyntaxError,
    struct.error,
    zlib.error,
    zipfile.BadZipFile,
)


class Savable(Protocol):
    """`World` is one, and so is every `linked.LinkedWeb`."""

    @property
    def topic(self) -> str: ...
    @property
    def seeds(self) -> list[int]: ...
    @property
    def truth(self) -> Truth: ...


@dataclass(frozen=True, slots=True)
class World:
    topic: str
    seeds: list[int]
    truth: Truth
    urls: Sequence[str] = ()  # of the pages; empty: they have none


def save_world(path: Path | str, world: Savable) -> None:
    """The file is whole or not there: it is written under another name first."""
    path = Path(path)
    truth = world.truth
    arrays: dict[str, NDArray[Any]] = {
        name: truth.pages[name] for name in _PAGE_COLUMNS
    }
    arrays |= {
        name: found for name, found in truth._asdict().items() if name != "pages"
    }
    arrays |= {"seeds": np.array(world.seeds, np.int64), _MARK: np.array(VERSION)}
    arrays |= {
        "topic": _letters(world.topic),
        "urls": _letters("\n".join(getattr(world, "urls", ()))),
    }
    unfinished = path.with_name(path.name + ".unfinished")
    with unfinished.open("wb") as file:
        # mypy takes a name for the option `allow_pickle`
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    unfinished.replace(path)


def load_world(path: Path | str) -> World:
    """Raises WorldUnreadable for whatever `save_world` would not have written."""
    path = Path(path)
    try:
        found = _read(path)
        _check(found)
        return _world(found)
    except BadNumber as error:
        raise WorldUnreadable(path, str(error)) from None
    except FileNotFoundError:
        raise WorldUnreadable(path, "there is no such file") from None
    except _DAMAGE as error:
        raise WorldUnreadable(
            path, f"it is damaged, or no world ({type(error).__name__})"
        ) from None


def _read(path: Path) -> dict[str, NDArray[Any]]:
    # np.load would take other files for arrays, or ask for pickle
    with zipfile.ZipFile(path) as archive:
        names = {name.removesuffix(".npy") for name in archive.namelist()}
    if _MARK not in names:
        raise WorldUnreadable(path, "it was not written by Trapline as a world")
    with np.load(path, allow_pickle=False) as file:
        version = int(file[_MARK])
        if version > VERSION:
            problem = (
                f"it was written by a newer Trapline (version {version}, this one reads "
                f"up to {VERSION})"
            )
            raise WorldUnreadable(path, f"{problem}: upgrade trapline")
        for name in _ARRAYS:
            if name not in names:
                raise WorldUnreadable(path, f"the array {name!r} is missing")
        return {name: _column(file[name], dtype) for name, dtype in _ARRAYS.items()}


def _column(found: NDArray[Any], dtype: DTypeLike) -> NDArray[Any]:
    if found.ndim != 1 or found.dtype != np.dtype(dtype):
        raise BadNumber(
            "an array",
            f"of {found.ndim} dimensions of {found.dtype}",
            f"a row of {np.dtype(dtype)}",
        )
    return found


def _check(found: Mapping[str, NDArray[Any]]) -> None:
    """Kernels trust a world: whatever they would stumble over is found here."""
    pages = len(found["host"])
    hosts = len(found["gap_s"])
    links = len(found["link_to"])
    for name, length in [(name, pages) for name in _PAGE_COLUMNS] + [
        ("latency_s", hosts),
        ("seed", 1),
        ("drift", 1),
    ]:
        _demand(
            len(found[name]) == length,
            f"the length of {name!r}",
            len(found[name]),
            f"{length}",
        )
    _demand(
        min(pages, len(found["seeds"])) > 0,
        "the number of pages or seeds",
        0,
        "at least 1",
    )
    for name, most in (
        ("relevance", 1.0),
        ("drift", 1.0),
        ("rate", np.inf),
        ("gap_s", np.inf),
        ("latency_s", np.inf),
    ):
        _demand_between(name, found[name], 0.0, most)
    for name, below in (("host", hosts), ("link_to", pages), ("seeds", pages)):
        _demand_between(name, found[name], 0, below - 1)
    _demand(
        int(found["host"].max()) == hosts - 1,
        "the last host",
        int(found["host"].max()),
        f"{hosts - 1}",
    )
    _demand(
        bool((found["born_s"] <= found["dies_s"]).all()),
        "a page's birth",
        "after its death",
        "before",
    )
    _demand(
        bool(np.isfinite(found["born_s"]).all()),
        "a page's birth",
        "no number",
        "a time",
    )
    for name, length in (("link_start", links), ("event_start", len(found["event_s"]))):
        _demand_starts(name, found[name], pages, length)
    _check_links(found)


def _check_links(found: Mapping[str, NDArray[Any]]) -> None:
    """Links stand in order of their targets' births, and clues beside them."""
    start = found["link_start"]
    target = found["link_to"]
    clues = found["clues"]
    page = np.repeat(np.arange(len(start) - 1), np.diff(start))
    born_s = found["born_s"][target]
    ordered = (born_s[1:] >= born_s[:-1]) | (page[1:] != page[:-1])
    _demand(
        bool(ordered.all()),
        "a page's list of links",
        "out of order",
        "in order of the targets' births",
    )
    if len(clues):
        _demand(
            np.array_equal(clues["page"], target),
            "a clue",
            "about another link",
            "about its own",
        )
        _demand(
            np.array_equal(clues["host"], found["host"][target]),
            "a clue",
            "about another host",
            "about its own",
        )
    for name in ("anchor", "address", "context", "place"):
        _demand_between(f"the {name} of a link", clues[name], 0.0, 1.0)


def _demand(kept: bool, name: str, found: object, wanted: str) -> None:
    if not kept:
        raise BadNumber(name, found, wanted)


def _demand_between(name: str, found: NDArray[Any], least: float, most: float) -> None:
    wrong = found[~((found >= least) & (found <= most) & np.isfinite(found))]
    if len(wrong):
        raise BadNumber(name, wrong[0], f"a number from {least:g} to {most:g}")


def _demand_starts(name: str, start: NDArray[Any], pages: int, length: int) -> None:
    whole = (
        len(start) == pages + 1
        and start[0] == 0
        and start[-1] == length
        and (np.diff(start) >= 0).all()
    )
    _demand(
        bool(whole), name, "torn", f"{pages + 1} numbers that grow from 0 to {length}"
    )


def _world(found: Mapping[str, NDArray[Any]]) -> World:
    urls = _text(found["urls"]).split("\n") if len(found["urls"]) else []
    pages = len(found["host"])
    _demand(
        len(urls) in (0, pages),
        "the number of URLs",
        len(urls),
        f"0, or {pages}, one for each page",
    )
    columns: dict[str, Floats] = {
        name: found[name] for name in ("rate", "relevance", "born_s", "dies_s")
    }
    truth = make_truth(
        host=found["host"],
        gap_s=found["gap_s"],
        latency_s=found["latency_s"],
        links=(found["link_start"], found["link_to"]),
        events=(found["event_start"], found["event_s"]),
        clues=found["clues"],
        drift=float(found["drift"][0]),
        seed=int(found["seed"][0]),
        **columns,
    )
    return World(_text(found["topic"]), found["seeds"].tolist(), truth, urls)


def _letters(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), np.uint8)


def _text(letters: NDArray[np.uint8]) -> str:
    return letters.tobytes().decode()
