"""Labels in a file that anybody may append to while a robot reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapline.app.folder.label_file import FILE, LabelFile, write_label
from trapline.core.errors import BadUrl, FolderMissing, UrlUnknown
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.sqlite.store import SqliteStore

URLS = [f"http://127.0.0.1/{name}" for name in ("a", "b")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store = SqliteStore(tmp_path)
    urls = [UrlRow(number, url, 0) for number, url in enumerate(URLS)]
    store.commit(
        Batch(hosts=[HostRow(0, "127.0.0.1:80", "http://127.0.0.1/")], urls=urls)
    )
    store.close()
    return tmp_path


def test_the_last_word_on_a_page_counts(folder: Path) -> None:
    labels = LabelFile(folder)
    assert labels.news().pages == {}
    for url, belongs in (
        (URLS[0], True),
        (URLS[1], True),
        (URLS[0] + "#top", False),
        (URLS[1], True),
    ):
        write_label(folder, url, belongs)
    assert labels.news().pages == {URLS[0]: False, URLS[1]: True}
    assert labels.news().pages == {}
    write_label(folder, URLS[0], True)
    assert labels.news().pages == {URLS[0]: True}
    # the next start reads them all
    assert LabelFile(folder).news().pages == {URLS[0]: True, URLS[1]: True}


def test_a_label_is_taken_while_a_robot_works(folder: Path) -> None:
    robot = SqliteStore(folder)
    write_label(folder, URLS[0], True)
    robot.close()
    assert LabelFile(folder).news().pages == {URLS[0]: True}


def test_torn_and_strange_lines_do_no_harm(folder: Path) -> None:
    labels = LabelFile(folder)
    strange = (
        b'\xff\n[]\n{"url": 3, "belongs": true}\n'
        b'{"url": "http://127.0.0.1/a", "belongs": "yes"}\n'
    )
    (folder / FILE).write_bytes(strange + b'{"url": "http://127.0.')
    assert labels.news().pages == {}
    write_label(folder, URLS[1], False)
    assert labels.news().pages == {URLS[1]: False}


@pytest.mark.parametrize(
    ("url", "mistake"), [("http://127.0.0.1/c", UrlUnknown), ("nonsense", BadUrl)]
)
def test_pages_that_nobody_knows_cannot_be_labelled(
    folder: Path, url: str, mistake: type[Exception]
) -> None:
    with pytest.raises(mistake):
        write_label(folder, url, True)
    assert not (folder / FILE).exists()


def test_there_must_be_an_engine(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(FolderMissing):
            write_label(folder, URLS[0], True)
    assert list(tmp_path.iterdir()) == []
