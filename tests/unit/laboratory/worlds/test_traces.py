"""Traces: change histories from files, windows of them, their replay, and freshness counted
exactly.
"""

from __future__ import annotations

import gzip
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trapline.core.cards import Cards
from trapline.core.errors import BadNumber, TraceUnreadable
from trapline.core.ports import Arrays, Seen
from trapline.core.records import Outcome
from trapline.laboratory.runs.drive import Log
from trapline.laboratory.runs.trace_replay import freshness_between, replay
from trapline.laboratory.worlds.trace_sample import write_sample
from trapline.laboratory.worlds.traces import DAY_S, SAMPLE, Traces, Window
from trapline.laboratory.worlds.truth import fresh_copy, make_truth, version, visit
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.policies.refresh.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.refresh.uniform import Uniform

HEADER = "page_id,t,kind,size,batch"
SMALL = """page_id,t,kind,size,batch
0,100,A,10,2
1,100,A,10,2
1,150,M,10,1
0,200,M,10,60
1,200,M,10,60
2,250,A,10,1
1,300,D,0,1
0,310,M,10,1
1,400,A,10,1
2,410,M,-1,1
1,450,M,10,1
2,500,D,0,1
"""
START_S = 1_700_000_000.0


def traces_of(folder: Path, text: str = SMALL) -> Traces:
    path = folder / "small.csv"
    path.write_text(text)
    return Traces.load(path)


def events_of(window: Window) -> list[list[float]]:
    cuts = window.event_start[1:-1].tolist()
    return [part.tolist() for part in np.split(window.event_s, cuts)]


# Files


def test_a_life_goes_from_addition_to_deletion(tmp_path: Path) -> None:
    lives = traces_of(tmp_path).lives
    assert lives.page.tolist() == [0, 1, 1, 2]
    assert lives.born_s.tolist() == [100, 100, 400, 250]
    assert lives.dies_s.tolist() == [math.inf, 300, math.inf, 500]
    assert lives.event_start.tolist() == [0, 2, 4, 5, 6]
    assert lives.event_s.tolist() == [200, 310, 150, 200, 450, 410]
    assert lives.batch.tolist() == [60, 1, 1, 60, 1, 1]


def test_plain_and_packed_files_are_the_same_and_paths_are_found_beside_them(
    tmp_path: Path,
) -> None:
    plain = traces_of(tmp_path)
    packed = tmp_path / "packed.csv.gz"
    packed.write_bytes(gzip.compress(SMALL.encode()))
    (tmp_path / "packed.pages.csv.gz").write_bytes(
        gzip.compress(b'page_id,path\n0,a/b\n2,"c,d"\n')
    )
    other = Traces.load(str(packed))
    assert np.array_equal(plain.lives.event_s, other.lives.event_s)
    assert (other.first_s, other.last_s) == (100.0, 500.0)
    assert (plain.paths, other.paths) == ({}, {0: "a/b", 2: "c,d"})
    assert other.between(260.0, 1.0).path == ["a/b", "", "c,d", ""]


BROKEN = {
    "columns": "page,t,kind,size,batch\n0,1,A,1,1\n",
    "another column": f"{HEADER},author\n0,1,A,1,1,me\n",
    "missing column": "page_id,t,kind,size\n0,1,A,1\n",
    "must be A, M or D": f"{HEADER}\n0,1,X,1,1\n",
    "line 3: its kind is 'AM'": f"{HEADER}\n0,1,A,1,1\n0,2,AM,1,1\n",
    "line 4: its time lies before": f"{HEADER}\n0,5,A,1,1\n0,6,M,1,1\n1,4,A,1,1\n",
    "line 2: a time that is no number": f"{HEADER}\n0,nan,A,1,1\n",
    "line 2: a page is added while": f"{HEADER}\n0,5,M,1,1\n",
    "line 3: a page is added while": f"{HEADER}\n0,5,A,1,1\n0,6,A,1,1\n",
    "line 4: a page is added while": f"{HEADER}\n0,5,A,1,1\n0,6,D,1,1\n0,7,D,1,1\n",
    "line 3: .* twice in one second": f"{HEADER}\n0,5,A,1,1\n0,5,M,1,1\n",
    "no event": f"{HEADER}\n",
    "its columns are ''": "",
    "string 'soon'": f"{HEADER}\n0,soon,A,1,1\n",
    "5 columns but 4 were found|number of columns": f"{HEADER}\n0,1,A,1,1\n0,2,M,1\n",
}


@pytest.mark.parametrize("problem", BROKEN)
def test_a_file_that_cannot_be_is_named_in_one_line(
    problem: str, tmp_path: Path
) -> None:
    match = (
        "but must be 'page_id,t,kind,size,batch'"
        if "column" in problem and "found" not in problem
        else problem
    )
    with pytest.raises(TraceUnreadable, match=match) as raised:
        traces_of(tmp_path, BROKEN[problem])
    assert "small.csv" in str(raised.value) and "\n" not in str(raised.value)


def test_missing_torn_and_foreign_files_are_named(tmp_path: Path) -> None:
    torn, foreign, text = (
        tmp_path / name for name in ("torn.csv.gz", "foreign.csv.gz", "binary.csv")
    )
    torn.write_bytes(gzip.compress(SMALL.encode())[:-20])
    foreign.write_bytes(SMALL.encode())
    text.write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "none.csv", tmp_path, torn, foreign, text):
        with pytest.raises(TraceUnreadable, match="cannot read the change histories"):
            Traces.load(path)
    (tmp_path / "small.pages.csv").write_text("page_id,path\nzero,a\n")
    with pytest.raises(TraceUnreadable, match=r"small\.pages\.csv: line 2"):
        traces_of(tmp_path)


# Windows


def test_a_window_has_those_that_live_then_and_those_born_in_it(tmp_path: Path) -> None:
    window = traces_of(tmp_path).between(start_s=180.0, days=300.0 / DAY_S)
    assert window.held == 2
    assert window.page.tolist() == [0, 1, 2, 1]
    assert window.born_s.tolist() == [-1.0, -1.0, 70.0, 220.0]
    assert window.dies_s.tolist() == [math.inf, 120.0, 320.0, math.inf]
    assert events_of(window) == [[20.0, 130.0], [20.0], [230.0], [270.0]]
    short = traces_of(tmp_path).between(start_s=180.0, days=100.0 / DAY_S)
    assert short.page.tolist() == [0, 1, 2] and events_of(short) == [[20.0], [20.0], []]


def test_mass_edits_can_be_left_out(tmp_path: Path) -> None:
    window = traces_of(tmp_path).between(180.0, 300.0 / DAY_S, skip_mass_edits=True)
    assert events_of(window) == [[130.0], [], [230.0], [270.0]]


def test_so_many_are_drawn_and_newborn_ones_by_the_same_share() -> None:
    traces = Traces.sample()
    everything = traces.between(START_S, 45.0)
    part = traces.between(START_S, 45.0, pages=60, seed=2)
    born = len(everything.page) - everything.held
    share = 60 / everything.held
    assert part.held == 60
    assert abs(len(part.page) - 60 - share * born) < 4.0 * math.sqrt(
        born * share * (1 - share)
    )
    assert set(part.page.tolist()) <= set(everything.page.tolist())
    again = traces.between(START_S, 45.0, 60, seed=2)
    other = traces.between(START_S, 45.0, 60, seed=3)
    assert np.array_equal(again.page, part.page) and np.array_equal(
        again.importance, part.importance
    )
    assert not np.array_equal(other.page[:60], part.page[:60])


def test_importance_is_pareto_and_at_most_1() -> None:
    importance = Traces.sample().between(START_S, 45.0, seed=7).importance
    assert importance.max() == 1.0 and importance.min() > 0.0
    # ln of a Pareto(a) is exponential of mean 1/a above its least
    logs = np.log(importance)
    assert abs(logs.mean() - logs.min() - 1 / 1.2) < 4.0 / 1.2 / math.sqrt(len(logs))


@pytest.mark.parametrize(
    "bad",
    [
        {"days": 0.0},
        {"days": math.nan},
        {"days": -1.0},
        {"pages": 0},
        {"seed": -1},
        {"seed": 0.5},
    ],
)
def test_bad_numbers_of_a_window_are_named(bad: dict[str, Any]) -> None:
    with pytest.raises(BadNumber):
        Traces.sample().between(**{"start_s": START_S, "days": 10.0, **bad})


@pytest.mark.parametrize("start_s", [0.0, 99.0, 500.0, 1e12, math.nan])
def test_a_window_in_which_nothing_lives_is_named(
    start_s: float, tmp_path: Path
) -> None:
    with pytest.raises(BadNumber, match="from 100 to 500"):
        traces_of(tmp_path).between(start_s, 1.0)


# The truth of a window


def test_pages_change_when_the_list_says_so(tmp_path: Path) -> None:
    truth = traces_of(tmp_path).between(180.0, 300.0 / DAY_S).truth()
    asked = (0.0, 19.9, 20.0, 129.0, 130.0, 999.0)
    assert [version(truth, 0, now_s) for now_s in asked] == [0, 0, 1, 1, 2, 2]
    assert [version(fresh_copy(truth), 0, now_s) for now_s in asked] == [
        0,
        0,
        1,
        1,
        2,
        2,
    ]
    ok = int(Outcome.OK)
    gone = int(Outcome.GONE)
    assert [visit(truth, 1, now_s) for now_s in (5.0, 119.0, 120.0)] == [
        (ok, True, 0),
        (ok, True, 0),
        (gone, False, 0),
    ]
    assert [
        visit(truth, 2, now_s)[:2] for now_s in (69.0, 70.0, 229.0, 231.0, 320.0)
    ] == [
        (gone, False),
        (ok, True),
        (ok, False),
        (ok, True),
        (gone, False),
    ]


def test_listed_and_poisson_pages_live_side_by_side() -> None:
    host = np.zeros(3, np.int32)
    rate = np.array([0.5, 0.0, 0.5])
    mixed = make_truth(
        host=host,
        rate=rate,
        events=(np.array([0, 0, 2, 2]), np.array([1.0, 4.0])),
        seed=3,
    )
    alone = make_truth(host=host, rate=rate, seed=3)
    for now_s in (0.5, 1.0, 3.0, 50.0):
        assert [version(mixed, page, now_s) for page in (0, 2)] == [
            version(alone, page, now_s) for page in (0, 2)
        ]
        assert version(mixed, 1, now_s) == sum(event <= now_s for event in (1.0, 4.0))
        assert version(alone, 1, now_s) == 0


@pytest.mark.parametrize(
    ("events", "rate", "problem"),
    [
        (([0, 2, 2], [4.0, 1.0]), 0.0, "later than the one before"),
        (([0, 2, 2], [4.0, 4.0]), 0.0, "later than the one before"),
        (([0, 1, 2], [4.0, -1.0]), 0.0, "after the birth"),
        (([0, 1, 2], [4.0, 1.0]), 0.5, "rate of a page with listed changes"),
    ],
)
def test_a_list_that_cannot_be_is_named(events: Any, rate: float, problem: str) -> None:
    with pytest.raises(BadNumber, match=problem):
        make_truth(
            host=np.zeros(2, np.int32),
            rate=np.full(2, rate),
            events=(np.array(events[0]), np.array(events[1])),
        )


# Replay


class ByObject(RefreshPolicy):
    """A card policy that does not say that it runs in the compiled loop."""

    def __init__(self, inner: CardPolicy) -> None:
        self.inner = inner

    def settle(self, cards: Cards, page: int, seen: Seen) -> Sequence[int]:
        return self.inner.settle(cards, page, seen)

    def state(self) -> Arrays:
        return self.inner.state()

    def restore(self, state: Arrays) -> None:
        self.inner.restore(state)


POLICIES: dict[str, Callable[[], CardPolicy]] = {
    "uniform": Uniform,
    "nutch-adaptive": lambda: NutchAdaptive(3 * DAY_S, 3600.0, 20 * DAY_S),
    "adaptive-whittle": AdaptiveWhittle,
}


@pytest.mark.parametrize("name", POLICIES)
def test_both_paths_make_the_same_visits(name: str) -> None:
    window = Traces.sample().between(START_S, 30.0, pages=80, seed=1)
    compiled = replay(POLICIES[name](), window, per_page_day=0.5)
    by_object = replay(ByObject(POLICIES[name]()), window, per_page_day=0.5)
    assert compiled.log.page.tolist() == by_object.log.page.tolist()
    assert compiled.log.issued_s.tolist() == by_object.log.issued_s.tolist()
    # pages born later are revisited
    assert set(range(80, len(window.page))) & set(compiled.log.page.tolist())


def test_the_budget_is_that_of_the_pages_at_the_start_and_visits_are_evenly_spaced() -> (
    None
):
    window = Traces.sample().between(START_S, 30.0, pages=80, seed=1)
    log = replay(Uniform(), window, per_page_day=0.5).log
    assert len(log.page) == 80 * 0.5 * 30
    np.testing.assert_allclose(np.diff(log.issued_s), DAY_S / 40)


def test_nobody_visits_a_page_before_its_birth_or_again_when_it_was_found_gone() -> (
    None
):
    window = Traces.sample().between(START_S, 40.0, seed=1)
    log = replay(Uniform(), window, per_page_day=0.5).log
    assert (log.issued_s >= window.born_s[log.page]).all()
    late = log.page[log.issued_s >= window.dies_s[log.page]].tolist()
    assert late and set(Counter(late).values()) == {1}


def test_freshness_of_a_page_seen_in_time_and_of_one_found_gone_late() -> None:
    """Page 0 changes at 2 and 5, is seen at 5; page 1, thrice as important, dies at 4 and is found
    gone at 8.
    """
    window = Window(
        days=10.0 / DAY_S,
        held=2,
        page=np.arange(3),
        path=[""] * 3,
        born_s=np.array([-1.0, -1.0, 6.0]),
        dies_s=np.array([math.inf, 4.0, math.inf]),
        event_start=np.array([0, 2, 2, 3]),
        event_s=np.array([2.0, 5.0, 7.0]),
        importance=np.array([0.25, 0.75, 1.0]),
    )
    log = Log(np.array([5.0, 8.0]), np.array([0, 1]))
    fresh = 0.25 * (2 + 5) + 0.75 * 4 + 1.0 * 1
    held = 0.25 * 10 + 0.75 * 8 + 1.0 * 4
    found = freshness_between(window, log, np.array([0.0, 10.0]))
    np.testing.assert_allclose(found, [fresh / held])
    later = freshness_between(window, log, np.array([0.0, 1.0, 3.0, 6.5]))
    expected = [
        1.0,
        (0.25 * 1 + 0.75 * 2) / 2.0,
        (0.25 * 1.5 + 0.75 * 1 + 0.5) / (1.0 * 3.5 + 0.5),
    ]
    np.testing.assert_allclose(later, expected)


def test_freshness_is_what_a_fine_clock_counts() -> None:
    window = Traces.sample().between(START_S, 12.0, pages=40, seed=3)
    run = replay(AdaptiveWhittle(), window, per_page_day=0.5, settle_days=4.0)
    truth = window.truth()
    held: dict[int, int] = dict.fromkeys(range(window.held), 0)
    visits = list(zip(run.log.issued_s.tolist(), run.log.page.tolist(), strict=True))
    fresh = 0.0
    whole = 0.0
    for now_s in np.arange(0.0, 12.0 * DAY_S, 600.0).tolist():
        held.update(
            {
                page: 0
                for page in range(window.held, len(window.page))
                if now_s - 600 < window.born_s[page] <= now_s
            }
        )
        while visits and visits[0][0] <= now_s:
            when_s, page = visits.pop(0)
            if when_s >= window.dies_s[page]:
                held.pop(page)
            else:
                held[page] = version(truth, page, when_s)
        if now_s >= 4.0 * DAY_S:
            whole += sum(window.importance[page] for page in held)
            fresh += sum(
                window.importance[page]
                * (now_s < window.dies_s[page] and version(truth, page, now_s) == seen)
                for page, seen in held.items()
            )
    assert 0.5 < run.freshness < 0.99
    assert abs(run.freshness - fresh / whole) < 0.002


def test_pages_that_never_change_are_always_fresh_and_days_are_counted() -> None:
    window = Traces.sample().between(START_S, 9.5, pages=40, seed=3)
    still = replace(
        window,
        event_start=np.zeros_like(window.event_start),
        event_s=np.zeros(0),
        dies_s=np.full(len(window.page), np.inf),
    )
    run = replay(Uniform(), still)
    assert run.freshness == pytest.approx(1.0) and len(run.daily) == 10
    np.testing.assert_allclose(run.daily, 1.0)


@pytest.mark.parametrize(
    "bad",
    [
        {"per_page_day": 0.0},
        {"per_page_day": math.nan},
        {"settle_days": 9.0},
        {"settle_days": -1.0},
    ],
)
def test_bad_numbers_of_a_replay_are_named(bad: dict[str, float]) -> None:
    window = Traces.sample().between(START_S, 9.0, pages=4)
    with pytest.raises(BadNumber):
        replay(Uniform(), window, **bad)


# The sample


def test_the_sample_is_what_its_maker_writes_and_small(tmp_path: Path) -> None:
    write_sample(tmp_path / "again.csv.gz")
    for mine, theirs in (
        ("again.csv.gz", SAMPLE),
        ("again.pages.csv.gz", SAMPLE.with_name("sample.pages.csv.gz")),
    ):
        assert gzip.decompress((tmp_path / mine).read_bytes()) == gzip.decompress(
            theirs.read_bytes()
        )
        assert theirs.stat().st_size < 60_000


def test_the_sample_has_bursts_mass_edits_births_deaths_and_returns() -> None:
    traces = Traces.sample()
    lives = traces.lives
    assert len(traces.paths) == 300 and len(lives.page) > 300
    assert (lives.born_s > traces.first_s).sum() > 30 and np.isfinite(
        lives.dies_s
    ).sum() > 10
    assert len(np.unique(lives.event_s[lives.batch >= 50])) >= 3
    gaps = np.diff(lives.event_s)[lives.batch[1:] < 50]
    gaps = gaps[gaps > 0]
    assert gaps.std() / gaps.mean() > 1.3  # exponential ones: 1


def test_another_sample(tmp_path: Path) -> None:
    write_sample(tmp_path / "x.csv.gz", pages=20, days=10, seed=5)
    traces = Traces.load(tmp_path / "x.csv.gz")
    assert len(traces.paths) == 20 and traces.last_s - traces.first_s < 10 * DAY_S
    with pytest.raises(BadNumber):
        write_sample(tmp_path / "x.csv")
    with pytest.raises(BadNumber):
        write_sample(tmp_path / "y.csv.gz", pages=0)
