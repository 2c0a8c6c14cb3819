"""Soft 404: pages that come with status 200 and say that there is no such page.

Three things must come together, so that no article *about* missing pages is taken for one: the text
is short; title or first sentence says in so many words that a page was not found; and nothing else
is found there: what a title holds besides that is the name of a site, no "how to", no class or
function, and no address that names the very thing.
"""

from __future__ import annotations

import re
from typing import Final

# characters of a text that only says so, with search box, suggestions and address of the site
LONGEST: Final = 1_500
OPENING: Final = 160  # characters in which a text without telling title must say so
TALKATIVE: Final = 600  # a longer text that only opens like that goes on to something
LONGEST_TITLE: Final = 80

# English, German, French, Spanish, Italian, Portuguese, Dutch.
_THING: Final = (
    r"(?:page|file|document|article|url|resource|content|site|entry|post|item|product|address"
    r"|topic|thread|listing"
    r"|seite|datei|artikel|inhalt|dokument|beitrag|eintrag|angebot|produkt|adresse"
    r"|ressource|fichier|contenu|annonce|produit|p[áa]gina|archivo|contenido|art[íi]culo"
    r"|documento|recurso|publicación"
    r"|pagina|risorsa|articolo|contenuto|bestand|arquivo|conteúdo)"
)
_GAP: Final = r"(?:[\s,:]+[^\s.!?]+){0,8}?\s+"  # a few words of the same sentence
_NOT_FOUND: Final = (
    r"not\s+(?:be\s+)?(?:found|exist)|(?:does|do|did)(?:\s+not"
    r"|n['’]t)\s+(?:seem\s+to\s+)?exist|no\s+longer\s+(?:exists?|available)"
    r"|(?:can|could)(?:no|n['’])t\s+be\s+(?:found|located)|(?:is|was)\s+missing"
    r"|has\s+been\s+(?:removed|deleted)|(?:isn|wasn)['’]t\s+(?:found|here)"
    r"|nicht\s+(?:mehr\s+)?(?:gefunden|vorhanden|verfügbar|existiert)"
    r"|existiert\s+(?:leider\s+)?nicht|gibt\s+es\s+(?:leider\s+)?nicht"
    r"|introuvable|n['’](?:existe|est)\s+(?:pas|plus)|n['’]a\s+(?:pas\s+pu\s+être"
    r"|pas\s+été)\s+trouvée?"
    r"|no\s+(?:se\s+ha\s+)?(?:sido\s+)?encontrad[ao]|no\s+existe|no\s+(?:se\s+)?encuentra"
    r"|no\s+(?:está\s+)?disponible"
    r"|non\s+(?:è\s+stat[ao]\s+)?trovat[ao]|non\s+esiste|inesistente"
    r"|não\s+(?:foi\s+)?(?:encontrad[ao]|existe)|niet\s+(?:worden\s+)?gevonden"
)
_NOT_FOUND_SENTENCE: Final = re.compile(
    rf"\b{_THING}\b{_GAP}?(?:{_NOT_FOUND})"
    r"|(?:couldn['’]t|could\s+not|can['’]t|cannot|unable\s+to)\s+find\s+(?:the|that|this|your"
    r"|any)\s+(?:\w+\s+){0,3}?"
    + _THING
    + r"|no\s+(?:such\s+(?:page|article|document)|(?:page|article|document)s?\s+(?:was\s+"
    r"|were\s+)?found)"
    r"|nothing\s+(?:was\s+)?found\s+(?:here|at\s+this)|(?:konnte"
    r"|können)[^.!?]{0,60}\bseite\b[^.!?]{0,60}nicht\s+(?:gefunden|finden)"
    r"|keine\s+seite\s+gefunden|aucune\s+page\s+(?:trouvée|ne)|ninguna\s+página|nessuna\s+pagina"
    r"|\b(?:error|erreur|fehler|errore)\s*:?\s*404\b|\b404[\s:–—|-]+(?:error|erreur|fehler"
    r"|errore|not\s+found|page)\b",
    re.IGNORECASE,
)
_NOT_FOUND_TITLE: Final = re.compile(
    r"(?:http\s+)?(?:status\s+)?(?:error\s+|fehler\s+|erreur\s+|errore\s+|oops\W+)?(?:404"
    r"|410)\b(?:\W+(?:error|fehler|not\s+found|\(not\s+found\)))?"
    r"|(?:error\s*:?\s*)?not\s+found",
    re.IGNORECASE,
)
_ABOUT_MISSING_PAGES: Final = re.compile(
    r"\b(?:how|why|what|when|fix\w*|solv\w*|handl\w*|custom\w*|guide|tutorial|understand\w*"
    r"|avoid\w*|explain\w*|list\s+of"
    r"|codes?|exceptions?|class|function|module|package|method|raise[sd]?|wie|warum|was"
    r"|beheben|bedeutet"
    r"|comment|pourquoi|cómo|come|perché)\b",
    re.IGNORECASE,
)
_NAME_IN_CODE: Final = re.compile(
    r"[a-z]NotFound|[a-z](?:Error|Exception)\b|\w_\w|::|\w\(\w?\)"
)
_CONDITION: Final = re.compile(
    r"\b(?:if|when|whenever|whether|unless|where|falls|wenn|sobald|si|quand|lorsque|cuando|se"
    r"|quando)\b",
    re.IGNORECASE,
)
_ADDRESS_OF_MISSING: Final = re.compile(
    r"404|not[-_. ]?found|introuvable|missing|error", re.IGNORECASE
)
_SEPARATOR: Final = re.compile(r"\s+[|–—·•»:-]+\s+|\s*[|»]\s*|:\s+")


def is_missing(title: str, text: str, asked_url: str) -> bool:
    """Whether a page that came with status 200 says that it is not there.

    >>> text = "Sorry, this page could not be found."
    >>> is_missing("404 Not Found | Example", text, "http://example.org/stars")
    True
    >>> is_missing("How to fix 404 Not Found", text, "http://example.org/fix-404")
    False
    """
    if len(text) > LONGEST or _ADDRESS_OF_MISSING.search(
        asked_url.partition("://")[2].partition("/")[2]
    ):
        return False
    if _ABOUT_MISSING_PAGES.search(title) or _NAME_IN_CODE.search(title):
        return False
    return _is_title_of_missing(title) or (
        len(text) <= TALKATIVE and _is_opening_of_missing(text[:OPENING])
    )


def _is_title_of_missing(title: str) -> bool:
    """One part of the title says so, and the others are the name of a site."""
    parts = _SEPARATOR.split(title.strip()) if len(title) <= LONGEST_TITLE else []
    return any(
        _NOT_FOUND_TITLE.fullmatch(part) or _is_nothing_else(part) for part in parts
    )


def _is_nothing_else(part: str) -> bool:
    found = _NOT_FOUND_SENTENCE.search(part)
    return found is not None and len(part) - (found.end() - found.start()) <= 24


def _is_opening_of_missing(opening: str) -> bool:
    found = _NOT_FOUND_SENTENCE.search(opening)
    return found is not None and not _CONDITION.search(opening, 0, found.end())
