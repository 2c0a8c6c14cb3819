"""`python -m tests.e2e.support.shard_worker STORE DIR NAMES NAME`: a real worker, in whose world
names resolve as a file says.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.e2e.support.shard_web import Names
from trapline.app.shards.crawl_place import place_named
from trapline.app.shards.crew.worker_process import WorkerWishes, run_worker
from trapline.core.errors import TraplineError


def main() -> None:
    store, folder, names, name = sys.argv[1:]
    addresses = json.loads(Path(names).read_text())
    wishes = WorkerWishes(
        place_named(store, Path(folder)),
        name=name,
        readers=0,
        resolver=lambda: Names(addresses),
    )
    try:
        run_worker(wishes)
    except TraplineError as failure:
        print(f"worker {name}: {failure!r}", file=sys.stderr, flush=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
