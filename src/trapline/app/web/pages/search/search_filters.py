"""Filters and order of the results: selects of the search form, with the numbers that match."""

from __future__ import annotations

from collections.abc import Iterable

from trapline.app.web.pages.markup import NOTHING, Html, element
from trapline.app.web.pages.search.search_view import AGE_NAMES, Age, View
from trapline.search.questions import Facets, FacetValue, Sort

Choice = tuple[str, str]  # value, as it is said

_SORTS = ((str(Sort.BEST), "best first"), (str(Sort.CHANGED), "newest change first"))


def filters(view: View, facets: Facets | None, engines: Html = NOTHING) -> Html:
    """`engines` is one more of them, where there are several."""
    found = facets or Facets([], [], [])
    clear = element("a", "Clear filters", href=view.link_without_filters())
    return element(
        "div",
        element("h2", "Filters and order", class_="unseen"),
        engines,
        _select(
            "host", "Host", _choices("all hosts", found.hosts, view.host), view.host
        ),
        _select(
            "lang",
            "Language",
            _choices("all languages", found.languages, view.language),
            view.language,
        ),
        _select(
            "age",
            "Changed",
            _ages(found.ages, view.age),
            str(view.age),
        ),
        _select(
            "sort",
            "Order",
            _SORTS,
            str(view.sort),
        ),
        element(
            "button",
            "Apply",
            form="ask",
            class_="quiet",
        ),
        clear if view.is_filtered else NOTHING,
        class_="filters",
    )


def _choices(all_of: str, found: Iterable[FacetValue], chosen: str) -> list[Choice]:
    """What may be chosen. What is chosen stays there, though nothing should match it."""
    values = [(one.value, f"{one.value} ({one.pages:,})") for one in found]
    if chosen and chosen not in {value for value, _ in values}:
        values.insert(0, (chosen, chosen))
    if len(values) < 2 and not chosen:  # it would select all there is
        return []
    return [("", all_of), *values]


def _ages(found: Iterable[FacetValue], chosen: Age) -> list[Choice]:
    """The ages that some page has. The last month holds the last week, and so on."""
    counts = {one.value: one.pages for one in found}
    choices = []
    pages = 0
    for age in Age:
        own = counts.get(str(age), 0)
        pages = own if age is Age.OLDER else pages + own
        if own:
            choices.append((str(age), f"{AGE_NAMES[age]} ({pages:,})"))
        elif age in (Age.ANY, chosen):
            choices.append((str(age), AGE_NAMES[age]))
    return choices


def _select(
    name: str,
    label: str,
    choices: Iterable[Choice],
    chosen: str,
) -> Html:
    options = [
        element(
            "option",
            said,
            value=value,
            selected=value == chosen,
        )
        for value, said in choices
    ]
    if len(options) <= 1:  # nothing to choose from
        return NOTHING
    is_set = chosen not in ("", str(Sort.BEST))
    select = element(
        "select",
        options,
        name=name,
        id=f"filter-{name}",
        form="ask",
        class_="set" if is_set else None,
    )
    return element("label", label, select)
