"""The language of a text: told where it is clear, whatever its letters, and kept for oneself where
it is not.
"""

from __future__ import annotations

import pytest
from resiliparse.parse.lang import detect_fast

from trapline.reading.language import ENOUGH, LEAD, LEAST, language_of

TEXTS = {
    "en": (
        "The stars stand in the sky, and whoever looks long enough will notice that they "
        "move slowly to the west. "
    ),
    "de": (
        "Die Sterne stehen am Himmel, und wer lange genug hinsieht, bemerkt, dass sie "
        "langsam nach Westen ziehen. "
    ),
    "fr": (
        "Les étoiles sont dans le ciel, et celui qui regarde assez longtemps voit qu’elles "
        "vont vers l’ouest. "
    ),
    "pl": (
        "Gwiazdy stoją na niebie, a kto patrzy dostatecznie długo, zauważy, że powoli "
        "przesuwają się na zachód. "
    ),
    "ru": (
        "Звёзды стоят на небе, и кто смотрит достаточно долго, заметит, что они медленно "
        "движутся на запад. "
    ),
    "el": (
        "Τα αστέρια στέκονται στον ουρανό, και όποιος κοιτάζει αρκετά θα δει ότι κινούνται "
        "αργά προς τη δύση. "
    ),
}


def by_all_languages(text: str) -> str:
    """The same rule without the shortcut."""
    (best, apart), (_, second) = detect_fast(text[:ENOUGH], n_results=2)
    return str(best) if second >= LEAD * apart else ""


@pytest.mark.parametrize("language", ["en", "fr", "el"])
def test_a_language_is_told(language: str) -> None:
    assert language_of(TEXTS[language] * 4) == language


@pytest.mark.parametrize("language", TEXTS)
def test_to_leave_out_languages_of_other_letters_changes_no_answer(
    language: str,
) -> None:
    for text in (
        TEXTS[language] * 4,
        TEXTS[language] * 4 + "PostgreSQL " * 6,
        TEXTS[language] * 2 + TEXTS["el"] * 2,
    ):
        assert language_of(text) == by_all_languages(text)


def test_too_little_is_not_judged() -> None:
    assert language_of(TEXTS["en"][: LEAST - 1]) == "" == language_of("")
