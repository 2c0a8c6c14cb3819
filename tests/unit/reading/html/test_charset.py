"""UTF-8 is left as it is, and everything else becomes it: the text is the same either way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapline.reading.html.charset import decode, recode

WORDS = "<p>F\u00fc\u00dfe \u4e2d\u6587 \U0001f600 end"
BODIES = {
    "UTF-8": (WORDS.encode(), "text/html; charset=utf-8"),
    "a mark": (WORDS.encode("utf-8-sig"), "text/html"),
    "a NUL": (b"<p>a\0b", "text/html; charset=utf-8"),
    "a bad byte": (WORDS.encode() + b"\xff\xc0\xaf", "text/html; charset=utf-8"),
    "half a surrogate": (b"<p>\xed\xa0\x80 end", "text/html; charset=utf-8"),
    "cut off": (WORDS.encode()[:-6], "text/html; charset=utf-8"),
    "UTF-16": (WORDS.encode("utf-16"), "text/html"),
    "says another": ("<p>F\u00fc\u00dfe".encode(), "text/html; charset=latin-1"),
    "escapes": ("\u4e2d\u6587".encode("iso-2022-jp"), "text/html; charset=iso-2022-jp"),
}


@pytest.mark.parametrize(("body", "content_type"), BODIES.values(), ids=BODIES)
def test_the_same_text(body: bytes, content_type: str) -> None:
    assert recode(body, content_type) == decode(body, content_type).encode(
        "utf-8", "replace"
    )


@given(
    st.binary(max_size=60),
    st.sampled_from(
        ["", "utf-8", "latin-1", "utf-16", "shift_jis", "gb18030", "utf-7"]
    ),
)
def test_the_same_text_of_any_bytes(body: bytes, charset: str) -> None:
    content_type = f"text/html; charset={charset}"
    assert recode(body, content_type) == decode(body, content_type).encode(
        "utf-8", "replace"
    )


def test_what_is_in_order_is_not_copied() -> None:
    body = WORDS.encode()
    assert recode(body, "text/html; charset=utf-8") is body
