from __future__ import annotations

import pytest

from trapline.app.output.page_document import page_document
from trapline.core.records import Page
from trapline.stores.memory import MemoryStore


@pytest.mark.parametrize(
    "title",
    ["<script>alert(1)</script>", "[click](javascript:alert(1))", "a\n# b\ud800"],
)
def test_a_title_is_data_and_never_markdown(title: str) -> None:
    page = Page(0, "http://a.org/", title, "Words.", 0.5, 0, "", "", 1.0, 2.0)
    text = page_document(page, MemoryStore()).decode()
    head, body = text.split("\n---\n\n")
    assert body == "Words.\n"
    assert [line for line in head.splitlines() if line.startswith("title: ")] == [
        'title: "{}"'.format(title.replace("\n", "\\x0a").replace("\ud800", "\ufffd"))
    ]
