"""One line of Markdown: words, code and links."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import Final
from urllib.parse import quote, urljoin

from trapline.reading.markdown.escaping import (
    code_span,
    escape_brackets,
    escape_inside,
)
from trapline.reading.markdown.form import Span
from trapline.reading.markdown.form_tree import Leaf

LONGEST_URL: Final = 1_000
_HARMLESS: Final = "/:?#[]@!$&'()*+,;=%~"
# links to a heading itself, which generators of documentation put behind it
_OWN_LINK: Final = re.compile(r"\s*[¶🔗]$")


class LineWriter:
    """Writes the lines of one page; `base` is what its links are relative to."""

    def __init__(self, base: str) -> None:
        self._base = base

    def write(self, leaf: Leaf) -> str:
        text = _OWN_LINK.sub("", leaf.text)
        if not leaf.spans:
            return escape_inside(text)
        return self._write_spans(text.encode(), leaf.spans)

    def _write_spans(self, line: bytes, spans: list[Span]) -> str:
        """Text between spans, and the spans that are in no other."""
        written = []
        at = 0
        for number, span in enumerate(spans):
            if span.begin < at or span.end > len(line):
                continue
            before = escape_inside(_decode(line[at : span.begin]))
            inner = [s for s in spans[number + 1 :] if s.end <= span.end]
            text = self._write_span(line, span, inner)
            if before.endswith("!") and text.startswith("["):
                before = f"{before[:-1]}\\!"  # no picture
            written += [before, text]
            at = span.end
        written.append(escape_inside(_decode(line[at:])))
        return "".join(written)

    def _write_span(self, line: bytes, span: Span, inner: list[Span]) -> str:
        words = line[span.begin : span.end]
        if span.target is None:
            return code_span(_decode(words))
        codes = [
            Span(code.begin - span.begin, code.end - span.begin, None)
            for code in inner
            if code.target is None
        ]
        text = self._write_spans(words, codes) if codes else escape_inside(_decode(words))
        url = _resolve(self._base, span.target)
        return link_text(text, url) if url else text


def link_text(text: str, url: str) -> str:
    """
    >>> link_text("a[0]", "http://a.org/b_(c)")
    '[a\\\\[0\\\\]](<http://a.org/b_(c)>)'
    """
    target = f"<{url}>" if "(" in url or ")" in url else url
    return f"[{escape_brackets(text)}]({target})"


def _decode(words: bytes) -> str:
    return words.decode("utf-8", "replace")


@lru_cache(4096)
def _resolve(base: str, target: str) -> str:
    """The URL of a link, if it leads to another page; else nothing."""
    try:
        url = urljoin(base, html.unescape(target))
    except ValueError:
        return ""
    if not url.startswith(("http://", "https://")) or len(url) > LONGEST_URL:
        return ""
    return quote(url, safe=_HARMLESS)
