"""The directory, for people: which engines there are, what they know, and what was found wrong."""

from __future__ import annotations

from collections import Counter
from typing import Final

from trapline.app.directory.directory_api import findings_of
from trapline.app.directory.engine_entry import EngineEntry, State
from trapline.app.directory.gossip import PeerState
from trapline.app.directory.same_names import find_same_names
from trapline.app.web.pages.figures import section, table, tile, tiles
from trapline.app.web.pages.frame import Look, Site, error_page, frame, notice
from trapline.app.web.pages.markup import NOTHING, Html, element, join
from trapline.app.web.pages.wording import say_share, time_element
from trapline.oasis.description import fingerprint_of
from trapline.policies.wording import say_count

SITE: Final = Site(
    (("/", "Engines"),),
    "Kept in this folder, on this machine.",
    (("/directory/engines", "Engines (JSON)"), ("/directory/peers", "Peers (JSON)")),
    is_searched=False,
)
_LEAD: Final = (
    "Engines that have joined this directory. Each was called back at its address and has signed "
    "what it says of itself."
)
_SHOWN: Final = 500
_TOPIC: Final = 160  # letters
_ORDER: Final = {
    State.ALIVE: 0,
    State.SILENT: 1,
    State.LEFT: 2,
    State.REFUSED: 3,
}


def directory_page(
    entries: list[EngineEntry], peers: list[PeerState], version: str, now_s: float
) -> Html:
    return frame(
        Look("Directory", path="/", site=SITE),
        element("h1", "Directory"),
        element("p", _LEAD, class_="note"),
        _figures(entries, version),
        _engines(entries, now_s) if entries else _nobody(),
        _peers(peers) if peers else NOTHING,
    )


def directory_error(status: int, problem: str) -> str:
    return error_page(status, problem, SITE)


def _figures(entries: list[EngineEntry], version: str) -> Html:
    states = Counter(entry.state for entry in entries)
    pages = sum(
        entry.description.description.pages
        for entry in entries
        if entry.state is State.ALIVE and entry.description and not entry.findings
    )
    others = ", ".join(
        f"{states[state]:,} {state}" for state in _ORDER if state is not State.ALIVE
    )
    table_name = element("code", version) if version else "none yet"
    return tiles(
        tile("Engines alive", f"{states[State.ALIVE]:,}", others),
        tile("Pages", f"{pages:,}", "as engines alive say; some may be held by two"),
        tile("Shared table", table_name, "version of the sum of their statistics"),
    )


def _nobody() -> Html:
    return notice(
        "No engine has joined yet",
        element("p", "Let one join, from its folder:"),
        element("pre", element("code", "trapline engines join DIR URL-OF-THIS-PAGE")),
    )


def _engines(entries: list[EngineEntry], now_s: float) -> Html:
    names = find_same_names(
        (entry.key, entry.statement.statement.name)
        for entry in entries
        if entry.state in (State.ALIVE, State.SILENT)
    )
    shown = sorted(entries, key=lambda one: (_ORDER[one.state], one.number))[:_SHOWN]
    head = ("Engine", "Pages", "Fresh", "State", "Heard")
    rows = [_row(entry, names, now_s) for entry in shown]
    left_out = len(entries) - len(shown)
    more = f"{say_count(left_out, 'engine')} more are not shown." if left_out else ""
    return section(
        "Engines",
        table(
            "Engines",
            head,
            rows,
            words=(0, 3, 4),
        ),
        element("p", more, class_="note") if more else NOTHING,
    )


def _row(
    entry: EngineEntry, same_names: frozenset[str], now_s: float
) -> tuple[Html, ...]:
    found = entry.description.description if entry.description else None
    findings = findings_of(entry, same_names)
    return (
        _name(entry, found.topic if found else "", findings),
        element("span", f"{found.pages:,}" if found else "–"),
        element("span", say_share(found.fresh) if found else "–"),
        _state(entry, now_s),
        time_element(entry.seen_s, now_s),
    )


def _name(entry: EngineEntry, topic: str, findings: list[str]) -> Html:
    statement = entry.statement.statement
    cut = topic if len(topic) <= _TOPIC else f"{topic[:_TOPIC]}…"
    url = statement.url
    return join(
        element("bdi", statement.name),
        element("span", f"·{fingerprint_of(entry.key)}", class_="soft"),
        _below(cut) if cut else NOTHING,
        _below(
            element(
                "a",
                url,
                href=url,
                rel="noreferrer nofollow",
            )
        ),
        [_below(f"Found: {finding}") for finding in findings],
    )


def _below(text: str) -> Html:
    """On a line of its own."""
    return element("div", element("bdi", text), class_="soft")


def _state(entry: EngineEntry, now_s: float) -> Html:
    said = join(entry.state, ", ", time_element(entry.since_s, now_s))
    reason = f": {entry.reason}" if entry.reason else ""
    return element("span", said, reason)


def _peers(peers: list[PeerState]) -> Html:
    rows = [
        (
            element("bdi", peer.url),
            element("span", peer.reason or "answers"),
            element("span", f"{peer.heard:,}"),
        )
        for peer in peers
    ]
    head = ("Directory", "State", "News")
    return section(
        "Other directories",
        table(
            "Peers",
            head,
            rows,
            words=(0, 1),
        ),
    )
