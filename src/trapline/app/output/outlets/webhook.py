"""A receiver on the web that is told changes by POST."""

from __future__ import annotations

import hashlib
from typing import Any, Final

from yarl import URL

from trapline.app.output.changes import Line
from trapline.app.output.outlets.outlet import Refused
from trapline.core.bad_ports import bad_port_in, refuse_port
from trapline.core.errors import UserMistake

TIMEOUT_S: Final = 30.0  # for a receiver's answer


class Webhook:
    """POST {"engine": …, "changes": [line, …]}; any 2xx means that they were taken.

    Redirects are not followed: the user named this address. It may lie on this machine or in a
    private network, for the same reason. A receiver that is new to an engine is told what comes
    from then on, not the past.
    """

    gather_s = 0.0

    def __init__(self, url: str, engine: str) -> None:
        self._url = webhook_url(url)
        self.key = "webhook " + hashlib.sha256(url.encode()).hexdigest()[:16]
        site = f"{self._url.scheme}://{self._url.host}:{self._url.port}"
        self.name = f"{site}/… ({self.key[-4:]})"
        self._engine = engine

    def resume(self, noted: int | None, newest: int) -> int:
        return newest if noted is None else min(noted, newest)

    async def tell(self, lines: list[Line]) -> None:
        changes = [line.as_dict() for line in lines]
        status = await self._post({"engine": self._engine, "changes": changes})
        if not 200 <= status < 300:
            raise Refused(f"it answered {status}")

    def close(self) -> None:
        pass

    async def _post(self, message: dict[str, Any]) -> int:
        import aiohttp

        try:
            async with (
                aiohttp.ClientSession(
                    timeout=aiohttp.ClientTimeout(total=TIMEOUT_S),
                    cookie_jar=aiohttp.DummyCookieJar(),
                ) as session,
                session.post(
                    self._url, json=message, allow_redirects=False
                ) as response,
            ):
                return response.status
        except aiohttp.ClientError:
            # their texts name the address, which may be a secret
            raise Refused("it cannot be reached") from None


def webhook_url(text: str) -> URL:
    """The address, if changes can be posted to it."""
    try:
        url = URL(text)
    except ValueError:
        url = URL()
    if url.scheme not in ("http", "https") or not url.host:
        # Not the text itself: such addresses are often secrets.
        raise UserMistake(
            "cannot tell changes to this address: it is not an http:// or https:// URL with a host"
        )
    if port := bad_port_in(f"{url.host}:{url.port}"):
        raise UserMistake(f"cannot tell changes to this address: {refuse_port(port)}")
    return url
