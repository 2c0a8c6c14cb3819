"""HTML made of elements. Whatever is not `Html` already is text, and is escaped.

>>> element("a", "Tom & Jerry", href="/?q=a&b", class_="hit")
'<a href="/?q=a&amp;b" class="hit">Tom &amp; Jerry</a>'
>>> element("p", element("b", "<i>"), " ", "x")
'<p><b>&lt;i&gt;</b> x</p>'
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from typing import Any, Final

_VOID: Final = frozenset({"input", "link", "meta", "img", "br"})


class Html(str):
    """Markup. Only this module makes it, out of names of our own and escaped text."""

    __slots__ = ()


NOTHING: Final = Html("")


def element(
    name: str, /, *children: str | Iterable[str], **attributes: str | bool | None
) -> Html:
    """An element; an attribute that is None or False is left out, True stands alone.

    Attributes are written in Python's way: `class_`, `aria_label`.
    """
    opening = f"<{name}{''.join(map(_attribute, attributes.items()))}>"
    if name in _VOID:
        return Html(opening)
    return Html(f"{opening}{join(*children)}</{name}>")


def join(*parts: str | Iterable[str]) -> Html:
    """Parts one after another; text among them is escaped."""
    return Html("".join(map(_markup, parts)))


def document(html: Html) -> Html:
    return Html(f"<!doctype html>{html}")


def data_block(name: str, value: Any) -> Html:
    """Values for a module of ours to read. It is no script: nothing runs it."""
    text = json.dumps(value, allow_nan=False).replace("<", "\\u003c")
    return Html(f'<script type="application/json" id="{escape(name)}">{text}</script>')


def _markup(part: str | Iterable[str]) -> str:
    if isinstance(part, Html):
        return part
    if isinstance(part, str):
        return escape(part)
    return "".join(map(_markup, part))


def _attribute(item: tuple[str, str | bool | None]) -> str:
    name, value = item
    name = name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    return f' {name}="{escape(value)}"'
