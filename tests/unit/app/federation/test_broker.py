"""The broker: whom it asks, what it shows when, and how little a bad engine can do."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

import pytest

from tests.unit.app.federation.small_federation import (
    Federation,
    fails,
    hangs,
    hits,
    names,
    says,
    states,
)
from trapline.app.federation.asking.broker_options import BrokerOptions
from trapline.app.federation.asking.lessons_desk import LessonOptions, LessonsDesk
from trapline.app.federation.broker import Wish
from trapline.core.errors import BadNumber, BadQuery, SearchBusy, UnknownName
from trapline.search.questions import Answer, Question, Sort

SOON = BrokerOptions(within_s=0.3)


def test_own_results_come_first_then_others_as_they_come(tmp_path: Path) -> None:
    async def late(_: dict[str, str]) -> bytes:
        await asyncio.sleep(0.2)
        return await says("late")({})

    world = Federation(tmp_path, 2)
    world.client.replies["e1.example"] = late
    answers = world.ask()
    assert "own" in names(answers[0])
    assert states(answers[0])["e1"] == "awaited"
    assert not answers[0].complete
    assert answers[-1].complete
    assert set(names(answers[-1])) == {"own", "e0", "late"}
    assert states(answers[-1]) == dict.fromkeys(("home", "e0", "e1"), "answered")


def test_scores_that_can_be_compared_decide(tmp_path: Path) -> None:
    world = Federation(tmp_path, 1)
    world.own_names = ("a", "b", "c")  # 8, 7, 6
    world.client.replies["e0.example"] = says("x", "y", score=7.5)
    assert names(world.ask()[-1]) == ["a", "x", "b", "y", "c"]


def test_one_that_hangs_holds_up_nobody_and_is_named(tmp_path: Path) -> None:
    world = Federation(tmp_path, 3, options=SOON)
    world.client.replies["e1.example"] = hangs
    answers = world.ask()
    last = answers[-1]
    assert last.complete
    assert states(last)["e1"] == "failed"
    assert "did not answer within 0.3 s" in last.note
    # everybody else was there before
    assert set(names(answers[-2])) >= {"own", "e0", "e2"}
    assert not answers[-2].complete


def test_the_own_collection_may_hang_too(tmp_path: Path) -> None:
    async def never(_: Question) -> Answer:
        await asyncio.sleep(600)
        raise AssertionError

    world = Federation(tmp_path, 1, options=BrokerOptions(within_s=0.6))
    world.own_answer = never
    answers = world.ask()
    assert names(answers[0]) == ["e0"]  # shown after a quarter of a second
    assert states(answers[-1]) == {"home": "failed", "e0": "answered"}


def test_the_own_collection_may_fail(tmp_path: Path) -> None:
    async def busy(_: Question) -> Answer:
        raise SearchBusy("too many")

    world = Federation(tmp_path, 1)
    world.own_answer = busy
    last = world.ask()[-1]
    assert names(last) == ["e0"]
    assert "too many" in last.note


def test_without_engines_the_own_collection_answers(tmp_path: Path) -> None:
    [answer] = Federation(tmp_path).ask()
    assert names(answer) == ["own"]
    assert answer.complete


@pytest.mark.parametrize("reason", ["hung up", "answered with status 500"])
def test_each_silence_has_a_reason(tmp_path: Path, reason: str) -> None:
    world = Federation(tmp_path, 2)
    world.client.replies["e0.example"] = fails(reason)
    last = world.ask()[-1]
    [report] = [one for one in last.engines if one.name == "e0"]
    assert (report.state, report.reason) == ("failed", reason)
    assert "e1" in names(last)


def test_after_failures_an_engine_is_left_alone(tmp_path: Path) -> None:
    world = Federation(tmp_path, 2)
    world.client.replies["e0.example"] = fails()

    async def ask_often() -> list[str]:
        said = []
        for word in ("moon", "orbit", "mars", "probe", "moon probe"):
            last = (await world.ask_all(word))[-1]
            [report] = [one for one in last.engines if one.name == "e0"]
            said.append(f"{report.state}: {report.reason}")
        return said

    said = asyncio.run(ask_often())
    assert said[:3] == ["failed: hung up"] * 3
    assert all("not asked: hung up; left alone for" in one for one in said[3:])
    assert world.client.hosts().count("e0.example") == 3


def test_garbage_is_a_finding(tmp_path: Path) -> None:
    async def garbage(_: dict[str, str]) -> bytes:
        return b"garbage"

    world = Federation(tmp_path, 2)
    world.client.replies["e0.example"] = garbage
    last = world.ask()[-1]
    assert "e1" in names(last)
    [finding] = world.known.findings()
    assert finding.key == "key of e0"
    assert "not JSON" in finding.detail


def test_inflated_scores_are_a_finding_and_bury_nobody(tmp_path: Path) -> None:
    world = Federation(tmp_path, 2)
    world.own_names = ("a", "b", "c")
    spam = [f"s{n}" for n in range(10)]
    world.client.replies["e0.example"] = says(*spam, score=5000.0)
    last = world.ask()[-1]
    assert set(names(last)[:4]) == {"a", "b", "c", "e1"}
    assert [f.wrong for f in world.known.findings()] == ["inflated scores"]
    [report] = [one for one in last.engines if one.name == "e0"]
    assert not report.comparable


def test_private_addresses_are_not_shown_unless_the_engine_is_listed(
    tmp_path: Path,
) -> None:
    async def private(_: dict[str, str]) -> bytes:
        found = [{**hits("x")[0], "url": "http://192.168.0.1/admin"}, *hits("good")]
        return json.dumps({"hits": found, "total": 2, "statistics": "given"}).encode()

    world = Federation(tmp_path, 1)
    world.client.replies["e0.example"] = private
    assert set(names(world.ask()[-1])) == {"own", "good"}
    [finding] = world.known.findings()
    assert finding.wrong == "addresses that are refused"
    listed = BrokerOptions(listed=frozenset({"e0.example:80"}))
    (tmp_path / "other").mkdir()
    world = Federation(tmp_path / "other", 1, options=listed)
    world.client.replies["e0.example"] = private
    urls = [hit.url for hit in world.ask()[-1].hits]
    assert "http://192.168.0.1/admin" in urls


def test_an_engine_that_scores_by_itself_is_merged_by_rank(tmp_path: Path) -> None:
    world = Federation(tmp_path, 1)
    world.own_names = ("a", "b", "c", "d")
    world.client.replies["e0.example"] = says("x", score=900.0, statistics="own")
    last = world.ask()[-1]
    assert names(last)[:3] == ["a", "b", "c"]
    assert "x" in names(last)
    assert [one.comparable for one in last.engines] == [True, False]
    assert not world.known.findings()


# What is passed on


def test_the_query_is_passed_on_with_rarities_and_nothing_else(tmp_path: Path) -> None:
    world = Federation(tmp_path, 1)
    counted = Wish(counts=True)
    world.ask("moon orbit", counted, host="a.org", language="en", sort=Sort.CHANGED)
    [(_, said)] = world.client.asked
    rarities = said.pop("rarities")
    assert {part.rpartition(":")[0] for part in rarities.split(",")} == {
        "en:moon",
        "en:orbit",
    }
    query_id = said.pop("query_id")
    assert len(query_id) == 16
    shared = world.known.snapshot.federation.shared
    assert said.pop("statistics") == shared.version
    assert said == {
        "q": "moon orbit",
        "limit": "10",
        "hops": "1",
        "as_typed": "true",
        "host": "a.org",
        "lang": "en",
        "sort": "changed",
    }
    assert world.own_asked[0].rarities  # the own collection scores by the same


def test_each_question_has_an_id_of_its_own(tmp_path: Path) -> None:
    world = Federation(tmp_path, 1)
    world.ask("moon")
    world.ask("orbit")
    ids = [said["query_id"] for _, said in world.client.asked]
    assert len(set(ids)) == 2
    assert not world.broker.is_new(ids[0])
    assert world.broker.is_new("ab12")


def test_an_absurd_query_is_not_passed_on(tmp_path: Path) -> None:
    world = Federation(tmp_path, 1)
    with pytest.raises(BadQuery):
        world.ask("x" * 10_000)
    with pytest.raises(BadNumber):
        world.ask("moon", offset=9_999)
    assert not world.client.asked and not world.own_asked


def test_many_words_fit_into_an_address(tmp_path: Path) -> None:
    world = Federation(tmp_path, 1)
    world.ask(" ".join(f"moon{n}word{n}" for n in range(64)), wish=Wish(("e0",)))
    [(_, said)] = world.client.asked
    assert len(said["rarities"]) < 6_100


def test_only_engines_that_were_named_are_asked(tmp_path: Path) -> None:
    world = Federation(tmp_path, 3)
    last = world.ask(wish=Wish(("e1",)))[-1]
    assert names(last) == ["e1"]
    assert not world.own_asked
    fingerprint = world.known.engines()[2].fingerprint
    last = world.ask(wish=Wish((fingerprint, "own")))[-1]
    assert set(names(last)) == {"own", "e2"}
    with pytest.raises(UnknownName):
        world.ask(wish=Wish(("nobody",)))


def test_two_engines_of_one_name_are_told_apart(tmp_path: Path) -> None:
    world = Federation(tmp_path, 2)
    engine = world.known.engines()[1]
    world.known._file.put_engine(
        world.known._file.engines()[1]._replace(name=world.known.engines()[0].name)
    )
    world.known.rebuild()
    shown = [one.name for one in world.ask()[-1].engines]
    assert f"e0·{engine.fingerprint}" in shown


def test_as_many_are_asked_as_the_forecast_needs(tmp_path: Path) -> None:
    world = Federation(tmp_path, 12, options=BrokerOptions(most=3))
    last = world.ask()[-1]
    said = list(states(last).values())
    assert said.count("not asked") == 9
    assert len(world.client.asked) == 3


def test_a_word_that_nobody_has_is_corrected_by_the_own_collection(
    tmp_path: Path,
) -> None:
    world = Federation(tmp_path, 1)

    async def correct(question: Question) -> Answer:
        assert not question.as_typed
        answer = await world.answer_own(question)
        return Answer(answer.hits, 1, 0.0, "moon", corrected=True)

    world.own_answer = correct
    last = world.ask("mooon", wish=Wish(("own", "e0")))[-1]
    assert [said["q"] for _, said in world.client.asked] == ["moon"]
    assert (last.meant, last.corrected) == ("moon", True)


def test_a_word_that_somebody_has_is_not_corrected(tmp_path: Path) -> None:
    world = Federation(tmp_path, 1)
    world.ask("moon")
    assert world.own_asked[0].as_typed


# Bounds


def test_the_same_question_is_answered_from_memory(tmp_path: Path) -> None:
    world = Federation(tmp_path, 2)
    first = world.ask()[-1]
    [again] = world.ask()
    assert names(again) == names(first)
    assert len(world.client.asked) == 2
    world.add("new")
    world.known.rebuild()  # another table: what was kept is of yesterday
    world.ask()
    assert len(world.client.asked) > 2


def test_what_failed_is_not_kept_for_long(tmp_path: Path) -> None:
    now = [0.0]
    world = Federation(tmp_path, 1)
    world.broker._clock = lambda: now[0]
    world.client.replies["e0.example"] = fails()
    world.ask()
    now[0] += 3.0
    world.client.replies["e0.example"] = says("back")
    assert "back" in names(world.ask()[-1])


def test_limits_of_an_engine_are_kept(tmp_path: Path) -> None:
    world = Federation(tmp_path, 2, per_second=0.01)

    async def ask_often() -> list[str]:
        found = [await world.ask_all(w) for w in ("moon", "orbit", "mars")]
        return [states(answers[-1])["e0"] for answers in found]

    assert asyncio.run(ask_often()) == ["answered", "not asked", "not asked"]
    assert world.client.hosts().count("e0.example") == 1


def test_many_at_once_do_not_drown_an_engine(tmp_path: Path) -> None:
    most = 0
    now = 0

    async def slow(_: dict[str, str]) -> bytes:
        nonlocal most, now
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.05)
        now -= 1
        return await says("e0")({})

    world = Federation(tmp_path, 1)
    world.client.replies["e0.example"] = slow

    async def storm() -> None:
        questions = [world.ask_all(f"moon x{n}") for n in range(40)]
        await asyncio.gather(*questions)

    asyncio.run(storm())
    assert 0 < most <= 8


def test_whoever_stops_reading_stops_the_requests(tmp_path: Path) -> None:
    world = Federation(tmp_path, 1)
    ended = []

    async def noticed(_: dict[str, str]) -> bytes:
        try:
            await asyncio.sleep(600)
        finally:
            ended.append(True)
        return b""

    world.client.replies["e0.example"] = noticed

    async def leave() -> bool:
        answers = world.broker.ask(Question("moon"))
        await anext(answers)
        await answers.aclose()
        for _ in range(5):
            await asyncio.sleep(0)
        return bool(ended)  # the end of the loop would end it, too

    assert asyncio.run(leave())


def test_one_that_fails_is_replaced_by_the_next_in_the_forecast(tmp_path: Path) -> None:
    world = Federation(tmp_path, 4, options=BrokerOptions(most=1))
    first = world.ask("moon")[-1]
    [chosen] = [one.name for one in first.engines if one.state == "answered"][1:]
    world.client.replies[f"{chosen}.example"] = fails()
    last = world.ask("orbit")[-1]
    said = states(last)
    assert said[chosen] == "failed"
    assert list(said.values()).count("answered") == 2  # own, and another one


# Lessons


def test_a_lesson_asks_everybody_later_and_is_not_counted(tmp_path: Path) -> None:
    lessons = LessonOptions(share=1.0, later_s=0.0)
    options = BrokerOptions(most=1)
    world = Federation(tmp_path, 4, options=options, lessons=lessons)
    world.ask(wish=Wish(counts=True))
    assert sorted(world.client.hosts()) == [f"e{n}.example" for n in range(4)]
    counted = [said.get("typing") for _, said in world.client.asked]
    assert counted == [None, "true", "true", "true"]
    told = [(said["rarities"], said["statistics"]) for _, said in world.client.asked]
    assert len(set(told)) == 1, "scores of a lesson can be compared, too"
    assert world.desk.given == 1


def test_each_engine_hears_few_lessons_an_hour(tmp_path: Path) -> None:
    lessons = LessonOptions(share=1.0, per_hour=8, later_s=0.0)
    options = BrokerOptions(most=1)
    world = Federation(tmp_path, 3, options=options, lessons=lessons)

    async def ask_often() -> None:
        for n in range(20):
            await world.ask_all(f"moon x{n}", Wish(counts=True))

    asyncio.run(ask_often())
    taught = [host for host, said in world.client.asked if "typing" in said]
    assert max(map(taught.count, set(taught))) <= 3


def test_an_engine_that_brings_nothing_is_asked_less(tmp_path: Path) -> None:
    lessons = LessonOptions(share=1.0, per_hour=10**6, later_s=0.0)
    world = Federation(tmp_path, 3, lessons=lessons)
    world.client.replies["e0.example"] = says()

    async def ask_often() -> None:
        for n in range(60):
            await world.ask_all(f"moon x{n}")

    asyncio.run(ask_often())
    engines = world.known.snapshot.federation.engines
    trust = dict(zip(engines, world.desk.forecast.lessons.trust(engines), strict=True))
    assert trust["key of e0"] < 0.5 * trust["key of e1"]


def test_what_was_learnt_survives(tmp_path: Path) -> None:
    lessons = LessonOptions(share=0.0)
    world = Federation(tmp_path, 3, lessons=lessons)

    async def ask_often() -> None:
        for n in range(45):
            await world.ask_all(f"moon x{n}")

    asyncio.run(ask_often())
    records = world.known.lessons().state().engines
    assert set(records) >= {"key of e0"}


def test_who_brings_nothing_is_not_believed_any_more(tmp_path: Path) -> None:
    world = Federation(tmp_path, 3, options=BrokerOptions(enough=0.999))
    world.client.replies["e0.example"] = says()
    before = world.known.snapshot.federation.shared
    for n in range(40):
        world.ask(f"moon x{n}")
    assert world.known.doubted == {"key of e0"}
    after = world.known.snapshot.federation.shared
    assert (before.pages, after.pages) == (300, 200), "its words do not count"
    assert after.version != before.version
    [found] = [one for one in world.known.findings() if one.key == "key of e0"]
    assert found.wrong == "less than it claims"
    assert "brought 0 of" in found.detail
    world.client.asked.clear()
    world.ask("moon orbit")
    assert "e0.example" not in world.client.hosts()
    world.known.keep_lessons(world.desk.forecast.lessons)
    again = LessonsDesk(world.known, random.Random(1))
    assert world.known.doubted == again.forecast.lessons.find_doubted() == {"key of e0"}


# Memory


def test_what_people_ask_is_remembered_with_who_knew(tmp_path: Path) -> None:
    world = Federation(tmp_path, 2)
    world.ask(wish=Wish(counts=True))
    world.ask(wish=Wish(counts=True))  # from memory, but somebody asked it
    world.ask("orbit")  # typed, passed on, or a lesson
    assert [query for query, _ in world.memory.noted] == ["moon", "moon"]
    said = world.memory.noted[0][1]
    assert set(said["asked"]) == {"own", "key of e0", "key of e1"}
    holders = {page.url: page.engines for page in said["pages"]}
    assert holders["http://own.org/"] == ("own",)
    assert holders["http://e0.org/"] == ("key of e0",)
    assert said["best"] > 0.0


def test_a_result_that_was_opened_teaches(tmp_path: Path) -> None:
    world = Federation(tmp_path, 2)
    assert not world.broker.note_opened("moon", "http://e0.org/")  # never asked
    world.ask()
    engines = world.known.snapshot.federation.engines
    before = world.desk.forecast.lessons.trust(engines)
    for _ in range(20):
        assert world.broker.note_opened("moon", "http://e0.org/")
    after = world.desk.forecast.lessons.trust(engines)
    place = engines.index("key of e0")
    assert after[place] > before[place]
    assert not world.broker.note_opened("moon", "http://never-shown.org/")
    assert len(world.memory.opened) == 20
    told = [world.broker.note_opened("moon", "http://e0.org/") for _ in range(100)]
    assert not all(told)  # no reader opens so many
