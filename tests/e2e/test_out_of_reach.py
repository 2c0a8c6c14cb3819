"""Hosts that can never be visited: they get no page numbers, and are counted apart."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from tests.e2e.support.site import Site, html
from trapline.app.crawl.run_crawl import summary_of
from trapline.app.crawl.run_until import crawl_until, warm_up
from trapline.app.engine.build import open_engine
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.orders.host_orders import HostWishes, order_host
from trapline.app.folder.orders.order_file import VISIT, give_order
from trapline.app.folder.page_reasons import reasons_for
from trapline.app.folder.schedule.hosts_of import hosts_of
from trapline.app.folder.status import Status, status_of
from trapline.app.printing.status import print_status
from trapline.app.settings import settings_from
from trapline.core.cards import FRINGE, UNLOCATED
from trapline.core.errors import UrlUnknown

OFF_MACHINE = "198.51.100.7"  # an address for documents: nobody is there


class Names(AbstractResolver):
    """Knows some names; the others lead nowhere."""

    def __init__(self, places: dict[str, str]) -> None:
        self.places = places

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        if host.startswith("slow"):
            await asyncio.sleep(3600.0)
        if host not in self.places:
            raise OSError("no such name")
        place = self.places[host]
        family = socket.AF_INET
        return [
            ResolveResult(
                hostname=host, host=place, port=port, family=family, proto=0, flags=0
            )
        ]

    async def close(self) -> None:
        pass


def crawl(
    folder: Path,
    site: Site,
    names: Names,
    contact: str = "",
    scope: tuple[str, ...] = ("127.0.0.1", ".test", ".example", "10.0.0.1"),
    visits: int | None = None,
    **manners: object,
) -> dict[str, Any]:
    """Until the fringe is empty, and everybody has been looked for; the summary."""
    warm_up("auto", True)
    table = {"own": {site.host: 0.0}, "contact": contact, **manners}
    raw: dict[str, object] = {
        "seeds": [site.url()],
        "manners": table,
        "scope": {"hosts": list(scope)},
    }
    engine = open_engine(folder, settings_from("test", raw), resolver=names)

    def look() -> None:
        agenda = engine.controller.agenda
        located = agenda.hosts["state"][: engine.controller.hosts()] != UNLOCATED
        read = len(site.visits("/")) > before
        if read and located.all() and not agenda.count(FRINGE):
            engine.stop()

    before = len(site.visits("/"))
    try:
        asyncio.run(crawl_until(engine, seconds=60.0, visits=visits, show=look))
        return summary_of(engine, folder)
    finally:
        engine.close()


def status(folder: Path) -> Status:
    store = open_for_reading(folder)
    try:
        return status_of(folder, store)
    finally:
        store.close()


def test_without_a_contact_links_off_this_machine_get_no_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "engine"
    with Site({}) as site:
        port = site.host.partition(":")[2]
        far = [f"http://far{i}.test/{page}" for i in range(20) for page in "ab"]
        lost = [f"http://lost{i}.test/" for i in range(4)]
        lost.append("http://slow.test/")
        near = f"http://near.test:{port}/there"
        elsewhere = ["http://elsewhere.net/", "http://10.0.0.1/"]
        site.pages |= {
            "/": html("Here", "the first page", *far, *lost, *elsewhere, near),
            "/there": html("There", "quite another page", "http://far0.test/c"),
        }
        names = Names({f"far{i}.test": OFF_MACHINE for i in range(20)})
        names.places["near.test"] = "127.0.0.1"
        found = crawl(folder, site, names, listed=[f"near.test:{port}"])
        assert site.visits("/there")[0] == 200, "a name on this machine is visited"
    assert found["pages_known"] == 2
    assert found["fringe"] == 0
    assert found["out_of_reach"] == {
        "hosts": {"no contact": 21, "name not found": 5, "out of scope": 1},
        "links": {"no contact": 42, "name not found": 5, "out of scope": 1},
        "numbered": {"hosts": 0, "pages": 0},
    }
    now = status(folder)
    assert (now.hosts, now.pages_known, now.pages_held) == (2, 2, 2)
    print_status(folder, as_json=False)
    said = " ".join(capsys.readouterr().out.split())
    assert "21 hosts without a contact (give --contact)" in said
    for url, why in (("http://far0.test/a", "contact"), (elsewhere[0], "out of scope")):
        with pytest.raises(UrlUnknown, match=f"{why}.*out of reach"):
            reasons_for(folder, url)


def test_a_host_found_on_a_private_address_leaves_the_fringe(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    with Site({}) as site:
        inside = [f"http://inside.test/{i}" for i in range(7)]
        site.pages |= {"/": html("Here", "the first page", *inside)}
        names = Names({"inside.test": "10.1.2.3"})
        found = crawl(folder, site, names, contact="me@lab.org")
        assert (found["pages_known"], found["fringe"]) == (1, 0)
        assert status(folder).hosts == 1
        # what is met again on it gets no number, in the next run too
        site.pages["/"] = html("Here", "a new page", *inside, "http://inside.test/9")
        again = crawl(folder, site, names, contact="me@lab.org")
    assert (again["pages_known"], again["fringe"]) == (1, 0)
    assert again["out_of_reach"]["hosts"] == {"private address": 1}


def test_one_host_says_why_it_is_not_visited(tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    with Site({}) as site:
        site.pages |= {"/": html("Here", "the first page", "http://inside.test/1")}
        crawl(folder, site, Names({"inside.test": "10.1.2.3"}), contact="me@lab.org")
    [facts] = order_host(folder, "inside.test", HostWishes())
    assert facts.out_of_reach == "private address"
    assert str(facts).endswith("out of reach (private address)")
    states = {line.host: line.state for line in hosts_of(folder, most=9)}
    assert states["inside.test:80"] == "out of reach (private address)"


def test_with_a_contact_later_they_are_found_again(tmp_path: Path) -> None:
    """What the summary advises works, also where pages answer 304."""
    folder = tmp_path / "engine"
    with Site({}) as site:
        port = site.host.partition(":")[2]
        far = f"http://far.test:{port}/there"
        site.pages |= {
            "/": html("Here", "the first page", far),
            "/there": html("There", "quite another page"),
        }
        names = Names({"far.test": OFF_MACHINE})
        first = crawl(folder, site, names)
        assert first["pages_known"] == 1
        # stands for a host off this machine, which no test may contact
        names.places["far.test"] = "127.0.0.1"
        give_order(folder, VISIT, site.url())
        before = len(site.visits("/"))
        listed = [f"far.test:{port}"]
        second = crawl(folder, site, names, contact="me@lab.org", listed=listed)
        assert site.visits("/")[before] == 200, "read again in full"
        assert site.visits("/there")[0] == 200
    assert (second["pages_known"], second["pages_held"]) == (2, 2)
    assert second["out_of_reach"]["hosts"] == {}


def test_a_narrower_scope_empties_the_fringe_and_a_wider_one_fills_it(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "engine"
    with Site({}) as site:
        port = site.host.partition(":")[2]
        other = [f"http://other.test:{port}/there/{i}" for i in range(3)]
        site.pages |= {"/": html("Here", "the first page", *other)}
        site.pages |= {f"/there/{i}": html("There", f"page {i}") for i in range(3)}
        names = Names({"other.test": "127.0.0.1"})

        def again(scope: tuple[str, ...], visits: int | None) -> tuple[Any, Any]:
            listed = [f"other.test:{port}"]
            found = crawl(
                folder, site, names, "me@lab.org", scope, visits, listed=listed
            )
            return found["pages_known"], found["fringe"]

        here = ("127.0.0.1",)
        assert again((*here, ".test"), visits=1) == (4, 3)
        assert again(here, visits=1) == (1, 0)
        assert not site.visits("/there/0")
        assert again((*here, ".test"), visits=None) == (4, 0)
        assert site.visits("/there/0")
