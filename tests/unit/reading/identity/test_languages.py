"""Stamps, ages and counters in many languages, and what only looks like one."""

from __future__ import annotations

import pytest

from trapline.reading.identity.steady_text import steady_text

SAME = [
    # nl, pt, pl, ru, ja, zh
    ("Laatst bijgewerkt op 3 mei 2024", "Laatst bijgewerkt op 17 juni 2024"),
    ("Laatste wijziging: 03-05-2024", "Laatste wijziging: 17-06-2024"),
    ("Gewijzigd op vrijdag 3 mei 2024", "Gewijzigd op maandag 6 mei 2024"),
    (
        "Última atualização: 3 de maio de 2024",
        "Última atualização: 17 de junho de 2024",
    ),
    ("Atualizado em 03/05/2024 às 12h34", "Atualizado em 17/06/2024 às 9h05"),
    ("Ostatnia aktualizacja: 3 maja 2024", "Ostatnia aktualizacja: 17 czerwca 2024"),
    ("Zaktualizowano: 03.05.2024 12:34", "Zaktualizowano: 17.06.2024 09:05"),
    ("Последнее обновление: 3 мая 2024 г.", "Последнее обновление: 17 июня 2024 г."),
    ("Обновлено 03.05.2024 в 12:34", "Обновлено 17.06.2024 в 09:05"),
    ("最終更新日:2024年5月3日", "最終更新日:2024年6月17日"),
    ("最終更新 2024/05/03 12:34", "最終更新 2024/06/17 09:05"),
    ("最后更新于2024年5月3日", "最后更新于2024年6月17日"),
    ("更新时间:2024-05-03 12:34", "更新时间:2024-06-17 09:05"),
    # and others
    ("Senast uppdaterad: 3 maj 2024", "Senast uppdaterad: 17 juni 2024"),
    ("Sidst opdateret 3. maj 2024", "Sidst opdateret 17. juni 2024"),
    ("Viimeksi päivitetty 3.5.2024", "Viimeksi päivitetty 17.6.2024"),
    ("Poslední aktualizace: 3. května 2024", "Poslední aktualizace: 17. června 2024"),
    ("Son güncelleme: 3 Mayıs 2024", "Son güncelleme: 17 Haziran 2024"),
    ("3 Mayıs 2024 tarihinde güncellendi", "17 Haziran 2024 tarihinde güncellendi"),
    ("Τελευταία ενημέρωση: 3 Μαΐου 2024", "Τελευταία ενημέρωση: 17 Ιουνίου 2024"),
    ("최종 수정일: 2024년 5월 3일", "최종 수정일: 2024년 6월 17일"),
    (
        "Diese Seite wurde am 3. Mai 2024 bearbeitet",
        "Diese Seite wurde am 4. Mai 2024 bearbeitet",
    ),
    ("Revision as of 12:34, 3 May 2024", "Revision as of 09:05, 17 June 2024"),
    ("Updated\n3 May 2024", "Updated\n17 June 2024"),
    (
        "Last updated by Ann Miller on 3 May 2024",
        "Last updated by Ann Miller on 4 May 2024",
    ),
    ("3 uur geleden", "5 uur geleden"),
    ("há 3 horas", "há 5 horas"),
    ("3 godziny temu", "5 godzin temu"),
    ("3 часа назад", "5 часов назад"),
    ("3時間前", "5時間前"),
    ("3分钟前", "5分钟前"),
    ("3시간 전", "5시간 전"),
    ("för 3 timmar sedan", "för 5 timmar sedan"),
    ("Read 512 times", "Read 540 times"),
    (
        "This page has been accessed 5,120 times.",
        "This page has been accessed 5,201 times.",
    ),
    ("512 Mal gelesen", "540 Mal gelesen"),
    ("Lu 512 fois", "Lu 540 fois"),
    ("Leído 512 veces", "Leído 540 veces"),
    ("512 keer gelezen", "540 keer gelezen"),
    ("Lido 512 vezes", "Lido 540 vezes"),
    ("Прочитано 512 раз", "Прочитано 540 раз"),
    ("Просмотров: 512", "Просмотров: 540"),
    ("Wyświetleń: 512", "Wyświetleń: 540"),
    ("閲覧数:512", "閲覧数:540"),
    ("浏览次数:512", "浏览次数:540"),
    ("阅读(512)", "阅读(540)"),
    ("1.2k stars", "1.3k stars"),
    ("Star 1.2k Fork 340", "Star 1.3k Fork 351"),
    ("12.3K followers", "12.4K followers"),
    ("Downloads: 1.2k", "Downloads: 1.3k"),
    ("4.5 out of 5 (1,024 ratings)", "4.5 out of 5 (1,031 ratings)"),
    ("512 people like this", "540 people like this"),
    ("Online: 12 Gäste, 3 Mitglieder", "Online: 7 Gäste, 5 Mitglieder"),
    ("Served by web3 in 0.12s", "Served by web7 in 0.34s"),
]
CHANGED = [
    ("Account 4711 0815 22", "Account 4711 0815 23"),
    ("Account DE89370400440532013000", "Account DE89370400440532013001"),
    ("Serial 3F2A90C1D4E5B677", "Serial 3F2A90C1D4E5B678"),
    ("Serial number 4711-0815-2233-4455", "Serial number 4711-0815-2233-4456"),
    (
        "Licence key 3f2a90c1-d4e5-4677-8888-aaaabbbbcccc",
        "Licence key 4f2a90c1-d4e5-4677",
    ),
    ("The change takes effect on 3 May", "The change takes effect on 4 May"),
    ("The update takes effect on 3 May 2024", "The update takes effect on 4 May 2024"),
    ("This takes effect on 3 May", "This takes effect on 4 May"),
    ("Maximum 30 visitors", "Maximum 40 visitors"),
    ("Max. 30 Besucher", "Max. 40 Besucher"),
    ("Maximum visitors: 30", "Maximum visitors: 40"),
    ("At most 30 users may be online", "At most 40 users may be online"),
    (
        "The museum expects 300 visitors per hour",
        "The museum expects 400 visitors per hour",
    ),
    ("Meeting today 15:00", "Meeting today 16:00"),
    ("Today at 15:00: guided tour", "Today at 16:00: guided tour"),
    ("Heute um 20:00 Uhr Konzert", "Heute um 21:00 Uhr Konzert"),
    ("Vergadering vandaag om 15:00", "Vergadering vandaag om 16:00"),
    ("Lecture now at 15:00", "Lecture now at 16:00"),
    ("Time: 15:00", "Time: 16:00"),
    ("締め切り:2024年5月3日", "締め切り:2024年6月3日"),
    ("报名截止日期:2024年5月3日", "报名截止日期:2024年6月3日"),
    ("価格:1200円", "価格:1300円"),
    ("Концерт состоится 3 мая 2024", "Концерт состоится 4 мая 2024"),
    ("De vergadering is op 3 mei 2024", "De vergadering is op 4 mei 2024"),
    ("O prazo termina em 3 de maio de 2024", "O prazo termina em 4 de maio de 2024"),
    ("Następna aktualizacja: 3 maja 2024", "Następna aktualizacja: 4 maja 2024"),
    ("The hotel has 4 stars", "The hotel has 5 stars"),
    ("The cluster contains 1,200 stars", "The cluster contains 1,300 stars"),
    ("R1 = 1.2k", "R1 = 1.3k"),
    ("It failed 3 times", "It failed 4 times"),
    ("It must be read 3 times", "It must be read 4 times"),
    ("Read 3 books a week", "Read 4 books a week"),
    ("Smith C, 2005. On bees", "Smith C, 2006. On bees"),
    (
        "Our news\nThe bridge opens on 3 May 2024",
        "Our news\nThe bridge opens on 4 May 2024",
    ),
    (
        "Alle Informationen finden Sie hier:\nAm 1. Februar endet die Frist",
        "Alle Informationen finden Sie hier:\nAm 2. Februar endet die Frist",
    ),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_changes_by_itself_is_no_change(one: str, other: str) -> None:
    page = "Tea\nHot.\n{}\nContact"
    assert steady_text("", page.format(one)) == steady_text("", page.format(other))


@pytest.mark.parametrize(("one", "other"), CHANGED)
def test_what_a_reader_would_call_a_change_is_one(one: str, other: str) -> None:
    page = "Tea\nHot.\n{}\nContact"
    assert steady_text("", page.format(one)) != steady_text("", page.format(other))


def test_lines_stay_lines() -> None:
    text = "Tea\nUpdated:\n3 May 2024\n17\nviews\nPage generated in 0.1 s\nHot"
    assert steady_text("T", text).split("\n") == [
        "T",
        "Tea",
        "Updated:",
        "",
        "",
        "",
        "",
        "Hot",
    ]
