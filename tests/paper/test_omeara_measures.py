"""Eqs. (1)–(3) of `omeara` worked out by hand for six pages: one changes, one dies, one is born.

page       0    1    2    3    4    5
relevance  0.2  0.4  0.6  0.8  1.0  0.5
           page 1 changes at 4; page 3 dies at 6; page 5 is born at 8, and page 0 lists it from then
           on

A robot visits page 0 at 1, page 1 at 2, page 3 at 3, page 4 at 5, page 1 again at 7, page 5 at 9. V
is what is there, C what is held; a page that has changed is another document, and so is page 0 from
8 on.

from  Σ_V r  Σ_C r            Σ_{C∩V} r                 R      F        M = min
 0    3.0    0                0                         0      1        0
 1    3.0    0.2              0.2                       1/15   1        1/15
 2    3.0    0.6              0.6                       1/5    1        1/5
 3    3.0    1.4              1.4                       7/15   1        7/15
 4    3.0    1.4              1.0  (1 changed)          1/3    5/7      1/3
 5    3.0    2.4              2.0                       2/3    5/6      2/3
 6    2.2    2.4              1.2  (3 died)             6/11   1/2      1/2
 7    2.2    2.4              1.6  (1 read again)       8/11   2/3      2/3
 8    2.7    2.4              1.4  (0 lists 5)          14/27  7/12     14/27
 9    2.7    2.9              1.9  (5 read)             19/27  19/29    19/29

P = ∫ M dt to 10 is the sum of the last column.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from trapline.core.records import Kind, Ticket
from trapline.laboratory.runs.measures import Holding, Tracker, quality
from trapline.laboratory.worlds.truth import Truth, fresh_copy, make_truth

VISITS = {1.0: 0, 2.0: 1, 3.0: 3, 5.0: 4, 7.0: 1, 9.0: 5}
RECALL = [
    Fraction(0),
    Fraction(1, 15),
    Fraction(1, 5),
    Fraction(7, 15),
    Fraction(1, 3),
    Fraction(2, 3),
    Fraction(6, 11),
    Fraction(8, 11),
    Fraction(14, 27),
    Fraction(19, 27),
]
FRESHNESS = [
    Fraction(1),
    Fraction(1),
    Fraction(1),
    Fraction(1),
    Fraction(5, 7),
    Fraction(5, 6),
    Fraction(1, 2),
    Fraction(2, 3),
    Fraction(7, 12),
    Fraction(19, 29),
]
QUALITY = [
    Fraction(0),
    Fraction(1, 15),
    Fraction(1, 5),
    Fraction(7, 15),
    Fraction(1, 3),
    Fraction(2, 3),
    Fraction(1, 2),
    Fraction(2, 3),
    Fraction(14, 27),
    Fraction(19, 29),
]


def six_pages() -> Truth:
    return make_truth(
        host=np.zeros(6, np.int32),
        rate=np.zeros(6),
        relevance=np.array([0.2, 0.4, 0.6, 0.8, 1.0, 0.5]),
        born_s=np.array([-1.0, -1.0, -1.0, -1.0, -1.0, 8.0]),
        dies_s=np.array([math.inf, math.inf, math.inf, 6.0, math.inf, math.inf]),
        links=(np.array([0, 1, 1, 1, 1, 1, 1], np.int64), np.array([5], np.int32)),
        events=(np.array([0, 0, 1, 1, 1, 1, 1], np.int64), np.array([4.0])),
    )


def test_recall_freshness_quality_and_performance_are_those_worked_out_by_hand() -> (
    None
):
    tracker = Tracker(six_pages(), times=[float(second) for second in range(10)])
    for number, (now_s, page) in enumerate(VISITS.items()):
        tracker.watch(
            now_s, Ticket(number, Kind.PAGE, page, host=0, issued_s=now_s, price=0.0)
        )
    tracker.finish(10.0)
    assert [one.recall for one in tracker.samples[:10]] == pytest.approx(
        [float(one) for one in RECALL]
    )
    assert [one.freshness for one in tracker.samples[:10]] == pytest.approx(
        [float(one) for one in FRESHNESS]
    )
    assert [one.quality for one in tracker.samples[:10]] == pytest.approx(
        [float(one) for one in QUALITY]
    )
    assert tracker.performance.total == pytest.approx(float(sum(QUALITY)))


def test_the_same_at_one_instant_from_what_is_held() -> None:
    truth = six_pages()
    for now_s, held in (
        (4.0, {0: 0, 1: 0, 3: 0}),
        (6.0, {0: 0, 1: 0, 3: 0, 4: 0}),
        (8.0, {0: 0, 1: 1, 3: 0, 4: 0}),
    ):
        found = quality(fresh_copy(truth), Holding.of(held), now_s)
        assert found.recall == pytest.approx(float(RECALL[int(now_s)]))
        assert found.freshness == pytest.approx(float(FRESHNESS[int(now_s)]))
