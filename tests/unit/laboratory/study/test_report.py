"""Reports: tables without holes, CSV that loses nothing, figures that are the same each time."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from trapline.laboratory.study.report import (
    Report,
    Row,
    new_figure,
    save_figure,
    write_csv,
)

COLUMNS = ("id", "paper", "ours", "unit")
ROWS: list[Row] = [
    {"id": "a/one", "paper": 0.1, "ours": 0.1 + 0.2, "unit": "share"},
    {"id": "a/two", "paper": None, "ours": 7, "unit": 'says "so", or not'},
    {"id": "a/three", "paper": None, "ours": None},
]


def report(rows: list[Row]) -> Report:
    return Report("toys/coin", "A coin", COLUMNS, rows)


def test_a_csv_says_what_the_report_says(tmp_path: Path) -> None:
    path = write_csv(report(ROWS), tmp_path / "new" / "folder")
    assert path == tmp_path / "new" / "folder" / "toys-coin.csv"
    with path.open(newline="", encoding="utf-8") as file:
        read = list(csv.DictReader(file))
    assert [row["id"] for row in read] == [row["id"] for row in ROWS]
    assert float(read[0]["ours"]) == 0.1 + 0.2
    assert read[1]["unit"] == 'says "so", or not'
    assert (read[1]["paper"], read[2]["ours"], read[2]["unit"]) == ("", "", "")


@pytest.mark.parametrize("missing", ["id", "paper", "ours"])
def test_a_row_that_lacks_what_every_row_says_is_refused(missing: str) -> None:
    row: Row = {name: value for name, value in ROWS[0].items() if name != missing}
    with pytest.raises(ValueError, match=f"toys/coin lacks {missing}"):
        report([row])


def test_where_no_paper_is_reproduced_a_row_needs_its_id_only() -> None:
    rows: list[Row] = [
        {"id": "uniform", "share": 0.5},
        {"id": "posterior", "share": None},
    ]
    assert Report("compare/coins", "Coins", ("id", "share"), rows).rows == rows
    with pytest.raises(ValueError, match="lacks id"):
        Report("compare/coins", "Coins", ("id", "share"), [{"share": 0.5}])
    with pytest.raises(ValueError, match="lacks paper"):
        Report(
            "compare/coins", "Coins", ("id", "ours"), [{"id": "uniform", "ours": 0.5}]
        )


def test_a_column_that_was_not_announced_is_refused() -> None:
    with pytest.raises(ValueError, match="surprise"):
        report([{**ROWS[0], "surprise": 1}])


def test_two_rows_of_one_id_are_refused() -> None:
    with pytest.raises(ValueError, match="same id"):
        report([ROWS[0], ROWS[0]])


def test_a_figure_is_saved_for_documents_and_for_a_look_the_same_each_time(
    tmp_path: Path,
) -> None:
    def drawn(folder: str) -> list[bytes]:
        figure = new_figure(3.0, 2.0)
        figure.subplots().plot([0.0, 1.0], [1.0, 0.0], label="λ")
        paths = save_figure(figure, tmp_path / folder, "toys-coin")
        assert [path.name for path in paths] == ["toys-coin.svg", "toys-coin.png"]
        return [path.read_bytes() for path in paths]

    vector, pixels = drawn("one")
    assert vector.lstrip().startswith(b"<?xml") and b"<svg" in vector
    assert pixels.startswith(b"\x89PNG")
    assert drawn("two") == [vector, pixels]
