"""A search on a terminal: marks are seen, and strangers' texts do it no harm."""

from __future__ import annotations

import json
import time

import pytest

from trapline.app.printing.answer import print_answer
from trapline.search.hits import Factor, Fragment, Hit
from trapline.search.questions import Answer, Question

EVIL = "moon\x1b[2J\x1b]0;owned\x07\u202egnp.exe\x9b5m [bold]no[/bold] :smile:"
ASKED = Question("moon")


def hit(**changes: object) -> Hit:
    facts: dict[str, object] = {
        "page": 1,
        "url": "http://h.example/moon",
        "title": "The moon",
        "snippet": (Fragment("of the ", False), Fragment("moon", True)),
        "score": 2.0,
        "relevance": 0.5,
        "fetched_s": time.time() - 7200.0,
    }
    return Hit(**{**facts, **changes})  # type: ignore[arg-type]


def shown(
    answer: Answer,
    capsys: pytest.CaptureFixture[str],
    question: Question = ASKED,
    as_json: bool = False,
) -> str:
    print_answer(answer, question, as_json)
    return capsys.readouterr().out


def test_matches_are_marked_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    title = (Fragment("The ", False), Fragment("moon", True))
    out = shown(Answer([hit(marked_title=title)], 1, 0.001), capsys)
    assert out.count("\x1b[1;4mmoon\x1b[0m") == 2


def test_elsewhere_there_are_no_marks(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(Answer([hit()], 1, 0.001), capsys)
    assert "\x1b" not in out
    assert "of the moon" in out
    assert "seen 2 h ago" in out


@pytest.mark.parametrize("field", ["title", "url", "language"])
def test_hostile_texts_move_no_cursor(
    field: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "400")
    out = shown(Answer([hit(**{field: EVIL})], 1, 0.001), capsys)
    for bad in ("\x1b[2J", "\x1b]0", "\x07", "\u202e", "\x9b"):
        assert bad not in out
    assert "[bold]no[/bold]" in out
    assert ":smile:" in out


@pytest.mark.parametrize("place", ["snippet", "marked_title"])
def test_hostile_pieces_move_no_cursor(
    place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pieces = (Fragment(EVIL, True), Fragment(EVIL, False))
    factors = (Factor(EVIL, 1.0, 1.0),)
    answer = Answer([hit(**{place: pieces, "factors": factors})], 1, 0.001, EVIL, "c")
    out = shown(answer, capsys)
    assert not {"\x1b", "\x07", "\u202e", "\x9b"} & set(out)


def test_factors_add_up_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    factors = (Factor("words of the text", 3.5, 1.5), Factor("closeness", 0.25, 0.5))
    out = shown(Answer([hit(factors=factors)], 1, 0.001), capsys)
    assert "+1.500  words of the text 3.5" in out
    assert "2.000  in all" in out


def test_what_was_meant_and_what_follows_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = Answer([hit(copies=3)], 12, 0.001, meant="moon landing", cursor="abc")
    out = shown(answer, capsys)
    assert "did you mean: moon landing" in out
    assert "--page 2" in out
    assert "and 3 like it" in out


def test_what_was_searched_instead_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    remarks = ("changed:>NaN: this is not a date",)
    answer = Answer([hit()], 1, 0.0, meant="moon", corrected=True, remarks=remarks)
    out = shown(answer, capsys)
    assert "this was searched: moon" in out
    assert "read as words: changed:>NaN: this is not a date" in out
    assert "did you mean" not in out


@pytest.mark.parametrize(
    ("question", "hint"),
    [
        (Question("x"), "try fewer"),
        (Question("x", host="h.example"), "leave a filter out"),
        (Question("x", changed_to_s=0.0), "leave a filter out"),
        (Question("x", offset=10), "there is no more"),
    ],
)
def test_nothing_found_says_what_helps(
    question: Question, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hint in shown(Answer([], 0, 0.001), capsys, question)


def test_machines_get_all_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(Answer([hit(title=EVIL)], 1, 0.001), capsys, as_json=True)
    assert json.loads(out)["hits"][0]["title"] == EVIL
    assert "\x1b" not in out
