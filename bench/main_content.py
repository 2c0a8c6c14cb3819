"""How well the main content of pages is found, and how fast:

    python bench/main_content.py CHECKOUT

CHECKOUT is one of github.com/adbar/trafilatura, whose tests hold 990 pages with pieces of text that
are wanted and pieces that are not. Counted as there: a piece is found if it stands in the text,
whatever the spaces. Beside it stands all text of the pages, which finds everything.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from annotated_pages import (  # type: ignore[import-not-found]  # it stands beside this file
    AnnotatedPage,
    NoCheckout,
    Tally,
    read_annotated_pages,
)
from trapline.reading.blocks.block_walk import walk_page
from trapline.reading.blocks.main_text import main_text
from trapline.reading.blocks.page_arrays import arrays_for
from trapline.reading.html.charset import recode
from trapline.reading.html.depth_guard import flatten_if_deep


def all_text(html: bytes) -> str:
    page = arrays_for(html)
    walk_page(page)
    return page.letters[: page.pen[0]["letters"]].tobytes().decode()


def measure(pages: Sequence[AnnotatedPage]) -> None:
    ours = Tally()
    everything = Tally()
    extracting = []
    both = []
    for page in pages:
        html = flatten_if_deep(recode(page.body, ""))
        begun = time.process_time()
        text = main_text(html)
        extracted = time.process_time()
        LexborHTMLParser(html)
        ended = time.process_time()
        extracting.append(1e3 * (extracted - begun))
        both.append(1e3 * (ended - begun))
        ours.add(page, text)
        everything.add(page, all_text(html))
    print(f"{len(pages)} pages       precision  recall      F1  accuracy")
    print_tally("main content", ours)
    print_tally("all text", everything)
    print("CPU time, ms a page      median     p95")
    print_times("extracting", extracting)
    print_times("and parsing", both)


def print_tally(name: str, tally: Tally) -> None:
    figures = (tally.precision, tally.recall, tally.f1, tally.accuracy)
    print(f"{name:<15}", *(f"{figure:8.3f}" for figure in figures))


def print_times(name: str, times: list[float]) -> None:
    p95 = statistics.quantiles(times, n=20)[-1]
    print(f"{name:<20} {statistics.median(times):10.3f} {p95:7.3f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    checkout = parser.parse_args().checkout
    try:
        pages = read_annotated_pages(checkout)
    except NoCheckout as error:
        print(error, file=sys.stderr)
        return 2
    main_text(b"<p>One")  # kernels may have to be compiled
    measure(pages)
    return 0


if __name__ == "__main__":
    sys.exit(main())
