"""One line of Markdown: words, code and links."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import islice, takewhile
from typing import Final
from urllib.parse import quote, urljoin

from trapline.reading.markdown.escaping import (
    code_span,
    escape_begin,
    escape_inside,
    escape_link,
)
from trapline.reading.markdown.form import Span
from trapline.reading.markdown.form_tree import Leaf

LONGEST_URL: Final = 1_000
_HARMLESS: Final = "/:?#[]@!$&'()*+,;=%~"
Escape = Callable[[str], str]
# links to a heading itself, which generators of documentation put behind it
_OWN_LINK: Final = re.compile(r"\s*[¶🔗]$")


class LineWriter:
    """Writes the lines of one page."""

    def __init__(self, url: str, base: str) -> None:
        """`base` is what its links are relative to."""
        self._url = url
        self._base = base

    def write_paragraph(self, leaf: Leaf) -> str:
        """A line that stands for itself."""
        text = self.write(leaf)
        return text if self._begins_with_span(leaf) else escape_begin(text)

    def _begins_with_span(self, leaf: Leaf) -> bool:
        if not leaf.spans or leaf.spans[0].begin > 0:
            return False
        target = leaf.spans[0].target
        return target is None or bool(self._resolve(target))

    def write(self, leaf: Leaf) -> str:
        """A line in another: its first signs mean nothing."""
        text = _OWN_LINK.sub("", leaf.text)
        if not leaf.spans:
            return escape_inside(text)
        return self._write_spans(text.encode(), leaf.spans, escape_inside)

    def _write_spans(self, line: bytes, spans: list[Span], escape: Escape) -> str:
        """Text between spans, and the spans that are in no other."""
        written = []
        at = 0
        for number, span in enumerate(spans):
            if span.begin < at or span.end > len(line):
                continue
            before = escape(_decode(line[at : span.begin]))
            text = self._write_span(line, span, islice(spans, number + 1, None))
            if before.endswith("!") and text.startswith("["):
                before = f"{before[:-1]}\\!"  # no picture
            written += [before, text]
            at = span.end
        written.append(escape(_decode(line[at:])))
        return "".join(written)

    def _write_span(self, line: bytes, span: Span, later: Iterable[Span]) -> str:
        words = line[span.begin : span.end]
        if span.target is None:
            return code_span(_decode(words))
        codes = [
            Span(code.begin - span.begin, code.end - span.begin, None)
            for code in takewhile(lambda other: other.begin < span.end, later)
            if code.target is None and code.end <= span.end
        ]
        url = self._resolve(span.target)
        if not url:
            return self._write_spans(words, codes, escape_inside)
        text = self._write_spans(words, codes, escape_link)
        target = f"<{url}>" if "(" in url or ")" in url else url
        return f"[{text}]({target})"

    def _resolve(self, target: str) -> str:
        """Where a link leads; nothing = to this page itself, or nowhere that one can go."""
        url = _resolve(self._base, target)
        return "" if url.partition("#")[0] == self._url else url


def _decode(words: bytes) -> str:
    return words.decode("utf-8", "replace")


@lru_cache(4096)
def _resolve(base: str, target: str) -> str:
    """The URL of a link, if it is one of the Web; else nothing."""
    try:
        url = urljoin(base, html.unescape(target))
    except ValueError:
        return ""
    if not url.startswith(("http://", "https://")) or len(url) > LONGEST_URL:
        return ""
    return quote(url, safe=_HARMLESS)
