"""The work of `import`: another program's list becomes a settings file for `watch`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trapline.app.output.outlets.outlet_targets import check_target
from trapline.app.output.readable_text import readable
from trapline.app.settings_files.toml_text import toml_value
from trapline.app.watch_import.imported_page import ImportedPage
from trapline.app.watch_import.list_files import read_list
from trapline.app.watch_import.rule_check import drop_bad_rules
from trapline.core.errors import UserMistake


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What was written, and what was not."""

    out: str
    pages: list[ImportedPage]
    notify: int  # services that will be told changes
    notify_lost: list[str]  # why others will not
    for_all: ImportedPage  # rules of all pages

    def as_dict(self) -> dict[str, Any]:
        return {
            "out": self.out,
            "taken": sum(not page.left_out for page in self.pages),
            "left_out": sum(bool(page.left_out) for page in self.pages),
            "pages": [page.as_dict() for page in self.pages],
            "notify": self.notify,
            "notify_lost": self.notify_lost,
            "for_all": {"taken": self.for_all.values, "lost": self.for_all.lost},
        }


def import_list(path: Path, out: Path) -> ImportReport:
    """Nothing is overwritten, and nothing written if there is no page to watch."""
    if out.exists():
        raise UserMistake(f"{out} is there already: name another file with --out")
    pages, notify, for_all = read_list(path)
    _leave_out_repetitions(pages)
    for page in (for_all, *pages):
        drop_bad_rules(page)
    taken = [page for page in pages if not page.left_out]
    if not taken:
        why = f": {pages[0].left_out}" if pages else ""
        raise UserMistake(f"there is no page to watch in {path}{why}")
    targets, lost = _targets(notify)
    _write(out, readable("\n".join(_document(path, for_all, taken, targets))))
    return ImportReport(str(out), pages, len(targets), lost, for_all)


def _leave_out_repetitions(pages: list[ImportedPage]) -> None:
    """A page has one set of rules here."""
    seen: set[str] = set()
    for page in pages:
        if page.left_out:
            continue
        if page.values["url"] in seen:
            page.left_out = "the same URL stands above: a page can be watched one way"
        seen.add(page.values["url"])


def _targets(urls: list[str]) -> tuple[list[str], list[str]]:
    """Where changes can be told, and why not elsewhere; no address is in what is said."""
    good: list[str] = []
    lost: list[str] = []
    for url in urls:
        try:
            good.append(check_target(url))
        except UserMistake as mistake:
            lost.append(str(mistake))
    return good, lost


def _document(
    path: Path, for_all: ImportedPage, pages: list[ImportedPage], targets: list[str]
) -> Iterator[str]:
    yield f"# Imported from {path.name}; watch it with: trapline watch THIS_FILE"
    if targets:
        yield "\n[output]  # these addresses hold secrets"
        yield f"changes = {toml_value(targets)}"
    if for_all.values or for_all.lost:
        yield from _table("[watch]", for_all)
    for page in pages:
        yield from _table("[[watch.pages]]", page)
    yield ""


def _table(head: str, page: ImportedPage) -> Iterator[str]:
    yield ""
    for lost in page.lost:
        yield f"# not taken over: {' '.join(lost.split())}"
    yield head
    for key, value in page.values.items():
        yield f"{key} = {toml_value(value)}"


def _write(out: Path, text: str) -> None:
    """For nobody else to read: it may hold passwords."""
    try:
        handle = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise UserMistake(f"cannot write {out}: {error.strerror}") from None
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
