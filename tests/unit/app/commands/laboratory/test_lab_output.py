"""Tables of the laboratory on narrow screens: every id and every number is whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from trapline.app.commands.laboratory.lab_output import print_list, print_report
from trapline.laboratory.results.shipped import SHIPPED, load_shipped
from trapline.laboratory.study.registry import list_experiments
from trapline.laboratory.study.report import Report

WIDE = Report(
    "compare/polling",
    "Who detects more changes",
    ("id", "policy", "share", "interval", "difference", "p_value", "polls", "verdict"),
    [
        {
            "id": f"shuffled-512-pages/{policy}",
            "policy": policy,
            "share": 0.123456,
            "interval": "0.1234 ± 0.0123",
            "difference": -0.0123,
            "p_value": 1.2345e-07,
            "polls": 10_240_000,
            "verdict": "worse than the best by more than its interval allows",
        }
        for policy in ("adaptive-whittle", "posterior", "nutch-adaptive", "known-rate")
    ],
    ["A remark that is long enough to be folded once or twice on any screen " * 2],
)


def shown(capsys: pytest.CaptureFixture[str], columns: int) -> list[str]:
    lines = capsys.readouterr().out.splitlines()
    assert max(map(cell_len, lines)) <= columns
    return lines


def values_of(report: Report, digits: int) -> list[str]:
    """Ids, names and numbers, as they are printed; not texts, which may fold."""
    cells = []
    for row in report.rows:
        for name, value in row.items():
            if isinstance(value, float):
                cells.append(f"{value:.{2 if name == 'difference' else digits}g}")
            elif name == "id" or len(str(value)) <= 24:
                cells.append("–" if value is None else str(value))
    return cells


@pytest.mark.parametrize("columns", [60, 80, 100])
@pytest.mark.parametrize(
    "report", [*map(load_shipped, SHIPPED), WIDE], ids=lambda report: report.id
)
def test_ids_and_numbers_are_whole(
    report: Report,
    columns: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    print_report(report, Path("out"))
    lines = shown(capsys, columns)
    joined = " ".join(line.strip() for line in lines)  # for ids longer than a line
    broken = [
        value
        for value in values_of(report, digits=5)
        if not any(value in line for line in lines)
        and (len(value) <= columns or value not in joined)
    ]
    assert broken == []
    cut = sum(line.count("…") for line in lines)
    assert cut == str(report).count("…")  # texts have some
    assert report.id in lines[0]


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_the_list_names_every_experiment(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    print_list(as_json=False)
    lines = shown(capsys, columns)
    for one in list_experiments():
        assert any(one.id in line for line in lines)


def test_a_file_has_a_width_of_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    print_list(as_json=False)
    assert max(map(len, shown(capsys, 120))) > 80
