"""Many long differences come in several answers, none of them cut."""

from __future__ import annotations

import re

from trapline.app.mcp_server.change_text import tell_changes
from trapline.app.mcp_server.foreign_text import LONGEST_ANSWER, ForeignText
from trapline.core.records import Diff, Page, Turn
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.memory import MemoryStore

PAGES = 150


def changed_pages() -> MemoryStore:
    store = MemoryStore()
    urls = [f"http://a.org/{number}" for number in range(PAGES)]
    store.commit(
        Batch(
            hosts=[HostRow(0, "a.org:80", "http://a.org/")],
            urls=[UrlRow(number, url, 0) for number, url in enumerate(urls)],
            pages=[
                Page(number, url, "A", "x", 1.0, 7, "", "", 1.0, 1.0)
                for number, url in enumerate(urls)
            ],
            diffs=[
                Diff(number, 5.0, Turn.CHANGED, 400, 0, "+ word " * 280)
                for number in range(PAGES)
            ],
        )
    )
    return store


def test_all_changes_are_told_in_answers_that_are_whole() -> None:
    store = changed_pages()
    seen: list[int] = []
    after: int | None = 0
    while after is not None:
        foreign = ForeignText()
        answer = foreign.finish(tell_changes(store, after, 200, foreign))
        assert len(answer) <= LONGEST_ANSWER and "[cut" not in answer
        seen += map(int, re.findall(r"^change (\d+):", answer, re.MULTILINE))
        going_on = re.findall(r"ask with after=(\d+)\.$", answer)
        after = int(going_on[0]) if going_on else None
    assert seen == list(range(1, PAGES + 1))
