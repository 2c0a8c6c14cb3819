"""What the form of pages costs, from which Markdown is made: `python bench/page_forms.py FOLDER`.

Comes in: a folder with HTML files, for instance a package of documentation. Goes out: bytes a page
of text, of form and of Markdown, each packed as the store packs them, and the time of writing
Markdown.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from trapline.core.records import Page
from trapline.reading.html.document import read_html
from trapline.reading.markdown.page_markdown import markdown_of
from trapline.stores.compression import pack

MOST = 2_000  # files
LARGEST = 2_000_000  # bytes


def pages_in(folder: Path) -> Iterator[Page]:
    found = (path for path in folder.rglob("*.htm*") if path.is_file())
    files = [path for path in found if path.stat().st_size < LARGEST]
    for path in sorted(files)[:: max(1, len(files) // MOST)]:
        url = f"http://example.org/{path.name}"
        read = read_html(path.read_bytes(), "text/html", url)
        yield Page(0, url, "", read.text, 1.0, 0, "", "", 0.0, 0.0, form=read.form)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    sums: Counter[str] = Counter()
    seconds = 0.0
    for page in pages_in(folder):
        began = time.process_time()
        markdown = markdown_of(page)
        seconds += time.process_time() - began
        sums["pages"] += 1
        sums["text"] += len(pack(page.text.encode()))
        sums["form"] += len(pack(page.form)) if page.form else 0
        sums["markdown"] += len(pack(markdown.encode()))
    pages = max(sums["pages"], 1)
    print(f"{pages} pages; packed bytes a page:")
    for name in ("text", "form", "markdown"):
        share = sums[name] / max(sums["text"], 1)
        print(f"  {name:9} {sums[name] / pages:7.0f}  {share:6.1%} of the text")
    print(f"Markdown takes {1e3 * seconds / pages:.2f} ms a page to write.")


if __name__ == "__main__":
    main()
