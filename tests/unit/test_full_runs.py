"""What full runs gave is kept whole, and the page of the documentation shows all of it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from tools import full_results, result_pages
from trapline.laboratory.study.registry import EXPERIMENTS
from trapline.laboratory.study.report import Report, Row, file_name, write_csv

RUNS = result_pages.runs()


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["id"])
def test_a_run_that_is_kept_is_of_an_experiment_and_has_its_files(
    run: dict[str, Any],
) -> None:
    assert run["title"] == EXPERIMENTS[run["id"]].title
    with (full_results.FOLDER / f"{file_name(run['id'])}.csv").open() as file:
        assert list(csv.DictReader(file))
    for name in run["pictures"]:
        assert (full_results.FOLDER / name).read_bytes().startswith(b"\x89PNG")


def test_no_file_is_left_of_a_run_that_is_not_kept() -> None:
    known = {name for run in RUNS for name in run["pictures"]}
    known |= {
        f"{file_name(run['id'])}{end}" for run in RUNS for end in (".csv", ".json")
    }
    assert {path.name for path in full_results.FOLDER.iterdir()} == known


def test_the_page_shows_every_run() -> None:
    page = result_pages.page()
    for run in RUNS:
        assert f"### {run['id']}" in page
        assert all(f"../results/{name}" in page for name in run["pictures"])


def test_a_run_is_kept_with_its_table_pictures_and_remarks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_results, "FOLDER", tmp_path / "results")
    monkeypatch.setattr(result_pages, "RESULTS", tmp_path / "results")
    picture = tmp_path / "toys-coin.png"
    picture.write_bytes(b"\x89PNG")
    rows: list[Row] = [{"id": "heads", "paper": 0.5, "ours": 0.51}]
    columns = ("id", "paper", "ours")
    report = Report("toys/coin", "A coin", columns, rows, ["1 < 2_3"], [picture])
    write_csv(report, tmp_path)
    full_results.keep(report, tmp_path, took_s=3.2, commit="abc1234")
    kept = {path.name for path in (tmp_path / "results").iterdir()}
    assert kept == {"toys-coin.csv", "toys-coin.json", "toys-coin.png"}
    page = result_pages.page()
    assert "A coin. [Table](../results/toys-coin.csv); " in page
    assert "commit abc1234, 3 s." in page and "- 1 &lt; 2\\_3" in page
    assert "![A coin](../results/toys-coin.png)" in page
