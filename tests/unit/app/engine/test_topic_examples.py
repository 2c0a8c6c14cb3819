"""Examples as users give them, and the one line they get when they cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapline.app.crawl.crawl_settings import CrawlWishes, start_for
from trapline.app.engine.from_settings import topic_of
from trapline.app.engine.topic_examples import title_and_text
from trapline.app.settings import read_settings, settings_from
from trapline.app.settings_tables import TopicTable
from trapline.core.errors import BadUrl, ContactMissing, SettingsUnreadable, UserMistake

SKY = (
    "A telescope gathers the light of a galaxy, of comets and of planets around another star. "
    * 3
)


def test_a_topic_may_be_a_text_or_a_table() -> None:
    short = settings_from("test", {"topic": "space"})
    long = settings_from("test", {"topic": {"words": "space"}})
    assert short == long and short.topic.words == "space"
    assert settings_from("again", short.model_dump()) == short
    with pytest.raises(SettingsUnreadable, match="topic"):
        settings_from("test", {"topic": {"word": "space"}})
    with pytest.raises(SettingsUnreadable, match="topic"):
        settings_from("test", {"topic": 3})


def test_files_are_named_as_seen_from_the_settings_file(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "my sky.html").write_text(
        f"<title>The sky</title><nav>Menu</nav><p>{SKY}"
    )
    (tmp_path / "tea.txt").write_text("Boil the water, and pour it over the leaves.")
    (tmp_path / "topic.toml").write_text(
        '[topic]\nexamples = ["notes/my sky.html", "a text about comets"]\nagainst = ["tea.txt"]\n'
    )
    topic = topic_of(read_settings(tmp_path / "topic.toml").topic)
    assert topic.relevance("", SKY) == 1.0
    assert topic.relevance("", "Water is boiled and poured over leaves. Menu.") < 0.5
    assert title_and_text(str(tmp_path / "notes" / "my sky.html"))[0] == "The sky"


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("missing.txt", "no file"),
        ("missing", "no file"),
        ("my missing page.html", "no file"),
        ("empty.txt", "empty"),
        ("blank.html", "empty"),
        ("", "empty"),
        ("  ", "empty"),
        ("and of the", "no word"),
        (".", "cannot read"),
        ("a\0b", "cannot read"),
    ],
)
def test_examples_that_cannot_be(
    said: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.txt").touch()
    (tmp_path / "blank.html").write_text("<script>no()</script>")
    for table in (
        TopicTable(examples=[said]),
        TopicTable(words="space", against=[said]),
    ):
        with pytest.raises(UserMistake, match=hint) as mistake:
            topic_of(table)
        assert "\n" not in str(mistake.value)


def test_examples_that_are_pages_are_visited_as_seeds_are(tmp_path: Path) -> None:
    wishes = CrawlWishes(
        [],
        tmp_path,
        like=["http://127.0.0.1:8000/moon#top"],
        unlike=["HTTP://127.0.0.1:8000/tea"],
    )
    settings = start_for(wishes).settings
    assert settings.canonical_seeds() == [
        "http://127.0.0.1:8000/moon",
        "http://127.0.0.1:8000/tea",
    ]
    assert not topic_of(settings.topic).everything  # it waits for the page
    assert topic_of(settings.topic).relevance("", SKY) == 0.0


def test_words_of_the_command_line_win_and_examples_add(tmp_path: Path) -> None:
    file = tmp_path / "topic.toml"
    file.write_text(
        'seeds = ["http://127.0.0.1/"]\n[topic]\nwords = "tea"\nexamples = ["two words"]\n'
    )
    wishes = CrawlWishes(
        [str(file)], tmp_path, topic="space", like=["three more words"]
    )
    topic = start_for(wishes).settings.topic
    assert (topic.words, topic.examples, topic.against) == (
        "space",
        ["two words", "three more words"],
        [],
    )


@pytest.mark.parametrize(
    ("url", "mistake"), [("http://8.8.8.8/", ContactMissing), ("http://", BadUrl)]
)
def test_examples_off_loopback_are_refused(
    url: str, mistake: type[UserMistake], tmp_path: Path
) -> None:
    with pytest.raises(mistake):
        start_for(CrawlWishes(["http://127.0.0.1/"], tmp_path, like=[url]))
    with pytest.raises(UserMistake, match="nowhere to start"):
        start_for(CrawlWishes([], tmp_path, topic="space", like=["a text only"]))
