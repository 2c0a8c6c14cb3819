"""`why`: what a page's price is made of, from an engine's folder alone.

The controller is brought back as the robot would (last checkpoint, then the calls since) and asked;
nothing is written, so this works while a robot is at work, half a second behind it.
"""

from __future__ import annotations

import json
import math
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from trapline.app.engine.from_settings import (
    live_policies,
    manners_of,
    request_controller,
)
from trapline.app.engine.restore import load_book, restore_controller
from trapline.app.settings import Settings, settings_from
from trapline.core.cards import BLOCKED, COOLING, FRINGE, HELD, IDLE, TERMS, Cards
from trapline.core.errors import FolderMissing, UrlUnknown
from trapline.core.ports import Discoverer, Policy, Store
from trapline.core.urls import canonical
from trapline.policies.discovery.value import Value
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.posterior import Posterior
from trapline.policies.registry import POLICIES
from trapline.robot.agenda.fringe_prices import fringe_worth
from trapline.robot.request_controller import RequestController
from trapline.stores.sqlite import SqliteStore
from trapline.theory.price import bracket, offer_age, offer_price

_STATES: Final = ("on the fringe", "held", "gone", "heard of, never followed up")
_HOST_STATES: Final = (
    "not located yet",
    "nothing to visit",
    "idle",
    "cooling",
    "being visited",
    "its address is busy",
    "blocked",
)
_NEVER_S: Final = 1e12
_TERM_NAMES: Final = ("freshness", "news")


@dataclass(frozen=True, slots=True)
class Term:
    """One gain, as it stands on the page's card (core/cards.py)."""

    name: str
    worth: float
    rate: float
    shape: float | None  # None = the rate is taken as known
    price: float  # now


@dataclass(frozen=True, slots=True)
class Reasons:
    url: str
    state: str
    policy: str  # that wrote the offer
    age_s: float | None  # since the last visit; None = never visited
    price: float | None  # of a visit now; None = due, and not comparable by price
    terms: list[Term]
    market_price: float
    local_price: float  # of its host
    # until the price reaches the larger of both; None = not by price
    due_in_s: float | None
    opens_in_s: float  # until its offer is open
    host: str
    host_state: str
    ready_in_s: float  # until its host may be visited
    beliefs: dict[str, float]  # of a held page
    # of a fringe page: its clues, score, and what makes a price of it
    promise: dict[str, float]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def lines(self) -> list[tuple[str, str]]:
        """In the order to read them."""
        lines = [("state", self.state), ("offer by", self.policy)]
        lines.append(
            ("last visit", "never" if self.age_s is None else f"{span(self.age_s)} ago")
        )
        lines += [(f"{term.name} is worth", _term(term)) for term in self.terms]
        lines.append(
            (
                "price now",
                "due in turn, not by price"
                if self.price is None
                else f"{self.price:.4g}",
            )
        )
        lines.append(("market price", f"{self.market_price:.4g}"))
        lines.append(("price on its host", f"{self.local_price:.4g}"))
        if self.due_in_s is not None:
            lines.append(("due", _when(self.due_in_s)))
        if self.opens_in_s > 0:
            lines.append(("not offered for", span(self.opens_in_s)))
        wait = f" for {span(self.ready_in_s)}" if self.ready_in_s > 0 else ""
        lines.append(("host", f"{self.host}, {self.host_state}{wait}"))
        lines += [(f"believed {name}", value) for name, value in self._believed()]
        return lines + self._promised()

    def _promised(self) -> list[tuple[str, str]]:
        if not self.promise:
            return []
        found = self.promise
        score = (
            f"{found['score']:.3f}: {found['learnt']:.3f} learnt, {found['by hand']:.3f} "
            "by hand"
        )
        words = ", ".join(
            f"{name} {found[name]:.2f}" for name in ("anchor", "address", "context")
        )
        alike = ", ".join(
            f"{name} {found[name]:.2f}"
            for name in ("siblings", "same path", "directory", "host", "words")
        )
        return [
            ("promised relevance", score),
            ("its host adds", f"{found['bonus']:.3f}, for being strange"),
            ("a relevant page", f"is worth {found['worth']:.4g}"),
            ("best parent", f"relevance {found['parent']:.2f}"),
            ("likeness to the topic", words),
            ("its like were", alike),
        ]

    def _believed(self) -> list[tuple[str, str]]:
        if not self.beliefs:
            return []
        found = self.beliefs
        changes = ("changes", _per(found["change_rate"], found["change_rate_sd"]))
        if "news_rate" not in found:
            return [changes]
        return [
            changes,
            (
                "news",
                f"{_per(found['news_rate'], found['news_rate_sd'])}, in relevance",
            ),
            (
                "from",
                f"{found['news_seen']:.3g} of news seen in {span(found['watched_s'])}",
            ),
        ]


def _term(term: Term) -> str:
    said = f"{term.price:.4g} now, of at most {term.worth:.4g}"
    return (
        f"{said}; half of it is lost in {span(math.log(2.0) / term.rate)}"
        if term.name == "news"
        else said
    )


def _when(due_in_s: float) -> str:
    """When a page is due.

    >>> _when(-90.0), _when(5.0), _when(1e11)
    ('since 90 s', 'in 5 s', 'never at this price')
    """
    if due_in_s >= _NEVER_S / 10:
        return "never at this price"
    return f"in {span(due_in_s)}" if due_in_s > 0 else f"since {span(-due_in_s)}"


def _per(rate: float, give_or_take: float | None = None) -> str:
    """A rate as people say it.

    >>> _per(0.5), _per(2 / 3600), _per(1 / 86400, 0.5 / 86400)
    ('0.5 a second', '2 an hour', '1 ± 0.5 a day')
    """
    units = ((1.0, 0.1, "a second"), (60.0, 1.0, "a minute"), (3600.0, 1.0, "an hour"))
    seconds, name = next(
        ((s, name) for s, least, name in units if rate * s >= least), (86400.0, "a day")
    )
    around = "" if give_or_take is None else f" ± {give_or_take * seconds:.2g}"
    return f"{rate * seconds:.3g}{around} {name}"


def span(seconds: float) -> str:
    """A time as people say it.

    >>> span(0.25), span(90.0), span(7200.0), span(2e5)
    ('0.25 s', '90 s', '2 h', '2.3 d')
    """
    for size, name in ((86400.0, "d"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.2g} {name}"
    return f"{seconds:.3g} s"


def reasons_for(folder: Path, url: str) -> Reasons:
    if not folder.is_dir():
        raise FolderMissing(folder)
    store = SqliteStore(folder, read_only=True)
    try:
        settings = _settings(store, folder)
        book = load_book(store)
        known = len(book)
        page, host = book.number(canonical(url))
        if page >= known:
            raise UrlUnknown(url, folder)
        controller = request_controller(
            settings, live_policies(settings), book, manners_of(settings)
        )
        restore_controller(store, controller)
        return _reasons(
            controller,
            page,
            host,
            canonical(url),
            book.host_name(host),
            max(time.time(), controller.now_s),
        )
    finally:
        store.close()


def _settings(store: Store, folder: Path) -> Settings:
    said = store.note("settings")
    if said is None:  # no robot has run here since notes are taken
        raise FolderMissing(folder)
    return settings_from(f"the engine in {folder}", json.loads(said))


def _reasons(
    controller: RequestController,
    page: int,
    host: int,
    url: str,
    host_name: str,
    now_s: float,
) -> Reasons:
    agenda = controller.agenda
    cards = agenda.cards
    hosts = agenda.hosts
    if page >= len(cards) or host >= len(hosts):
        raise UrlUnknown(url, "this folder")
    held = cards["state"][page] == HELD
    policy = controller.refresh if held else controller.discovery
    price = float(
        offer_price(cards, page, now_s) if held else fringe_worth(agenda.books, page)
    )
    last_s = float(cards["last"][page])
    market = agenda.tally("market")
    local = float(hosts["local"][host])
    # automata take turns, whatever the price
    finite = math.isfinite(price) and not hasattr(policy, "choose")
    # nobody has asked since
    rested = hosts["state"][host] == COOLING and hosts["ready"][host] <= now_s
    return Reasons(
        url=url,
        state=_STATES[cards["state"][page]],
        policy=_name_of(policy),
        age_s=now_s - last_s if math.isfinite(last_s) else None,
        price=price if finite else None,
        terms=_terms(cards, page, now_s) if held and finite else [],
        market_price=market,
        local_price=local,
        due_in_s=_due_s(cards, page, max(market, local)) - now_s
        if held and finite
        else None,
        opens_in_s=max(0.0, float(cards["not_before"][page]) - now_s),
        host=host_name,
        host_state=_HOST_STATES[IDLE if rested else hosts["state"][host]],
        ready_in_s=max(0.0, float(hosts["ready"][host]) - now_s)
        if hosts["state"][host] in (COOLING, BLOCKED)
        else 0.0,
        beliefs=_beliefs(policy, page, host) if held else {},
        promise=_promise(controller, page, host)
        if finite and cards["state"][page] == FRINGE
        else {},
    )


def _promise(controller: RequestController, page: int, host: int) -> dict[str, float]:
    if not isinstance(controller.discovery, Value):
        return {}
    agenda = controller.agenda
    bonus = float(agenda.hosts["bonus"][host])
    worth = agenda.tally("worth")
    return {**controller.discovery.clues(page), "bonus": bonus, "worth": worth}


def _beliefs(policy: Policy | Discoverer, page: int, host: int) -> dict[str, float]:
    if isinstance(policy, AdaptiveWhittle):
        return policy.beliefs(page, host)._asdict()
    if isinstance(policy, Posterior):
        found = policy.change_rate(page, host)
        return {"change_rate": found.mean, "change_rate_sd": found.sd}
    return {}


def _due_s(cards: Cards, page: int, price: float) -> float:
    return float(cards["last"][page]) + float(offer_age(cards, page, price, _NEVER_S))


def _name_of(policy: Policy | Discoverer) -> str:
    where = f"{type(policy).__module__}:{type(policy).__name__}"
    return next(name for name, found in POLICIES.items() if found == where)


def _terms(cards: Cards, page: int, now_s: float) -> list[Term]:
    age_s = now_s - float(cards["last"][page])
    terms = []
    for term in range(TERMS):
        worth = float(cards["worth"][page, term])
        rate = float(cards["rate"][page, term])
        shape = float(cards["shape"][page, term])
        if worth > 0.0:
            price = worth * bracket(rate * age_s, shape) / float(cards["cost"][page])
            terms.append(
                Term(
                    _TERM_NAMES[term],
                    worth,
                    rate,
                    shape if math.isfinite(shape) else None,
                    price,
                )
            )
    return terms
