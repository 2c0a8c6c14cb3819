"""What changes by itself in Chinese, Japanese and Korean texts, where few spaces part words."""

from __future__ import annotations

import re
from typing import Final

_DATE: Final = (
    r"\d{4}\s?[年년./-]\s?\d{1,2}\s?[月월./-]\s?\d{1,2}\s?[日일]?\.?"
    r"(?:\s?[（(]?(?:星期|周|週)?[一二三四五六日天月火水木金土월화수목금토일][)）]?(?![\w]))?"
    r"(?:\s?(?:[上下]午|午前|午後|오전|오후)?\s?\d{1,2}[:：时時点시]\s?\d{2}[分분]?"
    r"(?::\d{2})?)?"
)
_TIME: Final = r"\d{1,2}[:：时時点시]\s?\d{2}[分분]?"
_TODAY: Final = rf"(?:今天|昨天|今日|昨日|오늘|어제)\s?{_TIME}"
_DAY: Final = rf"\d{{1,2}}月\d{{1,2}}日(?:\s?{_TIME})?"
_GAP: Final = r"[日时時期间間刻于於在は：:\s（(\]】]{0,6}"
_STAMP: Final = (
    r"(?:最[终終后後近]\s?(?:更新|修改|编辑|編輯|編集|変更|變更|修訂)|更新日[时時]?|更新时间"
    r"|更新時間|更新于|更新於|修改时间|修改日期|发布时间|發佈時間|打印时间|今天是|本日は|今日は"
    r"|最終更新|更新(?=[：:\s])|최종\s?수정일?|마지막\s?(?:업데이트|수정)|업데이트|최근\s?수정일?|수정일|오늘은)"
)
_COUNTER: Final = (
    r"(?:閲覧回?数|再生回?数|アクセス数|コメント数?|いいね数?|浏览(?:次数|量)?|瀏覽(?:次數|量)?"
    r"|阅读(?:次数|量)?|閱讀(?:次數|量)?|点击(?:次数|量)?|點擊(?:次數|量)?|访问(?:次数|量)"
    r"|评论数?|評論數?|回复数?|点赞数?|下载(?:次数|量)|粉丝数?|조회수?|댓글|좋아요|다운로드\s?수)"
)
_NUMBER: Final = r"\d[\d,.]*\s?(?:万|萬|천|만|k\b)?"
_AGE: Final = (
    r"\d+\s?(?:秒钟?|分钟?|分鐘|時間|小时|小時|日|天|週間|周|か月|ヶ月|个月|個月|年)(?:之?前)"
    r"|\d+\s?(?:초|분|시간|일|주|개월|년)\s?전"
)
_COUNT: Final = (
    rf"{_NUMBER}\s?(?:次(?:浏览|阅读|播放|下载|点击|瀏覽|閱讀)|人(?:阅读|浏览|看过|赞)"
    r"|回(?:視聴|閲覧|再生)|件のコメント|条评论|個評論|个评论|회\s?조회|개의?\s?댓글)"
)
_CHANGING: Final = re.compile(
    rf"(?P<stamp>{_STAMP}{_GAP})(?:{_DATE}|{_TODAY}|{_DAY})"
    rf"|(?:{_DATE}|{_DAY})(?=\s?(?:に?更新|수정))"
    rf"|(?P<counter>{_COUNTER}[：:\s（(]{{0,3}}){_NUMBER}(?=[\s)）|·，。]|$|次|人|回)"
    rf"|{_AGE}|{_COUNT}",
    re.IGNORECASE | re.MULTILINE,
)
_LINE_WITH_NUMBER: Final = re.compile(r"^[^\d\n]*+\d.*$", re.MULTILINE)


def without_stamps(text: str) -> str:
    """A text without them.

    >>> without_stamps("最終更新日：2024年5月3日 価格：120円 閲覧数：512")
    '最終更新日： 価格：120円 閲覧数：'
    >>> without_stamps("报名截止日期：2024年5月3日 3小时前")
    '报名截止日期：2024年5月3日 '
    """
    return _LINE_WITH_NUMBER.sub(_shorten_line, text)


def _shorten_line(line: re.Match[str]) -> str:
    return _CHANGING.sub(_keep_name, line[0])


def _keep_name(found: re.Match[str]) -> str:
    return found["stamp"] or found["counter"] or ""
