"""Suggestions: how a query that is being typed may go on."""

from __future__ import annotations

import pytest

from tests.unit.search.small_collection import Collection


@pytest.fixture
def there() -> Collection:
    there = Collection()
    there.put("pg_rewind", "Rewind a cluster.")
    there.put("Commands", "reset, reindex: all commands.", host=1)
    there.put("REINDEX", "Make an index anew.")
    there.put("RESET", "Forget what was set. Merge nothing.", host=1)
    there.put("The reset button", "Press it. Commit. Commits. Committed.")
    there.put("Merge", "Merging branches, merge conflicts and more merging.")
    there.put("Notes -reset", "Commit a merge in case of conflict. Commit often.")
    there.put("Conferences", "They conform. A commit.", host=1)
    there.ask("x")
    return there


def offered(there: Collection, beginning: str, limit: int = 8) -> list[str]:
    return there.processor.suggest(beginning, limit)


def test_titles_that_begin_so_come_first(there: Collection) -> None:
    found = offered(there, "re")
    assert found[:2] == ["RESET", "REINDEX"]
    assert found[2:4] == ["pg_rewind", "The reset button"]
    assert offered(there, "reset")[0] == "The reset button"
    assert "Notes -reset" not in found  # it would not find itself
    assert offered(there, "re", 2) == ["RESET", "REINDEX"]


def test_what_was_typed_before_stays(there: Collection) -> None:
    assert offered(there, "host:a.org mer") == ["host:a.org merge"]
    assert offered(there, "lang:en  +comm")[0] == "lang:en  +commit"
    assert offered(there, '"merge conf') == ['"merge conflict']
    assert offered(there, "title:mer") == ["title:merge"]
    for field in ("host:a.", "lang:e", "changed:>20"):
        assert offered(there, f"merge {field}") == []


def test_words_go_on_as_pages_have_them(there: Collection) -> None:
    assert offered(there, "merge conf") == ["merge conflict"]
    assert offered(there, "often comm") == ["often commit"]


def test_one_word_of_a_stem_is_offered(there: Collection) -> None:
    assert offered(there, "comm") == ["Commands", "commit"]


def test_stop_words_alone_do_not_go_on(there: Collection) -> None:
    assert offered(there, "how to co") == []
    assert offered(there, "the") == ["The reset button"]


@pytest.mark.parametrize(
    "strange",
    ["", "   ", '"', "a" * 5000, "文" * 900, "\ud800", "[.*", "+-", "re\ud800"],
)
def test_strange_beginnings(there: Collection, strange: str) -> None:
    offered(there, strange)
