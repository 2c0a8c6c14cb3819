"""What the gaps of edits are filled with: dates in many languages, numbers, names.

The same page, edit and visit have the same values; every visit has others.
"""

from __future__ import annotations

import hashlib
import random
from datetime import UTC, date, datetime, timedelta
from typing import Final

_MONTHS: Final = {
    "en": "January February March April May June July August September October "
    "November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November "
    "Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre "
    "décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre "
    "noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre "
    "novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro "
    "novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober "
    "november december",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września "
    "października listopada grudnia",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября "
    "декабря",
    "cs": "ledna února března dubna května června července srpna září října listopadu "
    "prosince",
    "sv": "januari februari mars april maj juni juli augusti september oktober november "
    "december",
    "da": "januar februar marts april maj juni juli august september oktober november "
    "december",
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie "
    "octombrie noiembrie decembrie",
    "tr": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
}
_LONG: Final = {
    "de": "{0}. {1} {2}",
    "da": "{0}. {1} {2}",
    "cs": "{0}. {1} {2}",
    "es": "{0} de {1} de {2}",
    "pt": "{0} de {1} de {2}",
}
_NUMERIC: Final = {
    "iso": "%Y-%m-%d",
    "ymd/": "%Y/%m/%d",
    "ydots": "%Y.%m.%d",
    "dots": "%d.%m.%Y",
    "dmy/": "%d/%m/%Y",
    "dmy-": "%d-%m-%Y",
}
_DAYS: Final = {
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "tag": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "jour": "lundi mardi mercredi jeudi vendredi samedi dimanche",
}
_WORDS: Final = {
    "word": "copper velvet northern hydraulic quiet lateral amber seventh hollow",
    "state": "open closed degraded operational suspended blocked restored flooded",
    "weather": "sunny cloudy rainy windy foggy overcast clear",
    "licence": "MIT Apache-2.0 BSD-3-Clause MPL-2.0 ISC Zlib",
}
_NAMES: Final = (
    "Ann Miller|Boris Petrov|Carla Rossi|Dai Nakamura|Eva Novak|Femi Adeyemi|"
    "Greta Lind|Hugo Blanc"
)
_HEADLINES: Final = (
    "Ferry service resumes after storm|Ten ways to store winter apples|"
    "Choir wins first prize abroad|New tram line opens to the harbour|"
    "Why old bridges hum at night|Museum finds forgotten letters|"
    "Bakers agree on smaller rolls|How bees find their way home|"
    "Students build boat from cork|Library stays open on Sundays"
)
_QUOTES: Final = (
    "Simplicity is the soul of efficiency.|Well begun is half done.|"
    "A stitch in time saves nine.|What we know is a drop.|"
    "Measure twice and cut once.|Little strokes fell great oaks.|"
    "No road is long with good company.|The pen is mightier than the sword."
)
_SLOGANS: Final = (
    "Buy two kettles, pay one!|Your next holiday starts here|Shoes that walk for you|"
    "Insurance from a friendly face|Faster broadband from tomorrow|Taste the mountains|"
    "The mattress people talk about"
)
_LISTS: Final = {
    "name": _NAMES,
    "headline": _HEADLINES,
    "quote": _QUOTES,
    "slogan": _SLOGANS,
}
_FIRST: Final = date(2023, 1, 5)


class Values:
    """For one page and edit at one visit, by name."""

    def __init__(self, key: str, visit: int) -> None:
        digest = hashlib.sha256(key.encode()).digest()
        self._base = int.from_bytes(digest[:4], "big")
        self._visit = visit
        self._random = random.Random(f"{key} {visit}")
        step = 3 + self._base % 37
        self._date = _FIRST + timedelta(days=self._base % 400 + step * visit)

    def __getitem__(self, name: str) -> str:
        if name in _MONTHS:
            months = _MONTHS[name].split()
            pattern = _LONG.get(name, "{0} {1} {2}")
            month = months[self._date.month - 1]
            return pattern.format(self._date.day, month, self._date.year)
        if name in _NUMERIC:
            return self._date.strftime(_NUMERIC[name])
        if name in _DAYS:
            return _DAYS[name].split()[self._date.weekday()]
        if name in _WORDS:
            return self._of(_WORDS[name].split())
        if name.rstrip("2") in _LISTS:
            return self._of(_LISTS[name.rstrip("2")].split("|"), 3 * name.count("2"))
        return str(getattr(self, f"_{name}")())

    def _of(self, choices: list[str], apart: int = 0) -> str:
        return choices[(self._base + self._visit + apart) % len(choices)]

    def _us(self) -> str:
        return f"{self._date:%B} {self._date.day}, {self._date.year}"

    def _md(self) -> str:
        return f"{self._date.day} {self._date:%B}"

    def _ja(self) -> str:
        return f"{self._date.year}年{self._date.month}月{self._date.day}日"

    def _ko(self) -> str:
        return f"{self._date.year}년 {self._date.month}월 {self._date.day}일"

    def _T(self) -> str:  # noqa: N802
        return f"{8 + (self._base + 3 * self._visit) % 12}:{self._random.randrange(10, 60)}"

    def _Th(self) -> str:  # noqa: N802
        return self._T().replace(":", "h")

    def _H(self) -> int:  # noqa: N802
        return 7 + (self._base + self._visit) % 7

    def _s(self) -> int:
        return self._random.randrange(10, 60)

    def _Y(self) -> int:  # noqa: N802
        return 2019 + self._visit

    def _N(self) -> str:  # noqa: N802
        number = 300 + self._base % 9000 + 57 * self._visit
        return f"{number:,}" if self._base % 2 else str(number)

    def _n(self) -> int:
        return 12 + self._base % 40 + 3 * self._visit

    def _m(self) -> int:
        return 2 + (self._base + self._visit) % 8

    def _k(self) -> str:
        return f"{1 + self._base % 9}.{1 + self._visit}k"

    def _stamp(self) -> int:
        noon = datetime(
            self._date.year, self._date.month, self._date.day, 12, tzinfo=UTC
        )
        return int(noon.timestamp()) + self._random.randrange(3600)

    def _digits(self, count: int) -> str:
        return "".join(self._random.choices("123456789", k=count))

    def _d4(self) -> str:
        return self._digits(4)

    def _d10(self) -> str:
        return self._digits(10)

    def _hex(self, count: int) -> str:
        return (
            "4" + "".join(self._random.choices("0123456789abcdef", k=count - 2)) + "c"
        )

    def _h2(self) -> str:
        return self._digits(2)

    def _hex8(self) -> str:
        return self._hex(8)

    def _hex16(self) -> str:
        return self._hex(16)

    def _hex64(self) -> str:
        return self._hex(64)

    def _HEX8(self) -> str:  # noqa: N802
        return self._hex(8).upper()

    def _HEX16(self) -> str:  # noqa: N802
        return self._hex(16).upper()

    def _uuid(self) -> str:
        return "-".join(map(self._hex, (8, 4, 4, 4, 12)))

    def _token(self) -> str:
        letters = "abcdefghkmnpqrstuvwxyzABCDEFGHKMNPQRSTUVWXYZ23456789"
        return "".join(self._random.choices(letters, k=22)) + "7aQ4"
