"""From bytes to text: by byte order mark, header, <meta>, or the look of them, in this order.

Never fails.
"""

from __future__ import annotations

import re
from typing import Final

from resiliparse.parse.encoding import (
    bytes_to_str,
    detect_encoding,
    map_encoding_to_html5,
)

_BOMS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)


def decode(body: bytes, content_type: str) -> str:
    """Bytes as text.

    >>> decode("Füße".encode("latin-1"), "text/html; charset=ISO-8859-1")
    'Füße'
    """
    return _decode_as(body, _encoding(body, content_type))


def recode(body: bytes, content_type: str) -> bytes:
    """Bytes as the UTF-8 of their text: most are that already, and left as they are.

    >>> recode("Füße".encode("latin-1"), "text/html; charset=ISO-8859-1") == "Füße".encode()
    True
    """
    encoding = _encoding(body, content_type)
    whole = (
        encoding == "utf-8" and b"\0" not in body and not body.startswith(_BOMS[0][0])
    )
    return (
        body
        if whole and is_utf8(body)
        else _decode_as(body, encoding).encode("utf-8", "replace")
    )


def _decode_as(body: bytes, encoding: str) -> str:
    text = str(bytes_to_str(body, encoding, errors="replace", fallback_encodings=()))
    # as browsers do; stores and indexes do not like NUL
    return text.replace("\0", "\ufffd")


def is_utf8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _encoding(body: bytes, content_type: str) -> str:
    for mark, name in _BOMS:
        if body.startswith(mark):
            return name
    header = _CHARSET.search(content_type)
    stated = map_encoding_to_html5(header[1], fallback_utf8=False) if header else None
    name = str(stated or detect_encoding(body, from_html_meta=True) or "utf-8")
    # Where a <meta> can be read byte by byte, the text is not in UTF-16, whatever the <meta> says.
    return "utf-8" if name.startswith("utf-16") and b"\0" not in body[:1024] else name
