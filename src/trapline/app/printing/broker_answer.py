"""The answer of several engines, on a terminal: results with their origins, and who answered."""

from __future__ import annotations

import dataclasses

from rich.text import Text

from trapline.app.federation.asking.broker_answer import (
    BrokerAnswer,
    EngineReport,
    EngineState,
)
from trapline.app.output.readable_text import readable
from trapline.app.output.standard_output import print_json
from trapline.app.output.terminal import Terminal
from trapline.app.printing.answer import print_hit
from trapline.search.questions import Question

_STYLES = {
    EngineState.ANSWERED: "green",
    EngineState.AWAITED: "dim",
    EngineState.FAILED: "red",
    EngineState.NOT_ASKED: "dim",
}


def print_broker_answer(
    answer: BrokerAnswer, question: Question, as_json: bool
) -> None:
    if as_json:
        print_json(dataclasses.asdict(answer))
        return
    console = Terminal()
    found = f"{answer.total:,} found in {answer.seconds * 1000:.1f} ms"
    console.print(found, style="dim")
    for place, hit in enumerate(answer.hits, 1 + question.offset):
        print_hit(console, place, hit)
        console.print(Text(f"   from {readable(', '.join(hit.origins))}", "dim"))
    if not answer.hits:
        console.print("nobody has a page with these words: try fewer, or others")
    console.print()
    for report in answer.engines:
        console.print(_say(report))


def _say(report: EngineReport) -> Text:
    """One line for an engine."""
    text = Text(f"{readable(report.name)} ", "bold")
    text.append(report.state.value, _STYLES[report.state])
    if report.state is EngineState.ANSWERED:
        text.append(f" in {report.ms:.0f} ms with {report.hits} results")
        text.append("" if report.comparable else ", merged by rank")
    elif report.reason:
        text.append(f": {readable(report.reason)}")
    return text
