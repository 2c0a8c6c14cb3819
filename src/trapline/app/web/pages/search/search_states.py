"""What the search page says when there is nothing to list."""

from __future__ import annotations

from collections.abc import Sequence

from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.frame import notice
from trapline.app.web.pages.markup import NOTHING, Html, element, join
from trapline.app.web.pages.search.search_view import View
from trapline.policies.wording import say_count


def empty_collection(engine: Engine) -> Html:
    """Nothing is held yet: is it coming, or must somebody start?"""
    if engine.at_work:
        return notice(
            "The first pages are on their way",
            element("p", "The robot is at work and holds no page yet. Stay a moment."),
            element("p", element("a", "Watch it on the dashboard", href="/dashboard")),
        )
    command = f'trapline crawl https://www.example.org/ --topic "…" --dir {engine.name}'
    return notice(
        "This collection is empty",
        element("p", "No robot has brought a page yet. Start one:"),
        element("pre", element("code", command)),
    )


def nothing_found(view: View, engine: Engine, words: Sequence[str] = ()) -> Html:
    """What would help, the most likely first."""
    ways = [
        _without_filters(view),
        _offer(view, words),
        element("span", "Use fewer words, or other ones for the same thing.")
        if " " in view.query.strip()
        else element("span", "Try another word for the same thing."),
        element("span", "Leave out quotation marks, + and −.")
        if set('"+-') & set(view.query)
        else NOTHING,
        _still_crawling(engine),
        join("See ", element("a", "what is held", href="/dashboard"), "."),
    ]
    return notice(
        "Nothing found",
        element("p", "No page here has ", element("q", view.query, dir="auto"), "."),
        element("ul", [element("li", way) for way in ways if way]),
    )


def _without_filters(view: View) -> Html:
    if not view.is_filtered:
        return NOTHING
    href = view.link_without_filters()
    return join(element("a", "Search without the filters", href=href), ".")


def _offer(view: View, words: Sequence[str]) -> Html:
    if not words:
        return NOTHING
    links = [
        element("a", element("bdi", word), href=view.link(query=word, page=1))
        for word in words
    ]
    others = [join(" · ", link) for link in links[1:]]
    return join("Search for something that is here: ", links[0], others)


def _still_crawling(engine: Engine) -> Html:
    if not engine.at_work:
        return NOTHING
    waiting = say_count(engine.fringe, "page")
    return element(
        "span", f"The robot is still crawling: {waiting} wait to be fetched. Ask again."
    )


def past_the_end(view: View) -> Html:
    back = element("a", "Back to the first", href=view.link(page=1))
    return notice("There are no more results", element("p", back))


def busy(problem: str, view: View) -> Html:
    again = element("a", "Ask again", href=view.link(), class_="button")
    return notice(
        "Many are searching just now",
        element("p", f"No answer this time: {problem}."),
        element("p", again),
        kind="warn",
        alert=True,
    )


def bad_query(problem: str) -> Html:
    return notice(
        "This cannot be searched for", element("p", problem), kind="warn", alert=True
    )


def templates() -> Html:
    """States that only the browser can find itself in."""
    gone = element(
        "p", "Is it still running? Start it with ", _SERVE, " and try again."
    )
    broken = element("p", "Something broke here; the terminal says what.")
    return join(
        _template("gone", "The server does not answer", gone),
        _template("broken", "There is no answer to this", broken),
    )


def _template(name: str, title: str, told: Html) -> Html:
    again = element("button", "Try again", type="button", class_="quiet")
    shown = notice(title, told, element("p", again), kind="bad", alert=True)
    return element("template", shown, id=name)


_SERVE = element("code", "trapline serve")
