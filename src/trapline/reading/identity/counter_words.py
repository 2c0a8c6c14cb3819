"""Words of counters and ages in many languages."""

from __future__ import annotations

from typing import Final

from trapline.reading.identity.calendar_words import words_of

COUNTED: Final = words_of(
    "view views pageview pageviews page-views visit visits visitor visitors hit hits",
    "comment comments like likes dislikes download downloads reader readers reads share",
    "shares follower followers subscriber subscribers retweets reply replies click clicks",
    "vote votes rating ratings review reviews responses thoughts answers hit-counter",
    "visitor-counter besucherzähler zugriffszähler seitenzähler antworten réponses",
    "aufruf aufrufe aufrufen seitenaufrufe besuch besuche besucher besuchern zugriff",
    "zugriffe kommentar kommentare kommentaren leser klicks abonnenten bewertungen",
    "vue vues visite visites visiteur visiteurs commentaire commentaires lecteurs lectures",
    "téléchargements abonnés avis",
    "visita visitas vistas visitantes comentario comentarios descargas lectores seguidores",
    "lecturas visualizaciones votos opiniones",
    "visualizzazioni visitatori commento commenti lettori letture iscritti voti",
    "visualizações visualização comentário comentários leitores leituras acessos",
    "weergaven bezoekers bezoeken reacties reactie lezers keer-bekeken volgers",
    "odsłon odsłony wyświetleń wyświetlenia komentarzy komentarze odwiedzin pobrań",
    "просмотр просмотра просмотров просмотры комментарий комментария комментариев",
    "комментарии посещений скачиваний подписчиков переглядів перегляди коментарів",
    "visningar visninger kommentarer besökare besøgende kommentaa katselukertoja",
    "katselut kommenttia zobrazení zhlédnutí komentářů komentáře megtekintés",
    "görüntülenme görüntüleme yorum okunma vizualizări comentarii προβολές σχόλια",
    "tayangan komentar lượt",
)
# what is counted of pages only: such a count is furniture even at the end of a headline
OF_PAGES: Final = words_of(
    "views pageviews comments replies retweets aufrufe seitenaufrufe kommentare klicks",
    "vues commentaires comentarios visualizzazioni commenti visualizações comentários",
    "weergaven reacties odsłon wyświetleń komentarzy просмотров комментариев visningar",
    "kommentarer zobrazení görüntülenme",
)
# counted only in thousands or behind a button: there are hotels and real stars
STARRED: Final = words_of("star stars fork forks watchers watching subscribe follow")
CROWD: Final = words_of(
    "user users guest guests visitors member members people nutzer benutzer gäste",
    "mitglieder besucher visiteurs invités membres usuarios invitados utenti ospiti",
    "gebruikers gasten leden gości użytkowników гостей пользователей",
)
ONLINE: Final = words_of("online ligne línea linea онлайн")
LIKED: Final = words_of("found like liked find recommend")
# makes a limit or a claim of a count
QUANTIFIERS: Final = words_of(
    "maximum max minimum min most least than exactly only limited limit per each every",
    "at-most up-to least needs need requires require allows allow",
    "maximal höchstens mindestens bis nur je pro maximale",
    "plus moins jusqu'à maximum-de máximo mínimo hasta solo sólo massimo minimo fino",
    "hoogstens minstens maximaal tot máx do maksymalnie minimum не-более максимум до",
    "högst minst högst højst mindst",
)
READ: Final = words_of(
    "read viewed accessed visited downloaded watched played opened shared clicked seen",
    "listened",
    "gelesen abgerufen aufgerufen angesehen heruntergeladen besucht angeklickt",
    "lu lue vu vue consulté consultée téléchargé téléchargée visité visitée",
    "leído leída visto vista descargado descargada visitado visitada",
    "letto letta visto vista scaricato scaricata visitato visitata",
    "lido lida visto vista baixado baixada acessado acessada visitado visitada",
    "gelezen bekeken gedownload bezocht",
    "czytano przeczytano wyświetlono pobrano odwiedzono odczytano",
    "прочитано просмотрено скачано посещено прочитана",
    "läst läst visad visats nedladdad læst vist lest luettu ladattu",
    "přečteno zobrazeno staženo okundu görüntülendi indirildi citit",
)
TIMES: Final = words_of(
    "times time mal x fois veces vez volte volta keer vezes razy raz раз gånger gange",
    "ganger kertaa krát kez ori",
)
# before a count that is not part of a sentence
LEADS: Final = words_of(
    "currently are by with and und et y e en now total about over is has been ist sind",
    "derzeit aktuell actuellement actualmente momenteel obecnie сейчас times",
)
# after a count that is not part of a sentence
TAILS: Final = words_of(
    "online so-far so today yesterday since in total and und et y e en i on this from to",
    "zu sur",
    "seit heute depuis desde dal sinds od с",
)
SO_FAR: Final = words_of(
    "today yesterday total online far heute gestern gesamt insgesamt aujourd'hui hoy oggi",
    "number nr no keer count número numero numéro nummer numer",
)
SECONDS: Final = words_of(
    "ms msec s sec secs second seconds milliseconds sekunden sekunde millisekunden",
    "secondes seconde segundos secondi seconden sekund sekundy секунд секунды сек",
)
UNITS: Final = SECONDS | words_of(
    "m min mins minute minutes h hr hrs hour hours d day days w wk wks week weeks mo",
    "month months y yr yrs year years",
    "minuten stunde stunden tag tage tagen woche wochen monat monate monaten jahr jahre",
    "jahren heure heures jour jours semaine semaines mois an ans",
    "minuto minutos hora horas día días semana semanas mes meses año años",
    "minuti ora ore giorno giorni settimana settimane mese mesi anno anni",
    "dia dias mês ano anos minuut uur uren dag dagen weken maand maanden jaar",
    "minut minuty minutę godzin godziny godzinę dni dzień tygodni tygodnie miesięcy",
    "miesiące lat lata rok",
    "минут минуты минуту час часа часов день дня дней неделю недели недель месяц месяца",
    "месяцев год года лет",
    "хвилин хвилини годин години днів тижнів місяців",
    "minuter timme timmar dagar vecka veckor månad månader år minutter time timer dage",
    "uge uger måned måneder dager uker",
    "minuuttia tuntia päivää viikkoa kuukautta vuotta",
    "minutami minut hodin hodinami hodiny dny dnem týdny měsíci lety roky",
    "dakika saat gün hafta ay yıl zile oră lună luni jam hari minggu bulan menit",
    "giờ phút ngày tuần tháng ώρες ημέρες λεπτά",
)
AGO: Final = words_of(
    "ago fa geleden atrás temu назад тому sedan siden sitten önce lalu trước earlier"
)
AGO_BEFORE: Final = words_of("vor hace há před pred acum πριν för for")
SINCE_THEN: Final = words_of("sedan siden")  # only with these is "för", "for" an age
ABBREVIATED: Final = words_of("nr. no. ca. approx. env. г. max. min. rev.")
