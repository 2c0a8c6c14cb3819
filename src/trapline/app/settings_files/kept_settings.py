"""What the folder of an engine knows of its settings before a run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.places.crawl_ledger import is_in_shards
from trapline.app.output.standard_output import print_remark
from trapline.app.settings import Settings, settings_from
from trapline.app.settings_files.given import NOTE, Given, given_from
from trapline.app.settings_tables import OutputTable
from trapline.core.errors import FolderForeign, SettingsUnreadable, UserMistake
from trapline.core.storage import Store

OWN_FILE: Final = (
    "settings.toml"  # in the engine's folder, as `trapline init` writes it
)
WATCHED: Final = "watched"  # a note in the folder of a watch
STORE: Final = "store.sqlite"
# What may lie in a folder before its first run: orders, labels, a membership can come earlier.
_OURS: Final = frozenset(
    f"{OWN_FILE} lock orders.jsonl labels.jsonl log.jsonl token description.json".split()
)
# A store is unfinished where a kill came while it was made.
_OUR_BEGINNINGS: Final = (".", "engine.", "oasis.", "demand.", "store.unfinished")


class Kept(NamedTuple):
    """Of the last run."""

    settings: Settings | None = None  # without secrets; None = there was no run
    given: Given | None = None  # None = it was not noted: a demo, an older Trapline
    watched: bool = False  # it is the folder of a watch


def read_kept(folder: Path, named: Iterable[str] = ()) -> Kept:
    """FolderForeign if the folder is somebody else's; files that are `named` may lie there."""
    if is_in_shards(folder):
        raise UserMistake(
            f"{folder} is the folder of a crawl in shards: name another one with --dir"
        )
    if not (folder / STORE).exists():
        check_free(folder, named)
        return Kept()
    store = open_for_reading(folder)
    try:
        with store.snapshot():
            given = given_from(store.note(NOTE))
            watched = bool(store.note(WATCHED))
            return Kept(_settings_in(store, folder, given), given, watched)
    finally:
        store.close()


def check_free(folder: Path, named: Iterable[str] = ()) -> None:
    """FolderForeign if a folder without an engine holds files of somebody else."""
    if not folder.is_dir() or (folder / STORE).exists():
        return
    ours = _OURS | {Path(word).name for word in named}
    foreign = sorted(
        path.name
        for path in folder.iterdir()
        if not path.name.startswith(_OUR_BEGINNINGS) and path.name not in ours
    )
    if foreign:
        more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        raise FolderForeign(folder, f"{foreign[0]}{more}")


def _settings_in(store: Store, folder: Path, given: Given | None) -> Settings | None:
    note = store.note("settings")
    if note is None:
        return None
    try:
        settings = settings_from(f"the engine in {folder}", json.loads(note))
    except SettingsUnreadable as trouble:
        print_remark(f"{trouble}; they are not compared with those of this run")
        return None
    # not checked: a file to which changes were told may be gone by now
    output = OutputTable.model_construct(**(given.output if given else {}))
    return settings.model_copy(update={"output": output})
