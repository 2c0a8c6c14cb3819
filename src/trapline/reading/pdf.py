"""The words of a PDF file (extra `pdf`: pypdf). Title from its metadata; no links.

pypdf is Python: some 40 ms a page. What a file may make it do is bounded by counts (pages, bytes,
operators), not by a clock: this room has none. This is a screen, not a proof: the clock is over the
process that reads (live/reader_processes.py). Text inside of forms (figures that are PDF files
themselves) is left out: forms may call forms, and each call costs anew.
"""

from __future__ import annotations

from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from trapline.reading.html.document import LONGEST_TITLE, Document

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

MOST_BYTES: Final = 5_000_000
MOST_PAGES: Final = 200
MOST_TEXT: Final = 1_000_000
# bytes of drawing instructions of all pages together, unpacked: 2 µs each at worst
MOST_CONTENT: Final = 2_000_000
MOST_STEPS: Final = 300_000  # operators and operands of all pages together
# Of one stream or tree; pypdf allows far more.
_LIMITS: Final[dict[str, Any]] = {
    "maximum_declared_stream_length": MOST_BYTES,
    "array_based_stream_maximum_output_length": MOST_CONTENT,
    "zlib_maximum_output_length": MOST_CONTENT,
    "lzw_maximum_output_length": MOST_CONTENT,
    "run_length_maximum_output_length": MOST_CONTENT,
    "zlib_maximum_recovery_input_length": 100_000,
    "stream_decoding_work_maximum_length": 3 * MOST_CONTENT,
    "stream_parsing_work_maximum_count": 200_000,
    "page_tree_maximum_entries": 10_000,
    "xform_maximum_invocations_per_extraction": 0,
    "jbig2dec_binary": None,
}


def can_read_pdf() -> bool:
    """Whether the extra is installed."""
    return find_spec("pypdf") is not None


def read_pdf(body: bytes) -> Document | None:
    """Title and text of as many pages as the limits allow; None = not readable (broken, or locked
    by a password).
    """
    from pypdf import PdfReader, apply_configuration

    try:
        with apply_configuration(**_LIMITS):
            reader = PdfReader(BytesIO(body[:MOST_BYTES]))
            return Document(_title(reader), _text(reader))
    except Exception:
        # whatever a stranger's file makes a parser of 30,000 lines do, it is not readable
        return None


def _title(reader: PdfReader) -> str:
    stated = reader.metadata.title if reader.metadata else None
    return _tidy(str(stated or ""))[:LONGEST_TITLE]


class _Enough(Exception):
    """A limit of the whole file is reached."""


class _Work:
    """Counts what reading a file takes, and ends it."""

    def __init__(self) -> None:
        self.steps = MOST_STEPS
        self.content = MOST_CONTENT

    def unpack(self, page: PageObject) -> None:
        """Called before a page is read."""
        contents = page["/Contents"].get_object() if "/Contents" in page else ()
        parts = (
            contents if isinstance(contents, list) else [contents] if contents else []
        )
        for part in parts:
            stream: Any = part.get_object()
            self.content -= len(stream.get_data())
            if self.content < 0:
                raise _Enough

    def step(self, operator: object, operands: list[Any], *_: object) -> None:
        """Called by pypdf before each operator."""
        self.steps -= 1 + sum(
            len(one) if isinstance(one, list) else 1 for one in operands
        )
        if self.steps < 0:
            raise _Enough


def _text(reader: PdfReader) -> str:
    texts: list[str] = []
    work = _Work()
    length = 0
    try:
        for number in range(min(len(reader.pages), MOST_PAGES)):
            page = reader.pages[number]
            work.unpack(page)
            texts.append(_tidy(page.extract_text(visitor_operand_before=work.step)))
            length += len(texts[-1])
            if length >= MOST_TEXT:
                break
    except _Enough:
        pass  # what was read until then is read
    return "\n".join(filter(None, texts))[:MOST_TEXT]


def _tidy(text: str) -> str:
    return " ".join(text.replace("\0", " ").split())
