"""Where tags, comments and raw texts end, by the rules of HTML: kernels over the bytes of a page.

Bytes are UTF-8. A place that does not exist is the size of the page.
"""

from __future__ import annotations

from typing import Final

from trapline.reading.html.element_kinds import Bytes
from trapline.theory.kernel import bare_kernel

_STROKE: Final = ord("/")
_OPEN: Final = ord("<")
_END: Final = ord(">")
_EQUALS: Final = ord("=")
_QUOTES: Final = (ord("'"), ord('"'))
_SPACES: Final = tuple(b" \n\t\r\f")
_COMMENT: Final = tuple(b"<!--")
_ARROW: Final = tuple(b"-->")
_SHORT_ARROW: Final = tuple(b"->")
_ODD_ARROW: Final = tuple(b"--!>")
_CDATA: Final = tuple(b"<![cdata[")
_CDATA_END: Final = tuple(b"]]>")
_SCRIPT: Final = tuple(b"<script")


@bare_kernel
def next_mark(html: Bytes, at: int) -> int:
    """The next "<" that begins a tag, a comment or something like a comment."""
    while at + 1 < html.size:
        if html[at] == _OPEN and is_mark(html, at):
            return at
        at += 1
    return html.size


@bare_kernel
def is_mark(html: Bytes, at: int) -> bool:
    """Whether a tag begins here, or a comment, or something like one."""
    if html[at] != _OPEN or at + 1 >= html.size:
        return False
    return html[at + 1] in (33, 47, 63) or is_letter(html, at + 1)  # ! / ?


@bare_kernel
def is_letter(html: Bytes, at: int) -> bool:
    return at < html.size and 97 <= html[at] | 32 <= 122


@bare_kernel
def is_stroke(html: Bytes, at: int) -> bool:
    return at < html.size and html[at] == _STROKE


@bare_kernel
def name_end(html: Bytes, at: int) -> int:
    while at < html.size and not _ends_name(html[at]):
        at += 1
    return at


@bare_kernel
def same_name(html: Bytes, one: int, other: int, size: int) -> bool:
    """Whether two names of this size are equal; capitals of ASCII are small letters."""
    for step in range(size):  # noqa: SIM110 (kernels know no generator)
        if _lower(html[one + step]) != _lower(html[other + step]):
            return False
    return True


@bare_kernel
def tag_end(html: Bytes, at: int) -> int:
    """After the ">" that ends a tag, told from those in its attributes; `at` = its name's end."""
    size = html.size
    while at < size:
        here = html[at]
        if here == _END:
            return at + 1
        at += 1
        if here == _STROKE or _is_space(here):
            continue
        at = attribute_end(html, at)
        sign = skip_spaces(html, at)
        if sign < size and html[sign] == _EQUALS:
            value = value_end(html, skip_spaces(html, sign + 1))
            # a quote that nobody closes is part of a name
            at = value if value >= 0 else at
    return size


@bare_kernel
def attribute_end(html: Bytes, at: int) -> int:
    """Where the name of an attribute ends."""
    while at < html.size and html[at] != _EQUALS and not _ends_name(html[at]):
        at += 1
    return at


@bare_kernel
def mark_end(html: Bytes, start: int, foreign: bool) -> int:
    """After a comment, or what passes for one; CDATA is one in foreign content only."""
    if _stands(html, start, _COMMENT):
        return _comment_end(html, start + 4)
    if foreign and _stands(html, start, _CDATA):
        return _find(html, _CDATA_END, start, html.size) + 3
    at = start + 2
    while at < html.size and html[at] != _END:
        at += 1
    return at + 1


@bare_kernel
def raw_end(html: Bytes, name: int, size: int, begin: int) -> int:
    """After the "<" of the end tag of a script, a style sheet …, whose text begins here.

    A script that writes "<!--" and then "<script" ends after the "-->".
    """
    end = _end_tag(html, name, size, begin)
    if _stands(html, name - 1, _SCRIPT):
        comment = _find(html, _COMMENT, begin, end)
        if _find(html, _SCRIPT, comment, end) < end:
            arrow = _find(html, _ARROW, comment, html.size)
            return _end_tag(html, name, size, arrow + 3)
    return end


@bare_kernel
def is_self_closed(html: Bytes, start: int, end: int) -> bool:
    """Whether a tag is written with care, and closed by its stroke.

    In <path d=x/> the stroke belongs to the value, and the element is open.
    """
    at = start + 1
    while is_letter(html, at):
        at += 1
    while 0 <= at < end:
        after = skip_spaces(html, at)
        if after + 1 >= end:
            return False
        if html[after] == _STROKE:
            return after + 2 == end and html[after + 1] == _END
        at = after if after > at else end  # attributes begin with a space
        while at < end and _is_plain(html[at]):
            at += 1
        if at == after:
            return False
        if at + 1 < end and html[at] == _EQUALS:
            at = value_end(html, at + 1) if html[at + 1] in _QUOTES else end
    return False


@bare_kernel
def _lower(sign: int) -> int:
    return sign + 32 if 65 <= sign <= 90 else sign


@bare_kernel
def _stands(html: Bytes, at: int, word: tuple[int, ...]) -> bool:
    """Whether a word of small letters and signs stands here."""
    if at + len(word) > html.size:
        return False
    for step in range(len(word)):  # noqa: SIM110 (kernels know no generator)
        if _lower(html[at + step]) != word[step]:
            return False
    return True


@bare_kernel
def _find(html: Bytes, word: tuple[int, ...], begin: int, end: int) -> int:
    """Where a word stands between two places; `end` = nowhere."""
    for at in range(begin, end - len(word) + 1):
        if _stands(html, at, word):
            return at
    return end


@bare_kernel
def _is_space(sign: int) -> bool:
    return sign in _SPACES


@bare_kernel
def _ends_name(sign: int) -> bool:
    return sign in (_STROKE, _END) or _is_space(sign)


@bare_kernel
def _is_plain(sign: int) -> bool:
    """A letter, a digit, one of _ - : . or a byte of a character beyond ASCII."""
    ascii_word = 97 <= sign | 32 <= 122 or 48 <= sign <= 58 or sign in (45, 46, 95)
    return ascii_word or sign >= 128


@bare_kernel
def skip_spaces(html: Bytes, at: int) -> int:
    while at < html.size and _is_space(html[at]):
        at += 1
    return at


@bare_kernel
def value_end(html: Bytes, at: int) -> int:
    """Where the value of an attribute ends; −1 = it does not."""
    size = html.size
    if at >= size:
        return -1
    quote = html[at]
    if quote in _QUOTES:
        at += 1
        while at < size and html[at] != quote:
            at += 1
        return at + 1 if at < size else -1
    while at < size and not (_is_space(html[at]) or html[at] == _END):
        at += 1
    return at


@bare_kernel
def _comment_end(html: Bytes, begin: int) -> int:
    """After the first --> or --!> of a comment, or a > or -> right at its begin."""
    if begin < html.size and html[begin] == _END:
        return begin + 1
    if _stands(html, begin, _SHORT_ARROW):
        return begin + 2
    for at in range(begin, html.size):
        if _stands(html, at, _ARROW):
            return at + 3
        if _stands(html, at, _ODD_ARROW):
            return at + 4
    return html.size


@bare_kernel
def _end_tag(html: Bytes, name: int, size: int, begin: int) -> int:
    """After the "<" of the first end tag of this name."""
    for at in range(begin, html.size - size - 2):
        if (
            html[at] == _OPEN
            and html[at + 1] == _STROKE
            and _ends_name(html[at + 2 + size])
            and same_name(html, at + 2, name, size)
        ):
            return at + 1
    return html.size
