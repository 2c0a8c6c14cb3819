"""Entries of a directory, believed only as far as engines have signed them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trapline.app.federation.key_file import verify
from trapline.core.errors import StatementRefused
from trapline.oasis.signed_description import (
    SignedDescription,
    read_signed_description,
)
from trapline.oasis.statements import Statement, read_statement


def check_entry(entry: Mapping[str, Any]) -> tuple[Statement, SignedDescription | None]:
    """What the engine has signed; StatementRefused or DescriptionUnreadable if it has not.

    There is no description of an engine that the directory could not reach.
    """
    statement = read_statement(entry.get("statement"), verify).statement
    if entry.get("description") is None:
        return statement, None
    signed = read_signed_description(entry["description"], verify)
    if signed.description.key != statement.key:
        raise StatementRefused("its description is of another engine")
    return statement, signed
