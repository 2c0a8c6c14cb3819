"""Words of dates in many languages: months and weekdays, and the small words beside them."""

from __future__ import annotations

from typing import Final


def words_of(*lists: str) -> frozenset[str]:
    return frozenset(word for words in lists for word in words.split())


MONTHS: Final = words_of(
    "january february march april may june july august september october november",
    "december jan feb mar apr jun jul aug sep sept oct nov dec",
    "januar jänner februar märz mai juni juli oktober dezember mär okt dez",
    "janvier février mars avril juin juillet août septembre octobre novembre décembre",
    "janv févr avr juil déc",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre",
    "diciembre ene abr ago dic",
    "gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu",
    "lug set ott",
    "janeiro fevereiro março maio junho julho setembro outubro novembro dezembro fev out",
    "januari februari maart mei augustus mrt",
    "maj marts augusti",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października",
    "listopada grudnia",
    "styczeń luty marzec kwiecień czerwiec lipiec sierpień wrzesień październik listopad",
    "grudzień",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "янв фев мар апр май июн июл авг сен сент окт ноя дек",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада",
    "грудня",
    "януари февруари март април юни юли август септември октомври ноември декември",
    "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna studenoga prosinca",
    "januarja februarja aprila junija julija avgusta septembra oktobra",
    "jaanuar veebruar märts aprill juuni juuli oktoober detsember",
    "ledna února března dubna května června července srpna září října listopadu prosince",
    "januára februára apríla mája júna júla augusta októbra novembra decembra",
    "január február március április május június július augusztus szeptember október",
    "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta",
    "elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
    "ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie",
    "decembrie",
    "gener febrer març maig juny juliol agost setembre octubre novembre desembre",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου",
    "σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου",
    "maret agustus desember januari juli",
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
)
DAYS: Final = words_of(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur",
    "thurs fri sat sun",
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr",
    "sa so",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "lunes martes miércoles jueves viernes sábado domingo",
    "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira",
    "poniedziałek wtorek środa czwartek piątek sobota niedziela",
    "понедельник вторник среда четверг пятница суббота воскресенье",
    "понеділок вівторок середа четвер п’ятниця субота неділя",
    "måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag",
    "maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",
    "pondělí úterý středa čtvrtek pátek neděle",
    "pazartesi salı çarşamba perşembe cuma cumartesi pazar",
)
# between the word that makes a stamp of a date and the date
FILLERS: Final = words_of(
    "on at in the of is was are been has date time day by this page utc gmt",
    "am um den der dem vom ist war wurde datum zeit uhr seite diese",
    "le la les du de à est été a date heure page cette",
    "el al los del fecha hora página esta por vez última se las en",
    "il lo dello della alle ore data pagina questa volta alla",
    "em às da na no pela foi data hora página esta",
    "op om het van datum tijd deze pagina is voor laatst laatste",
    "dnia o w godz godzina strona data ostatnio ta tę stronę została",
    "в от г дата время последний последнее раз была эта страница была",
    "den kl klo kell dne v ve az a la data ora tarihi saat ημερομηνία στις",
    "на последна последно dana dne zadnja poslednja viimati",
    "pada lúc ngày vào lần cuối",
    "last letzte zuletzt faite senast sidst sist viimeksi ostatnio naposledy utoljára son",
    "|",
)
TODAY: Final = words_of(
    "today yesterday heute gestern aujourd'hui aujourd’hui hoy ayer oggi ieri hoje "
    "ontem vandaag gisteren dzisiaj dziś wczoraj сегодня вчера сьогодні вчора idag igår "
    "i-dag i-går tänään eilen dnes včera bugün dün σήμερα"
)
