"""Workers on a Ray cluster: one actor a worker, spread over the machines, started anew for ever.

Ray places, starts and restarts. It may start a worker twice (when a machine hangs, the old actor
runs on beside the new one): ownership is the ledger's, so no host is hurried. Whoever reaches a Ray
cluster without a token can run code in it, so one without token authentication is refused.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from trapline.app.settings import Settings
from trapline.app.shards.crawl_place import CrawlPlace
from trapline.app.shards.supervisor import WorkersFail
from trapline.app.shards.worker_process import settings_text
from trapline.core.errors import ExtraMissing, RayUnsafe, StoreUnusable
from trapline.core.ledger import Ledger

LOCAL: Final = "local"
END_S: Final = 60.0  # for a worker to save all
ASK_EVERY_S: Final = 5.0  # how workers are
_PROBE_S: Final = 60.0
# succeeds where a cluster lets in who has no token
_PROBE: Final = (
    "import sys, ray; ray.init(address=sys.argv[1], log_to_driver=False, "
    "logging_level='CRITICAL')"
)


class RayWorkers:
    """As `Supervisor`, on Ray."""

    def __init__(
        self,
        place: CrawlPlace,
        ledger: Ledger,
        settings: Settings,
        workers: int,
        address: str,
    ) -> None:
        self._asked_s = time.monotonic()
        self._ledger = ledger
        self._ray = start_ray(address, workers)
        actor = self._ray.remote(_Actor).options(
            max_restarts=-1,
            max_concurrency=4,  # it answers while it works
            scheduling_strategy="SPREAD",
            num_cpus=1,
        )
        said = (place.where, str(place.folder), settings_text(settings))
        password = os.environ.get("PGPASSWORD", "")
        self._actors = [actor.remote(*said, password) for _ in range(workers)]

    def look_after(self) -> None:
        """Ray starts anew what has died; what cannot work at all is told."""
        if time.monotonic() < self._asked_s + ASK_EVERY_S:
            return
        self._asked_s = time.monotonic()
        answers = [actor.failure.remote() for actor in self._actors]
        ready, _ = self._ray.wait(answers, num_returns=len(answers), timeout=1.0)
        for answer in ready:
            # an actor that has just died is started anew
            with suppress(self._ray.exceptions.RayError):
                if trouble := self._ray.get(answer):
                    raise WorkersFail(trouble)

    def stop(self) -> None:
        ends = [actor.stop.remote() for actor in self._actors]
        with suppress(self._ray.exceptions.RayError):
            self._ray.wait(ends, num_returns=len(ends), timeout=END_S)
        for actor in self._actors:
            self._ray.kill(actor)
        self._ray.shutdown()


def start_ray(address: str, workers: int) -> Any:
    """Ray, connected to a cluster whose doors are shut; `local` starts one on this machine."""
    ray = _import_ray()
    if address == LOCAL:
        os.environ["RAY_AUTH_MODE"] = "token"
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
        cores = max(workers, len(os.sched_getaffinity(0)))
        # the name of this machine may lead elsewhere
        ray.init(
            num_cpus=cores,
            include_dashboard=False,
            log_to_driver=True,
            logging_level="WARNING",
            _node_ip_address="127.0.0.1",
        )
        return ray
    check_doors(address)
    try:
        ray.init(address=address, log_to_driver=True, logging_level="WARNING")
    except Exception as failure:  # Ray raises almost anything
        problem = str(failure).splitlines()[0][:200]
        remedy = "check the address of the cluster and its token"
        raise StoreUnusable(f"the Ray cluster at {address}", problem, remedy) from None
    return ray


def check_doors(address: str) -> None:
    """RayUnsafe unless a token is asked for, here and there."""
    mode = os.environ.get("RAY_AUTH_MODE", "")
    if mode != "token":
        raise RayUnsafe("token authentication is off here (RAY_AUTH_MODE)")
    token = os.environ.get("RAY_AUTH_TOKEN") or os.environ.get("RAY_AUTH_TOKEN_PATH")
    if not token and not (Path.home() / ".ray" / "auth_token").is_file():
        raise RayUnsafe("there is no token here (RAY_AUTH_TOKEN)")
    if _lets_strangers_in(address):
        raise RayUnsafe(f"the Ray cluster at {address} asks nobody for a token")


def _lets_strangers_in(address: str) -> bool:
    secret = ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
    around = {k: v for k, v in os.environ.items() if k not in secret}
    around["RAY_AUTH_MODE"] = "disabled"
    try:
        probe = subprocess.run(
            [sys.executable, "-c", _PROBE, address],
            env=around,
            timeout=_PROBE_S,
            capture_output=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return probe.returncode == 0


def _import_ray() -> Any:
    # Ray's own telemetry and its advice on the terminal are not wanted
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError:
        raise ExtraMissing("running workers on Ray", "ray", "ray") from None
    return ray


class _Actor:
    """A worker in a process of Ray's. It begins by itself, also when Ray has started it anew."""

    def __init__(self, where: str, folder: str, settings: str, password: str) -> None:
        from trapline.app.shards.worker_process import WorkerThread

        if password:
            os.environ["PGPASSWORD"] = password
        self._thread = WorkerThread(str(where), Path(folder), settings)
        self._thread.start()

    def failure(self) -> str:
        """Why it cannot work; "" = it does."""
        return self._thread.failure

    def stop(self) -> None:
        """Save and give up all shards."""
        self._thread.stop()
        self._thread.join(END_S)

    def process(self) -> int:
        """Its number, for those who want to see it die."""
        return os.getpid()
