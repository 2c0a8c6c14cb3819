"""Trying out where changes are told: one message that says it is a test."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from trapline.app.output.change_message import trial_message
from trapline.app.output.outlets.message_service import MessageService
from trapline.app.output.outlets.outlet import Refused
from trapline.app.output.outlets.outlet_targets import is_service, is_webhook
from trapline.app.output.outlets.webhook import Webhook


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of a test message."""

    target: str  # no secret of an address is in it
    taken: bool
    trouble: str = ""
    is_file: bool = False  # it was only looked whether it can be written

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        done = "can be written" if self.is_file else "told"
        return f"{self.target}: {done if self.taken else self.trouble}"


def try_targets(targets: Iterable[str], engine: str) -> list[Trial]:
    """All at once; files are not written, for a test is no change."""
    return asyncio.run(_try_all(targets, engine))


async def _try_all(targets: Iterable[str], engine: str) -> list[Trial]:
    return list(await asyncio.gather(*(_try(target, engine) for target in targets)))


async def _try(target: str, engine: str) -> Trial:
    name = target
    try:
        if is_webhook(target):
            hook = Webhook(target, engine)
            name = hook.name
            await hook.tell([])
        elif is_service(target):
            service = MessageService(target, engine)
            name = service.name
            await service.send(trial_message(engine))
    except (OSError, Refused) as error:
        return Trial(name, False, str(error) or "it does not answer in time")
    is_file = not (is_webhook(target) or is_service(target))
    return Trial(name, True, is_file=is_file)
