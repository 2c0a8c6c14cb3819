"""Answers and states as people read them, or as JSON."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from trapline.app.folder.status import Status
from trapline.app.output.readable_text import readable
from trapline.app.output.standard_output import print_json
from trapline.app.output.terminal import Terminal
from trapline.search.hits import Hit
from trapline.search.questions import Answer

if TYPE_CHECKING:
    # it brings a controller back, which takes a compiler
    from trapline.app.folder.reasons import Reasons


def print_answer(answer: Answer, as_json: bool) -> None:
    if as_json:
        print_json(dataclasses.asdict(answer))
        return
    console = Terminal()
    found = f"{answer.total} found in {answer.seconds * 1000:.1f} ms"
    console.print(found, style="dim")
    for place, hit in enumerate(answer.hits, 1):
        _print_hit(console, place, hit)


def _print_hit(console: Terminal, place: int, hit: Hit) -> None:
    title = Text(readable(hit.title or hit.url), "bold")
    console.print(Text(f"\n{place}. ", "dim"), title, sep="")
    copies = f"  (and {hit.copies} like it)" if hit.copies else ""
    console.print(Text(readable(f"   {hit.url}"), "green"), Text(copies, "dim"), sep="")
    snippet = Text("   ")
    for part in hit.snippet:
        text = readable(part.text.replace("\n", " "))
        snippet.append(text, "bold" if part.is_match else "")
    console.print(snippet)


def print_status(status: Status, as_json: bool) -> None:
    if as_json:
        print_json(status.as_dict())
        return
    table = Table(title=status.folder, show_header=False, title_justify="left")
    for name, value in status.figures().items():
        table.add_row(name, value)
    Terminal().print(table)


def print_reasons(reasons: Reasons, as_json: bool) -> None:
    if as_json:
        print_json(reasons.as_dict())
        return
    table = Table(title=reasons.url, show_header=False, title_justify="left")
    for name, value in reasons.lines():
        table.add_row(name, value)
    Terminal().print(table)
