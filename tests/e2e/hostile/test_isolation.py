"""One bad host never hurts the others: rules that take long to ask, redirects that lead elsewhere,
neighbours on one address.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.e2e.hostile.counted_web import NOT_THERE, Counted
from tests.e2e.hostile.hostile_server import GOOD, Host, HostileWeb, whole
from tests.e2e.hostile.place_cases import moved
from tests.e2e.hostile.test_hostile import run_robot

XML = b"Content-Type: application/xml\r\n"
TEXT = b"Content-Type: text/plain\r\n"


def visit_all(
    folder: Path,
    seeds: list[str],
    gaps_s: dict[str, float],
    *,
    seconds: float,
    wanted: list[str] | None = None,
    fetchers: int = 8,
    refresh: str = "nutch-adaptive",
) -> Any:
    """What the robot did; it ends when all that is wanted was visited."""
    orders = {
        "folder": str(folder / "engine"),
        "settings": {
            "seeds": seeds,
            "budget": {"visits": "unlimited"},
            "discovery": {"policy": "breadth-first"},
            "refresh": {"policy": refresh},
            "manners": {"own": gaps_s, "contact": "test@example.org"},
            "fetchers": {"policy": "fixed", "most": fetchers, "queue_room": 8},
        },
        "limits": {"total_s": 20.0},
        "names": {},
        "wanted": ["nobody"] if wanted is None else wanted,
        "seconds": seconds,
    }
    return run_robot(orders, folder / "authority.pem")


def page(title: str, links: list[str] | None = None) -> bytes:
    anchors = "".join(f'<a href="{link}">{link}</a>' for link in links or [])
    return whole(f"<title>{title}</title><p>{title} {anchors}".encode())


def sitemap(urls: list[str]) -> bytes:
    listed = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return whole(f"<urlset>{listed}</urlset>".encode(), XML)


def heavy_rules() -> dict[str, bytes]:
    """20,000 rules with wildcards, and a sitemap of 20,000 pages that are forbidden."""
    chance = Random(1)
    rules = "".join(
        f"Disallow: /*{chance.randrange(10**6)}*x{chance.randrange(10**6)}\n"
        for _ in range(20_000)
    )
    robots = whole(f"User-agent: *\nDisallow: /no\n{rules}".encode(), TEXT)
    forbidden = [f"/no/{'ab' * 40}/{number}" for number in range(20_000)]
    return {"/robots.txt": robots, "/map.xml": sitemap(forbidden)}


def test_rules_that_take_long_do_not_hold_up_others(tmp_path: Path) -> None:
    with HostileWeb() as web:
        bad = Counted()
        heavy = bad.host(web, {**heavy_rules(), "/last": page("the last")})
        good = Counted()
        pages = {f"/{number}": page(f"number {number}") for number in range(60)}
        quick = good.host(web, {"/": page("start", list(pages)), **pages})
        said = visit_all(
            tmp_path,
            [f"http://{heavy.name}/map.xml", f"http://{quick.name}/"],
            {heavy.name: 0.1, quick.name: 0.1},
            seconds=60.0,
            wanted=[f"http://{quick.name}/{number}" for number in range(60)],
        )
    assert len(good.visits) >= 62
    assert not [path for path in bad.paths() if path.startswith("/no")]
    # of processor: fifteen times what is aimed at (bench/worst_step.py), for slow machines
    assert said["worst_steps"][0][0] < 300.0, said["worst_steps"][:3]


def test_hosts_that_redirect_robots_txt_to_a_victim_do_not_hurry_it(
    tmp_path: Path,
) -> None:
    with HostileWeb() as web:
        victim = Counted()
        target = victim.host(web, {"/some.txt": NOT_THERE})
        attackers = [
            web.open(
                {
                    "/robots.txt": moved(f"http://{target.name}/{path}".encode()),
                    "/0": page("zero"),
                }
            )
            for path in ["robots.txt", "some.txt"] * 12
        ]
        said = visit_all(
            tmp_path,
            [f"http://{host.name}/0" for host in attackers],
            {host.name: 0.05 for host in attackers} | {target.name: 0.5},
            seconds=60.0,
            wanted=[f"http://{host.name}/0" for host in attackers],
            fetchers=30,
        )
    victim.check(0.5)
    # what was read there is kept for all of them; its rules were asked for before /some.txt
    asked = ["/robots.txt", "/robots.txt", "/some.txt"]
    assert sorted(victim.paths()) == asked
    visited = {visit["url"] for visit in said["visits"] if not visit["robots"]}
    assert {f"http://{host.name}/0" for host in attackers} <= visited


def test_a_robots_txt_elsewhere_counts(tmp_path: Path) -> None:
    """Its rules hold for the host that redirects to it; where the other host forbids to read it,
    nothing is visited.
    """
    rules = whole(b"User-agent: *\nDisallow: /secret", TEXT)
    with HostileWeb() as web:
        library = web.open(
            {
                "/robots.txt": whole(b"User-agent: *\nDisallow: /closed", TEXT),
                "/shared.txt": rules,
                "/closed.txt": rules,
            }
        )
        hosts = [
            web.open(
                {
                    "/robots.txt": moved(location.format(library.name).encode()),
                    "/here.txt": rules,
                    "/open": page("open"),
                    "/secret": page("secret"),
                }
            )
            for location in (
                "http://{}/shared.txt",
                "/here.txt",
                "http://{}/closed.txt",
                "/robots.txt",
            )
        ]
        visit_all(
            tmp_path,
            [f"http://{host.name}{path}" for host in hosts for path in WALKED],
            {host.name: 0.05 for host in [*hosts, library]},
            seconds=45.0,
            wanted=[f"http://{host.name}/open" for host in hosts[:2]]
            + [host.name for host in hosts],
        )
    assert [set(host.asked) & set(WALKED) for host in hosts] == [
        {"/open"},
        {"/open"},
        set(),
        set(),
    ]
    assert "/closed.txt" not in library.asked


WALKED = ("/open", "/secret")


@pytest.mark.parametrize("seed", range(3))
def test_one_visit_at_a_time_with_redirects_of_all_kinds(
    tmp_path: Path, seed: int
) -> None:
    """robots.txt, pages and sitemaps that lead to each other, on hosts of three addresses."""
    chance = Random(seed)
    gap_s = 0.15
    with HostileWeb() as web:
        places = [Counted() for _ in range(3)]
        hosts: list[Host] = []
        for number in range(6):
            where = f"127.8.{seed}.{number % 3 + 1}"
            hosts.append(places[number % 3].host(web, {}, where))
        for number, host in enumerate(hosts):
            counted = places[number % 3]
            for path in ("/robots.txt", "/0", "/1", "/2", "/map.xml"):
                content = _content(chance, path, [other.name for other in hosts])
                host.replies[path] = counted.reply(path, content)
        visit_all(
            tmp_path,
            [f"http://{host.name}/{n}" for host in hosts for n in range(3)],
            {host.name: gap_s for host in hosts},
            seconds=12.0,
        )
    assert sum(len(place.visits) for place in places) > 10
    for place in places:
        place.check(gap_s)


def _content(chance: Random, path: str, names: list[str]) -> bytes:
    def somewhere() -> str:
        paths = ("/robots.txt", "/0", "/1", "/2", "/map.xml", "/lost")
        return f"http://{chance.choice(names)}{chance.choice(paths)}"

    if chance.random() < 0.5:
        status = chance.choice([b"301 Moved", b"302 Found", b"307 Over", b"308 There"])
        return moved(somewhere().encode(), status)
    if path == "/robots.txt":
        named = "".join(f"Sitemap: {somewhere()}\n" for _ in range(3))
        return whole(f"User-agent: *\nDisallow: /2\n{named}".encode(), TEXT)
    if path == "/map.xml":
        return sitemap([somewhere() for _ in range(5)])
    return whole(GOOD + page("more", [somewhere() for _ in range(4)]))


def test_a_neighbour_that_asks_for_patience_gets_its_turns(tmp_path: Path) -> None:
    """On one address, a host with a long Crawl-delay beside quick ones."""
    with HostileWeb() as web:
        place = Counted()
        address = "127.9.0.1"
        many = {f"/{number}": page(f"number {number}") for number in range(200)}
        quick = [
            place.host(web, {"/": page("start", list(many)), **many}, address)
            for _ in range(2)
        ]
        patient = whole(b"User-agent: *\nCrawl-delay: 2", TEXT)
        slow_pages = {f"/slow{n}": page(f"slow {n}") for n in range(3)}
        slow = place.host(web, {"/robots.txt": patient, **slow_pages}, address)
        seeds = [f"http://{host.name}/" for host in quick]
        wanted = [f"http://{slow.name}{path}" for path in slow_pages]
        gaps_s = {host.name: 0.05 for host in [*quick, slow]}
        visit_all(tmp_path, [*seeds, *wanted], gaps_s, seconds=60.0, wanted=wanted)
    place.check(0.05)
    visits = sorted(place.visits)
    slowly = [visit for visit in visits if visit[2].startswith("/slow")]
    assert len(slowly) >= 3
    for one, other in pairwise(slowly):
        assert other[0] - one[1] >= 2.0 - 0.01
    # meanwhile the others went on
    assert len(visits) - len(slowly) > 20
