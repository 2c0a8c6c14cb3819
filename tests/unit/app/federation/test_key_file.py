"""The key of a folder: made once, private, and told apart from garbage."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from trapline.app.federation.key_file import FILE, make_key, read_key, verify
from trapline.app.federation.serial_file import SerialFile
from trapline.core.errors import MembershipUnreadable


def test_a_key_is_made_once_and_is_private(tmp_path: Path) -> None:
    key = read_key(tmp_path)
    assert read_key(tmp_path).public == key.public
    assert verify(key.public, b"said", read_key(tmp_path).sign(b"said"))
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    assert "PrivateKey" not in repr(key)


def test_many_who_make_it_at_once_agree(tmp_path: Path) -> None:
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(read_key(tmp_path).public))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and len(set(found)) == 1


@pytest.mark.parametrize("content", [b"", b"short", b"\xff" * 43, b"A" * 44])
def test_a_damaged_key_is_one_clear_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(MembershipUnreadable, match=FILE):
        read_key(tmp_path)
    assert (tmp_path / FILE).read_bytes() == content


def test_a_folder_in_the_place_of_the_key(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(MembershipUnreadable, match=FILE):
        read_key(tmp_path)


@pytest.mark.parametrize(
    ("key", "signature"),
    [
        ("", ""),
        ("A" * 43, "A" * 86),
        ("ä", "ö"),
        ("\ud800", "\ud800"),
        ("A" * 10_000, "A"),
        (make_key().public, "A" * 86),
        (make_key().public, make_key().sign(b"")),
    ],
    ids=[
        "nothing",
        "zeros",
        "accents",
        "half a letter",
        "long",
        "no sign",
        "other key",
    ],
)
def test_garbage_is_never_a_signature_and_never_an_error(
    key: str, signature: str
) -> None:
    assert verify(key, b"", signature) is False


def test_serials_grow_over_restarts_and_between_processes(tmp_path: Path) -> None:
    one = SerialFile(tmp_path)
    other = SerialFile(tmp_path)
    taken = [file.take() for file in (one, other, one, SerialFile(tmp_path), other)]
    assert taken == sorted(set(taken))
    (tmp_path / "engine.serial").write_text("9007199254740000")
    assert SerialFile(tmp_path).take() == 9007199254740001
    (tmp_path / "engine.serial").write_text("garbage")
    assert 1_600_000_000_000 < SerialFile(tmp_path).take() < 9_007_199_254_740_000
