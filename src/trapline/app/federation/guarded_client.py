"""A client for engines and directories that keeps away from private addresses, but for those that
the user has listed.
"""

from __future__ import annotations

from trapline.net.engine_client import AGENT, EngineClient
from trapline.politeness.addresses import reason_forbidden
from trapline.politeness.listed_hosts import is_listed


def guarded_client(listed: frozenset[str], agent: str = AGENT) -> EngineClient:
    """`listed` as `politeness.listed_hosts.read_listed` reads it."""

    def forbid(host_name: str, address: str) -> str | None:
        return reason_forbidden(address, named_by_user=is_listed(host_name, listed))

    return EngineClient(forbid, agent)
