"""All lines of the five papers, by paper: what `trapline lab papers` prints.

Nothing is imported until a paper's lines are asked for, and they bring no compiler.

>>> [paper.key for paper in PAPERS]
['omeara', 'whittle', 'lspe', 'htraa', 'talim']
>>> lines_of("whittle")[0].id
'whittle/eq-1'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from trapline.core.errors import UnknownName
from trapline.laboratory.study.paper_line import PaperLine, Verdict


@dataclass(frozen=True, slots=True)
class Paper:
    key: str
    authors: str
    title: str


PAPERS: Final = (
    Paper(
        "omeara",
        "O'Meara & Patel",
        "A Topic-Specific Web Robot Model Based on Restless Bandits",
    ),
    Paper(
        "whittle",
        "Avrachenkov & Borkar 2015",
        "Whittle Index Policy for Crawling Ephemeral Content",
    ),
    Paper(
        "lspe",
        "Avrachenkov & Borkar 2019",
        "A learning algorithm for the Whittle index policy for scheduling web crawlers",
    ),
    Paper(
        "htraa",
        "Granmo & Oommen",
        "Learning Automata-based Solutions to the Optimal Web Polling Problem",
    ),
    Paper(
        "talim",
        "Talim, Liu, Nain & Coffman 1999",
        "Controlling Robots of Web Search Engines",
    ),
)


def papers_named(key: str | None) -> tuple[Paper, ...]:
    """One of them, or all; raises UnknownName."""
    keys = [paper.key for paper in PAPERS]
    if key is not None and key not in keys:
        raise UnknownName("paper", key, keys)
    return tuple(paper for paper in PAPERS if key in (None, paper.key))


def lines_of(key: str) -> tuple[PaperLine, ...]:
    module = import_module(f"trapline.laboratory.papers.{key}.paper_lines")
    lines: tuple[PaperLine, ...] = module.LINES
    return lines


def all_lines() -> list[PaperLine]:
    return [line for paper in PAPERS for line in lines_of(paper.key)]


def count_verdicts(lines: Iterable[PaperLine]) -> dict[Verdict, int]:
    verdicts = [line.verdict for line in lines]
    return {verdict: verdicts.count(verdict) for verdict in Verdict}


def say_verdicts(lines: Sequence[PaperLine]) -> str:
    counts = count_verdicts(lines)
    said = [f"{count} {verdict}" for verdict, count in counts.items() if count]
    return f"{len(lines)} lines: {', '.join(said)}."


def as_dict(line: PaperLine) -> dict[str, Any]:
    return {
        "id": line.id,
        "paper": line.paper,
        "kind": line.kind,
        "says": line.says,
        "where": line.where,
        "check": list(line.check),
        "verdict": line.verdict,
        "number": line.number.text,
        "policies": list(line.live.policies),
        "live": line.live.text,
    }
