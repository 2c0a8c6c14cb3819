"""The documents of the repository, and the code blocks in them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def name_of(path: Path) -> str:
    """A file's name as seen from the root of the repository."""
    return path.relative_to(ROOT).as_posix()


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    """The fenced code blocks of one language in a document, in order."""
    found = re.findall(
        r"^```(\w*)\n(.*?)^```$", text_of(name), re.MULTILINE | re.DOTALL
    )
    return [block for its_language, block in found if its_language == language]
