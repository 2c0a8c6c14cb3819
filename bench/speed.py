"""How fast is the complete robot? Beside Scrapy, Crawlee and a bare loop, in one run.

`--only` for a part.

    python bench/speed.py                        the web box if it was built (--box), else a site
                                                 written for the bench
    python bench/speed.py --site FOLDER          any folder with HTML pages, from its index.html
    python bench/speed.py --most 1500            at most so many pages of each site (breadth first)
    python bench/speed.py --rounds 5             medians of so many runs of each, in turn (3)

How to read the tables
    crawl   every page of a site, from loopback, each crawler in a process of its own. CPU-s are
    seconds of processor
            (user and system, with children) for 1,000 pages, from the first request until
            everything is stored and indexed; starting up (imports, kernels) is told apart. trapline
            does all that `trapline crawl` does, one visit at a time; the others keep 16 requests
            under way and store nothing; the floor only finds links and text. MB are the largest sum
            of a crawler and its children while it ran, start-up included, seen five times a second;
            what several processes share is shared out among them (PSS, see speed_memory.py;
            elsewhere than on Linux the resident set of the crawler alone). Medians of several
            rounds, because machines have moods.
    hosts   see speed_hosts.py
Scrapy and Crawlee come with `pip install 'trapline[bench]'`; --rivals names the Python of another
environment that has them. The exit code is always 0: a bench informs, tests judge.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from statistics import median_low
from typing import Final

from speed_memory import watched  # type: ignore[import-not-found]
from speed_sites import Site, box_site, served, written_site  # type: ignore[import-not-found]

HERE: Final = Path(__file__).parent
BOX_HOSTS: Final = ("postgresql.test", "linux.test")
# and what must be importable
RIVALS: Final = {"scrapy": "scrapy", "crawlee": "crawlee.crawlers"}
ALL: Final = 10**9
MANY_HOSTS = 10_000
PRETEND_S = 10
REAL_HOSTS = 200
REAL_PAGES = 40


@dataclass(frozen=True, slots=True)
class Run:
    name: str
    pages: int
    cpu_s: float  # for 1,000 pages
    start_s: float  # of processor, before the first request
    per_s: float
    memory_mb: float

    def __str__(self) -> str:
        return (
            f"{self.name:<10} {self.pages:>6,} {self.cpu_s:>12.2f} {self.per_s:>9,.0f} "
            f"{self.memory_mb:>8,.0f} "
            f"{self.start_s:>9.1f}"
        )


def measured(python: str, script: str, *words: str) -> tuple[dict[str, float], float]:
    """What a script told about itself, and the most memory that it and its children had, in MB."""
    process = subprocess.Popen(
        [python, str(HERE / script), *words], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    with watched(process.pid) as memory_mb:
        told = process.stdout.read().splitlines()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode or not told:
        raise SystemExit(
            f"{script} {words[0]} came to nothing (exit code {process.returncode})"
        )
    return json.loads(told[-1]), max(memory_mb) or used.ru_maxrss / 1024


def crawlers(rivals: str) -> Iterator[tuple[str, str]]:
    """(name, Python that runs it)"""
    for name, module in RIVALS.items():
        if subprocess.run(
            [rivals, "-c", f"import {module}"], capture_output=True, check=False
        ).returncode:
            print(
                f"{name} is not there: pip install 'trapline[bench]', or --rivals PYTHON of "
                "an environment with it"
            )
        else:
            yield name, rivals
    yield "floor", sys.executable
    yield "trapline", sys.executable


def crawl(
    site: Site, most: int, runs: list[tuple[str, str]], rounds: int
) -> dict[str, Run]:
    found: dict[str, list[Run]] = {name: [] for name, _ in runs}
    with served(site.folder) as at:
        for _ in range(rounds):
            for name, python in runs:
                told, memory_mb = measured(
                    python,
                    "speed_crawlers.py",
                    name,
                    f"http://{at}{site.start}",
                    str(most),
                )
                pages = int(told["pages"])
                cost_s = 1e3 * told["cpu_s"] / pages
                per_s = pages / told["wall_s"]
                found[name].append(
                    Run(name, pages, cost_s, told["start_s"], per_s, memory_mb)
                )
    print(
        f"\n{site.name}\n{'':<10} {'pages':>6} {'CPU-s/1,000':>12} {'pages/s':>9} {'MB':>8} "
        f"{'start-up':>9}"
    )
    middle = {name: middle_of(some) for name, some in found.items()}
    print(*middle.values(), sep="\n", flush=True)
    return middle


def middle_of(runs: list[Run]) -> Run:
    """The median of every figure."""
    name, *rows = zip(*map(astuple, runs), strict=True)
    return Run(name[0], *(median_low(row) for row in rows))


def verdicts(found: dict[str, Run]) -> Iterator[str]:
    ours = found["trapline"]
    floor = found["floor"]
    if "scrapy" in found:
        scrapy = found["scrapy"]
        yield _line("CPU, as a share of Scrapy's", ours.cpu_s / scrapy.cpu_s, 0.5, "≤")
        yield _line("pages/s, in Scrapy's", ours.per_s / scrapy.per_s, 3.0, "≥")
    if "crawlee" in found:
        yield _line(
            "CPU, as a share of Crawlee's",
            ours.cpu_s / found["crawlee"].cpu_s,
            1.0,
            "≤",
        )
    yield _line("memory, MB", ours.memory_mb, 300.0, "≤")
    yield _line("moonshot: CPU, in floors", ours.cpu_s / floor.cpu_s, 2.0, "≤")


def pretend_hosts() -> Iterator[str]:
    told, _ = measured(
        sys.executable, "speed_hosts.py", "pretend", str(MANY_HOSTS), str(PRETEND_S)
    )
    print(
        f"\n{MANY_HOSTS:,} hosts, 1 s gap each, pretend fetcher: {told['cpu_us']:.0f} µs of "
        "processor a visit"
    )
    print(f"mean lag of visits in each second, ms: {told['lag_ms']}")
    yield _line(
        "visits a second of pretend time", told["per_s"], 0.95 * MANY_HOSTS, "≥"
    )


def real_hosts(rounds: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="trapline-speed-") as home:
        folder = Path(home)
        folder.chmod(0o755)
        (folder / "index.html").write_text("<title>Small</title>" + "word " * 200)
        with served(folder) as at:
            port = at.rpartition(":")[2]
            origins = [
                f"http://127.0.{1 + host // 250}.{1 + host % 250}:{port}"
                for host in range(REAL_HOSTS)
            ]
            words = (str(REAL_PAGES), *origins)
            names = ("bare", "robot") * rounds
            told = [
                measured(sys.executable, "speed_hosts.py", name, *words)[0]
                for name in names
            ]
    print(
        f"\n{REAL_HOSTS} hosts over real HTTP, no gap, {REAL_HOSTS * REAL_PAGES:,} small pages"
    )
    per_s = [median_low(one["per_s"] for one in told[which::2]) for which in (0, 1)]
    cpu_us = [median_low(one["cpu_us"] for one in told[which::2]) for which in (0, 1)]
    for which, name in enumerate(("bare loop", "robot's loop")):
        print(
            f"{name:<12} {per_s[which]:>7,.0f} visits/s {cpu_us[which]:>6.0f} µs of processor "
            "a visit"
        )
    yield _line(
        "visits/s, as a share of the bare loop's", per_s[1] / per_s[0], 0.8, "≥"
    )


def _line(what: str, value: float, wanted: float, sign: str) -> str:
    reached = value >= wanted if sign == "≥" else value <= wanted
    return (
        f"  {what:<42} {value:>9,.2f}   {sign} {wanted:<8,g} "
        f"{'reached' if reached else 'below target'}"
    )


def sites_for(options: argparse.Namespace, written: Path) -> list[Site]:
    if options.site:
        return [
            Site(folder.name, folder.resolve(), "/index.html")
            for folder in options.site
        ]
    found = [site for host in BOX_HOSTS if (site := box_site(options.box, host))]
    if not found:
        print(f"There is no web box in {options.box}: a site is written for this run.")
    return found or [written_site(written)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--site",
        type=Path,
        action="append",
        help="a folder of HTML pages, with an index.html",
    )
    parser.add_argument(
        "--box", type=Path, default=Path("/tmp/wb"), help="where the web box was built"
    )
    parser.add_argument("--most", type=int, default=ALL, help="pages of each site")
    parser.add_argument(
        "--rounds",
        type=int,
        default=3,
        help="each crawler in turn, so many times; medians are told",
    )
    parser.add_argument(
        "--rivals",
        default=sys.executable,
        help="the Python that has Scrapy and Crawlee",
    )
    parser.add_argument("--only", choices=("crawl", "pretend", "hosts"))
    options = parser.parse_args()
    if options.only in (None, "crawl"):
        runs = list(crawlers(options.rivals))
        with tempfile.TemporaryDirectory(prefix="trapline-speed-") as written:
            Path(written).chmod(0o755)
            for site in sites_for(options, Path(written)):
                print(
                    *verdicts(crawl(site, options.most, runs, options.rounds)),
                    sep="\n",
                    flush=True,
                )
    if options.only in (None, "pretend"):
        print(*pretend_hosts(), sep="\n", flush=True)
    if options.only in (None, "hosts"):
        print(*real_hosts(options.rounds), sep="\n", flush=True)


if __name__ == "__main__":
    main()
