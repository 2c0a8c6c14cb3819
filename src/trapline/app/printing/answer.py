"""The answer to a search, on a terminal: titles and snippets with marks, ages, what would help."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable
from typing import Final

from rich.padding import Padding
from rich.text import Text

from trapline.app.output.readable_text import readable
from trapline.app.output.standard_output import print_json
from trapline.app.output.terminal import Terminal
from trapline.policies.wording import say_span
from trapline.search.hits import Fragment, Hit
from trapline.search.questions import Answer, Question

_MARK: Final = "bold underline"
_INDENT: Final = "   "


def print_answer(answer: Answer, question: Question, as_json: bool) -> None:
    if as_json:
        print_json(dataclasses.asdict(answer))
        return
    console = Terminal()
    found = f"{answer.total:,} found in {answer.seconds * 1000:.1f} ms"
    console.print(found, style="dim")
    for remark in answer.remarks:
        console.print(Text(f"read as words: {readable(remark)}", "yellow"))
    if answer.meant:
        console.print(Text(_say_meant(answer), "yellow"))
    for place, hit in enumerate(answer.hits, 1 + question.offset):
        print_hit(console, place, hit)
    if not answer.hits:
        console.print(_say_what_helps(question))
    elif answer.cursor:
        page = question.offset // question.limit + 1
        console.print(f"\nthere is more: --page {page + 1}", style="dim")


def _say_meant(answer: Answer) -> str:
    meant = readable(answer.meant)
    if answer.corrected:
        return f"no page has all words as typed, so this was searched: {meant}"
    return f"did you mean: {meant}"


def print_hit(console: Terminal, place: int, hit: Hit) -> None:
    title = hit.marked_title or (Fragment(hit.title or hit.url, False),)
    console.print(Text(f"\n{place}. ", "dim"), _mark_matches(title, "bold"), sep="")
    console.print(_indent(Text(readable(hit.url), "green")))
    if facts := _facts(hit):
        console.print(_indent(Text(readable(facts), "dim")))
    console.print(_indent(_mark_matches(hit.snippet, "")))
    for factor in hit.factors:
        line = f"{_INDENT}{factor.points:+9.3f}  {factor.name} {factor.value:.4g}"
        console.print(Text(readable(line), "cyan"))
    if hit.factors:
        console.print(Text(f"{_INDENT}{hit.score:9.3f}  in all", "cyan"))


def _indent(text: Text) -> Padding:
    """On every line, also where a long one is wrapped."""
    return Padding(text, (0, 0, 0, len(_INDENT)), expand=False)


def _mark_matches(pieces: Iterable[Fragment], style: str) -> Text:
    text = Text()
    for piece in pieces:
        shown = readable(piece.text.replace("\n", " "))
        text.append(shown, _MARK if piece.is_match else style)
    return text


def _facts(hit: Hit) -> str:
    """Since when it is so, its language, and how many say the same."""
    facts = []
    if hit.changed_s > 0.0:
        facts.append(f"changed {_ago(hit.changed_s)}")
    if hit.fetched_s > 0.0:
        facts.append(f"seen {_ago(hit.fetched_s)}")
    if hit.language:
        facts.append(hit.language)
    if hit.copies:
        facts.append(f"and {hit.copies} like it")
    return " · ".join(facts)


def _ago(at_s: float) -> str:
    """A clock that was wrong may have noted times to come."""
    age_s = time.time() - at_s
    return f"{say_span(age_s)} ago" if age_s >= 1.0 else "just now"


def _say_what_helps(question: Question) -> str:
    if question.offset or question.cursor:
        return "there is no more: ask for an earlier page"
    filters = (
        question.host,
        question.language,
        question.changed_from_s,
        question.changed_to_s,
    )
    if any(part not in ("", None) for part in filters):
        return "no page of the collection fits words and filters: leave a filter out"
    return "no page of the collection has these words: try fewer, or others"
