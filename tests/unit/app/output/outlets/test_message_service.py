"""Messages to people by Apprise: real receivers on loopback, secrets that are never said."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.support.mail_sink import MailSink
from tests.e2e.support.site import Site
from trapline.app.output.change_message import DIFF_LINES, TOLD, message_of
from trapline.app.output.changes import Line
from trapline.app.output.outlets.message_service import MessageService
from trapline.app.output.outlets.outlet import Refused
from trapline.app.output.outlets.outlet_targets import check_target
from trapline.app.output.outlets.outlet_trial import try_targets
from trapline.core.errors import UserMistake

SECRET = "hunter2secret"


def line(number: int, turn: str = "changed", title: str = "Prices") -> Line:
    return Line(number, f"http://a/{number}", turn, "", 0.0, title, 12, 3)


def tell(url: str, *lines: Line) -> None:
    asyncio.run(MessageService(url, "shop").tell(list(lines)))


def mail_url(sink: MailSink) -> str:
    return (
        f"mailto://ann:{SECRET}@127.0.0.1:{sink.port}"
        "?mode=insecure&from=robot@lab.org&to=ann@lab.org&format=text"
    )


def test_a_moment_is_one_message() -> None:
    with Site({}) as site:
        tell(f"json://{site.host}/hook", line(1), line(2, "gone"), line(3, "new"))
        [told] = site.told
    assert told["title"] == "shop: 1 changed, 1 gone, 1 new"
    assert told["message"].startswith("changed: Prices\nhttp://a/1\n+12 −3 words")
    assert "gone: Prices\nhttp://a/2" in told["message"]


def test_a_letter() -> None:
    with MailSink() as sink:
        tell(mail_url(sink), line(1))
        [letter] = sink.letters
    assert letter["Subject"] == "shop: changed: Prices"
    assert "ann@lab.org" in letter["To"]
    body = letter.get_body(("plain",))
    assert body is not None and "http://a/1" in body.get_content()
    assert SECRET in sink.logins[0]


def test_who_refuses_is_told_again_later() -> None:
    with MailSink(refusals=1) as sink:
        with pytest.raises(Refused):
            tell(mail_url(sink), line(1))
        tell(mail_url(sink), line(1))
        assert len(sink.letters) == 1
    with Site({}, refuse=[503]) as site, pytest.raises(Refused, match="503"):
        tell(f"json://{site.host}/{SECRET}", line(1))


def test_nothing_says_the_secret(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    url = f"json://ann:{SECRET}@127.0.0.1:9/{SECRET}"  # nobody listens there
    outlet = MessageService(url, "shop")
    with pytest.raises(Refused) as refused:
        asyncio.run(outlet.tell([line(1)]))
    [trial] = try_targets([url], "shop")
    assert not trial.taken
    shown = capfd.readouterr()
    said = [outlet.name, outlet.key, str(refused.value), str(trial), caplog.text]
    assert SECRET not in "".join([*said, shown.out, shown.err])


@pytest.mark.parametrize("url", [f"slack://{SECRET}", f"nobody://{SECRET}"])
def test_an_address_that_names_no_service(url: str) -> None:
    with pytest.raises(UserMistake) as mistake:
        check_target(url)
    assert url.partition(":")[0] in str(mistake.value)
    assert SECRET not in str(mistake.value)


def test_without_apprise_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "apprise", None)
    with pytest.raises(UserMistake, match=r"pip install trapline\[notify\]"):
        check_target("mailto://ann:pass@lab.org")


def test_the_past_is_not_told() -> None:
    outlet = MessageService("json://127.0.0.1:9/", "shop")
    assert outlet.resume(None, newest=7) == 7
    assert outlet.resume(noted=3, newest=7) == 3


def test_many_changes_are_counted_and_titles_cannot_break_lines() -> None:
    many = [line(number, "new") for number in range(TOLD + 5)]
    message = message_of([*many, line(99, title="a\nb\x1b[2J")], "shop")
    assert message.text.startswith("changed: a b␛[2J\n"), (
        "news of what is held go first"
    )
    assert message.text.endswith("and 6 more")


def test_what_a_change_was() -> None:
    diff = ("- old price", *(f"+ line {i}" for i in range(DIFF_LINES + 1)))
    shop = replace(line(1), name="The shop", tags=("a", "b"), diff=diff)
    failing = replace(line(2, "failing"), remark="404 Not Found", added=0, removed=0)
    text = message_of([shop, failing], "shop").text
    assert text.startswith("changed: The shop\nhttp://a/1\n+12 −3 words, #a #b\n- old")
    assert "(2 more lines)\n\nfailing: Prices\nhttp://a/2\n404 Not Found" in text
    back = replace(failing, turn="back")
    assert message_of([back], "shop").text.endswith("http://a/2\nwas: 404 Not Found")


def test_files_are_not_told_of_a_trial(tmp_path: Path) -> None:
    trials = try_targets([str(tmp_path / "changes.jsonl"), "feed"], "shop")
    assert [str(trial).rpartition(": ")[2] for trial in trials] == [
        "can be written"
    ] * 2
    assert not list(tmp_path.iterdir())


def test_trying_out() -> None:
    with Site({}) as site, MailSink() as sink:
        targets = [f"json://{site.host}/", mail_url(sink), site.url("/hook")]
        trials = try_targets(targets, "shop")
        assert [trial.taken for trial in trials] == [True, True, True]
        assert len(site.told) == 2 and len(sink.letters) == 1
