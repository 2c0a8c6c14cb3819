"""What `host` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.app.folder.orders.host_orders import HostFacts
from trapline.app.output.standard_output import print_json
from trapline.app.printing.fact_table import RowTable, print_table
from trapline.policies.wording import say_span

if TYPE_CHECKING:
    from trapline.app.folder.dashboard_figures import HostLine

_COLUMNS = ("host", "held", "known", "visits", "errors", "gap", "state")


def print_host_facts(facts: list[HostFacts], as_json: bool) -> None:
    if as_json:
        print_json([one.as_dict() for one in facts])
    else:
        print("\n".join(map(str, facts)))


def print_host_lines(lines: list[HostLine], as_json: bool) -> None:
    if as_json:
        print_json([line.as_dict() for line in lines])
    elif not lines:
        print("no host is known yet, or the robot has not saved its schedule")
    else:
        print_table(RowTable("", _COLUMNS, map(_row, lines)))


def _row(line: HostLine) -> tuple[str, ...]:
    return (
        line.host,
        f"{line.pages_held:,}",
        f"{line.pages_known:,}",
        f"{line.visits:,}",
        f"{line.errors:,}",
        say_span(line.gap_s),
        line.state,
    )
