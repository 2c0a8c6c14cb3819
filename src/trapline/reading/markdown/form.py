"""The form of a document as bytes: small enough to lie beside its text."""

from __future__ import annotations

from typing import Final, NamedTuple

_VERSION: Final = 1


class FormBroken(ValueError):
    """These bytes are not the form of this text. It is shown without one."""


class Span(NamedTuple):
    """Code or a link within a line, from byte to byte."""

    begin: int
    end: int
    target: str | None  # of a link


def pack_form(rows: list[bytes], base: str) -> bytes:
    """The rows of reading/blocks/form_writing.py as bytes; nothing = there are only paragraphs.

    `base`: of the targets of links, if that is not the URL of the page.
    """
    shapes, gaps, spans, targets = rows
    if not spans and not shapes.strip(b"\0"):
        return b""
    sizes = b"".join(_number(len(row)) for row in (shapes, gaps, spans))
    head = bytes((_VERSION,)) + sizes
    return b"".join((head, shapes, gaps, spans, base.encode(), b"\n", targets))


def _number(number: int) -> bytes:
    """Seven bits a byte, the lowest first.

    >>> _number(300)
    b'\\xac\\x02'
    """
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    found.append(number)
    return bytes(found)


class _Bytes:
    """Bytes that are read from their beginning."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    @property
    def left(self) -> bool:
        return self._at < len(self._content)

    def take(self, count: int) -> bytes:
        found = self._content[self._at : self._at + count]
        if len(found) < count:
            raise FormBroken("too short")
        self._at += count
        return found

    def byte(self) -> int:
        return self.take(1)[0]

    def number(self) -> int:
        found = 0
        shift = 0
        while True:
            byte = self.byte()
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    def rest(self) -> bytes:
        return self.take(len(self._content) - self._at)


class Form:
    """The form of a text, to be read line by line. Raises FormBroken where they do not fit."""

    def __init__(self, form: bytes) -> None:
        content = _Bytes(form)
        if content.byte() != _VERSION:
            raise FormBroken("of another version")
        sizes = [content.number() for _ in range(3)]
        rows = [content.take(size) for size in sizes]
        self._shapes, self._gaps, self._spans = map(_Bytes, rows)
        rest = content.rest().decode("utf-8", "replace")
        self.base, *targets = rest.split("\n")
        self._targets = iter(targets)
        self._line = 0
        self._next_span = self._read_span()

    def next_shapes(self) -> tuple[int, bytes]:
        """How many of the shapes around the line before end, and which begin, outermost first; in
        their upper bits stand empty cells.
        """
        head = self._shapes.byte()
        return head // 16, self._shapes.take(head % 16)

    def next_gaps(self, words: int) -> bytes:
        """Of a line of code with so many words."""
        return self._gaps.take(words)

    def next_number(self) -> int:
        """With which a list begins."""
        return self._gaps.number()

    def spans_of(self, line: int) -> list[Span]:
        """Lines must be asked for in order."""
        found = []
        while self._next_span is not None and self._line <= line:
            found.append(self._next_span)
            self._next_span = self._read_span()
        return found

    def _read_span(self) -> Span | None:
        if not self._spans.left:
            return None
        self._line += self._spans.number()
        begin = self._spans.number()
        size, link = divmod(self._spans.number(), 2)
        target = next(self._targets, "") if link else None
        return Span(begin, begin + size, target)
