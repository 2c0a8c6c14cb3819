"""Why and when: what a visit to one page is worth, what was learnt of it, what happened there."""

from __future__ import annotations

from typing import Any, Final

from trapline.app.folder.reasons import NEVER_S, Reasons, Term
from trapline.app.folder.time_line import TimeLine
from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.figures import (
    band,
    chart,
    section,
    table,
    tile,
    tiles,
)
from trapline.app.web.pages.frame import Look, frame, notice
from trapline.app.web.pages.markup import NOTHING, Html, data_block, element
from trapline.app.web.pages.visit_table import say_paid, visits_section
from trapline.app.web.pages.wording import say_band, say_number, say_share
from trapline.core.ports import LearntRate
from trapline.policies.wording import say_span
from trapline.theory.price import bracket

_POINTS: Final = 80  # of the curve of prices
_TOLD: Final = 10  # of them, where they are told in a table
_LOOK: Final = Look("Why and when", body="why", module="why", charts=True)


def why_page(engine: Engine, reasons: Reasons, visits: TimeLine, now_s: float) -> Html:
    paid = say_paid(visits, _due_price(reasons))
    return frame(
        _LOOK,
        element("h1", "Why and when"),
        _form(reasons.url),
        element("p", _link(reasons.url), ": ", element("b", reasons.state), "."),
        _summary(reasons),
        element("p", paid, class_="note") if paid else NOTHING,
        _asked_for(reasons),
        _shard(reasons),
        _price(reasons),
        _rates(reasons),
        _policy_words(reasons),
        visits_section(visits, now_s),
        data_block("data", price_curve(reasons)),
        engine=engine.light(),
    )


def why_problem_page(engine: Engine, url: str, problem: str) -> Html:
    """The same page before a URL is given, or where nothing is known of it."""
    said = notice(
        "Nothing is known of it", element("p", problem), kind="warn", alert=True
    )
    lead = "What is a visit to a page worth, and when is the next one due?"
    return frame(
        Look("Why and when", body="why"),
        element("h1", "Why and when"),
        element("p", lead, class_="soft"),
        _form(url),
        said if problem else NOTHING,
        engine=engine.light(),
    )


def _form(url: str) -> Html:
    box = element(
        "input",
        name="url",
        value=url,
        aria_label="URL of a page",
        placeholder="https://…",
        inputmode="url",
        spellcheck="false",
        autocomplete="off",
    )
    return element(
        "form", box, element("button", "Ask"), action="/why", class_="url-form"
    )


def _link(url: str) -> Html:
    return element("a", url, href=url, rel="noreferrer")


def _summary(reasons: Reasons) -> Html:
    last = "never" if reasons.age_s is None else f"{say_span(reasons.age_s)} ago"
    price = "in turn" if reasons.price is None else say_number(reasons.price)
    scarce = reasons.local_price > reasons.market_price
    whose = "lately paid on its host" if scarce else "lately paid everywhere"
    ready = reasons.host_state
    if reasons.ready_in_s >= 0.05:
        ready += f", ready in {say_span(reasons.ready_in_s)}"
    return tiles(
        tile("Next visit due", _due(reasons), ready),
        tile("A visit now is worth", price, f"offered by {reasons.policy}"),
        tile("A visit should cost", say_number(_due_price(reasons)), whose),
        tile("Last visit", last, reasons.host),
    )


def _due_price(reasons: Reasons) -> float:
    """The price that makes a page due."""
    return max(reasons.market_price, reasons.local_price)


def _due(reasons: Reasons) -> str:
    if reasons.opens_in_s > 0.0:
        return f"not before {say_span(reasons.opens_in_s)}"
    if reasons.due_in_s is None:
        return "in turn" if reasons.price is None else "when it is best"
    if reasons.due_in_s >= NEVER_S / 10:
        return "never at this price"
    return f"in {say_span(reasons.due_in_s)}" if reasons.due_in_s > 0.0 else "now"


def _asked_for(reasons: Reasons) -> Html:
    if not reasons.asked_for:
        return NOTHING
    return element("p", f"Asked for: {reasons.asked_for}.", class_="note")


def _shard(reasons: Reasons) -> Html:
    if reasons.shard is None:
        return NOTHING
    return element("p", f"In shard {reasons.shard}.", class_="note")


def _price(reasons: Reasons) -> Html:
    if not reasons.terms:
        return NOTHING
    total = sum(term.price for term in reasons.terms) or 1.0
    rows = [
        (
            term.name,
            say_number(term.price),
            say_share(term.price / total),
            say_number(term.worth),
            "–" if term.rate <= 0.0 else say_span(1.0 / term.rate),
        )
        for term in reasons.terms
    ]
    head = ("Term", "Now", "Share", "At most", "Time scale")
    told = "The price of a visit grows with the time since the last one, up to what it costs."
    return section(
        "What the price is made of",
        table("Terms of the price", head, rows),
        chart("chart-price", "Price of a visit as time passes", told, _points(reasons)),
    )


def _points(reasons: Reasons) -> Html:
    curve = price_curve(reasons)
    pairs = list(zip(curve["ages_s"], curve["prices"], strict=True))
    some = pairs[:: _POINTS // _TOLD]
    if not some:
        return NOTHING
    rows = [(say_span(age_s), say_number(price)) for age_s, price in some]
    head = ("Since the last visit", "Price")
    return table("Price of a visit as time passes", head, rows)


def _rates(reasons: Reasons) -> Html:
    if not reasons.rates:
        return NOTHING
    head = ("Rate of", "Learnt", "Band", "Nine times in ten")
    return section(
        "What was learnt",
        table("Learnt rates", head, map(_rate, reasons.rates), words=range(4)),
        element("p", "Every visit narrows the bands.", class_="note"),
    )


def _rate(rate: LearntRate) -> tuple[str, str, Html, str]:
    learnt, between = say_band(rate.mean, rate.low, rate.high)
    most = max(rate.high, rate.mean) or 1.0
    picture = band(rate.low / most, rate.mean / most, rate.high / most)
    return rate.name, learnt, picture, between


def _policy_words(reasons: Reasons) -> Html:
    if not reasons.explained:
        return NOTHING
    rows = [(name, said) for name, said in reasons.explained]
    return section(
        "In the policy's own words",
        table("What the policy says", ("What", "Said"), rows, words=(0, 1)),
    )


def price_curve(reasons: Reasons) -> dict[str, Any]:
    """The price of a visit against time since the last one, and what a visit costs."""
    age_s = reasons.age_s or 0.0
    cost = _due_price(reasons)
    if not reasons.terms or age_s <= 0.0:
        return {"ages_s": [], "prices": [], "age_s": age_s, "cost": cost}
    due_s = age_s + (reasons.due_in_s or 0.0)
    longest_s = 1.6 * max(age_s, due_s if due_s < NEVER_S / 10 else 0.0)
    ages = [longest_s * place / _POINTS for place in range(_POINTS + 1)]
    return {
        "ages_s": ages,
        "prices": [_price_at(reasons.terms, age_s, later_s) for later_s in ages],
        "age_s": age_s,
        "price": reasons.price,
        "cost": cost,
    }


def _price_at(terms: list[Term], age_s: float, later_s: float) -> float:
    """By the price now: the cost of a visit is the same at every age."""
    total = 0.0
    for term in terms:
        shape = float("inf") if term.shape is None else term.shape
        now = float(bracket(term.rate * age_s, shape))
        if now > 0.0:
            total += term.price * float(bracket(term.rate * later_s, shape)) / now
    return total
