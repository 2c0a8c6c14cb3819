"""What every refresh policy in the registry promises, whoever wrote it.

(Discovery: test_discoverers.py.)
"""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from tests.contract.registered import name_only, refresh_makers
from trapline.core.cards import (
    BY_DUE,
    FRINGE,
    HELD,
    HOST,
    IDLE,
    NOWHERE,
    TERMS,
    Cards,
    blank_cards,
)
from trapline.core.errors import BadNumber, UnknownName, UnknownPage, UserMistake
from trapline.core.records import Outcome
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.argmax import Argmax
from trapline.policies.refresh.known_rate import KnownRate
from trapline.policies.refresh.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.refresh_policy import RefreshPolicy, a_visit
from trapline.policies.registry import (
    REFRESH,
    make_discovery_policy,
    make_refresh_policy,
    refresh_class,
)
from trapline.theory.price import offer_price

PAGES = 40
# what a policy may write on a card
OFFER = {"not_before", "base", "cost", "worth", "rate", "shape"}
MOST_BYTES = 64  # of memory a page,
FIXED_BYTES = 4096  # and for all of them, and a host


MAKERS = refresh_makers(PAGES)
CAPABILITIES = (
    "laboratory_only",
    "needs_truth",
    "weighted",
    "chooses",
    "takes_turns",
    "compiles",
    "prices_finds",
    "hears_of_losses",
)
every_policy = pytest.mark.parametrize("name", MAKERS)


class Life:
    """A random life of cards under one policy, as the controller would lead it.

    Cards grow on the way.
    """

    def __init__(self, policy: RefreshPolicy, seed: int = 0, cards: int = 10) -> None:
        self.policy = policy
        self.chance = Random(seed)
        self.cards: Cards = blank_cards(cards)
        self.now_s = 1e9
        self.met = 0
        self.told: list[list[int]] = []
        self.chosen: list[int] = []

    def meet(self) -> None:
        """New pages on the fringe: no concern of a refresh policy, but its cards grow."""
        if self.met == PAGES:
            return
        pages = np.arange(self.met, min(PAGES, self.met + self.chance.choice([1, 3])))
        if pages[-1] >= len(self.cards):
            grown = blank_cards(2 * len(self.cards))
            grown[: len(self.cards)] = self.cards
            self.cards = grown
        self.met = int(pages[-1]) + 1
        self.cards["state"][pages] = FRINGE

    def settle(self, page: int) -> list[int]:
        cards = self.cards
        age_s = self.now_s - float(cards["last"][page])
        if cards["state"][page] != HELD:
            cards["base"][page] = -math.inf
        cards["state"][page] = HELD
        cards["last"][page] = cards["not_before"][page] = self.now_s
        cards["filed"] = np.where(cards["state"] == HELD, BY_DUE, NOWHERE)
        cards["filed"][page] = NOWHERE
        outcome = self.chance.choice([Outcome.OK, Outcome.UNCHANGED])
        changed = outcome is Outcome.OK and self.chance.random() < 0.5
        return list(
            self.policy.settle(
                cards,
                page,
                a_visit(
                    outcome,
                    changed,
                    self.chance.random(),
                    self.chance.random(),
                    age_s,
                    self.now_s,
                ),
            )
        )

    def step(self) -> None:
        self.now_s += self.chance.uniform(0.0, 9.0)
        if self.met == 0 or self.chance.random() < 0.2:
            self.meet()
        else:
            self.told.append(self.settle(self.chance.randrange(self.met)))
        if self.policy.chooses:
            self.cards["filed"] = np.where(self.cards["state"] == HELD, BY_DUE, NOWHERE)
            hosts = np.zeros(1, HOST)
            hosts["state"] = IDLE
            self.chosen.append(self.policy.choose(self.cards, hosts, self.now_s))

    def run(self, steps: int) -> Life:
        for _ in range(steps):
            self.step()
        return self


def test_the_shared_checks_cover_the_whole_registry() -> None:
    assert {name_only(key) for key in MAKERS} == set(REFRESH)


@every_policy
def test_a_policy_says_what_it_is_for(name: str) -> None:
    found = refresh_class(name_only(name))
    assert issubclass(found, RefreshPolicy)
    assert type(MAKERS[name]()) is found
    assert found.__module__ == REFRESH[name_only(name)].partition(":")[0]
    for capability in CAPABILITIES:
        assert isinstance(getattr(found, capability), bool), capability


@every_policy
def test_it_can_be_asked_to_explain_any_page(name: str) -> None:
    life = Life(MAKERS[name]()).run(200)
    before = {key: np.array(array) for key, array in life.policy.state().items()}
    for page in (0, life.met - 1, 10**6):
        said = life.policy.explain(page, 0)
        assert all(math.isfinite(value) for value in said.values.values())
        assert bool(said.values) == bool(said.lines)
        assert all(what and how for what, how in said.lines)
    for key, array in life.policy.state().items():
        assert np.array_equal(array, before[key], equal_nan=True), "asking teaches"


@every_policy
def test_it_writes_offers_only_and_only_on_the_cards_it_reports(name: str) -> None:
    life = Life(MAKERS[name]())
    wrote = False
    for _ in range(300):
        life.now_s += 1.0
        if life.met < PAGES and (life.met == 0 or life.chance.random() < 0.3):
            life.cards = np.concatenate([life.cards, blank_cards(1)])
            life.cards["state"][life.met] = FRINGE
            life.met += 1
        page = life.chance.randrange(life.met)
        # other pages may be renewed
        life.cards["filed"] = np.where(life.cards["state"] == HELD, BY_DUE, NOWHERE)
        life.cards["filed"][page] = NOWHERE
        life.cards["state"][page], life.cards["last"][page] = HELD, life.now_s
        before = life.cards.copy()
        changed = life.chance.random() < 0.5
        touched = list(
            life.policy.settle(
                life.cards,
                page,
                a_visit(Outcome.OK, changed, 0.5, 0.25, 7.0, life.now_s),
            )
        )
        assert len(set(touched)) == len(touched)
        others = np.setdiff1d(np.arange(len(before)), touched)
        assert life.cards[others].tobytes() == before[others].tobytes()
        for field in set(before.dtype.names or ()) - OFFER:
            assert life.cards[field].tobytes() == before[field].tobytes(), field
        wrote = wrote or life.cards.tobytes() != before.tobytes()
    assert wrote


@every_policy
def test_it_weighs_pages_on_the_cards_that_it_reports_or_leaves_them(name: str) -> None:
    life = Life(MAKERS[name]()).run(300)
    assert life.policy.factors() == {}
    page = int(np.flatnonzero(life.cards["state"] == HELD)[0])
    before = life.cards.copy()
    touched = list(life.policy.weigh(life.cards, page, 2.5))
    others = np.setdiff1d(np.arange(len(before)), touched)
    assert life.cards[others].tobytes() == before[others].tobytes()
    for field in set(before.dtype.names or ()) - OFFER:
        assert life.cards[field].tobytes() == before[field].tobytes(), field
    assert life.policy.factors() == ({page: 2.5} if touched else {})
    restored = MAKERS[name]()
    restored.restore(life.policy.state())
    assert restored.factors() == life.policy.factors()


@every_policy
def test_it_writes_on_held_pages_and_leaves_the_fringe_alone(name: str) -> None:
    life = Life(MAKERS[name]()).run(300)
    assert any(life.told)
    for _ in range(200):
        life.step()
        written = life.told[-1]
        assert (life.cards["state"][written] == HELD).all()
    life = Life(MAKERS[name]()).run(60)
    fringe = life.cards["state"] == FRINGE
    assert fringe.any()
    assert (life.cards["base"][fringe] == -math.inf).all()


@every_policy
def test_the_same_life_leads_to_the_same_offers_and_choices(name: str) -> None:
    one = Life(MAKERS[name](), seed=3).run(400)
    other = Life(MAKERS[name](), seed=3).run(400)
    assert one.cards.tobytes() == other.cards.tobytes()
    assert (one.told, one.chosen) == (other.told, other.chosen)
    for key, array in one.policy.state().items():
        assert (
            np.asarray(array).tobytes()
            == np.asarray(other.policy.state()[key]).tobytes()
        )


@every_policy
def test_nothing_learnt_is_lost_when_the_cards_grow(name: str) -> None:
    grows = Life(MAKERS[name](), seed=9).run(300)
    has_room = Life(MAKERS[name](), seed=9, cards=500).run(300)
    assert grows.cards[:PAGES].tobytes() == has_room.cards[:PAGES].tobytes()


@every_policy
def test_offers_can_be_priced(name: str) -> None:
    life = Life(MAKERS[name]()).run(300)
    for page in range(life.met):
        card = life.cards[page]
        assert not math.isnan(card["base"])
        assert card["cost"] > 0.0
        assert not math.isnan(card["not_before"])
        for term in range(TERMS):
            assert 0.0 <= card["worth"][term] < math.inf
            assert 0.0 <= card["rate"][term] < math.inf
            assert card["shape"][term] > 0.0
        assert not math.isnan(offer_price(life.cards, page, life.now_s + 10.0))
    held = life.cards["state"][: life.met] == HELD
    assert (life.cards["base"][: life.met][held] > -math.inf).all()


@every_policy
def test_memory_is_bounded_by_the_number_of_pages(name: str) -> None:
    def size(life: Life) -> int:
        return sum(np.asarray(array).nbytes for array in life.policy.state().values())

    life = Life(MAKERS[name]()).run(400)
    assert life.met == PAGES
    early = size(life)
    assert early <= MOST_BYTES * len(life.cards) + FIXED_BYTES
    assert size(life.run(2000)) == early


@every_policy
def test_what_was_learnt_survives_saving_and_loading(name: str) -> None:
    stays = Life(MAKERS[name](), seed=5).run(150)
    goes = Life(MAKERS[name](), seed=5).run(150)
    state = {key: np.array(array) for key, array in goes.policy.state().items()}
    goes.run(50)  # what happens after saving does not leak into what was saved
    comes = MAKERS[name]()
    comes.restore(state)
    for array in state.values():
        array.flags.writeable = False
    goes = Life(MAKERS[name](), seed=5).run(150)
    goes.policy = comes
    stays.run(150)
    goes.run(150)
    assert stays.cards.tobytes() == goes.cards.tobytes()
    assert stays.chosen == goes.chosen


@every_policy
def test_a_page_that_it_never_heard_of_is_tolerated(name: str) -> None:
    """After a restart without memory, or where another policy has run before, pages come
    unannounced.
    """
    policy = MAKERS[name]()
    cards = blank_cards(5000)
    cards["state"][4321] = HELD
    cards["last"][4321] = 77.0
    touched = list(
        policy.settle(
            cards, 4321, a_visit(Outcome.UNCHANGED, False, 0.5, 0.0, math.inf, 77.0)
        )
    )
    assert touched in ([], [4321])
    assert not np.isnan(cards["not_before"]).any()
    assert not np.isnan(cards["base"]).any()
    if touched:
        assert not math.isnan(offer_price(cards, 4321, 100.0))


LEARNERS = [
    name
    for name in MAKERS
    if refresh_class(name_only(name)).compiles
    or refresh_class(name_only(name)).takes_turns
]


@pytest.mark.parametrize("name", LEARNERS)
def test_a_page_without_a_card_is_refused_and_nothing_harmed(name: str) -> None:
    life = Life(MAKERS[name](), seed=2).run(200)
    before = {
        key: np.array(array).tobytes() for key, array in life.policy.state().items()
    }
    cards = life.cards.tobytes()
    for page in (-1, len(life.cards), 10**9):
        with pytest.raises(UnknownPage, match=f"page {page} has no card"):
            life.policy.settle(
                life.cards, page, a_visit(Outcome.OK, True, 0.5, 0.0, 5.0, life.now_s)
            )
    assert {
        key: np.array(array).tobytes() for key, array in life.policy.state().items()
    } == before
    assert life.cards.tobytes() == cards


# the rules of single policies that the shared checks cannot know


def test_nutch_takes_the_first_visit_for_the_last_change_it_knows_of() -> None:
    """Else "not changed since 1970" would call for a visit at once, for ever."""
    cards = blank_cards(1)
    policy = NutchAdaptive(interval_s=100.0, least_s=1.0)
    policy.settle(
        cards, 0, a_visit(Outcome.UNCHANGED, False, 1.0, 0.0, math.inf, 1.7e9)
    )
    assert cards["not_before"][0] == 1.7e9 + 140.0


def test_nutch_keeps_its_interval_within_bounds() -> None:
    cards = blank_cards(1)
    policy = NutchAdaptive(interval_s=100.0, least_s=70.0, most_s=300.0)
    waits = []
    now_s = 0.0
    for changed in [True, True, True, False, False, False, False, False]:
        policy.settle(cards, 0, a_visit(Outcome.OK, changed, 1.0, 0.0, 1.0, now_s))
        waits.append(float(cards["not_before"][0]) - now_s)
        now_s += 1.0
    assert waits[:3] == pytest.approx([80.0, 70.0, 70.0])
    assert waits[3] == pytest.approx(98.0 - 0.3 * 1.0)
    assert waits[-1] == pytest.approx(300.0 - 0.3 * 5.0)


@pytest.mark.parametrize(
    "options",
    [
        {"least_s": 0.0},
        {"least_s": 9.0, "most_s": 8.0},
        {"interval_s": -1.0},
        {"most_s": math.inf},
    ],
)
def test_nutch_refuses_intervals_without_sense(options: dict[str, float]) -> None:
    with pytest.raises(BadNumber):
        NutchAdaptive(**options)


@pytest.mark.parametrize(
    "rates", [[0.0, 1.0], [-1.0, 1.0], [math.nan, 1.0], [math.inf, 1.0]]
)
def test_known_rates_must_be_rates(rates: list[float]) -> None:
    with pytest.raises(BadNumber, match="rate"):
        KnownRate(np.array(rates), np.ones(2))
    with pytest.raises(BadNumber, match="worth"):
        KnownRate(np.ones(2), np.array([-0.5, *rates[1:]]))


def test_argmax_takes_the_dearest_on_an_idle_host_and_the_first_of_equals() -> None:
    rates = np.array([0.5, 0.5, 0.5, 0.5])
    worths = np.array([1.0, 9.0, 3.0, 3.0])
    policy = Argmax(KnownRate(rates, worths))
    cards = blank_cards(4)
    hosts = np.zeros(2, HOST)
    cards["host"] = [0, 1, 0, 0]
    hosts["state"] = [IDLE, 0]
    for page in range(4):
        policy.settle(cards, page, a_visit(Outcome.OK, True, 1.0, 0.0, 1.0, 0.0))
        cards["last"][page] = 0.0
    assert policy.choose(cards, hosts, 5.0) == -1  # nothing is filed
    cards["filed"] = BY_DUE
    # page 1 is dearer, but its host is not idle
    assert policy.choose(cards, hosts, 5.0) == 2
    hosts["state"][0] = 0
    assert policy.choose(cards, hosts, 5.0) == -1


# from the settings to a policy


def test_the_policies_that_run_live() -> None:
    live = {name for name in REFRESH if not refresh_class(name).laboratory_only}
    assert live >= {
        "uniform",
        "nutch-adaptive",
        "posterior",
        "adaptive-whittle",
        "htraa",
        "lakg",
    }
    for name in live:
        assert type(make_refresh_policy(name)) is refresh_class(name)


def test_auto_is_the_policy_that_prices_freshness_and_news() -> None:
    assert type(make_refresh_policy("auto", {"horizon_s": 1e5})) is AdaptiveWhittle


def test_options_reach_the_policy() -> None:
    cards = blank_cards(1)
    policy = make_refresh_policy("nutch-adaptive", {"interval_s": 1000.0})
    policy.settle(cards, 0, a_visit(Outcome.OK, True, 1.0, 0.0, 1.0, 0.0))
    assert cards["not_before"][0] == 800.0


@pytest.mark.parametrize(
    ("name", "role", "options", "problem"),
    [
        (
            "unifrom",
            "refresh",
            None,
            "no policy named 'unifrom'; choose one of: adaptive-whittle, argmax",
        ),
        ("uniform", "discovery", None, "is for refresh, not for discovery"),
        ("breadth-first", "refresh", None, "is for discovery, not for refresh"),
        ("known-rate", "refresh", None, "laboratory only"),
        ("argmax", "refresh", None, "laboratory only"),
        (
            "nutch-adaptive",
            "refresh",
            {"intervall_s": 5.0},
            "does not know one of the options",
        ),
        ("uniform", "refresh", {"interval_s": 5.0}, "does not know one of the options"),
        ("nutch-adaptive", "refresh", {"interval_s": -5.0}, "least_s|interval_s"),
    ],
)
def test_what_cannot_run_live_is_refused_in_one_line(
    name: str, role: str, options: dict[str, float] | None, problem: str
) -> None:
    with pytest.raises(UserMistake, match=problem) as caught:
        (make_refresh_policy if role == "refresh" else make_discovery_policy)(
            name, options
        )
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, UnknownName) == (name == "unifrom")
