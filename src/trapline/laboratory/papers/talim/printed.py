"""What `talim` prints: Tables 1 and 2, the captions of Figures 6–8, and what is known to be wrong
in them.

>>> cell = CELLS[0]
>>> cell.id, cell.fetchers, cell.queue.best_static().fetchers
('table-1/λ=0.01,K=5,γ=0.4', 73, 73)
>>> len(TABLE_1), len(TABLE_2), len(ERRATA)
(27, 18, 10)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from trapline.theory.queueing.fetcher_queue import FetcherQueue

Table = Literal["table-1", "table-2"]

# as the captions say; the text's 0.5 is wrong, every printed number has 1.0
MU: Final = 1.0
WEIGHTS: Final = {"1.13": 17 / 15}  # γ(15), printed with two digits
# Table 2 leaves N free: with so many the last ones are never woken
ENOUGH: Final = {0.05: 70, 0.1: 45}


@dataclass(frozen=True, slots=True)
class Cell:
    """One row of a table: a queue, the best fixed number of fetchers and the best dynamic plan, as
    printed.
    """

    table: Table
    fetch_rate: float  # λ
    capacity: int  # K
    printed_weight: str  # γ as printed
    static_cost: float  # C_s
    static_fetchers: int  # N_s
    cost: float  # C_d
    min_fetchers: int  # N_min
    mean_fetchers: float  # N̄
    iterations: int | None = None  # N_iter, in Table 1 only
    max_fetchers: int | None = None  # N_max, in Table 2 only

    @property
    def weight(self) -> float:
        """γ."""
        return WEIGHTS.get(self.printed_weight) or float(self.printed_weight)

    @property
    def name(self) -> str:
        return f"λ={self.fetch_rate:g},K={self.capacity},γ={self.printed_weight}"

    @property
    def id(self) -> str:
        return f"{self.table}/{self.name}"

    @property
    def queue(self) -> FetcherQueue:
        return FetcherQueue(self.fetch_rate, MU, self.capacity, self.weight)

    @property
    def fetchers(self) -> int:
        """How many there are to wake, N: in Table 1 the best fixed number, in Table 2 more than are
        ever woken.
        """
        return (
            self.static_fetchers if self.table == "table-1" else ENOUGH[self.fetch_rate]
        )


def _read(table: Table, text: str) -> tuple[Cell, ...]:
    """Columns λ, K, γ, C_s, N_s, C_d, N_min, N̄ and the table's own last one."""
    cells = []
    for line in text.strip().splitlines():
        (
            rate,
            capacity,
            weight,
            static_cost,
            static_fetchers,
            cost,
            fewest,
            mean,
            last,
        ) = line.split()
        own = (int(last), None) if table == "table-1" else (None, int(last))
        queue = float(rate), int(capacity), weight
        cells.append(
            Cell(
                table,
                *queue,
                float(static_cost),
                int(static_fetchers),
                float(cost),
                int(fewest),
                float(mean),
                *own,
            )
        )
    return tuple(cells)


TABLE_1: Final = _read(
    "table-1",
    """
    0.01   5  0.4   0.17541   73   0.16804   57   70.3  1634
    0.01   5  1.4   0.40000  100   0.38336   86   95.1  1911
    0.01   5  2.4   0.53834  114   0.51746  101  108.4  2051
    0.01  10  0.4   0.10207   86   0.09062   60   82.6  1794
    0.01  10  1.2   0.20000  100   0.17534   77   94.1  1939
    0.01  10  2.4   0.28347  110   0.24798   88  102.3  2039
    0.01  15  0.4   0.07177   91   0.05891   58   87.7  1860
    0.01  15  1.13  0.13333  100   0.10720   70   94.5  1953
    0.01  15  2.4   0.19192  107   0.15342   78   99.7  2024
    0.05   5  0.4   0.17578   15   0.15127    7   13.8   338
    0.05   5  1.4   0.40000   20   0.34733   12   17.7   391
    0.05   5  2.4   0.53841   23   0.46583   15   20.2   422
    0.05  10  0.4   0.10220   17   0.08308    5   16.2   369
    0.05  10  1.2   0.20000   20   0.14955    8   18.2   402
    0.05  10  2.4   0.28347   22   0.20541   10   19.4   423
    0.05  15  0.4   0.07184   18   0.05514    4   17.4   401
    0.05  15  1.13  0.13333   20   0.09117    6   18.7   426
    0.05  15  2.4   0.19372   21   0.13895    8   19.3   438
    0.1    5  0.4   0.17600    7   0.15239    1    6.5   167
    0.1    5  1.4   0.40000   10   0.32198    4    8.6   200
    0.1    5  2.4   0.54067   11   0.44989    5    9.3   211
    0.1   10  0.4   0.10403    9   0.06838    0    8.4   204
    0.1   10  1.2   0.20000   10   0.13854    2    9.0   218
    0.1   10  2.4   0.28347   11   0.18585    3    9.6   227
    0.1   15  0.4   0.07184    9   0.05326    0    8.7   312
    0.1   15  1.13  0.13333   10   0.08538    1    9.3   359
    0.1   15  2.4   0.19458   11   0.09606    1    9.7   376
""",
)

TABLE_2: Final = _read(
    "table-2",
    """
    0.05   5  0.4   0.17578   15   0.13770    7   15.9    20
    0.05   5  1.4   0.40000   20   0.31712   13   19.8    27
    0.05   5  2.4   0.53841   23   0.43292   16   21.9    32
    0.05  10  0.4   0.10220   17   0.04128    5   19.0    29
    0.05  10  1.2   0.20000   20   0.12020    8   19.9    33
    0.05  10  2.4   0.28347   22   0.20541   10   20.6    36
    0.05  15  0.4   0.07184   18   0.00969    2   19.8    35
    0.05  15  1.13  0.13333   20   0.01818    4   20.0    38
    0.05  15  2.4   0.19372   21   0.02782    6   20.1    41
    0.1    5  0.4   0.17600    7   0.11097    2    8.2    12
    0.1    5  1.4   0.40000   10   0.25924    4    9.8    16
    0.1    5  2.4   0.54067   11   0.35805    6   10.7    18
    0.1   10  0.4   0.10403    9   0.01937    0    9.7    18
    0.1   10  1.2   0.20000   10   0.03887    1    9.9    20
    0.1   10  2.4   0.28347   11   0.05894    2   10.1    22
    0.1   15  0.4   0.07184    9   0.00188    0   10.0    24
    0.1   15  1.13  0.13333   10   0.00368    0   10.0    25
    0.1   15  2.4   0.19458   11   0.00585    0   10.0    27
""",
)

CELLS: Final = TABLE_1 + TABLE_2


@dataclass(frozen=True, slots=True)
class Erratum:
    """A printed C_d that is not the least cost: what it should be, and what it is instead."""

    right: float  # to six digits
    why: str


_EARLY: Final = "value iteration stopped too early"

ERRATA: Final[dict[str, Erratum]] = {
    "table-1/λ=0.05,K=15,γ=0.4": Erratum(0.055133, _EARLY),
    "table-1/λ=0.05,K=15,γ=1.13": Erratum(0.091156, _EARLY),
    "table-1/λ=0.05,K=15,γ=2.4": Erratum(0.138912, _EARLY),
    "table-1/λ=0.1,K=10,γ=0.4": Erratum(0.068374, _EARLY),
    "table-1/λ=0.1,K=10,γ=2.4": Erratum(0.185843, _EARLY),
    "table-1/λ=0.1,K=15,γ=0.4": Erratum(0.053246, _EARLY),
    "table-1/λ=0.1,K=15,γ=1.13": Erratum(0.085345, _EARLY),
    "table-1/λ=0.1,K=15,γ=2.4": Erratum(0.096023, _EARLY),
    "table-2/λ=0.05,K=10,γ=1.2": Erratum(0.081562, "this is the cost at γ=2.4"),
    "table-2/λ=0.05,K=10,γ=2.4": Erratum(0.120196, "this is Table 1's, with N=22"),
}


@dataclass(frozen=True, slots=True)
class PolicyFigure:
    """Figure 6, 7 or 8: the best plan for N = 16, K = 5, λ = 0.1, μ = 1.

    Its caption is the paper's. The pictures themselves are not in our text of the paper: the curves
    are those of an independent computation, a second opinion on ours and not a reading of the
    picture.
    """

    id: str
    weight: float  # γ
    cost: float  # θ
    iterations: int
    departure_curve: tuple[int, ...]  # f0(r), r = 0 … 15
    arrival_curve: tuple[int, ...]  # f1(r), r = 1 … 16

    @property
    def queue(self) -> FetcherQueue:
        return FetcherQueue(0.1, MU, 5, self.weight)

    @property
    def fetchers(self) -> int:
        return 16


FIGURES: Final = (
    PolicyFigure(
        "fig-6",
        1.0,
        0.20907,
        254,
        (5, 5, 5, 5, 5, 5, 4, 4, 3, 3, 3, 2, 2, 1, 1, 0),
        (5, 5, 5, 5, 3, 3, 2, 2, 1, 1, 1, 0, 0, -1, -1, -1),
    ),
    PolicyFigure(
        "fig-7",
        1.4,
        0.25924,
        255,
        (5, 5, 5, 5, 5, 5, 5, 4, 4, 3, 3, 3, 2, 2, 1, 1),
        (5, 5, 5, 5, 3, 3, 3, 2, 2, 1, 1, 1, 0, 0, -1, -1),
    ),
    PolicyFigure(
        "fig-8",
        2.0,
        0.32211,
        256,
        (5, 5, 5, 5, 5, 5, 5, 5, 4, 4, 3, 3, 3, 2, 2, 1),
        (5, 5, 5, 5, 5, 3, 3, 3, 2, 2, 1, 1, 1, 0, 0, -1),
    ),
)
