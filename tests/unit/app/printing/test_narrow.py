"""On a terminal of 40 columns words stay whole, and what is indented stays so."""

from __future__ import annotations

import pytest

from tests.unit.app.printing.test_answer import hit, shown
from trapline.app.printing.fact_table import RowTable, print_table
from trapline.search.questions import Answer


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")


def test_long_urls_stay_indented(capsys: pytest.CaptureFixture[str]) -> None:
    url = f"http://h.example/{'moon-' * 12}"
    out = shown(Answer([hit(url=url)], 1, 0.001), capsys)
    begin = out.index("   http")
    lines = out[begin : out.index("   seen")].splitlines()
    assert len(lines) > 1 and all(line.startswith("   ") for line in lines)
    assert "".join(line.strip() for line in lines) == url


def test_rows_keep_their_words_whole(capsys: pytest.CaptureFixture[str]) -> None:
    columns = ("host", "held", "known", "visits", "gap", "state")
    row = (
        "documentation.example.org:8000",
        "1,234",
        "5,678",
        "910",
        "1.5 s",
        "visited",
    )
    print_table(RowTable("", columns, [row]))
    out = capsys.readouterr().out
    for word in ("documentation.example.org:8000", "known 5,678", "visits", "visited"):
        assert word in out
    assert max(map(len, out.splitlines())) <= 40
