"""Soft 404: pages that say that they are not there, and pages that speak of such pages."""

from __future__ import annotations

import pytest

from trapline.reading.soft_404 import is_missing

ASKED = "http://example.org/stars/sirius"

MISSING = [
    (
        "404 Not Found",
        (
            "Not Found The requested URL was not found on this server. Apache Server at "
            "example.org Port 80"
        ),
    ),
    ("404", "nginx"),
    (
        "Page not found | The Daily Star",
        "We can't find the page you are looking for. Search Home News Sport Contact",
    ),
    (
        "Page Not Found - Example",
        "Oops! That page can’t be found. It looks like nothing was found at this location.",
    ),
    (
        "Not Found",
        "The page you requested does not exist. Click here to return to the home page.",
    ),
    (
        "Error 404 (Not Found)!!1",
        "404. That’s an error. The requested URL /sirius was not found on this server.",
    ),
    ("Error 404", "Sorry, we could not find that page."),
    (
        "File not found · GitHub Pages",
        "404 File not found The site configured at this address does not contain the file.",
    ),
    ("Example Shop", "Sorry, this page could not be found. Back to the shop"),
    ("Example Shop", "This product is no longer available. See similar products"),
    (
        "Oops!",
        "The page you were looking for doesn't exist. You may have mistyped the address.",
    ),
    (
        "The page you were looking for doesn't exist (404)",
        "You may have mistyped the address or it may have moved.",
    ),
    ("Page missing", "Error 404: this page is missing. Try our sitemap."),
    (
        "Example",
        (
            "404 – Page not found. The link you followed may be broken, or the page may have been "
            "removed."
        ),
    ),
    ("Untitled", "No such page. Back"),
    ("", "404 Not Found"),
    (
        "Article not found",
        "The article that you asked for cannot be found. It may have been archived.",
    ),
    (
        "HTTP Status 404 – Not Found",
        "Type Status Report Message /sirius Description The origin server did not find it",
    ),
    (
        "Seite nicht gefunden | Stadt Beispiel",
        "Die gewünschte Seite konnte leider nicht gefunden werden.",
    ),
    ("Fehler 404", "Diese Seite existiert nicht. Zur Startseite"),
    (
        "404 – Seite nicht gefunden",
        "Hoppla! Da ist etwas schiefgegangen. Suche Startseite Kontakt Impressum Datenschutz",
    ),
    (
        "Beispiel GmbH",
        "Die von Ihnen aufgerufene Seite ist leider nicht mehr verfügbar. Zur Startseite",
    ),
    (
        "Beispiel GmbH",
        "Seite nicht gefunden Wir konnten die Seite, die Sie suchen, leider nicht finden.",
    ),
    (
        "Page introuvable - Exemple",
        "La page que vous recherchez n'existe pas ou a été déplacée.",
    ),
    ("Erreur 404", "Oups, la page demandée est introuvable. Retour à l'accueil"),
    ("Exemple", "Désolé, cette page n’existe plus. Retour à l'accueil"),
    ("Página no encontrada | Ejemplo", "Lo sentimos, la página que busca no existe."),
    ("Error 404", "La página solicitada no se encuentra en este servidor."),
    ("Pagina non trovata - Esempio", "La pagina richiesta non è stata trovata."),
    ("Errore 404", "Spiacenti, la pagina che cerchi non esiste."),
    ("Página não encontrada", "O conteúdo que procura não foi encontrado."),
    ("Pagina niet gevonden", "Helaas, deze pagina kon niet worden gevonden."),
]

THERE = [
    ("Sirius", "Sirius is the brightest star in the night sky."),
    (
        "How to fix the 404 Not Found error",
        "A page could not be found? Check the address first, then the cache.",
    ),
    (
        "What does “Page not found” mean?",
        "Error 404 means that the server has no such page.",
    ),
    (
        "HTTP 404",
        "In computer network communications, the HTTP 404 status code "
        + "is a standard answer of servers. " * 60,
    ),
    (
        "List of HTTP status codes",
        "404 Not Found The requested resource could not be found but may be available later.",
    ),
    (
        "FileNotFoundError — Python 3",
        "Raised when a file or directory is requested but does not exist.",
    ),
    ("NotFoundException (Java SE 11)", "Thrown when a resource is not found."),
    (
        "PageNotFound (Example API)",
        "public class PageNotFound extends Error. The page was not found.",
    ),
    (
        "Custom 404 pages with nginx",
        "error_page 404 /404.html; shows your page where a page was not found.",
    ),
    (
        "std::filesystem::exists",
        "Checks whether the given file exists. Returns false if the file is not found.",
    ),
    (
        "Highway 404",
        "Highway 404 is a toll-free road in Ontario. It was opened in 1977.",
    ),
    (
        "Room 404 | Hotel Example",
        "A quiet room with two beds and a view over the lake. From 120 € a night.",
    ),
    ("Peugeot 404", "The Peugeot 404 is a large family car built from 1960 to 1975."),
    (
        "404 Festival",
        "The 404 Festival of electronic art takes place in Rosario every year.",
    ),
    (
        "Lost and found",
        "Lost something? The lost property office is open from 9 to 17.",
    ),
    (
        "Missing persons",
        "The police ask for help: a boy of 12 has not been found since Sunday. " * 12,
    ),
    (
        "Search",
        (
            "Results for sirius: 12 documents. Sirius A, Sirius B, the Dog Star, Canis Major, the "
            "heliacal rising."
        ),
    ),
    (
        "Known bugs",
        "If the page is long, the table of contents is not found by the parser. Fixed in 2.3.",
    ),
    (
        "Warum kommt „Seite nicht gefunden“?",
        "Eine Seite wird nicht gefunden, wenn die Adresse falsch ist.",
    ),
    (
        "Tierheim Beispiel",
        "Gefunden: eine Katze, grau, zutraulich. Vermisst: ein Hund, braun.",
    ),
    ("Comment corriger l'erreur 404", "La page est introuvable ? Voici comment faire."),
    ("Objets trouvés", "Le bureau des objets trouvés est ouvert du lundi au vendredi."),
    (
        "Not found in the fossil record",
        "Why are some animals missing from the rocks? Soft bodies leave no traces.",
    ),
    (
        "Found!",
        (
            "The treasure that was not found for three hundred years lies in the museum now. Open "
            "daily."
        ),
    ),
    (
        "La vida que no existe",
        "Una novela sobre el tiempo y la memoria. 320 páginas, 18 €.",
    ),
    ("Il cavaliere inesistente", "Romanzo di Italo Calvino, pubblicato nel 1959."),
    (
        "errno(3)",
        "ENOENT No such file or directory. ENOTDIR Not a directory. EISDIR Is a directory.",
    ),
    ("", ""),
]


@pytest.mark.parametrize(("title", "text"), MISSING)
def test_missing(title: str, text: str) -> None:
    assert is_missing(title, text, ASKED)


@pytest.mark.parametrize(("title", "text"), THERE)
def test_there(title: str, text: str) -> None:
    assert not is_missing(title, text, ASKED)


def test_a_long_text_is_a_page_whatever_its_title_says() -> None:
    assert not is_missing("Page not found", "word " * 400, ASKED)


def test_who_asks_for_the_thing_itself_gets_it() -> None:
    """/errors/404.html exists, and so does the manual's page on errors."""
    said = ("404 Not Found", "The page was not found.")
    assert is_missing(*said, ASKED)
    assert not is_missing(*said, "http://example.org/errors/404.html")
    assert not is_missing(*said, "http://example.org/manual/page-not-found")
    assert is_missing(*said, "http://404.example.org/stars"), (
        "the name of a host is not what was asked for"
    )
