"""Files of other programs: which one it is, and what is in it."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from trapline.app.watch_import.changedetection_settings import (
    ALL,
    lay_under,
    rules_for_all,
)
from trapline.app.watch_import.changedetection_watches import (
    changedetection_pages,
    listed_pages,
)
from trapline.app.watch_import.foreign_values import table_of, texts_of
from trapline.app.watch_import.imported_page import ImportedPage
from trapline.app.watch_import.urlwatch_jobs import urlwatch_pages
from trapline.core.errors import UserMistake

LARGEST: Final = 100_000_000  # bytes
_WATCH: Final = "watch.json"  # in the folder of each watch, since version 0.53
_STORES: Final = ("url-watches.json", "changedetection.json")
_WANTED: Final = (
    "wanted is urls.yaml of urlwatch; or of changedetection.io url-watches.json, its data "
    "folder, a backup (.zip) or the exported list (.txt)"
)


class Imported(NamedTuple):
    pages: list[ImportedPage]
    notify: list[str]  # where changes of all pages are told: secrets
    for_all: ImportedPage  # rules of all pages, without a URL


def read_list(path: Path) -> Imported:
    """Raises UserMistake for what is neither."""
    suffix = path.suffix.lower()
    if path.is_dir():
        return _from_store(dict(_folder_files(path)), path)
    if suffix == ".zip":
        return _from_store(dict(_zip_files(path)), path)
    text = _text(path)
    if suffix in (".yaml", ".yml"):
        return _plain(urlwatch_pages(text, str(path)))
    if suffix == ".json":
        return _from_store({path.name: text}, path)
    if suffix == ".txt":
        return _plain(listed_pages(text))
    raise UserMistake(f"cannot import {path}: {_WANTED}")


def _plain(pages: Iterator[ImportedPage]) -> Imported:
    """A list that says nothing of all its pages."""
    return Imported(list(pages), [], ImportedPage(ALL))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UserMistake(f"there is no file {path} to import") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserMistake(f"cannot read {path}: {error}") from None


def _is_wanted(name: str) -> bool:
    return name in (_WATCH, *_STORES)


def _folder_files(folder: Path) -> Iterator[tuple[str, str]]:
    for path in (*folder.glob("*.json"), *folder.glob(f"*/{_WATCH}")):
        if _is_wanted(path.name):
            yield str(path.relative_to(folder)), _text(path)


def _zip_files(path: Path) -> Iterator[tuple[str, str]]:
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if not _is_wanted(Path(member.filename).name):
                    continue
                with archive.open(member) as file:
                    yield member.filename, file.read(LARGEST).decode("utf-8-sig")
    except FileNotFoundError:
        raise UserMistake(f"there is no file {path} to import") from None
    except (OSError, zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise UserMistake(f"cannot read {path}: {error}") from None


def _from_store(files: dict[str, str], path: Path) -> Imported:
    watches: list[dict[str, Any]] = []
    application: dict[str, Any] = {}
    requests: dict[str, Any] = {}
    for name in sorted(files):
        found = _object(files[name], f"{path}: {name}")
        if Path(name).name == _WATCH:
            watches.append(found)
            continue
        watches += _values(found.get("watching"))
        settings = table_of(found.get("settings"))
        application |= table_of(settings.get("application"))
        requests |= table_of(settings.get("requests"))
    if not watches:
        raise UserMistake(f"there is no watch in {path}: {_WANTED}")
    tags = table_of(application.get("tags"))
    notify = texts_of(application.get("notification_urls"))
    for_all = rules_for_all(application, requests)
    pages = list(changedetection_pages(watches, tags))
    lay_under(for_all, pages)
    return Imported(pages, notify, for_all)


def _values(watching: object) -> list[dict[str, Any]]:
    return [watch for watch in table_of(watching).values() if isinstance(watch, dict)]


def _object(text: str, source: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise UserMistake(
            f"{source} is not JSON: what stands in {where} is wrong"
        ) from None
    except (ValueError, RecursionError):  # a number too long, or nested too deep
        raise UserMistake(f"{source} is not JSON that can be read") from None
    return table_of(found)
