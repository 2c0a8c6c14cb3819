"""Entries as rows of the database, and back."""

from __future__ import annotations

import json
from typing import Any, Final

from trapline.app.directory.engine_entry import EngineEntry, State
from trapline.oasis.description import read_description
from trapline.oasis.signed_description import SignedDescription
from trapline.oasis.statements import SignedStatement, Statement

COLUMNS: Final = (
    "number, statement, description, state, reason, since_s, seen_s, findings,"
    " terms_digest, sample_digest"
)


def read_entry(row: Any) -> EngineEntry:
    number, statement, description, state, reason, since_s, seen_s, *rest = row
    findings, terms_digest, sample_digest = rest
    return EngineEntry(
        number,
        _statement(json.loads(statement)),
        None if description is None else _description(json.loads(description)),
        State(state),
        reason,
        since_s,
        seen_s,
        tuple(json.loads(findings)),
        terms_digest,
        sample_digest,
    )


def _statement(said: dict[str, Any]) -> SignedStatement:
    """It was checked before it was written."""
    signature = said.pop("signature")
    return SignedStatement(Statement(**said), signature)


def _description(said: dict[str, Any]) -> SignedDescription:
    return SignedDescription(read_description(said), said)


def spell(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
