"""Selectors by name. Nothing is imported until it is asked for.

A new selector is one new file and one line here.

>>> type(make_selector("cori")).__name__
'Cori'
"""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast

from trapline.core.errors import UnknownName
from trapline.oasis.selection.selector import Selector

_HERE = "trapline.oasis.selection."

SELECTORS: Final = {
    "cori": _HERE + "cori:Cori",
    "coverage": _HERE + "coverage:Coverage",
    "crcs": _HERE + "crcs:Crcs",
    "crcs-exponential": _HERE + "crcs:CrcsExponential",
    "largest": _HERE + "largest:Largest",
    "learnt": _HERE + "learnt:Learnt",
    "query-likelihood": _HERE + "query_likelihood:QueryLikelihood",
    "taily": _HERE + "taily:Taily",
}
BEST: Final = "learnt"  # what a broker takes unless told otherwise


def selector_names() -> list[str]:
    return sorted(SELECTORS)


def make_selector(name: str = BEST) -> Selector:
    """Raises UnknownName."""
    if name not in SELECTORS:
        raise UnknownName("selector", name, selector_names())
    module, _, attribute = SELECTORS[name].partition(":")
    return cast("Selector", getattr(import_module(module), attribute)())
