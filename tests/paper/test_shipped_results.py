"""The tables that ship are those that the experiments give."""

from __future__ import annotations

import json

import pytest

from trapline.laboratory.results.shipped import FOLDER, SHIPPED, as_text, load_shipped
from trapline.laboratory.study.registry import run_experiment
from trapline.laboratory.study.report import Report, file_name


@pytest.mark.parametrize("name", ["talim/fig-7", "whittle/table-1"])
def test_the_fast_ones_run_again(name: str) -> None:
    """Their last digits are the machine's."""
    again = _load(run_experiment(name))
    shipped = load_shipped(name)
    assert [row["id"] for row in again.rows] == [row["id"] for row in shipped.rows]
    for row, before in zip(again.rows, shipped.rows, strict=True):
        assert row["paper"] == before["paper"]
        ours = row["ours"]
        if isinstance(ours, float):
            assert ours == pytest.approx(before["ours"], rel=1e-6, abs=1e-9)
        else:
            assert ours == before["ours"]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_table_is_there(name: str) -> None:
    report = load_shipped(name)
    assert report.id == name and report.rows
    file = FOLDER / f"{file_name(name)}.json"
    assert file.read_text(encoding="utf-8") == as_text(report)


def _load(report: Report) -> Report:
    found = json.loads(as_text(report))
    return Report(found["id"], found["title"], tuple(found["columns"]), found["rows"])
