"""Tongues: how the words of a language are cut, which of them decide nothing, and their stems.

A document is indexed in fields of its own tongue, so "Häuser" is found by "Haus" where the page is
German, and a stop word of one language is a word like others in the next.

>>> ENGLISH.stems("Orbiting"), ENGLISH.is_stop("how"), tongue_of("de").is_stop("der")
(['orbit'], True, True)
>>> tongue_of("ja").stems("全文検索"), tongue_of("xx").code
(['全', '文', '検', '索'], 'en')
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

import tantivy

_LONGEST: Final = 60  # bytes of a word; longer ones are keys and numbers
_STEMMERS: Final = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
_WITHOUT_STOP_WORDS: Final = frozenset(
    ("ar", "el", "ro", "ta", "tr")
)  # no list of them
# Languages written without spaces share a tongue in which every sign is a word.
_SIGNS: Final = "signs"
_WRITTEN_IN_SIGNS: Final = frozenset(("zh", "ja", "th", "lo", "km", "my"))
_SIGN: Final = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_SIGNS_OR_WORDS: Final = rf"[{_SIGN}]|[\p{{L}}\p{{N}}--[{_SIGN}]]+"
# forms of letters: full and half width, ligatures
_FORMS: Final = re.compile(r"[\uf900-\uffff]+")
# how people ask in English; Tantivy's own list has the rest
_ASKING_WORDS: Final = """
about all also am any been being between both can could did do does doing don each few from had has
have he her here his how i its just may me might more most must my myself only other our out over
own s same shall she should so some t than them too under up us very was we were what when where
which while who whom whose why would you your yours
"""
_ASKING: Final = frozenset(_ASKING_WORDS.split())


class Tongue:
    """The words of a language, or of several that are treated alike."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.analyzer = _analyzer(code)
        self._sieve = _sieve(code)
        self._stems: dict[str, list[str]] = {}

    def field(self, name: str) -> str:
        """The field of the index that holds words of this tongue."""
        return f"{name}_{self.code}"

    def stems(self, text: str) -> list[str]:
        """The stems of a text's words; of single words they are remembered."""
        found = self._stems.get(text)
        if found is None:
            found = self.analyzer.analyze(plain_spelling(text))
            if len(self._stems) > 50_000:
                self._stems.clear()
            if len(text) < _LONGEST:
                self._stems[text] = found
        return found

    def telling_stems(self, words: Sequence[str]) -> list[str]:
        """The different stems of words that are no stop words; of all, if there are no others."""
        telling = [word for word in words if not self.is_stop(word)]
        stems = (stem for word in telling or words for stem in self.stems(word))
        return list(dict.fromkeys(stems))

    def is_stop(self, word: str) -> bool:
        """Whether a word is so common that it decides nothing."""
        if self.code == "en" and word.lower() in _ASKING:
            return True
        return self._sieve is not None and not self._sieve.analyze(word)


@cache
def _tongue(code: str) -> Tongue:
    return Tongue(code)


def tongue_of(language: str) -> Tongue:
    """The tongue of a language (two letters); of unknown ones, and those without a stemmer, the
    English one.
    """
    if language in _WRITTEN_IN_SIGNS:
        return _tongue(_SIGNS)
    return _tongue(language if language in _STEMMERS else "en")


@cache
def all_tongues() -> list[Tongue]:
    return [_tongue(code) for code in (*_STEMMERS, _SIGNS)]


def plain_spelling(text: str) -> str:
    """One spelling for what looks the same; documents and queries go through it.

    >>> plain_spelling("cafe\u0301"), plain_spelling("ｖａｃｕｕｍ"), plain_spelling("İzmir")
    ('café', 'vacuum', 'Izmir')
    """
    if text.isascii():
        return text
    text = _FORMS.sub(lambda form: unicodedata.normalize("NFKC", form[0]), text)
    text = unicodedata.normalize("NFC", text)
    # in small letters it would be an i with a mark, at which words are cut
    return text.replace("İ", "I").replace("i\u0307", "i")


@lru_cache(5000)
def is_of_words(sign: str) -> bool:
    """Letters, digits, and the marks that some scripts put on letters."""
    return sign.isalnum() or (
        not sign.isascii() and unicodedata.category(sign).startswith("M")
    )


@lru_cache(5000)
def fold_letter(letter: str) -> str:
    """A letter as stems have it: small and without accents. A single one, always.

    >>> "".join(map(fold_letter, "ÉcoLe Ｗ文ß"))
    'ecole w文ß'
    """
    (small,) = _FOLDING.analyze(plain_spelling(letter)) or [letter]
    return small if len(small) == 1 else letter


def plain_analyzer() -> tantivy.TextAnalyzer:
    """Words as they are spelt, in small letters."""
    return _words().build()


def _analyzer(code: str) -> tantivy.TextAnalyzer:
    if code == _SIGNS:
        signs = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.regex(_SIGNS_OR_WORDS))
        return _fold(signs.filter(tantivy.Filter.lowercase())).build()
    stemmer = tantivy.Filter.stemmer(_STEMMERS[code])
    if code == "en":  # résumé and resume have one stem
        return _fold(_words()).filter(stemmer).build()
    # other stemmers know words by their accents
    return _fold(_words().filter(stemmer)).build()


def _fold(builder: tantivy.TextAnalyzerBuilder) -> tantivy.TextAnalyzerBuilder:
    """Without accents: many people type none."""
    return builder.filter(tantivy.Filter.ascii_fold())


def _sieve(code: str) -> tantivy.TextAnalyzer | None:
    """What lets stop words fall through."""
    if code == _SIGNS or code in _WITHOUT_STOP_WORDS:
        return None
    return _words().filter(tantivy.Filter.stopword(_STEMMERS[code])).build()


def _words() -> tantivy.TextAnalyzerBuilder:
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(_LONGEST))
        .filter(tantivy.Filter.lowercase())
    )


ENGLISH: Final = tongue_of("en")
_FOLDING: Final = _fold(
    tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw()).filter(
        tantivy.Filter.lowercase()
    )
).build()
