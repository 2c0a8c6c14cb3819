"""Does anything get lost, doubled or hurried when workers of a crawl in shards are killed, stopped
beyond their lease, and cut off from a PostgreSQL that restarts? `--faults N`, `--seed S`.

Four workers run 16 shards of a living web of 64 hosts on 24 addresses. What must hold is judged by
the web's own log and by the tables (tests/e2e/support/shard_chaos.py says how). Exit code 1 if
anything does not.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.e2e.support.shard_chaos import GAP_S, Chaos
from tests.e2e.support.shard_web import ShardWeb
from tests.postgres_server import fresh_address


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hosts", type=int, default=64)
    parser.add_argument("--pages", type=int, default=8, help="of each host")
    wishes = parser.parse_args()
    chance = Random(wishes.seed)
    with (
        ShardWeb(wishes.hosts, 24, wishes.pages) as web,
        tempfile.TemporaryDirectory() as folder,
    ):
        chaos = Chaos(web, Path(folder), fresh_address(), seed=wishes.seed)
        chaos.begin()
        try:
            chaos.wait_until_owned(60.0)
            for number in range(wishes.faults):
                time.sleep(chance.uniform(1.0, 4.0))
                chaos.harm(chance)
                print(f"{number + 1}: {dict(chaos.faults)}", flush=True)
            back_s = chaos.wait_until_owned(60.0)
            whole = chaos.wait_until_held(300.0)
            codes = chaos.end()
            print_judgement(chaos, back_s, whole=whole, codes=codes)
        finally:
            chaos.close()


def print_judgement(
    chaos: Chaos, back_s: float, *, whole: bool, codes: list[int]
) -> None:
    web = chaos.web
    held = chaos.pages_held()
    hurried = web.hurried(GAP_S)
    twice = [url for url, count in held.items() if count > 1]
    lost = web.all_urls() - set(held)
    holes = chaos.journal_holes()
    most = web.busiest(60.0)
    allowed = 60.0 * chaos.budget_per_s + chaos.shards
    fenced = chaos.log.count("has another owner")
    print(f"visits {len(web.visits())}, faults {dict(chaos.faults)}, codes {codes}")
    print(f"hosts or addresses hurried: {len(hurried)} {hurried[:3]}")
    print(f"pages lost: {len(lost)}, held twice: {len(twice)}, all held: {whole}")
    print(f"journal holes: {len(holes)}, visits noted twice: {chaos.visits_twice()}")
    print(f"most visits in 60 s: {most}, allowed {allowed:.0f}")
    print(f"all shards owned again after {back_s:.1f} s; fenced {fenced} times")
    if hurried or twice or lost or holes or most > allowed or not fenced:
        print(chaos.log[-4000:])
        sys.exit(1)


if __name__ == "__main__":
    main()
