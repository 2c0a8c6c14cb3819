"""Words that make a stamp of the date or time after them, in many languages."""

from __future__ import annotations

from typing import Final

from trapline.reading.identity.calendar_words import words_of

# Two words are written as one-two.
STAMPS: Final = words_of(
    "updated update updates modified modification generated printed retrieved accessed",
    "rendered refreshed checked reviewed cached crawled compiled built build synced saved",
    "loaded edited revised revision changed change amended posted published submitted",
    "rev created timestamp as-of last-seen last-visit last-login last-active last-commit",
    "aktualisiert aktualisierung geändert änderung bearbeitet stand erstellt generiert",
    "erzeugt gedruckt abgerufen veröffentlicht überarbeitet datenstand redaktionsstand",
    "bearbeitungsstand datenbankstand",
    "à-jour màj modifié modifiée modification généré générée imprimé imprimée publié",
    "publiée consulté consultée révisé révisée",
    "actualizado actualizada actualización modificado modificada modificación publicado",
    "publicada generado generada editó editado editada revisado revisada actualització",
    "aggiornato aggiornata aggiornamento modificato modificata modifica pubblicato",
    "pubblicata generato generata",
    "atualizado atualizada atualização actualização modificação alteração editada",
    "alterado alterada gerado gerada",
    "bijgewerkt gewijzigd wijziging bijwerking bewerkt aangepast gegenereerd gepubliceerd",
    "geactualiseerd actualisatie",
    "aktualizacja zaktualizowano zaktualizowana zmodyfikowano modyfikacja edytowano",
    "edytowana opublikowano wygenerowano aktualizacji modyfikacji zmiana zmiany",
    "обновлено обновлён обновлен обновлена обновление обновления изменено изменён",
    "изменена изменение изменения отредактирована отредактировано опубликовано",
    "сгенерировано редактирование",
    "оновлено оновлення змінено зміни",
    "обновяване обновена промяна променена актуализация актуализирана редактирана",
    "ažurirano ažurirana izmjena izmijenjeno izmena izmenjeno sprememba posodobljeno",
    "uuendatud muudetud atnaujinta pakeista atjaunots atjaunināts",
    "uppdaterad uppdaterat uppdaterades uppdatering ändrad ändrades redigerad",
    "redigerades granskad opdateret opdatering ændret redigeret oppdatert oppdatering",
    "endret redigert",
    "päivitetty päivitys muokattu muutettu",
    "aktualizace aktualizováno aktualizované aktualizácia upraveno změněno změna zmena",
    "změny upravené editována",
    "frissítve frissítés módosítva módosítás",
    "actualizat actualizare actualizată modificat modificată",
    "güncelleme güncellendi güncellenme değiştirildi düzenlendi",
    "ενημέρωση ενημερώθηκε τροποποίηση τροποποιήθηκε",
    "diperbarui pembaruan diubah disunting",
    "cập-nhật تحديث روزرسانی עודכן अद्यतन",
)
# what is to come, or not yet, is news when it moves
PLANNED: Final = words_of(
    "next will be must should until not expected scheduled planned valid effective",
    "applicable due expires gültig wirksam valable válido valido geldig ważny",
    "nächste nächster nächstes nächsten wird werden geplant",
    "prochain prochaine sera próximo próxima será prossimo prossima sarà",
    "volgende wordt kolejna następna następny будет следующее следующая nästa næste neste",
)
# what such a word stands for is done to something, not to the page
LIMITS: Final = words_of(
    "to until till by before from since after version v for",
    "bis auf ab zum von nach vor seit jusqu'au jusqu’au depuis avant après hasta desde",
    "antes fino dal entro até desde tot vanaf sinds do od przed до с после от till",
)
# after one of these, a date or a name is no longer what the stamp is about
BY: Final = words_of(
    "by with from von mit par avec por con da com door met przez av af"
)
NOW: Final = words_of(
    "time-is time-now now-is is-now server-time local-time current-time current-date",
    "it-is system-time es-ist il-est nous-sommes serverzeit",
)
# where the verb comes last, these may follow the date
LATE_STAMPS: Final = words_of(
    "aktualisiert geändert bearbeitet überarbeitet bijgewerkt gewijzigd bewerkt aangepast",
    "güncellendi değiştirildi düzenlendi frissítve módosítva",
)
GENERATORS: Final = words_of(
    "sphinx doxygen wordpress drupal joomla mkdocs jekyll hugo typo3 phpbb vbulletin",
    "mediawiki discourse pelican hexo javadoc jsdoc gitbook docusaurus asciidoctor",
    "latex2html texinfo makeinfo pandoc rdoc yard typedoc epydoc pdoc moinmoin xenforo",
)
GENERATED: Final = words_of(
    "created-using generated-by powered-by built-with made-with produced-by created-by",
    "generated-using created-with built-using erstellt-mit erzeugt-von propulsé-par",
)
MADE: Final = words_of(
    "generated generation rendered served loaded load created executed processed built",
    "queries page-took query-took request-took search-took",
    "erzeugt generiert geladen ladezeit erstellt généré générée chargé chargée generado",
    "generada cargado cargada generato generata caricato caricata gegenereerd geladen",
    "gerado gerada carregado wygenerowano сгенерирована сгенерировано загружено",
)
RESULTS: Final = words_of(
    "results result ergebnisse ergebnis treffer résultats resultados risultati resultaten",
    "wyników результатов",
)
SESSION: Final = words_of(
    "phpsessid jsessionid",
    "request session token nonce ray trace csrf requestid sessionid traceid visitor-id",
    "request-id session-id trace-id correlation correlation-id sitzung jeton sesión",
    "sessione sessão sessie sesja сессия incident-id event-id error-id support-id",
)
