"""Reading a page by its rules: the parts that count, and what is picked out of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from lxml.etree import LxmlError
from selectolax.lexbor import SelectolaxError

from trapline.reading.html.document import Document, read_html
from trapline.reading.rules.field_values import Value, extract_fields, pack_fields
from trapline.reading.rules.numbers import find_number
from trapline.reading.rules.part_text import part_text
from trapline.reading.rules.patterns import leave_out, matches
from trapline.reading.rules.reading_rules import NUMBER, Findings, ReadingRules
from trapline.reading.rules.selectors import remove_parts, select_parts, wrap_part

NOTHING: Final = "select matched nothing"
EMPTY: Final = "the rules leave nothing of it"
NO_NUMBER: Final = "there is no number where one was"
LARGEST: Final = 20_000_000  # bytes of selected parts


class RuleFailure(Exception):
    """A page has not what its rules ask for; the text says what is missing."""


def cut_page(html: bytes, rules: ReadingRules) -> bytes:
    """The parts of a page that count, as a page. Raises RuleFailure if there are none.

    >>> cut_page(b"<p>one</p><div>two<i>3</i></div>", ReadingRules(("div",), ("i",)))
    b'<html><body><div>two</div></body></html>'
    """
    for selector in rules.ignore:
        html = remove_parts(html, selector)
    if not rules.select:
        return html
    parts: list[str] = []
    for selector in rules.select:
        parts += select_parts(html, selector)
    if not parts:
        raise RuleFailure(f"{NOTHING}: {', '.join(rules.select)}")
    body = "\n".join(map(wrap_part, parts)).encode("utf-8", "replace")[:LARGEST]
    return b"<html><body>" + body + b"</body></html>"


def read_by_rules(
    document: Document, html: bytes | None, rules: ReadingRules, url: str
) -> tuple[Document, Findings]:
    """A document that was read whole, as its rules want it, and what they pick out of it.

    `html` is its page; None = it is of another kind, and has no parts to select. Raises
    RuleFailure if it has not what is asked for.
    """
    try:
        part = _filter(document, html, rules, url)
        if not part.text and _ignores_all(document, html, rules, url):
            raise RuleFailure(EMPTY)
        return part, _findings(part, html, rules)
    except (LxmlError, SelectolaxError) as error:
        # that a selector is sound was checked; on this page it needs too much
        raise RuleFailure(f"a rule cannot be applied: {error}") from None


def _filter(
    document: Document, html: bytes | None, rules: ReadingRules, url: str
) -> Document:
    if html is not None:
        document = _filter_html(document, html, rules, url)
    elif rules.select:
        raise RuleFailure(f"{NOTHING}: it is not HTML")
    return _filter_text(document, rules)


def _ignores_all(
    document: Document, html: bytes | None, rules: ReadingRules, url: str
) -> bool:
    """Whether it is for what they ignore that rules leave nothing: a part that is selected may
    well be empty by itself.
    """
    if not (rules.ignore or rules.ignore_text):
        return False
    whole = replace(rules, ignore=(), ignore_text=())
    return bool(_filter(document, html, whole, url).text)


def _filter_html(
    document: Document, html: bytes, rules: ReadingRules, url: str
) -> Document:
    """A page that was read whole, with the text of the parts that count.

    What it orders robots to do is kept, whatever is cut out of it.
    """
    if not (rules.select or rules.ignore):
        return document
    cut = cut_page(html, rules)
    if rules.select:
        return replace(document, text=part_text(cut), links=(), form=b"")
    # as UTF-8 whatever its <meta> says: it was recoded
    rest = read_html(cut, "text/html; charset=utf-8", url)
    links = () if document.nofollow else rest.links
    return replace(document, text=rest.text, links=links, form=rest.form)


def _filter_text(document: Document, rules: ReadingRules) -> Document:
    """Without what its rules leave out of the text, whatever kind of content it is."""
    if not rules.ignore_text:
        return document
    text = leave_out(document.text, rules.ignore_text)
    return document if text == document.text else replace(document, text=text, form=b"")


def _findings(document: Document, html: bytes | None, rules: ReadingRules) -> Findings:
    """What is picked out of a page; `html` is None for other kinds of content."""
    fields: dict[str, Value] = {}
    if html is not None and rules.fields:
        fields = extract_fields(html, rules.fields)
    if rules.number:
        number = find_number(document.text, rules.number)
        if number is None:
            raise RuleFailure(NO_NUMBER)
        fields[NUMBER] = number
    told = not rules.only_if or matches(document.text, rules.only_if)
    return Findings(rules.mark, pack_fields(fields), told)
