"""The files of the log: rotation, torn lines, and readers that follow it all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from trapline.app.folder.visit_log.log_file import OLDER, LogFile, log_path
from trapline.app.folder.visit_log.log_filter import (
    LogFilter,
    is_error,
    since_s,
    status_test,
)
from trapline.app.folder.visit_log.log_reader import LogReader, follow_log, read_log
from trapline.core.errors import UserMistake


def lines(first: int, last: int) -> list[dict[str, Any]]:
    return [{"number": number} for number in range(first, last)]


def numbers(found: Any) -> list[int]:
    return [line["number"] for line in found]


def test_lines_are_read_as_they_were_written(tmp_path: Path) -> None:
    LogFile(tmp_path).append(lines(0, 3))
    LogFile(tmp_path).append(lines(3, 5))
    assert numbers(read_log(tmp_path)) == [0, 1, 2, 3, 4]


def test_nothing_is_read_where_nothing_was_written(tmp_path: Path) -> None:
    assert list(read_log(tmp_path)) == []


def test_files_are_rotated_and_read_in_order(tmp_path: Path) -> None:
    file = LogFile(tmp_path, most_bytes=50)
    for number in range(0, 12, 4):
        file.append(lines(number, number + 4))
    assert not log_path(tmp_path).exists()
    assert log_path(tmp_path, 3).exists()
    file.append(lines(12, 13))
    assert numbers(read_log(tmp_path)) == list(range(13))


def test_only_so_many_files_are_kept(tmp_path: Path) -> None:
    file = LogFile(tmp_path, most_bytes=1)
    for number in range(10):
        file.append(lines(number, number + 1))
    assert numbers(read_log(tmp_path)) == list(range(10 - OLDER, 10))
    assert len(list(tmp_path.iterdir())) == OLDER


def test_a_torn_line_is_passed_over_and_ended(tmp_path: Path) -> None:
    file = LogFile(tmp_path)
    file.append(lines(0, 2))
    with log_path(tmp_path).open("ab") as torn:
        torn.write(b'{"number": 2, "ur')
    assert numbers(read_log(tmp_path)) == [0, 1]
    file.append(lines(3, 4))
    assert numbers(read_log(tmp_path)) == [0, 1, 3]


def test_a_follower_sees_each_line_once_through_rotations(tmp_path: Path) -> None:
    file = LogFile(tmp_path, most_bytes=100)
    written = iter(range(0, 60, 3))

    def write_more() -> None:
        number = next(written)
        file.append(lines(number, number + 3))

    seen: list[int] = []
    for line in follow_log(tmp_path, rest=write_more):
        seen.append(line["number"])
        if line["number"] == 59:
            break
    assert seen == list(range(60))


def test_a_reader_whose_file_was_dropped_goes_on_with_the_oldest(
    tmp_path: Path,
) -> None:
    file = LogFile(tmp_path, most_bytes=1)
    file.append(lines(0, 1))
    reader = LogReader(tmp_path)
    assert numbers(reader.news()) == [0]
    for number in range(1, 9):
        file.append(lines(number, number + 1))
    assert numbers(reader.news()) == [5, 6, 7, 8]
    reader.close()


def test_half_a_line_waits_until_it_is_whole(tmp_path: Path) -> None:
    reader = LogReader(tmp_path)
    with log_path(tmp_path).open("ab", buffering=0) as file:
        file.write(b'{"number": 1}\n{"num')
        assert numbers(reader.news()) == [1]
        file.write(b'ber": 2}\n')
        assert numbers(reader.news()) == [2]
    reader.close()


VISIT = {
    "time_s": 100.0,
    "event": "visit",
    "host": "a.org:80",
    "status": 404,
    "outcome": "gone",
}
REMARK = {"time_s": 100.0, "event": "remark", "text": "so"}


@pytest.mark.parametrize(
    ("wanted", "admits_visit", "admits_remark"),
    [
        (LogFilter(), True, True),
        (LogFilter(host="a.org"), True, False),
        (LogFilter(host="a.org:80"), True, False),
        (LogFilter(host="b.org"), False, False),
        (LogFilter(status=status_test("404")), True, False),
        (LogFilter(status=status_test("4xx")), True, False),
        (LogFilter(status=status_test("2xx")), False, False),
        (LogFilter(status=is_error), True, False),
        (LogFilter(since_s=100.0), True, True),
        (LogFilter(since_s=100.1), False, False),
    ],
)
def test_lines_are_filtered(
    wanted: LogFilter, admits_visit: bool, admits_remark: bool
) -> None:
    assert wanted.admits(VISIT) is admits_visit
    assert wanted.admits(REMARK) is admits_remark


@pytest.mark.parametrize("word", ["", "yesterday", "10 parsecs", "nan"])
def test_a_time_that_is_none_is_a_mistake(word: str) -> None:
    with pytest.raises(UserMistake, match="10min"):
        since_s(word, 0.0)


@pytest.mark.parametrize("word", ["", "7", "9xx", "teapot", "4x"])
def test_a_status_that_is_none_is_a_mistake(word: str) -> None:
    with pytest.raises(UserMistake, match="4xx"):
        status_test(word)


@pytest.mark.parametrize(
    ("word", "seconds"), [("90s", 90), ("2h", 7200), ("1d", 86400), ("1.5 H", 5400)]
)
def test_how_long_ago(word: str, seconds: float) -> None:
    assert since_s(word, 1e6) == 1e6 - seconds
