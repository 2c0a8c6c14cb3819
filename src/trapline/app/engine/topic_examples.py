"""Examples as users give them: a page's URL, a file, or a text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from trapline.core.errors import UserMistake

_ADDRESS: Final = re.compile(r"https?://", re.IGNORECASE)
_LONGEST_FILE: Final = 10_000_000  # bytes
_HTML: Final = (".html", ".htm", ".xhtml")
_PATH: Final = re.compile(r"\S+|.*\.(?:html?|xhtml|txt|text|md|rst)", re.IGNORECASE)


def is_address(text: str) -> bool:
    """Whether an example is a page to be visited.

    >>> is_address("http://127.0.0.1/moon"), is_address("moon.html")
    (True, False)
    """
    return _ADDRESS.match(text.strip()) is not None


def locate_example(text: str, folder: Path) -> str:
    """The same example; a file that is named as it is seen from `folder` gets its whole name.

    >>> locate_example("mars.txt", Path("/notes"))
    '/notes/mars.txt'
    >>> locate_example("a text about Mars", Path("/notes"))
    'a text about Mars'
    """
    if is_address(text) or not _is_file(text, folder):
        return text
    return str((folder / text.strip()).absolute())


def title_and_text(example: str) -> tuple[str, str]:
    """The words of an example that is a file or a text; UserMistake if there are none."""
    if _is_file(example, Path()):
        title, text = _read_file(Path(example.strip()))
    else:
        title = ""
        text = example
    if not f"{title}{text}".strip():
        raise UserMistake(
            f"the example {example[:60]!r} is empty: give a URL, a file with words in it, "
            "or a text"
        )
    return title, text


def _is_file(text: str, folder: Path) -> bool:
    """One word, or a name that ends as files do, is a file even if missing: texts have several
    words.
    """
    if _PATH.fullmatch(text.strip()):
        return True
    try:
        return "\n" not in text and (folder / text.strip()).is_file()
    except (OSError, ValueError):  # too long for a name, or not one
        return False


def _read_file(path: Path) -> tuple[str, str]:
    from trapline.reading.html.charset import decode
    from trapline.reading.html.document import read_html

    try:
        if path.stat().st_size > _LONGEST_FILE:
            raise UserMistake(
                f"the example {path} is larger than {_LONGEST_FILE // 10**6} MB: choose a "
                "part of it"
            )
        body = path.read_bytes()
    except FileNotFoundError:
        raise UserMistake(
            f"there is no file {path} to take as an example (a text needs more than one word)"
        ) from None
    except (OSError, ValueError) as error:
        raise UserMistake(f"cannot read the example {path}: {error}") from None
    if path.suffix.lower() in _HTML or body.lstrip()[:1] == b"<":
        document = read_html(body, "", "http://127.0.0.1/")
        return document.title, document.text
    return "", decode(body, "")
