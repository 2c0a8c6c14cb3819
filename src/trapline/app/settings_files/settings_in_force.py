"""The settings of a folder as one document: those of the last run, or those of its own file."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, NamedTuple

from trapline.app.folder.places.crawl_ledger import is_in_shards, open_crawl_ledger
from trapline.app.folder.places.store_link import shown_place
from trapline.app.settings import Settings, read_settings, settings_from
from trapline.app.settings_files.given import NOTE, Given, given_from, is_secret
from trapline.app.settings_files.kept_settings import OWN_FILE, STORE, read_kept
from trapline.app.settings_files.toml_text import toml_text
from trapline.app.settings_tables import OutputTable
from trapline.core.errors import FolderMissing, ScheduleMissing


class SettingsInForce(NamedTuple):
    settings: Settings
    secrets: list[str]  # names of what is left out

    def values(self) -> dict[str, Any]:
        """All settings but secrets, as TOML and JSON can have them."""
        values = self.settings.model_dump(exclude={"access"})
        for name in ("visits", "bytes", "seconds"):
            if math.isinf(values["budget"][name]):
                values["budget"][name] = "unlimited"
        values["budget"]["cost"] = str(self.settings.budget.cost)
        told = [one for one in self.settings.output.changes if not is_secret(one)]
        values["output"]["changes"] = told
        order = sorted(values, key=lambda name: name != "seeds")
        return {name: values[name] for name in order}

    def as_dict(self) -> dict[str, Any]:
        """For JSON, which has no infinite numbers: None = no bound."""
        return {**_finite(self.values()), "secrets_not_kept": self.secrets}

    def toml(self) -> str:
        lines = [f"# {name}: secret, not kept in the folder" for name in self.secrets]
        return "".join(f"{line}\n" for line in lines) + toml_text(self.values())


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return list(map(_finite, value))
    return None if isinstance(value, float) and math.isinf(value) else value


def settings_in_force(folder: Path) -> SettingsInForce:
    """FolderMissing if there is no engine, ScheduleMissing if no robot has run there."""
    own = folder / OWN_FILE
    if is_in_shards(folder):
        return _settings_of_crawl(folder)
    if (folder / STORE).exists():
        kept = read_kept(folder)
        if kept.settings is None:
            raise ScheduleMissing(folder)
        return SettingsInForce(kept.settings, (kept.given or Given()).secrets)
    if not own.is_file():
        raise FolderMissing(folder)
    settings = read_settings(own)
    return SettingsInForce(settings, secret_names(settings))


def _settings_of_crawl(folder: Path) -> SettingsInForce:
    """Those that all its shards share."""
    ledger = open_crawl_ledger(folder)
    try:
        founding = ledger.founding()
        given = given_from(ledger.note(NOTE)) or Given()
    finally:
        ledger.close()
    if founding is None:
        raise ScheduleMissing(shown_place(folder))
    values = json.loads(founding.settings)
    settings = settings_from(f"the crawl in {shown_place(folder)}", values)
    output = OutputTable.model_construct(**given.output)
    return SettingsInForce(
        settings.model_copy(update={"output": output}), given.secrets
    )


def secret_names(settings: Settings) -> list[str]:
    """What may not be written down, by names that may."""
    access = [f'[access."{origin}"]' for origin in settings.access]
    return access + ["a webhook"] * sum(map(is_secret, settings.output.changes))
