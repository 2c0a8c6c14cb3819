"""Fields: what is picked out of a page under names, as a JSON object that is bounded in size."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final

from trapline.core.errors import BadRule
from trapline.reading.rules.reading_rules import NUMBER, FieldRule
from trapline.reading.rules.selectors import check_selector, is_xpath, select_values

LONGEST: Final = 2_000  # letters of a value
MOST_VALUES: Final = 100  # of a field
MOST_FIELDS: Final = 50
LONGEST_NAME: Final = 60
LARGEST: Final = 64_000  # letters of all values together
_MANY: Final = "[]"
_ATTRIBUTE: Final = re.compile(r"@([\w:.-]+)$")

Value = str | float | list[str] | None


def read_field_rule(name: str, selector: str) -> FieldRule:
    """Raises BadRule for a bad name or selector.

    >>> read_field_rule("image", "img.main@src")
    FieldRule(name='image', selector='img.main', attribute='src', many=False)
    >>> read_field_rule("tags[]", "//li")
    FieldRule(name='tags', selector='//li', attribute='', many=True)
    """
    plain = name.removesuffix(_MANY)
    if not plain or len(plain) > LONGEST_NAME:
        raise BadRule(name, f"no name of a field (1 to {LONGEST_NAME} letters)")
    if plain == NUMBER:
        raise BadRule(
            name, "no name of a field: the number of a watched page is called so"
        )
    attribute = None if is_xpath(selector) else _ATTRIBUTE.search(selector)
    chosen = selector[: attribute.start()] if attribute else selector
    check_selector(chosen)
    return FieldRule(
        plain, chosen, attribute[1] if attribute else "", name.endswith(_MANY)
    )


def extract_fields(html: bytes, rules: Iterable[FieldRule]) -> dict[str, Value]:
    """A field that nothing matches is None, or an empty list.

    >>> extract_fields(b"<h1>Tea</h1>", [FieldRule("name", "h1"), FieldRule("price", ".p")])
    {'name': 'Tea', 'price': None}
    """
    room = LARGEST
    found: dict[str, Value] = {}
    for rule in rules:
        most = MOST_VALUES if rule.many else 1
        texts = select_values(html, rule.selector, rule.attribute, most)
        values = []
        for text in texts:
            value = text[: min(LONGEST, room)]
            room -= len(value)
            if value or not text:
                values.append(value)
        found[rule.name] = values if rule.many else next(iter(values), None)
    return found


def pack_fields(fields: Mapping[str, Value]) -> str:
    """As they are stored; nothing for none."""
    if not fields:
        return ""
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    # what UTF-8 cannot hold, a store cannot either
    return text.encode("utf-8", "replace").decode()


def unpack_fields(text: str) -> dict[str, Value]:
    """
    >>> unpack_fields(""), unpack_fields('{"price":"3"}')
    ({}, {'price': '3'})
    """
    found: dict[str, Value] = json.loads(text) if text else {}
    return found


def texts_of(value: Value) -> list[str]:
    """
    >>> texts_of(None), texts_of("3"), texts_of(["a", "b"]), texts_of(2.5)
    ([], ['3'], ['a', 'b'], ['2.5'])
    """
    if value is None:
        return []
    return value if isinstance(value, list) else [str(value)]
