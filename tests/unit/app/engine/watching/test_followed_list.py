"""Files of a watch: read again when they have changed, but not while they are being written."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapline.app.engine.watching.followed_list import FollowedList
from trapline.app.settings import Settings
from trapline.core.errors import UserMistake


class Reading:
    def __init__(self) -> None:
        self.count = 0

    def read(self) -> Settings:
        self.count += 1
        return Settings()


def test_a_file_that_has_changed_is_read_once_it_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("a\n")
    reading = Reading()
    followed = FollowedList([file], reading.read)
    assert followed.news() is None
    for text in ("a\nb", "a\nbb", "a\nbbb"):
        file.write_text(text)
        assert followed.news() is None, "somebody is writing"
    assert followed.news() == Settings()
    assert followed.news() is None
    assert reading.count == 1


def test_a_file_that_is_gone_for_a_moment(tmp_path: Path) -> None:
    """Editors write another file, and rename it."""
    file = tmp_path / "list.txt"
    file.write_text("a\n")
    reading = Reading()
    followed = FollowedList([file, tmp_path / "missing"], reading.read)
    file.unlink()
    assert followed.news() is None
    file.write_text("a\nb\n")
    assert followed.news() is None
    assert followed.news() == Settings()


def test_a_mistake_is_said_once(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("a\n")

    def read() -> Settings:
        raise UserMistake("nonsense")

    followed = FollowedList([file], read)
    file.write_text("nonsense\n")
    assert followed.news() is None
    with pytest.raises(UserMistake, match="nonsense"):
        followed.news()
    assert followed.news() is None


def test_nothing_to_follow() -> None:
    assert FollowedList([], Reading().read).news() is None
