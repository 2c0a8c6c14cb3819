"""Answers of strangers: what is taken, what is left out and counted, what is refused as a whole."""

from __future__ import annotations

import json
from typing import Any

import pytest

from trapline.core.errors import AnswerUnreadable
from trapline.oasis.merging.answer_reading import (
    LONGEST_SNIPPET,
    LONGEST_TITLE,
    MOST_BYTES,
    Reading,
    read_answer,
)

READING = Reading(most=10, may_show=lambda url: None)


def hit(**values: Any) -> dict[str, Any]:
    good = {"url": "http://a.org/x", "title": "A", "snippet": [], "score": 1.0}
    return {**good, **values}


def read(*hits: Any, **more: Any) -> Any:
    body = json.dumps({"hits": hits, "total": len(hits), **more})
    return read_answer(body.encode(), READING)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"garbage",
        b"\xff\xfe\x00",
        b"[]",
        b"7",
        b"{}",
        b'{"hits": 7}',
        b'{"hits": {"url": "http://a.org/"}}',
        b'{"hits": [], "total": NaN}',
        b'{"hits": [{"url": "http://a.org/", "score": Infinity}]}',
        b'{"hits": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"hits": [' + b"9" * 5_000 + b"]}",
        b'{"hits": []' + b" " * MOST_BYTES + b"}",
        b"\x1f\x8b\x08\x00garbage",
        b"<html><body>hits</body></html>",
    ],
)
def test_what_is_no_answer_is_refused(body: bytes) -> None:
    with pytest.raises(AnswerUnreadable):
        read_answer(body, READING)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"url": "javascript:alert(1)"}, "no URL of the Web"),
        ({"url": "data:text/html,x"}, "no URL of the Web"),
        ({"url": "file:///etc/passwd"}, "no URL of the Web"),
        ({"url": "http://a.org:22/"}, "no URL of the Web"),
        ({"url": "http://" + "a" * 5000}, "no URL of the Web"),
        ({"url": "http://bank.org@evil.org/"}, "a URL with a user's name"),
        ({"url": "http://user:secret@a.org/"}, "a URL with a user's name"),
        ({"url": "http:\\\\bank.org@evil.org/"}, "a URL with a user's name"),
        ({"url": "http://a.org/\x00"}, "a URL with control characters"),
        ({"url": "http://a.org/\u202egnp"}, "a URL with control characters"),
        ({"url": 7}, "no URL"),
        ({"url": None}, "no URL"),
        ({"title": ["A"]}, "a title that is no text"),
        ({"score": "1"}, "a score that is no number"),
        ({"score": True}, "a score that is no number"),
        ({"score": None}, "a score that is no number"),
        ({"score": -1}, "a score out of all bounds"),
        ({"score": 1e300}, "a score out of all bounds"),
        ({"score": 10**400}, "a score out of all bounds"),
    ],
)
def test_a_hit_that_makes_no_sense_is_left_out_and_counted(
    wrong: dict[str, Any], why: str
) -> None:
    answer = read(hit(**wrong), hit(url="http://b.org/"))
    assert [one.url for one in answer.hits] == ["http://b.org/"]
    assert answer.dropped == {why: 1}


def test_a_number_too_large_for_a_float_is_left_out() -> None:
    body = b'{"hits": [{"url": "http://a.org/", "title": "", "score": 1e999}]}'
    assert read_answer(body, READING).dropped == {"a score out of all bounds": 1}


@pytest.mark.parametrize("what", [None, 7, "text", [1, 2]])
def test_hits_that_are_none(what: object) -> None:
    assert read(what).dropped == {"no JSON object": 1}


def test_no_more_hits_than_were_asked_for() -> None:
    body = b'{"hits": [' + b"0," * 600_000 + b"0]}"
    answer = read_answer(body, READING)
    assert not answer.hits
    assert answer.dropped["more than asked for"] == 600_001 - READING.most


def test_private_addresses_are_refused_by_whoever_reads() -> None:
    strict = Reading(10, lambda url: "private" if "127." in url else None)
    body = json.dumps({"hits": [hit(url="http://127.0.0.1/"), hit()]}).encode()
    answer = read_answer(body, strict)
    assert len(answer.hits) == 1
    assert answer.dropped == {"private": 1}


def test_html_is_plain_text_and_marks_that_steer_are_gone() -> None:
    [one] = read(
        hit(
            title="<script>alert(1)</script>\x1b[31m\u202e\ud800x",
            snippet=[["<b>bold</b>\n", True], ["\x07tail", False]],
        )
    ).hits
    assert one.title == "<script>alert(1)</script> [31m x"
    assert one.snippet == (("<b>bold</b> ", True), (" tail", False))
    one.title.encode()  # halves of characters would fail when it is sent on


def test_texts_are_cut() -> None:
    pieces = [["y" * 700, False]] * 3
    [one] = read(hit(title="x" * 10_000, snippet=pieces)).hits
    assert len(one.title) == LONGEST_TITLE
    assert len(one.snippet_text) == LONGEST_SNIPPET


@pytest.mark.parametrize("snippet", [None, 7, {}, [7], [["a"]], [[7, True]], "text"])
def test_snippets_of_wrong_form_do_no_harm(snippet: object) -> None:
    [one] = read(hit(snippet=snippet)).hits
    assert one.snippet_text in ("", "text")


@pytest.mark.parametrize("total", [None, "7", -3, 1e300, True, [1]])
def test_a_total_that_cannot_be_is_the_number_of_hits(total: object) -> None:
    assert read(hit(), total=total).total == 1


def test_a_url_told_twice_counts_once() -> None:
    answer = read(hit(score=1), hit(url="HTTP://A.org:80/x", score=9))
    assert [one.score for one in answer.hits] == [1.0]
    assert answer.dropped == {"told twice": 1}


def test_what_is_told_beside_must_make_sense() -> None:
    strange = {"language": "English", "changed_s": -5, "relevance": 77, "copies": "x"}
    [one] = read(hit(**strange)).hits
    assert (one.language, one.changed_s, one.relevance, one.copies) == ("", 0, 0, 0)
