"""Contrast of the colours that are put together, in both themes (WCAG 2.2, AA)."""

from __future__ import annotations

import re

import pytest

from trapline.app.web.pages.static_files import FOLDER

TEXT = 4.5
GRAPHIC = 3.0
# (what is drawn, on what, how much they must differ)
PAIRS = [
    *(
        (ink, ground, TEXT)
        for ink in ("ink", "soft", "green")
        for ground in ("paper", "card")
    ),
    ("ink", "mark", TEXT),
    ("ink", "wash", TEXT),
    ("green", "wash", TEXT),
    ("green", "mark", TEXT),
    ("visited", "paper", TEXT),
    ("visited", "mark", TEXT),
    ("soft", "wash", TEXT),
    ("on-green", "green", TEXT),
    ("ink", "warn-wash", TEXT),
    ("green", "warn-wash", TEXT),
    ("warn", "paper", TEXT),
    ("warn", "card", TEXT),
    ("ink", "bad-wash", TEXT),
    ("green", "bad-wash", TEXT),
    ("edge", "paper", GRAPHIC),
    ("edge", "card", GRAPHIC),
    ("bad", "paper", GRAPHIC),
    *((f"series-{n}", "card", GRAPHIC) for n in (1, 2, 3, 4)),
]


def themes() -> dict[str, dict[str, str]]:
    """The variables of each theme; the dark one changes those of the light one."""
    css = (FOLDER / "base.css").read_text(encoding="utf-8")
    light, dark = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    found = [
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", part)) for part in (light, dark)
    ]
    return {"light": found[0], "dark": {**found[0], **found[1]}}


def luminance(colour: str) -> float:
    """
    >>> luminance("#ffffff"), luminance("#000000")
    (1.0, 0.0)
    """
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
def test_colours_differ_enough(theme: str, ink: str, ground: str, least: float) -> None:
    colours = themes()[theme]
    assert contrast(colours[ink], colours[ground]) >= least


def test_both_themes_have_the_same_colours() -> None:
    css = (FOLDER / "base.css").read_text(encoding="utf-8")
    light, dark = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    names = [set(re.findall(r"--([\w-]+): #", part)) for part in (light, dark)]
    assert names[0] == names[1]


def test_style_sheets_name_colours_only_by_variables() -> None:
    for path in FOLDER.glob("*.css"):
        if path.name != "base.css":
            assert not re.search(r"#[0-9a-fA-F]{3,8}\b", path.read_text()), path.name
