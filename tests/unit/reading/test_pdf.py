"""PDF files, made by hand: words and title, broken ones, and those made to hurt."""

from __future__ import annotations

import zlib

import pytest

from tests.unit.robot.response.desk import Desk
from trapline.core.records import Outcome
from trapline.reading import pdf as pdf_reader
from trapline.reading.pdf import MOST_PAGES, read_pdf

FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def pdf(content: bytes, pages: int = 1, title: bytes = b"About stars") -> bytes:
    """A whole file; every page shows the same content."""
    packed = zlib.compress(content)
    kids = b" ".join(b"%d 0 R" % (6 + page) for page in range(pages))
    page = (
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R"
        b"/Resources<</Font<</F 3 0 R>>>>>>"
    )
    stream = b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (
        len(packed),
        packed,
    )
    tree = b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, pages)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        tree,
        FONT,
        stream,
        b"<</Title(%s)>>" % title,
        *[page] * pages,
    ]
    body = b"%PDF-1.4\n"
    places = []
    for number, one in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    body += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    trailer = b"trailer<</Root 1 0 R/Info 5 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF"
    return body + trailer % (len(objects) + 1, body.rfind(b"xref\n0 "))


def shown(text: bytes) -> bytes:
    return b"BT /F 12 Tf (%s) Tj ET" % text


def test_words_and_title() -> None:
    document = read_pdf(pdf(shown(b"Hello   stars"), pages=2))
    assert document is not None
    assert (document.title, document.text, document.links) == (
        "About stars",
        "Hello stars\nHello stars",
        (),
    )


def test_a_pdf_is_a_document_like_any_other() -> None:
    body = pdf(shown(b"All about space"))
    for kind in (
        "application/pdf",
        "Application/PDF; x=y",
        "application/octet-stream",
        "",
    ):
        done = Desk().read(body=body, content_type=kind)
        assert done.page is not None and done.page.relevance > 0.9
        assert (done.page.title, done.page.text) == ("About stars", "All about space")


def test_only_so_many_pages_are_read() -> None:
    document = read_pdf(pdf(shown(b"word"), pages=MOST_PAGES + 3))
    assert document is not None and document.text.count("word") == MOST_PAGES


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"%PDF-1.4",
        b"%PDF-1.4\n" + b"<<" * 100_000,
        b"%PDF-1.4\n" + b"obj " * 100_000,
        pdf(shown(b"word")).replace(b"/Contents 4 0 R", b"/Contents 6 0 R"),
        pdf(shown(b"word"))
        .replace(b"/Parent 2 0 R", b"/Parent 6 0 R")
        .replace(b"/Kids[6 0 R]", b"/Kids[2 0 R]"),
    ],
    ids=[
        "nothing",
        "cut",
        "nested",
        "objects",
        "content is a page",
        "tree is a circle",
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_broken_files_are_skipped(body: bytes) -> None:
    document = read_pdf(body)
    assert document is None or document.text == ""
    done = Desk().read(body=body, content_type="application/pdf")
    assert done.observation.outcome in (Outcome.SKIPPED, Outcome.OK)


@pytest.mark.parametrize(
    "content",
    [
        b"1 " * 190_000,
        b"q Q " * 60_000,
        shown(b"a" * 9_000_000),
        b"BT" + b" " * 9_000_000,
        b"[" * 190_000,
    ],
    ids=["operands", "operators", "text", "space", "nesting"],
)
def test_files_made_to_hurt_end(
    content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most would take minutes without limits; here these are lower still, for the sake of the
    test's time.
    """
    monkeypatch.setattr(pdf_reader, "MOST_CONTENT", 500_000)
    monkeypatch.setattr(pdf_reader, "MOST_STEPS", 60_000)
    document = read_pdf(pdf(content, pages=MOST_PAGES))
    assert document is None or len(document.text) <= 1_000_000
