"""What the words of the command line are laid over: a settings file, or what the last run noted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from trapline.app.settings import Settings, read_settings
from trapline.app.settings_files.given import Given, lay_over
from trapline.app.settings_files.kept_settings import OWN_FILE, Kept, read_kept
from trapline.core.errors import UserMistake


class Base(NamedTuple):
    values: dict[str, Any]  # as settings, with the words that the folder keeps
    given: Given  # of the file, the words and the lists that stay in force
    kept: Kept
    remarks: list[str]  # what people should know

    @property
    def contact(self) -> str:
        return str(self.values.get("manners", {}).get("contact", ""))


def base_for(folder: Path, words: Iterable[str], kept: Kept | None = None) -> Base:
    """The settings file is the one named, else that of the last run, else the folder's own.

    Naming a file replaces what words said before; so does a file that is new in the folder.
    `kept` is what is known of the last run; None = what the folder tells.
    """
    named = _file_among(words)
    kept = read_kept(folder, words) if kept is None else kept
    before = kept.given or Given()
    own = folder / OWN_FILE
    if named:
        return _from_file(Path(named), kept)
    if before.file and Path(before.file).is_file():
        return _from_file(Path(before.file), kept, before)
    if before.file:
        gone = f"the settings file {before.file} is gone: those of the last run stay in force"
        return _from_notes(kept, before, [gone])
    if own.is_file():
        return _from_file(own, kept)
    if kept.given is None:
        before = Given(words=_changed_values(kept.settings))
    return Base(lay_over({}, before.words), before, kept, [])


def _from_file(path: Path, kept: Kept, before: Given | None = None) -> Base:
    """`before`: what stays in force beside the file."""
    values = read_settings(path).model_dump(exclude_unset=True)
    stays = before or Given(file=str(path.absolute()))
    return Base(lay_over(values, stays.words), stays, kept, [])


def _from_notes(kept: Kept, before: Given, remarks: list[str]) -> Base:
    settings = kept.settings or Settings()
    values = settings.model_dump(exclude={"access"})
    return Base(values, before, kept, remarks)


def _changed_values(settings: Settings | None) -> dict[str, Any]:
    """What is not as by default, as if words had said it: for folders that keep no words."""
    if settings is None:
        return {}
    return settings.model_dump(exclude={"access"}, exclude_defaults=True)


def _file_among(words: Iterable[str]) -> str:
    """The settings file that is named; "" = none."""
    files = [word for word in words if is_settings_file(word)]
    if len(files) > 1:
        raise UserMistake(
            f"one settings file at a time, not {len(files)}: {', '.join(files)}"
        )
    return files[0] if files else ""


def is_settings_file(word: str) -> bool:
    return word.endswith(".toml") and "://" not in word
