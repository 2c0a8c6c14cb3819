"""Whatever workers do and whoever sleeps through it: a shard has one owner who may visit, and all
who may visit never spend more together than the budget.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from trapline.cluster.tenure import Tenure
from trapline.core.ledger import Founding
from trapline.ledgers.sqlite.ledger import SqliteLedger
from trapline.ledgers.sqlite.machine_clock import MachineClock
from trapline.theory.treasury import settle_rates

SHARDS = 2
BUDGET_PER_S = 6.0
WORKERS = ("a", "b")

workers = st.sampled_from(WORKERS)
# all for the first, or for the second
wishes = st.sampled_from([(5.9, 0.1), (0.1, 5.9)])


@dataclass
class Post:
    epoch: int
    rate_per_s: float
    tenure: Tenure


@dataclass
class Model:
    """A worker, as far as it owns and spends."""

    posts: dict[int, Post] = field(default_factory=dict)
    told: list[tuple[dict[int, float], float]] = field(default_factory=list)


class Team(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.now_s = 1_000.0
        clock = MachineClock("boot", lambda: self.now_s, time.time)
        self.ledger = SqliteLedger(Path(self._folder.name), clock=clock)
        self.ledger.establish(Founding(SHARDS, "{}", BUDGET_PER_S))
        self.rows = self.ledger.shards()  # as the treasurer last saw them
        self.team = {name: Model() for name in WORKERS}
        for name in WORKERS:
            self.claim(name, 1)

    def teardown(self) -> None:
        self.ledger.close()
        self._folder.cleanup()

    @rule(seconds=st.sampled_from([0.5, 4.0, 9.0, 16.0]))
    def wait(self, seconds: float) -> None:
        self.now_s += seconds

    @rule(name=workers, most=st.integers(1, SHARDS))
    def claim(self, name: str, most: int) -> None:
        for lease in self.ledger.claim(name, most):
            tenure = Tenure(lambda: self.now_s)
            tenure.renew(self.now_s)
            post = Post(lease.epoch, lease.rate_per_s, tenure)
            self.team[name].posts[lease.shard] = post

    @rule(name=workers)
    def renew(self, name: str) -> None:
        """As the keeper of a worker does; its loop hears of it later."""
        model = self.team[name]
        held = {shard: post.epoch for shard, post in model.posts.items()}
        heard = {shard: post.rate_per_s for shard, post in model.posts.items()}
        rates = self.ledger.renew(name, held, heard, 0.0)
        for shard in held.keys() - rates.keys():
            model.posts.pop(shard).tenure.end()
        for shard in rates:
            if model.posts[shard].tenure.is_good():
                model.posts[shard].tenure.renew(self.now_s)
        model.told.append((rates, self.now_s))

    @rule(name=workers)
    def hear(self, name: str) -> None:
        model = self.team[name]
        for rates, asked_s in model.told:
            for shard, rate in rates.items():
                if (post := model.posts.get(shard)) is not None:
                    post.rate_per_s = rate
                    if not post.tenure.is_good():
                        post.tenure.renew(asked_s)
        model.told = []

    @rule(name=workers, in_order=st.booleans())
    def end(self, name: str, in_order: bool) -> None:
        posts = self.team[name].posts if in_order else {}
        for shard, post in posts.items():
            self.ledger.release(name, shard, post.epoch)
        self.team[name] = Model()

    @rule(name=workers)
    def end_as_another_of_the_name(self, name: str) -> None:
        """A second process of this name owns nothing, and ends."""
        self.ledger.renew(name, {}, {}, 0.0)
        self.ledger.drain(name)
        self.ledger.leave(name, {})

    @rule(name=workers)
    def clear_away(self, name: str) -> None:
        """It is dead, as its supervisor has seen, and what it had is free at once."""
        posts = self.team[name].posts
        self.team[name] = Model()
        self.ledger.leave(name, {shard: post.epoch for shard, post in posts.items()})

    @rule(name=workers)
    def renew_and_hear(self, name: str) -> None:
        self.renew(name)
        self.hear(name)

    @rule()
    def look(self) -> None:
        self.rows = self.ledger.shards()

    @rule(wanted=wishes)
    def trade(self, wanted: tuple[float, ...]) -> None:
        """By what the treasurer saw then."""
        assert self.ledger.be_treasurer("t")
        rates = settle_rates(self.rows, dict(enumerate(wanted)), BUDGET_PER_S)
        self.ledger.grant("t", rates)

    @rule(wanted=wishes)
    def look_and_trade(self, wanted: tuple[float, ...]) -> None:
        self.look()
        self.trade(wanted)

    @invariant()
    def one_owner_may_visit(self) -> None:
        for shard in range(SHARDS):
            assert len(self._may_visit(shard)) <= 1

    @invariant()
    def all_spend_no_more_than_the_budget(self) -> None:
        spent = [
            post.rate_per_s
            for shard in range(SHARDS)
            for post in self._may_visit(shard)
        ]
        assert sum(spent) <= BUDGET_PER_S * (1.0 + 1e-9)

    def _may_visit(self, shard: int) -> list[Post]:
        posts = [model.posts.get(shard) for model in self.team.values()]
        return [post for post in posts if post is not None and post.tenure.is_good()]


Team.TestCase.settings = settings(
    max_examples=150, stateful_step_count=50, deadline=None
)
TestTeam = Team.TestCase
