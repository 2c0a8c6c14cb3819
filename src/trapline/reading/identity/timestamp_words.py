"""Words that tell which numbers change by themselves (steady_text.py): English, German, French,
Spanish, Italian.
"""

from __future__ import annotations

from typing import Final


def words_of(*lists: str) -> frozenset[str]:
    return frozenset(word for words in lists for word in words.split())


DAYS: Final = words_of(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs "
    "fri sat sun",
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so",
    "lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves "
    "viernes sábado domingo",
    "lunedì martedì mercoledì giovedì venerdì sabato domenica",
)
MONTHS: Final = words_of(  # their first three letters
    "jan feb fév mar mär apr avr abr may mai mag jun jui giu jul lug aug aoû ago sep set oct "
    "okt ott nov dec dez déc",
    "dic",
    "gen ene",
)
SMALL: Final = words_of(  # between a stamp's word and its date
    "on at am um le el il the à den dem vom du del der today yesterday heute gestern hier ayer ieri"
)
STAMPS: Final = words_of(
    "updated update updates modified modification generated printed retrieved accessed "
    "rendered refreshed checked",
    "cached",
    "crawled compiled built build synced saved loaded edited revised changed change amended "
    "posted published submitted",
    "created today now current timestamp yesterday as-of it-is time-is server-time local-time "
    "last-seen last-visit",
    "last-login last-active aktualisiert aktualisierung geändert änderung bearbeitet stand "
    "erstellt generiert erzeugt",
    "gedruckt abgerufen veröffentlicht heute gestern jetzt uhrzeit à-jour màj modifié "
    "modifiée généré générée imprimé",
    "imprimée publié publiée consulté consultée aujourd'hui aujourd’hui hier maintenant "
    "nous-sommes actualizado",
    "actualizada actualización modificado modificada publicado publicada generado generada "
    "hoy ayer ahora aggiornato",
    "aggiornata aggiornamento modificato modificata pubblicato pubblicata generato generata "
    "oggi ieri adesso",
)
PLANNED: Final = words_of(  # what is to come is news when it moves
    "next will be wird nächste nächster nächstes nächsten prochain prochaine próximo próxima "
    "prossimo prossima"
)
LIMITS: Final = words_of(
    "to until till by before from since version v bis auf ab zum jusqu'au jusqu’au hasta fino al"
)
MADE: Final = words_of(
    "generated generation rendered served loaded load created executed processed built "
    "queries page-took query-took",
    "request-took search-took erzeugt generiert geladen ladezeit erstellt généré générée "
    "chargé chargée generado",
    "generada",
    "cargado cargada generato generata caricato caricata",
)
RESULTS: Final = words_of(
    "results result ergebnisse ergebnis treffer résultats resultados risultati"
)
COUNTED: Final = words_of(
    "view views pageviews visit visits visitor visitors hit hits comment comments like likes "
    "dislikes download",
    "downloads",
    "reader readers reads share shares follower followers subscriber subscribers retweets "
    "reply replies click clicks",
    "aufruf aufrufe aufrufen seitenaufrufe besuch besuche besucher besuchern zugriff zugriffe "
    "kommentar kommentare",
    "kommentaren leser klicks gefällt abonnenten vue vues visite visites visiteur visiteurs "
    "commentaire commentaires",
    "lecteurs lectures téléchargements abonnés visita visitas vistas visitantes comentario "
    "comentarios descargas",
    "lectores",
    "seguidores visualizzazioni visitatori commento commenti lettori",
)
CROWD: Final = words_of(
    "user users guest guests visitors member members people nutzer benutzer gäste besucher "
    "visiteurs usuarios utenti"
)
SECONDS: Final = words_of(
    "ms msec s sec secs second seconds milliseconds sekunden sekunde millisekunden secondes "
    "seconde segundos secondi"
)
UNITS: Final = SECONDS | words_of(
    "m min mins minute minutes h hr hrs hour hours d day days w wk wks week weeks mo month "
    "months y yr yrs year years",
    "minuten stunde stunden tag tage tagen woche wochen monat monate monaten jahr jahre "
    "jahren heure heures jour jours",
    "semaine semaines mois an ans minuto minutos hora horas día días semana semanas mes meses "
    "año años minuti ora ore",
    "giorno giorni settimana settimane mese mesi anno anni",
)
SO_FAR: Final = words_of(
    "today yesterday total online far heute gestern gesamt insgesamt aujourd'hui hoy oggi "
    "number nr no"
)
ABBREVIATED: Final = words_of("nr. no. ca. approx. env.")
