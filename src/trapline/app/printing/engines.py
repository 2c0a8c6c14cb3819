"""What `engines` prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from trapline.app.output.standard_output import print_json, print_remark
from trapline.app.printing.fact_table import RowTable, print_facts, print_table

if TYPE_CHECKING:
    # they bring a client, which takes a moment
    from trapline.app.federation.membership.engine_facts import EngineFacts
    from trapline.app.federation.membership.engine_rows import EngineList, EngineRow
    from trapline.app.federation.membership.join_orders import Joined, Left
    from trapline.oasis.description import Packed

_COLUMNS: Final = ("engine", "topic", "pages", "fresh", "version", "state", "found")
_TOPIC: Final = 60  # letters


def print_engines(found: EngineList, as_json: bool) -> None:
    if as_json:
        print_json(found.as_dict())
        return
    for url, reason in found.troubles.items():
        print_remark(f"{url} {reason}")
    if found.engines:
        print_table(RowTable("", _COLUMNS, map(_row, found.engines)))
    elif not found.troubles:
        print("no engines: join a directory with `trapline engines join DIR URL`")


def print_joined(joined: Joined, folder: object, as_json: bool) -> None:
    if as_json:
        print_json({"url": joined.url, "kind": joined.kind})
        return
    print(f"{folder} has joined the {joined.kind} {joined.url}")
    print(f"Serve it, so that others reach it: trapline serve {folder}")


def print_left(left: Left, folder: object, as_json: bool) -> None:
    if as_json:
        print_json({"url": left.url, "told": left.told, "reason": left.reason})
        return
    print(f"{folder} has left {left.url}")
    if left.reason:
        print(f"It was not told: {left.reason}")


def print_description(facts: EngineFacts, as_json: bool) -> None:
    if as_json:
        print_json(facts.as_dict())
        return
    print_facts(facts.description.url, _facts(facts))


def _facts(facts: EngineFacts) -> Iterator[tuple[str, str]]:
    found = facts.description
    yield "name", f"{found.name}·{found.fingerprint}"
    yield "topic", found.topic or "–"
    yield "pages", f"{found.pages:,}"
    yield "languages", ", ".join(f"{code} {n:,}" for code, n in found.languages) or "–"
    yield "freshness", _share(found.fresh)
    yield "recall", _share(found.recall)
    yield "statistics", _part(found.terms, "words")
    yield "sample", _part(found.sample, "pages")
    yield "version", str(found.version)
    yield (
        "signature",
        "good" if facts.is_signed else "NOT of its key: do not believe it",
    )


def _part(part: Packed | None, what: str) -> str:
    if part is None:
        return "not given away"
    return f"{part.kept:,} {what}, {part.bytes:,} bytes"


def _row(row: EngineRow) -> tuple[str, ...]:
    name = f"{row.name}·{row.fingerprint}" if row.fingerprint else row.name
    topic = row.topic if len(row.topic) <= _TOPIC else f"{row.topic[:_TOPIC]}…"
    state = f"{row.state} ({row.reason})" if row.reason else row.state
    return (
        name,
        topic or "–",
        "–" if row.pages is None else f"{row.pages:,}",
        _share(row.fresh),
        "–" if row.version is None else str(row.version),
        state,
        "; ".join(row.findings) or "–",
    )


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"
