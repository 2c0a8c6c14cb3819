"""What a link calls the page that it leads to, if that says anything of the page.

>>> [link_text(words) for words in ("the Sun »", "C++", "Read more…", "[12]", "www.a.org", "¶")]
['the Sun', 'C++', '', '', '', '']
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

LONGEST: Final = 80  # characters
MOST_OF_PAGE: Final = 1_000  # links of a page whose texts are kept: the first
# Words join and part there, so these two unseen characters belong to a text.
_JOINERS: Final = "\u200c\u200d"
_ADDRESSES: Final = ("http://", "https://", "www.", "mailto:")
_ORNAMENTS: Final = " «»‹›→←↑↓▶◀▲▼¶…|•·:"
# C++ and C# end in what is no letter.
_EDGES: Final = _ORNAMENTS + "!\"$%&'()*,-./;<=>?@[\\]^_`{}~“”„‘’–—"
# They say where a link stands, or that it is one, and nothing of its target. Only what is common on
# the Web: a text that is missing here costs a little room, one too many hides a page's name.
_EMPTY_TEXTS: Final = frozenset(
    """
    here|click here|this|this page|link|more|read more|learn more|see more|see also|details
    next|next page|previous|previous page|prev|back|forward|up|top|back to top|continue|skip
    home|home page|homepage|index|contents|table of contents|toc|permalink|permanent link
    hier|mehr|mehr erfahren|mehr lesen|weiterlesen|weiter|zurück|nach oben|startseite|inhalt
    ici|cliquez ici|plus|en savoir plus|lire la suite|suivant|précédent|retour|accueil|haut de page
    aquí|haga clic aquí|más|leer más|siguiente|anterior|volver|inicio|arriba
    qui|clicca qui|leggi tutto|continua|avanti|indietro|successivo|precedente|torna su
    aqui|clique aqui|mais|leia mais|próximo|próxima|voltar|início
    meer|lees meer|klik hier|volgende|vorige|terug|tutaj|więcej|czytaj więcej|dalej|wstecz
    здесь|тут|далее|читать далее|подробнее|назад|вперёд|следующая|предыдущая|главная
    更多|下一页|上一页|首页|返回|点击这里|次へ|前へ|こちら|続きを読む|詳細|ホーム
    """.replace("\n", "|").split("|")
)
_SAYS_NOTHING: Final = frozenset(text.strip() for text in _EMPTY_TEXTS)


def link_texts(labels: Iterable[str]) -> list[str]:
    """The text of each link by its visible words; nothing where they say nothing, and from the
    thousandth text on.
    """
    texts = []
    room = MOST_OF_PAGE
    for label in labels:
        text = link_text(label) if label and room else ""
        room -= text != ""
        texts.append(text)
    return texts


@lru_cache(1 << 13)  # the pages of a site have the same menus
def link_text(words: str) -> str:
    if not words.isprintable():
        words = "".join(filter(_is_seen, words))
    words = words.strip(_ORNAMENTS)
    core = words.strip(_EDGES).casefold()
    says_nothing = (
        len(core) < 2
        or core in _SAYS_NOTHING
        or (core.startswith(_ADDRESSES) and " " not in core)
        or not any(map(str.isalpha, core))
    )
    return "" if says_nothing else _shorten(words)


def _is_seen(character: str) -> bool:
    """Not so: control characters, halves of characters, marks that turn the direction of
    writing.
    """
    return character.isprintable() or character in _JOINERS


def _shorten(text: str) -> str:
    """Whole words, as far as there are any.

    >>> len(_shorten("x" * 300)), _shorten("word " * 40) == ("word " * 16).strip()
    (80, True)
    """
    if len(text) <= LONGEST:
        return text
    begin = text[: LONGEST + 1].rpartition(" ")[0]
    return begin or text[:LONGEST]
