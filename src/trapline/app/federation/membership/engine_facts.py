"""What an engine says of itself, as `trapline engines describe` shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from trapline.app.federation.description_file import DescriptionFile
from trapline.app.federation.engine_parts import DESCRIPTION_S
from trapline.app.federation.key_file import verify
from trapline.core.errors import StatementRefused, UserMistake
from trapline.net.engine_client import EngineClient
from trapline.oasis.description import MOST_BYTES, Description, read_description
from trapline.oasis.json_text import read_json
from trapline.oasis.signed_description import check_signature

OASIS_FOLDER: Final = "oasis"


@dataclass(frozen=True, slots=True)
class EngineFacts:
    description: Description
    is_signed: bool  # by its own key

    def as_dict(self) -> dict[str, Any]:
        described = self.description.as_json()
        fingerprint = self.description.fingerprint
        return {**described, "fingerprint": fingerprint, "is_signed": self.is_signed}


async def facts_at(client: EngineClient, url: str) -> EngineFacts:
    body = await client.get(f"{url}/engine", MOST_BYTES, DESCRIPTION_S)
    return _facts(read_json(body))


def facts_of(folder: Path) -> EngineFacts:
    """As it was served last."""
    made = DescriptionFile(folder / OASIS_FOLDER).read()
    if made is None:
        raise UserMistake(
            f"nobody has asked {folder} who it is yet: serve it and describe its URL"
        )
    return _facts(made.signed)


def _facts(said: Mapping[str, Any]) -> EngineFacts:
    found = read_description(said)
    try:
        check_signature(said, found.key, verify)
    except StatementRefused:
        return EngineFacts(found, is_signed=False)
    return EngineFacts(found, is_signed=True)
