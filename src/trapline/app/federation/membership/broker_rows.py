"""What the broker of a folder knows beside directories: findings, and engines it remembers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from trapline.app.federation.known_engines import KnownEngine, read_known
from trapline.app.federation.membership.engine_rows import EngineList, EngineRow

SOURCE: Final = "broker"
_MOST: Final = 10  # findings shown of an engine


def add_known(folder: Path, found: EngineList) -> EngineList:
    """A list with all that the folder's broker found."""
    engines, findings = read_known(folder)
    told: dict[str, list[str]] = {}
    for one in findings:
        engine = engines.get(one.key)
        if engine is not None:
            said = f"{one.wrong}, {one.times} times: {one.detail}"
            told.setdefault(engine.fingerprint, []).append(said)
    listed = {row.fingerprint for row in found.engines}
    rows = [_with_findings(row, told) for row in found.engines]
    rows += [
        _with_findings(_row(engine), told)
        for engine in engines.values()
        if engine.fingerprint not in listed
    ]
    return EngineList(rows, found.troubles)


def _with_findings(row: EngineRow, told: dict[str, list[str]]) -> EngineRow:
    more = tuple(told.get(row.fingerprint, ())[:_MOST])
    return replace(row, findings=(*row.findings, *more))


def _row(engine: KnownEngine) -> EngineRow:
    found = engine.description
    kind = f" ({engine.kind})" if engine.is_neighbour else ""
    return EngineRow(
        engine.name,
        engine.fingerprint,
        engine.url,
        f"remembered{kind}",
        SOURCE,
        topic=found.topic if found else "",
        pages=found.pages if found else None,
        fresh=found.fresh if found else None,
        version=found.version if found else None,
    )
