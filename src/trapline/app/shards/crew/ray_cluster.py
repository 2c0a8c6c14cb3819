"""A Ray cluster to run workers on, once it is sure that it lets in only who has its token.

Ray 2.60 asks for one if `RAY_AUTH_MODE=token` was set where it was started. Whoever knocks without
one hears nothing for twenty seconds, so all that can be found out sooner is looked at first; and by
processes of their own, for a refused `ray.init` leaves a page of its log, and threads.
"""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from trapline.app.settings import Settings
from trapline.app.shards.crawl_place import CrawlPlace
from trapline.app.shards.crew.ray_workers import RayWorkers
from trapline.core.errors import ExtraMissing, RayUnsafe, StoreUnusable
from trapline.core.ledger import Ledger

LOCAL: Final = "local"
# of a cluster on this machine: workers hand nothing to each other through it
_OBJECT_STORE: Final = 80 << 20
_KNOCK_S: Final = 5.0
_PROBE_S: Final = 90.0
_PROBE: Final = (
    "import sys, ray; ray.init(address=sys.argv[1], log_to_driver=False, "
    "logging_level='CRITICAL')"
)
_TOKENS: Final = ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
# its telemetry, its advice on the terminal, and twenty tries to find a cluster that is not there
_QUIET: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_NUM_REDIS_GET_RETRIES": "5",
}


class RayCluster:
    """Connected until it is closed; `local` is started here, and ends with us."""

    def __init__(self, address: str, workers: int) -> None:
        """RayUnsafe, ExtraMissing or StoreUnusable before anything is started."""
        if find_spec("ray") is None:
            raise ExtraMissing("running workers on Ray", "ray", "ray")
        for name, value in _QUIET.items():
            os.environ.setdefault(name, value)
        if address == LOCAL:
            self._ray = _start_here(workers)
            return
        check_doors(address)
        self._ray = _import_ray()
        self._ray.init(address=address, log_to_driver=True, logging_level="ERROR")

    def recruit(
        self, place: CrawlPlace, ledger: Ledger, settings: Settings, workers: int
    ) -> RayWorkers:
        return RayWorkers(
            self._ray,
            place,
            settings,
            workers,
        )

    def close(self) -> None:
        self._ray.shutdown()


def check_doors(address: str) -> None:
    """RayUnsafe unless a token is asked for, here and there; StoreUnusable if ours does not fit."""
    if os.environ.get("RAY_AUTH_MODE", "").lower() != "token":
        raise RayUnsafe("token authentication is off here (RAY_AUTH_MODE)")
    if not _has_token():
        raise RayUnsafe("there is no token here (RAY_AUTH_TOKEN)")
    _knock(address)
    if _lets_in(address, _as_stranger()):
        raise RayUnsafe(f"the Ray cluster at {address} asks nobody for a token")
    if not _lets_in(address, dict(os.environ)):
        problem = "it does not let us in"
        remedy = (
            "check its token, and that its Ray and Python are those of this machine"
        )
        raise StoreUnusable(f"the Ray cluster at {address}", problem, remedy)


def _has_token() -> bool:
    if os.environ.get("RAY_AUTH_TOKEN"):
        return True
    path = os.environ.get("RAY_AUTH_TOKEN_PATH") or Path.home() / ".ray" / "auth_token"
    with suppress(OSError):
        return bool(Path(path).read_text().strip())
    return False


def _knock(address: str) -> None:
    host, _, port = address.rpartition(":")
    named = f"the Ray cluster at {address}"
    if not host or not port.isdigit() or "/" in host:
        remedy = "write HOST:PORT of its head, or local"
        raise StoreUnusable(named, "that is no address", remedy)
    try:
        socket.create_connection((host, int(port)), _KNOCK_S).close()
    except (OSError, OverflowError) as trouble:
        problem = getattr(trouble, "strerror", None) or str(trouble)
        remedy = "check host and port, and whether Ray runs there"
        raise StoreUnusable(named, problem, remedy) from None


def _as_stranger() -> dict[str, str]:
    around = {k: v for k, v in os.environ.items() if k not in _TOKENS}
    return {**around, "RAY_AUTH_MODE": "disabled"}


def _lets_in(address: str, environment: dict[str, str]) -> bool:
    with suppress(subprocess.TimeoutExpired):
        probe = subprocess.run(
            [sys.executable, "-c", _PROBE, address],
            env=environment,
            timeout=_PROBE_S,
            capture_output=True,
            check=False,
        )
        return probe.returncode == 0
    return False


def _start_here(workers: int) -> Any:
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    ray = _import_ray()
    ray.init(
        address="local",
        num_cpus=max(workers, len(os.sched_getaffinity(0))),
        object_store_memory=_OBJECT_STORE,
        include_dashboard=False,
        log_to_driver=True,
        logging_level="ERROR",
    )
    return ray


def _import_ray() -> Any:
    import ray

    return ray
