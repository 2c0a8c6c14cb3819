"""What an experiment hands back: a table of our numbers (beside the paper's, if there is one),
remarks, and figures.

>>> rows = [{"id": "heads", "paper": 0.5, "ours": 0.51}]
>>> report = Report("toys/coin", "A coin", ("id", "paper", "ours"), rows)
>>> report.rows[0]["ours"]
0.51
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from trapline.core.errors import BadNumber

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Cell = str | int | float | None
Row = dict[str, Cell]
# share of the work that is done, in [0, 1]; what was done last
Progress = Callable[[float, str], None]

# what every row says too, if any of it is announced
BESIDE_A_PAPER: Final = ("paper", "ours")


@dataclass(frozen=True, slots=True)
class Report:
    id: str
    title: str
    # in the order to show them: `id`; `paper` and `ours` unless no paper is reproduced
    columns: tuple[str, ...]
    # `paper` None = the paper gives no value; another column that a row lacks is empty
    rows: list[Row]
    remarks: list[str] = field(default_factory=list)
    figures: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        """A table with a hole would be noticed only by the reader of the CSV: notice it here."""
        beside = set(BESIDE_A_PAPER) & set(self.columns)
        needed = ("id", *BESIDE_A_PAPER) if beside else ("id",)
        for row in self.rows:
            if missing := [name for name in needed if name not in row]:
                raise ValueError(
                    f"a row of {self.id} lacks {', '.join(missing)}: {row}"
                )
            if unknown := row.keys() - set(self.columns):
                raise ValueError(
                    f"a row of {self.id} has columns that are not announced: "
                    f"{', '.join(sorted(unknown))}"
                )
        if len({row["id"] for row in self.rows}) < len(self.rows):
            raise ValueError(f"two rows of {self.id} have the same id")


class Experiment(Protocol):
    """A world, a sweep and its analysis, under one readable id."""

    def __call__(
        self, progress: Progress, out: Path | None, quick: bool, seeds: int | None
    ) -> Report:
        """`out` None = draw no figures; `quick` = a small version; `seeds` None = as many as the
        experiment wants.
        """


def check_seeds(seeds: int) -> None:
    if seeds < 2:
        raise BadNumber(
            "the number of seeds",
            seeds,
            "at least 2: one run says nothing about chance",
        )


def file_name(experiment: str) -> str:
    """An experiment's id as the beginning of the names of its files.

    >>> file_name("foundations/agenda")
    'foundations-agenda'
    """
    return experiment.replace("/", "-")


def write_csv(report: Report, out: Path) -> Path:
    """The table as `<id>.csv`; numbers as Python prints them, so that nothing is lost
    to rounding.
    """
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{file_name(report.id)}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, report.columns, restval="")
        writer.writeheader()
        writer.writerows(report.rows)
    return path


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches. It needs no screen: it is only ever saved."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def draw_figures(
    experiment: str, out: Path | None, draw: Callable[[], Figure]
) -> list[Path]:
    """The files of an experiment's figure; without a folder nothing is drawn."""
    if out is None:
        return []
    return save_figure(draw(), out, file_name(experiment))


def save_figure(figure: Figure, out: Path, name: str) -> list[Path]:
    """`<name>.svg` for documents and `<name>.png` for a quick look; the same figure gives the same
    bytes.
    """
    import matplotlib as mpl

    out.mkdir(parents=True, exist_ok=True)
    vector = out / f"{name}.svg"
    pixels = out / f"{name}.png"
    with mpl.rc_context({"svg.hashsalt": name}):
        figure.savefig(vector, metadata={"Date": None})
        figure.savefig(pixels, dpi=150)
    return [vector, pixels]
