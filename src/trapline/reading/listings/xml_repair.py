"""XML as it is met: with `&` that begins no entity, with HTML's entities, in any encoding.

CDATA sections are left as they are: there, `&` is only itself.
"""

from __future__ import annotations

import re
from html.entities import html5
from typing import Final

from trapline.reading.html.charset import is_utf8, recode

_CDATA: Final = b"<![CDATA["
_CDATA_END: Final = b"]]>"
_AMPERSAND: Final = re.compile(rb"&(?:#x[0-9a-fA-F]{1,6};|#\d{1,7};|(\w{1,32};))?")
_OWN_ENTITIES: Final = frozenset((b"amp;", b"lt;", b"gt;", b"quot;", b"apos;"))
_DECLARED: Final = re.compile(
    rb"\s*<\?xml[^>]{0,80}?encoding\s*=\s*[\"']([\w.:-]{1,40})"
)


def mend_entities(xml: bytes) -> bytes:
    """Make `&` an entity where it begins none, and a character of each entity that only HTML has.

    >>> mend_entities(b"<a>?x=1&y=2&amp;z&eacute;</a><![CDATA[?x=1&y]]>")
    b'<a>?x=1&amp;y=2&amp;z&#233;</a><![CDATA[?x=1&y]]>'
    """
    if b"&" not in xml:
        return xml
    mended: list[bytes] = []
    at = 0
    while at < len(xml):
        section = _find(xml, _CDATA, at)
        end = _find(xml, _CDATA_END, section)
        mended += [_AMPERSAND.sub(_mend, xml[at:section]), xml[section:end]]
        at = end
    return b"".join(mended)


def _find(xml: bytes, mark: bytes, start: int) -> int:
    """Where a mark begins, or all ends."""
    at = xml.find(mark, start)
    return at if at >= 0 else len(xml)


def _mend(found: re.Match[bytes]) -> bytes:
    whole = found[0]
    if whole == b"&":
        return b"&amp;"
    name = found[1]
    if name is None or name in _OWN_ENTITIES:
        return whole
    letters = html5.get(name.decode("ascii", "replace"))
    if letters is None:
        return b"&amp;" + name
    return "".join(f"&#{ord(letter)};" for letter in letters).encode()


def split_after_tags(xml: bytes) -> tuple[bytes, bytes]:
    """(what ends with a whole tag or section, the rest): no entity of the first is torn apart.

    >>> split_after_tags(b"<a>1</a><b>&am")
    (b'<a>1</a><b>', b'&am')
    >>> split_after_tags(b"<a><![CDATA[<i>1</i>")
    (b'<a>', b'<![CDATA[<i>1</i>')
    """
    cut = xml.rfind(b">") + 1
    section = xml.rfind(_CDATA, 0, cut)
    if section >= 0 and xml.find(_CDATA_END, section) < 0:
        cut = section
    return xml[:cut], xml[cut:]


def recode_xml(body: bytes) -> bytes:
    """The UTF-8 of an XML document: by byte order mark, by what it declares, by its look.

    >>> recode_xml("<?xml version='1.0' encoding='latin1'?><a>é</a>".encode("latin-1"))[-6:]
    b'\\xc3\\xa9</a>'
    """
    if body.startswith(b"<\0"):
        return recode(body, "charset=utf-16le")
    if body.startswith(b"\0<"):
        return recode(body, "charset=utf-16be")
    if declared := _DECLARED.match(body):
        return recode(body, f"charset={declared[1].decode()}")
    return body if is_utf8(body) else recode(body, "charset=windows-1252")
