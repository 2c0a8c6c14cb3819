"""The filters of a urlwatch job: a chain, of which we know selecting and leaving out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from trapline.app.watch_import.foreign_values import (
    ACROSS_LINES,
    count_of,
    spans_lines,
    text_of,
    texts_of,
)
from trapline.app.watch_import.imported_page import (
    ImportedPage,
    is_pattern,
    lines_with,
    lines_without,
)

# what is done here anyway: a page is compared by its text
_NEEDLESS: Final = frozenset(
    ("html2text", "strip", "striplines", "beautify", "pretty-xml", "pdf2text")
)
_BY_ELEMENT: Final = {
    "element-by-id": '[id="{}"]',
    "element-by-class": '[class~="{}"]',
    "element-by-style": '[style="{}"]',
    "element-by-tag": "{}",
}
_OF_SELECTOR: Final = frozenset(("selector", "path", "exclude", "skip", "maxitems"))
_OF_HTML: Final = ("method", "html")  # the only kind that has a default


def take_filters(page: ImportedPage, filters: object) -> None:
    for name, value in _chain(filters):
        if name in _NEEDLESS:
            continue
        take = _KNOWN.get(name)
        if name in _BY_ELEMENT:
            _take_element(page, name, text_of(value))
        elif take is not None:
            take(page, value)
        else:
            page.lose(f"filter {name}")


def _chain(filters: object) -> Iterator[tuple[str, Any]]:
    """(name, value) of each; old files write `css:.price,html2text`."""
    if isinstance(filters, str):
        filters = [_old_form(part) for part in filters.split(",")]
    for one in filters if isinstance(filters, list) else [filters]:
        if isinstance(one, dict):
            yield from ((text_of(name), value) for name, value in one.items())
        else:
            yield text_of(one), None


def _old_form(text: str) -> str | dict[str, str]:
    name, colon, value = text.strip().partition(":")
    return {name: value} if colon else name


def _take_element(page: ImportedPage, name: str, text: str) -> None:
    if text:
        _select(page, f"filter {name}", _BY_ELEMENT[name].format(text))
    else:
        page.lose(f"filter {name}", "it names nothing")


def _take_css(page: ImportedPage, value: Any) -> None:
    options = value if isinstance(value, dict) else {"selector": value}
    if options.get("skip") or options.get("maxitems"):
        page.lose("filter css: skip and maxitems", "use XPath: (//p)[1]")
    _note_options(page, "css", options)
    if selector := text_of(options.get("selector")):
        _select(page, "filter css", selector)
    else:
        page.lose("filter css", "it names nothing")


def _take_xpath(page: ImportedPage, value: Any) -> None:
    options = value if isinstance(value, dict) else {"path": value}
    _note_options(page, "xpath", options)
    path = text_of(options.get("path"))
    if not path.startswith(("/", "(")):
        page.lose("filter xpath", "it must begin with / or (")
        return
    _select(page, "filter xpath", _some_of(page, path, options))


def _some_of(page: ImportedPage, path: str, options: dict[str, Any]) -> str:
    """`path` without what is skipped."""
    skip = count_of(options.get("skip"))
    most = count_of(options.get("maxitems"))
    if skip is None or most is None:
        page.lose("filter xpath: skip and maxitems", "they must be numbers")
        return path
    if not (skip or most):
        return path
    up_to = f" and position() <= {skip + most:.0f}" if most else ""
    return f"({path})[position() > {skip:.0f}{up_to}]"


def _note_options(page: ImportedPage, name: str, options: dict[str, Any]) -> None:
    for exclude in texts_of(options.get("exclude")):
        page.add("ignore", exclude)
    others = {text_of(key) for key in options if key not in _OF_SELECTOR}
    if (_OF_HTML[0], options.get(_OF_HTML[0])) == _OF_HTML:
        others.discard(_OF_HTML[0])
    for key in sorted(others):
        page.lose(f"filter {name}: {key}")


def _select(page: ImportedPage, what: str, selector: str) -> None:
    """A second one chooses among what the first has chosen."""
    before = page.values.get("select", [])
    both = [*before, selector]
    if not before:
        page.add("select", selector)
    elif any("," in one or one.startswith(("/", "(")) for one in both):
        page.lose(what, "it follows another one: write both as one selector")
    else:
        page.values["select"] = [" ".join(both)]


def _take_pattern(
    form: Callable[[str], str], name: str
) -> Callable[[ImportedPage, Any], None]:
    def take(page: ImportedPage, value: Any) -> None:
        pattern = text_of(value.get("re") if isinstance(value, dict) else value)
        if pattern and is_pattern(pattern):
            page.add("ignore_text", form(pattern))
        else:
            page.lose(f"filter {name}", "not a regular expression")

    return take


def _take_substitute(page: ImportedPage, value: Any) -> None:
    options = value if isinstance(value, dict) else {"pattern": value}
    pattern = options.get("pattern")
    if options.get("repl"):
        page.lose("filter re.sub", "text can be left out, not replaced")
    elif not (isinstance(pattern, str) and pattern and is_pattern(pattern)):
        page.lose("filter re.sub", "not a regular expression")
    elif spans_lines(pattern):
        page.lose("filter re.sub", ACROSS_LINES)
    else:
        page.add("ignore_text", pattern)


_KNOWN: Final[dict[str, Callable[[ImportedPage, Any], None]]] = {
    "css": _take_css,
    "xpath": _take_xpath,
    "grep": _take_pattern(lines_without, "grep"),
    "grepi": _take_pattern(lines_with, "grepi"),  # "i" as in "inverse"
    "grepv": _take_pattern(lines_with, "grepv"),
    "re.sub": _take_substitute,
}
