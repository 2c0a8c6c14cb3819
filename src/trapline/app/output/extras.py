"""Packages that only some commands need, and that are installed on demand."""

from __future__ import annotations

from importlib.util import find_spec

from trapline.core.errors import ExtraMissing


def check_laboratory() -> None:
    """Before an experiment runs for minutes: what it computes and draws with must be there."""
    for package in ("scipy", "matplotlib"):
        _check("the laboratory", package)


def check_drawing() -> None:
    _check("a picture", "matplotlib")


def _check(what: str, package: str) -> None:
    if find_spec(package) is None:
        raise ExtraMissing(what, package, "lab")
