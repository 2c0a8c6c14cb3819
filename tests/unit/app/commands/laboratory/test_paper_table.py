"""`lab papers`: one table on any screen, the same lines as JSON and as a page."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from rich.cells import cell_len

from tools import paper_pages
from trapline.app.commands.laboratory.paper_table import break_name, print_papers
from trapline.laboratory.study.paper_book import all_lines, lines_of, say_verdicts


@pytest.mark.parametrize("columns", [60, 80, 100, 120, 200])
def test_ids_are_whole_and_nothing_is_cut(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    print_papers("lspe", as_json=False)
    out = capsys.readouterr().out
    shown = out.splitlines()
    assert max(map(cell_len, shown)) <= columns
    for line in lines_of("lspe"):
        assert any(line.id in one for one in shown)
    # the last column, in which names are read across their folds
    last = "".join(one.split("│")[-2].strip() for one in shown if one.count("│") > 2)
    for line in lines_of("lspe"):
        assert all(name in last for name in (line.where, *line.check))
    assert shown[-1] == say_verdicts(lines_of("lspe"))


def test_names_are_broken_at_their_joints_and_stay_whole_where_there_is_room() -> None:
    name = "tests/paper/test_talim.py::test_a_long_queue_has_the_number_of_equation_16"
    for width in (20, 30, 80):
        said = break_name(name, width)
        assert "".join(said.split()) == name
        assert max(map(len, said.splitlines())) <= width
    assert break_name(name, 80) == name


def test_json_has_every_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_papers(None, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in found] == [line.id for line in all_lines()]
    assert all(one["check"] and one["where"] and one["live"] for one in found)


def test_the_page_has_every_line() -> None:
    page = paper_pages.page()
    for line in all_lines():
        assert f"\n| {line.id}<br>{line.kind} | {line.says} | {line.verdict}" in page
    rows = [one for one in page.splitlines() if one.startswith("| ")]
    # no cell has a bar of its own: all rows have as many as the heads
    assert {one.count(" | ") for one in rows} == {5}


def test_it_needs_neither_the_compiler_nor_the_packages_of_the_laboratory() -> None:
    code = (
        "import sys\n"
        "from trapline.app.commands.laboratory.paper_table import print_papers\n"
        "print_papers(None, as_json=True)\n"
        "found = {'numba', 'scipy', 'matplotlib'} & set(sys.modules)\n"
        "print(*found, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stderr.split() == []
