"""How often is "changed" right? Edits with labels, made in real pages, by kind.

    python bench/changes.py FOLDER

FOLDER has HTML pages, one site a folder, such as `x` in the web box's folder. Each edit is a
history: a page is visited some times, with noise at one place that is another at each visit; then
once more, with the edit. For noise the edit is one more change of it; for news it is news, beside
noise that goes on. The verdict is the response processor's. Half of the pages, with half of the
wordings, is set aside: look at it (`--half aside`) only when nothing will be tuned any more.
A bench informs, tests judge: exit code 0.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from changes_edits import NOISE  # type: ignore[import-not-found]  # these stand beside this file
from changes_history import History  # type: ignore[import-not-found]
from changes_news import IN_TEXT, NEWS  # type: ignore[import-not-found]
from changes_pages import (  # type: ignore[import-not-found]
    CONTENT,
    FURNITURE,
    Case,
    find_pages,
    is_aside,
    lot,
)
from trapline.core.errors import UserMistake

PAGES: Final = 64
VISITS: Final = 5  # before the one that is judged
OF_EACH: Final = 5  # texts of noise a page, texts of news, changes of real text


def cases_of(page: Path, aside: bool) -> list[Case]:
    """The edits of one page, drawn by its name from the wordings of its half."""
    noise = [(kind, text, False) for kind, texts in NOISE.items() for text in texts]
    news = [(kind, text, True) for kind, texts in NEWS.items() for text in texts]
    real = [("in the text", how, True) for how in IN_TEXT]
    cases = []
    for edits in (noise, news, real):
        fit = [one for one in edits if one in real or is_aside(one[1]) == aside]
        fit.sort(key=lambda one: lot(f"{page} {one[1]}"))
        for kind, text, changed in fit[:OF_EACH]:
            places = list(CONTENT if changed else FURNITURE)
            place = places[lot(f"{text} {page}") % len(places)]
            cases.append(Case(page, kind, text, place, changed))
    return cases


class Score:
    """Verdicts by kind and label."""

    def __init__(self) -> None:
        self.right: Counter[tuple[str, bool]] = Counter()
        self.wrong: Counter[tuple[str, bool]] = Counter()

    def add(self, case: Case, verdict: bool) -> None:
        tally = self.right if verdict == case.news else self.wrong
        tally[case.kind, case.news] += 1

    def rates(self) -> tuple[float, float]:
        """(precision, recall) of "changed"."""
        true = sum(count for (_, news), count in self.right.items() if news)
        false = sum(count for (_, news), count in self.wrong.items() if not news)
        missed = sum(count for (_, news), count in self.wrong.items() if news)
        return true / max(1, true + false), true / max(1, true + missed)


def judge(folder: Path, cases: list[Case], visits: int, show: bool) -> Score:
    score = Score()
    for case in cases:
        verdict = History(folder, case).is_changed(visits)
        if verdict is None:
            continue
        score.add(case, verdict)
        if show and verdict != case.news:
            what = "missed" if case.news else "falsely reported"
            print(f"  {what}, {case.kind}, {case.place}: {case.text} ({case.page})")
    return score


def show_scores(name: str, first: Score, later: Score) -> None:
    table = Table("kind", "label", "edits", "right at once", "right later")
    kinds = {**first.right, **first.wrong}
    for kind, news in sorted(kinds, key=lambda one: (one[1], one[0])):
        key = (kind, news)
        count = first.right[key] + first.wrong[key]
        table.add_row(
            kind,
            "news" if news else "noise",
            str(count),
            str(first.right[key]),
            str(later.right[key]),
        )
    console = Console()
    (console if console.is_terminal else Console(width=100)).print(table)
    for what, score in (("at the second visit", first), ("later", later)):
        precision, recall = score.rates()
        count = score.right.total() + score.wrong.total()
        print(
            f"{name}, {what}: {count} edits, precision {precision:.3f}, "
            f"recall {recall:.3f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="How often is `changed` right?")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("tuning", "aside", "both"), default="tuning")
    parser.add_argument("--misses", action="store_true", help="show them")
    words = parser.parse_args()
    pages = find_pages(words.folder, PAGES)
    for half in ("tuning", "aside"):
        if words.half not in (half, "both"):
            continue
        aside = half == "aside"
        mine = [page for page in pages if is_aside(str(page)) == aside]
        cases = [case for page in mine for case in cases_of(page, aside)]
        first = judge(words.folder, cases, 1, show=False)
        later = judge(words.folder, cases, VISITS, words.misses)
        show_scores(f"{half}, {len(mine)} pages", first, later)


if __name__ == "__main__":
    try:
        main()
    except UserMistake as mistake:
        sys.exit(f"changes: {mistake}")
