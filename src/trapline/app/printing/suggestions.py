"""What `engines suggest` prints, and what it asks before something is taken over."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import typer

from trapline.app.federation.service.known_service import (
    KnownService,
    has_topic,
    known_service,
)
from trapline.app.federation.service.take_over import (
    TakeOver,
    plan_take_over,
    take_over,
)
from trapline.app.output.standard_output import print_json
from trapline.app.printing.fact_table import print_facts
from trapline.core.errors import UserMistake
from trapline.oasis.service.suggestion import LEAVE_TO, NEW_ENGINE, SHIFT, Suggestion


def suggest_and_print(
    folder: Path, days: int, apply: bool, yes: bool, as_json: bool
) -> None:
    service = known_service(folder, days)
    found = service.suggest()
    plan = _plan(folder, service, found) if apply else TakeOver()
    if not as_json:
        _print_suggestions(service, found)
    if apply:
        _print_plan(plan, as_json)
    done = apply and bool(plan) and _is_confirmed(yes, as_json)
    if done:
        take_over(folder, plan)
    if as_json:
        print_json(_as_json(service, found, plan, done))
    elif apply:
        print(_outcome(plan, done))


def _plan(folder: Path, service: KnownService, found: list[Suggestion]) -> TakeOver:
    return plan_take_over(folder, service.own, has_topic(folder), found)


def _is_confirmed(yes: bool, as_json: bool) -> bool:
    if yes:
        return True
    if as_json or not sys.stdin.isatty():
        raise UserMistake("nobody can be asked here: say --yes to take it over")
    return typer.confirm("Take this over?")


def _print_suggestions(service: KnownService, found: list[Suggestion]) -> None:
    if not service.queries:
        print(
            "No queries are remembered: they are noted while `trapline serve --broker` runs."
        )
    elif not found:
        print(f"{len(service.queries):,} queries, and nothing to suggest.")
    for one in found:
        print_facts(_title(one), _lines(one))


def _title(one: Suggestion) -> str:
    words = ", ".join(one.words)
    if one.kind == NEW_ENGINE:
        return f"A new engine: {words}"
    if one.kind == SHIFT:
        return f"{one.engine} should shift: {words}"
    return f"{one.engine} should leave to {one.other}: {words}"


def _lines(one: Suggestion) -> list[tuple[str, str]]:
    gains = f"{one.queries_a_day:.3g} queries a day, {one.gain:.1%} of all"
    lines = [("why", one.reason), ("queries", "; ".join(one.queries))]
    if one.kind != LEAVE_TO:
        lines.insert(0, ("would gain", gains))
    if one.examples:
        lines.append(("examples", "\n".join(one.examples)))
    if one.against:
        lines.append(("counter-examples", "\n".join(one.against)))
    return lines


def _print_plan(plan: TakeOver, as_json: bool) -> None:
    if as_json:
        return
    rows = [
        ("like the topic", "\n".join(plan.topic)),
        ("examples", "\n".join(plan.examples)),
        ("visited first for that", "\n".join(plan.seeds)),
        ("counter-examples", "\n".join(plan.against)),
        ("left out", "\n".join(plan.left_out)),
    ]
    shown = [row for row in rows if row[1]]
    if shown:
        print_facts("For this engine", shown)


def _outcome(plan: TakeOver, done: bool) -> str:
    if not plan:
        return "There is nothing for this engine to take over."
    if not done:
        return "Nothing was written."
    counts = f"{len(plan.topic) + len(plan.examples)} examples and {len(plan.against)}"
    return (
        f"{counts} counter-examples were taken over, {len(plan.seeds)} pages will be visited. "
        "A robot at work hears of it within seconds, the next one at its start."
    )


def _as_json(
    service: KnownService, found: list[Suggestion], plan: TakeOver, done: bool
) -> dict[str, object]:
    return {
        "own": service.own,
        "queries": len(service.queries),
        "suggestions": [asdict(one) for one in found],
        "taken_over": plan.as_dict() if done else None,
    }
