"""What `htraa` says of its Figures 5–12, against runs: numbers to reach, the order of the policies,
and the tables.
"""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from trapline.laboratory.papers.htraa import fig_5, fig_6_to_8, fig_9_10, fig_11_12
from trapline.laboratory.papers.htraa.fig_6_to_8 import course_by_phase
from trapline.laboratory.papers.htraa.fig_11_12_claims import (
    PolicyAtSize,
    grows_claim,
    negligible_claim,
    polls_lost,
    polls_to_reach,
    sublinear_claim,
    to_learn,
    to_recover,
)
from trapline.laboratory.runs.polling import poll
from trapline.laboratory.study.claims import claim, judge_claim
from trapline.laboratory.study.contestants import make_contestant
from trapline.laboratory.study.courses import (
    Course,
    Floats,
    PollingCase,
    PollingSetting,
    checkpoints,
    run_case,
)
from trapline.laboratory.study.registry import EXPERIMENTS, run_experiment
from trapline.laboratory.study.report import Report, Row
from trapline.laboratory.study.sweep import extent_for
from trapline.theory.polling.realised import detections_of_schedule

SKEWED = (0.3, 1.5)
PLAIN = (0.3, 1.0)
HARD = (0.9, 1.5)
FIGURES = [f"htraa/fig-{number}" for number in range(5, 13)]
VERDICTS = {"holds", "fails", "holds in part", "not decided"}


def late(
    policy: str, setting: PollingSetting, polls: int, seeds: int, **options: float | str
) -> float:
    """Detections over the last fifth of the polls, of the formula's optimum."""
    noted = (4 * polls // 5, polls)
    case = PollingCase(policy, policy, setting, noted, tuple(options.items()))
    shares = [run_case(case, seed)[-1] for seed in range(1, seeds + 1)]
    world = setting.world(1)
    return float(np.mean(shares)) * world.bound / world.optimum


def expected_late(policy: str, setting: PollingSetting, polls: int, seed: int) -> float:
    """The same, of what the polls that were made must be expected to detect: chance is in the
    learning only.
    """
    world = setting.world(seed)
    pages = poll(
        make_contestant(policy, world, seed),
        world,
        polls,
        checkpoints=[polls],
        keep_pages=True,
    ).pages
    first = 4 * polls // 5
    found = polls * detections_of_schedule(
        world.probabilities, pages
    ) - first * detections_of_schedule(world.probabilities, pages[:first])
    return found / (polls - first) / world.optimum


# numbers to reach


@pytest.mark.parametrize(
    ("world", "wanted"), [(SKEWED, 0.955), (PLAIN, 0.975), (HARD, 0.965)], ids=str
)
def test_htraa_on_sorted_leaves_at_200_000_polls(
    world: tuple[float, float], wanted: float
) -> None:
    assert late("htraa", PollingSetting(512, *world), 200_000, seeds=4) >= wanted


def test_htraa_breaches_what_proportional_really_detects() -> None:
    tree, proportional = (
        late(name, PollingSetting(512, *HARD), 200_000, seeds=4)
        for name in ("htraa", "proportional")
    )
    assert proportional == pytest.approx(0.956, abs=0.003)
    assert tree > proportional + 0.008


def test_shuffled_leaves_are_slow_and_lakg_passes() -> None:
    found = {
        order: late("htraa", PollingSetting(512, *HARD, order=order), 50_000, seeds=4)
        for order in ("sorted", "shuffled")
    }
    assert found["sorted"] > 0.96
    assert found["shuffled"] < 0.8
    lakg = late("lakg", PollingSetting(512, *HARD, order="shuffled"), 50_000, seeds=4)
    assert lakg > found["shuffled"] + 0.1
    assert (
        late("lakg", PollingSetting(512, *HARD), 20_000, seeds=4)
        < late("htraa", PollingSetting(512, *HARD), 20_000, seeds=4) - 0.2
    )


def test_figure_5_both_learn_first_and_penalties_learn_best() -> None:
    early = [
        fig_5.promise_of_shares(fig_5.SharesCase(one, 10_000), seed)
        for one in fig_5.cases_until(10_000)
        for seed in (1, 2, 3)
    ]
    both, rewards, penalties = np.reshape(early, (3, 3)).mean(axis=1).tolist()
    assert both > max(rewards, penalties) + 0.08
    both, rewards, penalties = (
        late("htraa", PollingSetting(512, *HARD), 200_000, 3, mode=mode)
        for mode in fig_5.MODES
    )
    assert penalties > both + 0.002
    assert both > rewards + 0.002


@pytest.mark.parametrize(
    ("world", "wanted"), [(SKEWED, 0.985), (PLAIN, 0.990), (HARD, 0.980)], ids=str
)
def test_posterior_on_shuffled_leaves_at_100_000_polls(
    world: tuple[float, float], wanted: float
) -> None:
    found = [
        expected_late(
            "posterior", PollingSetting(512, *world, order="shuffled"), 100_000, seed
        )
        for seed in (1, 2)
    ]
    assert np.mean(found) >= wanted


@pytest.mark.parametrize("every", [80_000, 1_000])
def test_posterior_late_in_a_switching_world(every: int) -> None:
    """Of the formula's optimum, over the last fifth of 240,000 polls (with two or 48 switches
    before the end).
    """
    setting = PollingSetting(512, *HARD, order="shuffled", switch_every=every)
    assert late("posterior", setting, 240_000, seeds=1) >= 0.95


# the experiments


@pytest.mark.parametrize("name", FIGURES)
def test_a_quick_run_has_the_rows_of_its_figure(name: str, tmp_path: Path) -> None:
    said: list[float] = []
    report = run_experiment(
        name, quick=True, out=tmp_path, progress=lambda share, what: said.append(share)
    )
    assert said[0] == 0.0 and said[-1] == 1.0 and said == sorted(said)
    assert [path.name for path in report.figures] == [
        f"{name.replace('/', '-')}.{kind}" for kind in ("svg", "png")
    ]
    assert report.title == EXPERIMENTS[name].title
    claims = [row for row in report.rows if str(row["id"]).startswith("claim/")]
    assert len(claims) >= 2 and all(
        row["claim"] and row["verdict"] in VERDICTS for row in claims
    )
    assert all(row["paper"] is None and row["seeds"] == 2 for row in report.rows)
    assert all("verdict" not in row for row in report.rows if row not in claims)
    assert expected_names(name) <= {str(row["id"]) for row in report.rows}


def expected_names(name: str) -> set[str]:
    if name == "htraa/fig-5":
        return {
            f"{mode}/{what}"
            for mode in fig_5.MODES
            for what in ("detected", "formula of the shares")
        }
    if name in fig_6_to_8.WORLDS:
        tree = {
            f"H-TRAA, {how}"
            for how in (
                "sorted",
                "shuffled",
                "10³ swaps",
                "10⁴ swaps",
                "10⁵ swaps",
                "10⁶ swaps",
            )
        }
        doubling = {"H-TRAA, sorted, N doubling", "H-TRAA, 10⁶ swaps, N doubling"}
        return (
            {"uniform", "proportional", "optimal", "estimator", "LAKG", "posterior"}
            | tree
            | doubling
        )
    if name in fig_9_10.EVERY:
        return {
            "proportional",
            "optimal",
            "LAKG",
            "H-TRAA, sorted",
            "H-TRAA, shuffled",
            "posterior",
        }
    kinds = [
        (kind, pages)
        for kind in fig_11_12.KINDS[name]
        for pages in fig_11_12.pages_of(kind, fig_11_12.QUICK)
    ]
    return {f"{kind}, {pages:,} pages" for kind, pages in kinds}


def test_full_runs_have_20_seeds_and_the_sizes_of_the_paper() -> None:
    assert extent_for(quick=False, seeds=None).seeds == 20
    assert fig_11_12.ScalingSizes().pages == (512, 2_048, 8_192, 32_768)
    assert fig_9_10.EVERY == {"htraa/fig-9": 80_000, "htraa/fig-10": 1_000}
    assert fig_6_to_8.cases_of(*HARD, 1_000_000)[-1].checkpoints[-1] == 1_000_000


# verdicts are made of numbers


def seeds_of(mean: float, spread: float) -> Floats:
    return mean + spread * np.linspace(-1.0, 1.0, 20)


@pytest.mark.parametrize(
    ("means", "verdict"),
    [
        ([0.1, 0.2], "holds"),
        ([-0.1, -0.2], "fails"),
        ([0.1, -0.1], "holds in part"),
        ([0.0, -0.1], "not decided"),
    ],
)
def test_a_claim_is_judged_by_intervals(means: list[float], verdict: str) -> None:
    row = claim("it", "it is so", [seeds_of(mean, 0.05) for mean in means])
    assert row["verdict"] == verdict
    assert row["ours"] == pytest.approx(min(means))
    assert float(str(row["low"])) < min(means) < float(str(row["high"]))


def test_a_claim_may_have_a_limit_of_its_own() -> None:
    assert claim("it", "", [seeds_of(0.1, 0.05)], above=0.2)["verdict"] == "fails"
    assert judge_claim([], []) == "holds"


def test_checkpoints_are_ten_a_decade_and_the_nearest_is_meant() -> None:
    noted = checkpoints(1_000, 1_000_000)
    assert len(noted) == 31 and noted[0] == 1_000 and noted[-1] == 1_000_000
    assert all(1.2 < later / sooner < 1.35 for sooner, later in pairwise(noted))
    course = Course("it", (1_000, 2_000), np.array([[0.1, 0.2], [0.3, 0.4]]))
    assert course.at(1_900).tolist() == [0.2, 0.4] == course.at(10**6).tolist()
    assert course.at(1).tolist() == [0.1, 0.3]


def test_the_estimator_is_seen_by_the_length_of_its_phase() -> None:
    found = {
        f"phase {length}": Course(
            "", (1, 2), np.array([[0.0, length / 1e6], [0.0, 0.5]])
        )
        for length in (1_000, 5_000)
    }
    course = course_by_phase(found)
    assert course.polls == (1_000, 5_000)
    assert course.shares.tolist() == [[0.001, 0.005], [0.5, 0.5]]


# scaling, by hand


def scale_of(pages: int, learnt_at: int, recovered_at: int = 100) -> PolicyAtSize:
    polls = (100, 1_000, 10_000, 100_000)
    learning = Course(
        "it", polls, np.array([[0.95 if at >= learnt_at else 0.2 for at in polls]] * 3)
    )
    recovery = Course(
        "it",
        polls,
        np.array([[0.95 if at >= recovered_at else 0.7 for at in polls]] * 3),
    )
    return PolicyAtSize(
        "it", pages, learning, learning, recovery, np.full(3, 0.95), 1.0
    )


def test_polls_to_learn_and_to_recover_are_read_off_the_course() -> None:
    scale = scale_of(512, 1_000, 10_000)
    assert (to_learn(scale).mean, to_recover(scale).mean) == (1_000.0, 10_000.0)
    spread = Course(
        "it",
        (1, 10, 100),
        np.array([[0.1, 0.7, 0.9], [0.1, 0.9, 0.95], [0.1, 0.8, 1.0]]),
    )
    assert [
        getattr(polls_to_reach(spread, 0.85), edge)
        for edge in ("least", "mean", "most")
    ] == [10.0, 100.0, math.inf]
    never = polls_to_reach(spread, 1.5)
    assert (never.mean, never.least, never.most) == (math.inf, 100.0, math.inf)


def judgement(row: Row) -> tuple[str, float]:
    return str(row["verdict"]), round(float(str(row["ours"])), 6)


def test_sublinear_is_what_grows_less_than_the_pages() -> None:
    slow = scale_of(512, 100)
    fast = scale_of(51_200, 1_000)
    hopeless = scale_of(5_120, 10**6)
    assert judgement(sublinear_claim("it", "", [slow, fast], to_learn)) == (
        "holds",
        0.5,
    )
    assert judgement(sublinear_claim("it", "", [slow, hopeless], to_learn)) == (
        "fails",
        3.0,
    )
    assert judgement(sublinear_claim("it", "", [slow, fast, hopeless], to_learn)) == (
        "holds",
        0.5,
    )
    assert judgement(grows_claim("it", "", [slow, fast])) == ("holds", 0.5)
    assert grows_claim("it", "", [fast, slow])["verdict"] == "fails"


def test_what_a_switch_costs_is_counted_in_polls() -> None:
    assert polls_lost(scale_of(512, 100, 100)).tolist() == [0.0] * 3
    assert polls_lost(scale_of(512, 100, 10_000)) == pytest.approx(
        np.full(3, 1_000 * (1.0 - 0.7 / 0.95))
    )
    cheap = scale_of(512, 100, 1_000)
    dear = scale_of(2_048, 100, 100_000)
    assert (
        negligible_claim("it", "", [cheap, scale_of(2_048, 100, 1_000)])["verdict"]
        == "holds"
    )
    assert negligible_claim("it", "", [cheap, dear])["verdict"] == "fails"


def test_a_report_can_be_asked_for_more_seeds() -> None:
    report: Report = run_experiment("htraa/fig-9", quick=True, seeds=3)
    assert {row["seeds"] for row in report.rows} == {3} and report.figures == []
