"""The laboratory: what papers print beside what we find, and how to run it again."""

from __future__ import annotations

from functools import cache
from typing import Final

from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.figures import table
from trapline.app.web.pages.frame import Look, frame
from trapline.app.web.pages.markup import Html, element, join
from trapline.app.web.pages.paper_tables import report_table, table_id
from trapline.laboratory.results.shipped import SHIPPED, load_shipped
from trapline.laboratory.study.registry import list_experiments
from trapline.laboratory.study.report import Report

_LEAD: Final = (
    "Published results, computed again by the very policies and controllers that run live. "
    "A tick says that our number is the printed one to its last digit. Of two papers the pictures "
    "are lost: there their words are judged by our numbers."
)
_PAPERS: Final = {
    "whittle": "Avrachenkov & Borkar 2015: Whittle Index Policy for Crawling Ephemeral Content",
    "talim": "Talim, Liu, Nain & Coffman 1999: Controlling Robots of Web Search Engines",
    "lspe": "Avrachenkov & Borkar 2019: A learning algorithm for the Whittle index policy",
    "htraa": (
        "Granmo & Oommen: Learning Automata-based Solutions to the Optimal Web Polling "
        "Problem"
    ),
    "omeara": "O'Meara & Patel: A Topic-Specific Web Robot Model Based on Restless Bandits",
}


def laboratory_page(engine: Engine) -> Html:
    look = Look("Laboratory", path="/laboratory")
    return frame(look, _content(), engine=engine.light())


@cache
def _content() -> Html:
    """The tables ship with the package: they are the same until the next version."""
    return join(
        element("h1", "Laboratory"),
        element("p", _LEAD, class_="note"),
        [_paper(paper, title) for paper, title in _PAPERS.items()],
        _all_experiments(),
    )


def _paper(paper: str, title: str) -> Html:
    ids = [name for name in SHIPPED if name.startswith(f"{paper}/")]
    return element(
        "section",
        element("h2", title),
        [_experiment(load_shipped(name), name == SHIPPED[0]) for name in ids],
    )


def _experiment(report: Report, shown: bool) -> Html:
    """One table; the first stands open, so that everybody sees what is behind the others."""
    remarks = [element("li", remark) for remark in report.remarks]
    summary = element(
        "summary", element("b", report.id), " ", element("span", report.title)
    )
    return element(
        "details",
        summary,
        report_table(report),
        element("ul", remarks, class_="note"),
        element("p", "Run it again: ", _command(report.id)),
        class_="experiment",
        open=shown,
    )


def _command(name: str) -> Html:
    return element("code", f"trapline lab run {name}")


def _name(name: str) -> str | Html:
    """An experiment's id, which leads to its table if that is here."""
    if name not in SHIPPED:
        return name
    return element("a", name, href=f"#{table_id(name)}")


def _all_experiments() -> Html:
    rows = [(_name(one.id), one.title) for one in list_experiments()]
    said = element(
        "p",
        "Those with a link are above. Each runs with ",
        _command("ID"),
        ", which prints its table and draws its pictures.",
        class_="note",
    )
    return element(
        "section",
        element("h2", "All experiments"),
        said,
        table("All experiments", ("ID", "What it shows"), rows, words=(0, 1)),
    )
