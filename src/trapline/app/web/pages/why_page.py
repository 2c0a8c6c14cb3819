"""Why and when: what a visit to one page is worth, what was learnt of it, what happened there."""

from __future__ import annotations

from typing import Any, Final

from trapline.app.folder.reasons import NEVER_S, Reasons, Term
from trapline.app.folder.time_line import TimedVisit, TimeLine
from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.figures import chart, table, tile, tiles
from trapline.app.web.pages.frame import Look, frame, notice
from trapline.app.web.pages.markup import NOTHING, Html, data_block, element, join
from trapline.app.web.pages.visit_strip import visit_strip
from trapline.app.web.pages.wording import say_number, say_share, time_element
from trapline.policies.wording import say_rate, say_span
from trapline.theory.price import bracket

_POINTS: Final = 80  # of the curve of prices
_RAREST: Final = 1e-3 / 86_400  # a rate that is told as a number
_LOOK: Final = Look("Why and when", module="why", charts=True)


def why_page(engine: Engine, reasons: Reasons, visits: TimeLine, now_s: float) -> Html:
    return frame(
        _LOOK,
        element("h1", "Why and when"),
        _form(reasons.url),
        element("p", _link(reasons.url), ": ", element("b", reasons.state), "."),
        _summary(reasons),
        _price(reasons),
        _rates(reasons),
        _policy_words(reasons),
        _time_line(visits, now_s),
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
        Look("Why and when"),
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
    bar = max(reasons.market_price, reasons.local_price)
    whose = (
        "on its host" if reasons.local_price > reasons.market_price else "everywhere"
    )
    ready = reasons.host_state
    if reasons.ready_in_s > 0.0:
        ready += f", ready in {say_span(reasons.ready_in_s)}"
    return tiles(
        tile("Next visit due", _due(reasons), ready),
        tile("A visit now is worth", price, f"offered by {reasons.policy}"),
        tile("A visit costs", say_number(bar), f"the price {whose}"),
        tile("Last visit", last, reasons.host),
    )


def _due(reasons: Reasons) -> str:
    if reasons.opens_in_s > 0.0:
        return f"not before {say_span(reasons.opens_in_s)}"
    if reasons.due_in_s is None:
        return "in turn" if reasons.price is None else "when it is best"
    if reasons.due_in_s >= NEVER_S / 10:
        return "never at this price"
    return f"in {say_span(reasons.due_in_s)}" if reasons.due_in_s > 0.0 else "now"


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
    return element(
        "section",
        element("h2", "What the price is made of"),
        table("Terms of the price", head, rows),
        chart("chart-price", "Price of a visit as time passes", told),
    )


def _rates(reasons: Reasons) -> Html:
    if not reasons.rates:
        return NOTHING
    rows = [
        (rate.name, _rate(rate.mean), _rate(rate.low), _rate(rate.high))
        for rate in reasons.rates
    ]
    head = ("Rate of", "Learnt", "At least", "At most")
    note = "The band holds the rate nine times in ten; every visit narrows it."
    return element(
        "section",
        element("h2", "What was learnt"),
        table("Learnt rates", head, rows),
        element("p", note, class_="note"),
    )


def _rate(rate: float) -> str:
    return say_rate(rate) if rate > _RAREST else "almost never"


def _policy_words(reasons: Reasons) -> Html:
    if not reasons.explained:
        return NOTHING
    rows = [(name, said) for name, said in reasons.explained]
    return element(
        "section",
        element("h2", "In the policy's own words"),
        table("What the policy says", ("What", "Said"), rows, words=(0, 1)),
    )


def _time_line(line: TimeLine, now_s: float) -> Html:
    rows = [_visit(visit, now_s) for visit in reversed(line.visits)]
    head = ("When", "What was found", "Price paid", "Took")
    earlier = element("p", "Earlier visits are not shown.", class_="note")
    return element(
        "section",
        element("h2", "Visits and changes"),
        visit_strip(line.visits, now_s) if len(rows) > 1 else NOTHING,
        table("Visits, newest first", head, rows, words=(0, 1)),
        earlier if line.earlier else NOTHING,
    )


def _visit(visit: TimedVisit, now_s: float) -> tuple[Html, str | Html, str, str]:
    found = (
        "first seen" if visit.first else "changed" if visit.changed else visit.outcome
    )
    remark = f" ({visit.remark})" if visit.remark else ""
    shown = element("b", found) if visit.changed else element("span", found)
    return (
        time_element(visit.ended_s, now_s),
        join(shown, remark),
        "in turn" if visit.price is None else say_number(visit.price),
        say_span(visit.seconds),
    )


def price_curve(reasons: Reasons) -> dict[str, Any]:
    """The price of a visit against time since the last one, and what a visit costs."""
    age_s = reasons.age_s or 0.0
    cost = max(reasons.market_price, reasons.local_price)
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
