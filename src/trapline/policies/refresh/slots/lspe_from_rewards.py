"""lspe: the LSPE(0) actor-critic of paper `lspe` from observed rewards alone, held to a budget, so
that it runs live.

The paper's scheme "hardly uses any information about the system parameters", but its states and
thresholds are made of all of them (lspe.py). Here everything comes from what visits brought (news,
and changes by relevance):

- the *state* x_i is a guess: content grows at the rate at which visits have brought it, up to the
  most that one has brought; to a source's own visits one is added that is as the mean visit. States
  are shares of the most that any visit has brought, so that nothing has a unit;
- the *actor* keeps the paper's thresholds T_i = q0 + q1·s + q2·s², s being the mean state of the
  others, and its steps a(n) = c/⌈n/500⌉. Coins cannot keep a budget. So each visit is a draw in
  proportion to e^(κ(x_i − T_i)) among the pages that may be visited, made by adding noise (Gumbel)
  and taking the greatest;
- the *critic* is LSPE(0) with four features whatever the number of pages: mean, mean square,
  squared mean and greatest of the states. (The paper's n²/2 products, and the matrix of all pairs
  of them, do not go beyond some dozens of pages.)

One step is from one choice to the next. Repaired, beside what lspe.py repairs: where the reward is
Σ x_i·v_i it depends on the action, so that the gradient (9) needs the `score` r − η + V(X') − V(X),
the advantage, where V(X') stands. With that "value" alone the actor unlearns what the states tell
it. What learning adds to them is little all the same: the learner of `adaptive-whittle` earns more
(`trapline lab run lspe/learners`).

>>> policy = LspeFromRewards.for_sources(2, seed=1)
>>> for age in (1.0, 2.0, 3.0):
...     policy.learn(0, age, 5.0 * age)
...     policy.learn(1, age, 1.0)
>>> policy.states(now=2.0).round(2).tolist()
[0.59, 0.07]
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, Final, Self

import numpy as np

from trapline.core.cards import BY_DUE, HELD, IDLE, Cards, Hosts
from trapline.core.errors import BadNumber, UnknownName, check_rate
from trapline.core.ports import Arrays, Explanation, Seen
from trapline.policies.mind import as_records, as_table, grow_records
from trapline.policies.refresh.refresh_policy import KnownPages
from trapline.policies.refresh.slots.lspe_critic import Critic
from trapline.policies.refresh.slots.slot_chooser import Floats, SlottedChooser
from trapline.policies.wording import say_rate

# Of a page: what its visits brought, after how long, how often, and at most; its thresholds; and of
# the last step its state, the chance of its choice, and how that moves with its threshold.
SOURCE: Final = np.dtype(
    [
        (name, np.float64)
        for name in (
            *("reward", "aged", "visits", "most"),
            *("q0", "q1", "q2"),
            *("shown", "chance", "slope"),
        )
    ]
)
SCORES: Final = ("advantage", "value")
_FEATURES: Final = 4
_LONG: Final = 500.0  # steps after which the actor's are smaller


class LspeFromRewards(SlottedChooser):
    laboratory_only = False
    needs_truth = False

    def __init__(
        self,
        steepness: float = 10.0,
        actor_gain: float = 0.05,
        critic_gain: float = 0.05,
        score: str = "advantage",
        seed: float = 0,
    ) -> None:
        check_rate("steepness", steepness, "κ of the choice")
        check_rate("critic_gain", critic_gain, "γ of LSPE(0)")
        if not 0.0 <= actor_gain < 1.0:
            raise BadNumber("actor_gain", actor_gain, "from 0 (stay) to below 1")
        if not (seed >= 0 and seed == int(seed)):
            raise BadNumber("seed", seed, "a whole number, at least 0")
        if score not in SCORES:
            raise UnknownName("score", str(score), list(SCORES))
        super().__init__(1)
        self._by_advantage = score == "advantage"
        self._steepness = float(steepness)
        self._gain = float(actor_gain)
        self._critic = Critic(_FEATURES, float(critic_gain))
        self._rng = np.random.default_rng(int(seed))
        self.pages = np.zeros(1, SOURCE)
        self._ready: Floats | None = None  # 0 where a page may be visited, else −∞
        # since the last step: what visits brought, how many they were
        self._since = np.zeros(2)

    @classmethod
    def for_sources(cls, sources: int, **settings: Any) -> Self:
        """For so many from the start."""
        policy = cls(**settings)
        policy.reserve(sources)
        return policy

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        return cls.for_sources(len(known), seed=known.seed)

    def reserve(self, pages: int) -> None:
        """Have memory for so many."""
        more = pages - len(self.last)
        if more > 0:
            self.last = np.append(self.last, np.zeros(more))
            self.costs = np.append(self.costs, np.ones(more))
            self.pages = grow_records(self.pages, pages)

    # the states

    def states(self, now: float) -> Floats:
        """x_i, as shares of the most that any visit has brought."""
        pages = self.pages
        greatest = float(pages["most"].max())
        held = np.minimum(self._rates() * (now - self.last), pages["most"])
        return np.asarray(held / greatest if greatest > 0.0 else np.zeros(len(pages)))

    def _rates(self) -> Floats:
        """At which content grows, each page's visits and one mean visit together."""
        pages = self.pages
        visits = max(1.0, float(pages["visits"].sum()))
        reward = pages["reward"] + pages["reward"].sum() / visits
        aged = pages["aged"] + pages["aged"].sum() / visits
        return np.asarray(reward / np.where(aged > 0.0, aged, 1.0))

    def thresholds(self, states: Floats) -> Floats:
        """T_i, within the states that there are."""
        pages = self.pages
        others = _mean_of_others(states)
        wanted = pages["q0"] + others * (pages["q1"] + others * pages["q2"])
        return np.asarray(np.clip(wanted, 0.0, 1.0))

    # the policy

    def choose(self, cards: Cards | None, hosts: Hosts | None, now_s: float) -> int:
        self._ready = None
        if cards is not None and hosts is not None:
            self.reserve(len(cards))
            may = (cards["filed"] == BY_DUE) & (cards["state"] == HELD)
            may &= hosts["state"][cards["host"]] == IDLE
            self._ready = np.full(len(self.last), -np.inf)
            self._ready[: len(may)][may] = 0.0
        return super().choose(cards, hosts, now_s)

    def prices(self, now: float) -> Floats:
        """What is drawn for each page: the greatest go first. One never seen to bring anything or
        nothing comes before all.
        """
        states = self.states(now)
        self._step(states)
        leans = self._steepness * (states - self.thresholds(states))
        if self._ready is not None:
            leans = leans + self._ready
        self._note(states, leans)
        drawn = leans + self._rng.gumbel(size=len(leans))
        return np.where(
            (self.pages["visits"] == 0.0) & (drawn > -np.inf), np.inf, drawn
        )

    def learn(self, source: int, age: float, reward: float) -> None:
        if not (0.0 < age < math.inf and 0.0 <= reward < math.inf):
            raise BadNumber("a visit's age and reward", (age, reward), "0 or above")
        page = self.pages[source]
        page["reward"] += reward
        page["aged"] += age
        page["visits"] += 1.0
        page["most"] = max(float(page["most"]), reward)
        page["slope"] -= self._steepness
        self._since += reward, 1.0

    def settle(self, cards: Cards, page: int, seen: Seen) -> Sequence[int]:
        self.reserve(page + 1)
        if seen.now_s > self.last[page] and not math.isinf(seen.age_s):
            brought = seen.news + seen.relevance * bool(seen.changed)
            self.learn(page, seen.age_s, brought)
        self.last[page] = seen.now_s
        # on offer; what it is worth is this policy's own affair
        cards["base"][page] = 0.0
        return (page,)

    def explain(self, page: int, host: int) -> Explanation:
        if page >= len(self.pages):
            return Explanation({}, [])
        rate = float(self._rates()[page])
        seen = self.pages[page]
        values = {"reward_rate": rate, "most_brought": float(seen["most"])}
        lines = [
            ("believed to gain", f"{say_rate(rate)}, in relevance"),
            ("most that a visit brought", f"{float(seen['most']):.3g}"),
        ]
        return Explanation(values, lines)

    def move_times(self, by_s: float) -> None:
        self.last += by_s

    # learning

    def _note(self, states: Floats, leans: Floats) -> None:
        """∂ log(chance of the choice)/∂T_i = κ·(visits·p_i − v_i), by and by: p now, v as visits
        end.
        """
        top = float(leans.max())
        chances = np.exp(leans - top) if top > -math.inf else np.zeros(len(leans))
        self.pages["shown"] = states
        self.pages["chance"] = chances / max(1.0, float(chances.sum()))
        self.pages["slope"] = 0.0

    def _step(self, states: Floats) -> None:
        """From the last choice to this one, by the mean of the visits that ended; without any,
        nothing is learnt.
        """
        reward, visits = self._since.tolist()
        greatest = float(self.pages["most"].max())
        if visits == 0.0 or greatest == 0.0:
            return
        self._since[:] = 0.0
        pages = self.pages
        before = pages["shown"].copy()
        features = _features(states)
        brought = reward / (visits * greatest)
        value = float(self._critic.weights @ features)
        gained = self._critic.learn(_features(before), features, brought)
        if not self._by_advantage:
            gained = value
        slope = pages["slope"] + self._steepness * visits * pages["chance"]
        step = self._gain / math.ceil(self._critic.steps / _LONG) * gained * slope
        others = _mean_of_others(before)
        pages["q0"] += step
        pages["q1"] += step * others
        pages["q2"] += step * others**2

    # saving

    def state(self) -> Arrays:
        # of one length, whatever its numbers are
        chance = json.dumps(self._rng.bit_generator.state).ljust(400).encode()
        return {
            "last": self.last.copy(),
            "memory": as_table(self.pages).copy(),
            "critic": self._critic.state(),
            "since": self._since.copy(),
            "chance": np.frombuffer(chance, np.uint8),
        }

    def restore(self, state: Arrays) -> None:
        self.last = np.array(state["last"], np.float64)
        self.costs = np.ones(len(self.last))
        self.pages = as_records(np.asarray(state["memory"]), SOURCE)
        self._critic.restore(np.asarray(state["critic"], np.float64))
        self._since = np.array(state["since"], np.float64)
        self._rng.bit_generator.state = json.loads(
            np.asarray(state["chance"]).tobytes()
        )
        self._slot = math.nan  # prices are to be made anew


def _mean_of_others(states: Floats) -> Floats:
    return np.asarray((states.sum() - states) / max(1, len(states) - 1))


def _features(states: Floats) -> Floats:
    mean = float(states.mean())
    return np.array([mean, float((states**2).mean()), mean**2, float(states.max())])
