"""A folder of pages that mean harm, or are merely hard to show."""

from __future__ import annotations

import time
from pathlib import Path

from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.sqlite.store import SqliteStore

ATTACKS = (
    "<script>window.hacked = 1</script>",
    '"><img src=x onerror="window.hacked = 1">',
    "</title></p></main><svg onload=window.hacked=1>",
    "<iframe src=javascript:parent.hacked=1></iframe>",
    "</script><script>window.hacked = 1</script>",
    "javascript:window.hacked=1",
    "<style>* { display: none }</style>",
)
LONG = "x" * 300
HEBREW = "הירח מקיף את כדור הארץ"
ARABIC = "\u202eالقمر\u202c يدور"
TITLES = (*ATTACKS, LONG, HEBREW, ARABIC, "")


def write_hostile(folder: Path) -> Path:
    now_s = time.time()
    store = SqliteStore(folder)
    pages = [_page(number, title, now_s) for number, title in enumerate(TITLES)]
    store.commit(
        Batch(
            hosts=[HostRow(0, "a.example:80", "http://a.example/")],
            urls=[UrlRow(page.page, page.url, 0) for page in pages],
            pages=pages,
        )
    )
    store.close()
    return folder


def _page(number: int, title: str, now_s: float) -> Page:
    text = f"moon {title} {number} moon\n{title}\n{LONG}"
    return Page(
        number,
        f"http://a.example/{number}/{LONG}?a=%22%3E%3Cscript%3E'onload=alert(1)",
        title,
        text,
        0.5,
        number + 1,
        "",
        "",
        now_s - 60.0,
        now_s - 86_400.0 * number,
        simhash=0,
    )
