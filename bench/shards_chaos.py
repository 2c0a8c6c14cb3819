"""Does anything get lost, doubled or hurried when workers of a crawl in shards are killed, stopped
beyond their lease, and cut off from a PostgreSQL that restarts? `--faults N`, `--seed S`.

Four workers run 16 shards of a living web of 64 hosts on 24 addresses, with less budget than its
pages want. What must hold is judged by the web's own log, the ledger and the stores
(tests.e2e.support.shard_*.py say how). Exit code 1 if anything does not.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.e2e.support.shard_chaos import FAULTS, GAP_S, Chaos, Fault
from tests.e2e.support.shard_judge import ShardJudge
from tests.e2e.support.shard_web import ShardWeb
from tests.postgres_server import fresh_address
from trapline.app.crawl.run_until import warm_up
from trapline.core.ledger import LEASE_S

WINDOW_S: Final = 60.0  # in any stretch of it the budget must hold
BACK_S: Final = LEASE_S + 5.0  # until the shards of a victim have another owner


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hosts", type=int, default=64)
    parser.add_argument("--pages", type=int, default=8, help="of each host")
    parser.add_argument("--budget", type=float, default=8.0, help="visits a second")
    parser.add_argument(
        "--minutes", type=float, default=60.0, help="at most, of faults"
    )
    parser.add_argument("--log", type=Path, help="keep what the workers said in a file")
    wishes = parser.parse_args()
    chance = Random(wishes.seed)
    warm_up("auto", True, "auto")  # else all workers translate the same code at once
    with (
        ShardWeb(wishes.hosts, 24, wishes.pages) as web,
        tempfile.TemporaryDirectory() as folder,
    ):
        chaos = Chaos(web, Path(folder), fresh_address(), budget_per_s=wishes.budget)
        chaos.begin()
        try:
            chaos.wait_for(chaos.is_owned)
            print("all shards have an owner", flush=True)
            do_harm(chaos, chance, wishes.faults, 60.0 * wishes.minutes)
            whole = chaos.wait_for(chaos.is_held)
            owned = chaos.wait_for(chaos.is_owned)
            codes = chaos.end(kept=2)
            print(f"all held: {whole}, all owned: {owned}, codes at the end: {codes}")
            sound = print_judgement(chaos, chaos.judge())
            if wishes.log:
                wishes.log.write_text(chaos.log)
            if not (sound and whole and owned and codes == [0, 0]):
                sys.exit(1)
        finally:
            chaos.close()


def do_harm(chaos: Chaos, chance: Random, faults: int, most_s: float) -> None:
    began_s = time.monotonic()
    for number in range(faults):
        time.sleep(chance.uniform(1.0, 4.0))
        fault = chaos.harm(chance.choice(FAULTS), chance)
        at = f"{fault.at_s - began_s:.0f} s"
        print(f"{number + 1}: {at} {fault.kind} {sorted(fault.lost)}", flush=True)
        if time.monotonic() - began_s > most_s:
            print(f"no more time: {number + 1} faults of {faults}")
            break


def print_judgement(chaos: Chaos, judge: ShardJudge) -> bool:
    found = [
        print_owners(chaos),
        print_visits(chaos),
        print_stores(chaos, judge),
    ]
    return all(found)


def print_owners(chaos: Chaos) -> bool:
    """How soon shards were back, and whether those who woke were refused."""
    kinds = dict(Counter(fault.kind for fault in chaos.faults))
    print(f"faults {kinds}, workers that died by themselves {chaos.died}")
    hit = [fault for fault in chaos.faults if fault.lost]
    back = {id(fault): chaos.back_s(fault) for fault in hit}
    away = [fault for fault in hit if is_cut_off(chaos, fault)]
    alone = [fault for fault in hit if fault not in away]
    for name, some in (("with PostgreSQL there", alone), ("while it was away", away)):
        times = sorted(back[id(fault)] or float("inf") for fault in some)
        print(f"shards back after, {name}: {[round(at_s, 1) for at_s in times]}")
    late = [fault for fault in alone if (back[id(fault)] or 1e9) > BACK_S]
    woken = [fault for fault in hit if fault.kind == "stop" and back[id(fault)]]
    fenced = sum(map(chaos.is_fenced, woken))
    print(f"later than {BACK_S:.0f} s: {len(late)}")
    for fault in late:
        print(f"  {fault.kind} of {fault.lost}: {back[id(fault)]}")
    print(f"stopped owners that woke: {len(woken)}, of which were Fenced: {fenced}")
    return not late and fenced == len(woken)


def is_cut_off(chaos: Chaos, fault: Fault) -> bool:
    """Whether PostgreSQL was restarted while the victim's lease ran out."""
    until_s = fault.at_s + BACK_S
    return any(
        other.kind == "restart"
        and other.ended_s > fault.at_s - LEASE_S
        and other.at_s < until_s
        for other in chaos.faults
    )


def print_visits(chaos: Chaos) -> bool:
    web = chaos.web
    hurried = web.hurried(GAP_S)
    most = web.busiest(WINDOW_S)
    bursts = chaos.shards  # one visit each
    allowed = WINDOW_S * chaos.budget_per_s + bursts
    print(f"visits {len(web.visits())}; hosts or addresses hurried: {len(hurried)}")
    print(hurried[:5])
    print(f"most visits in {WINDOW_S:.0f} s: {most}, allowed {allowed:.0f}")
    return not hurried and most <= allowed


def print_stores(chaos: Chaos, judge: ShardJudge) -> bool:
    held = judge.pages_held()
    lost = chaos.web.all_urls() - set(held)
    twice = [url for url, count in held.items() if count > 1]
    holes = judge.journal_holes()
    noted = judge.visits() - Counter(chaos.web.served)
    diverged = judge.diverged()
    before = chaos.log.count("led to")
    print(f"pages lost: {len(lost)}, held by two shards: {len(twice)}")
    print(f"journal holes: {len(holes)}, visits noted and never made: {noted.total()}")
    print(f"replays that diverged: {before} in workers, {len(diverged)} at the end")
    return not (lost or twice or holes or noted or diverged or before)


if __name__ == "__main__":
    main()
