"""Changes told by mail and other services: real receivers on loopback."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.support.command import said, started, trapline, wait_until
from tests.e2e.support.mail_sink import MailSink
from tests.e2e.support.site import Site, html

SECRET = "hunter2secret"
PAGES = ("/a", "/b", "/c")


def mail_url(sink: MailSink) -> str:
    return (
        f"mailto://ann:{SECRET}@127.0.0.1:{sink.port}"
        "?mode=insecure&from=robot@lab.org&to=ann@lab.org&format=text"
    )


def text_of(sink: MailSink) -> str:
    bodies = (letter.get_body(("plain",)) for letter in sink.letters)
    return "".join(body.get_content() for body in bodies if body is not None)


def test_a_watch_tells_by_mail_and_goes_on_where_it_stood(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    (tmp_path / "s.toml").write_text('[budget]\nvisits = "20/s"\n')
    pages = {page: html(f"Page {page}", "first words") for page in PAGES}
    with Site(pages) as site, MailSink(refusals=10**6) as sink:
        (tmp_path / "s.toml").write_text(
            f'[manners]\nown = {{ "{site.host}" = 0.0 }}\n[budget]\nvisits = "20/s"\n'
        )
        words = ["watch", *map(site.url, PAGES), tmp_path / "s.toml"]
        words += ["--dir", folder, "--changes", mail_url(sink)]
        refused = trapline(*words, "--visits", 9)
        assert "3 changes could not be told to mailto://…" in refused.stderr
        [waiting] = said(trapline("status", folder, "--json"))["undelivered"]
        assert waiting["changes"] == 3 and waiting["trouble"]
        store = (folder / "store.sqlite").read_bytes().decode("latin-1")
        assert SECRET not in refused.stdout + refused.stderr + store
        log = folder / "log.jsonl"
        with started(*words):
            wait_until(lambda: "changes cannot be told to mailto" in log.read_text())
            sink.refusals = 0
            wait_until(lambda: "changes are told to mailto" in log.read_text())
            wait_until(lambda: text_of(sink).count("new: Page") == 3)
            site.pages["/b"] = html("Page /b", "quite other words")
            wait_until(lambda: "changed: Page /b" in text_of(sink))
    assert text_of(sink).count("new: Page") == 3, "nobody is told twice"


def test_trying_out_where_changes_are_told(tmp_path: Path) -> None:
    with MailSink() as sink, Site({}, refuse=[503]) as site:
        service = f"json://{site.host}/{SECRET}"
        done = trapline("notify-test", mail_url(sink), service)
        assert done.returncode == 1
        assert "it answered 503" in done.stdout and SECRET not in done.stdout
        assert "a test" in str(sink.letters[0]["Subject"])
        settings = tmp_path / "s.toml"
        settings.write_text(f'[output]\nchanges = ["{service}"]\n')
        [trial] = said(trapline("notify-test", settings, "--json"))
        assert trial["taken"] is True


def test_a_bad_address_is_one_line(tmp_path: Path) -> None:
    words = ["watch", "http://127.0.0.1:8009/", "--dir", tmp_path / "w"]
    done = trapline(*words, "--changes", f"slack://{SECRET}")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and "slack://" in done.stderr
    assert SECRET not in done.stderr
    assert not (tmp_path / "w").exists()
