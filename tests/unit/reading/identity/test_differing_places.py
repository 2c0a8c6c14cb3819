"""Where two versions of a page differ."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trapline.reading.identity.differing_places import (
    Difference,
    find_differences,
    places_in,
)


def page(*lines: str) -> str:
    return "\n".join(("Title", "Heading", *lines, "Contact"))


def only(old: str, new: str) -> Difference:
    [difference] = find_differences(old, new)
    return difference


def test_a_box_is_the_same_place_whatever_it_shows() -> None:
    one = page("Quote", "Be brief.", "About")
    two = page("Quote", "Know thyself.", "About")
    three = page("Quote", "Well begun", "is half done.", "About")
    empty = page("Quote", "About")
    places = {
        only(old, new).place
        for old in (one, two)
        for new in (three, empty, page("Quote", "x", "About"))
    }
    assert len(places) == 1


def test_and_on_other_pages_of_the_site() -> None:
    one = only(page("Tea", "Quote", "a", "About"), page("Tea", "Quote", "b", "About"))
    two = only(page("Rum", "Quote", "b", "About"), page("Rum", "Quote", "c", "About"))
    assert one.place == two.place


def test_a_list_that_grows_is_another_place_each_time() -> None:
    old = page("News", "one")
    new = page("News", "two", "one")
    newest = page("News", "three", "two", "one")
    assert only(old, new).place != only(new, newest).place


def test_what_follows_a_box_does_not_hide_in_it() -> None:
    old = page("Quote", "a", "About us: open", "Legal")
    new = page("Quote", "b", "About us: closed", "Legal")
    usual = page("Quote", "b", "About us: open", "Legal")
    assert only(old, new).place != only(old, usual).place


def test_numbers_and_values() -> None:
    number = only(page("Level", "312 cm"), page("Level", "340 cm"))
    price = only(page("Tea", "4 € hot"), page("Tea", "5 € cold"))
    named = only(page("Status", "fine"), page("Status", "broken"))
    title = only("Tea\nhot", "Rum\nhot")
    assert not number.rotates
    assert price.rotates and price.valued
    assert named.valued
    assert title.titled


def test_what_stands_below_the_heading_is_what_the_page_is_about() -> None:
    below = only("Bridge – Bonn\nBridge¶\nopen", "Bridge – Bonn\nBridge¶\nclosed")
    first = only("Bridge\nopen\nMore", "Bridge\nclosed\nMore")
    later = only(page("Quote", "a", "b"), page("Quote", "c", "b"))
    assert below.titled
    assert first.titled
    assert not later.titled


def test_several_places() -> None:
    old = page("a", "Quote", "b", "About", "c")
    new = page("A", "Quote", "B", "About", "c")
    assert len(find_differences(old, new)) == 2


lines = st.lists(st.sampled_from("abcdefgh "), max_size=14).map("\n".join)


@given(lines, lines)
def test_same_or_different(old: str, new: str) -> None:
    found = find_differences(old, new)
    assert bool(found) == (old != new)
    assert len(found) == len(find_differences(new, old)) or not found
    assert find_differences(new, new) == []


def test_many_equal_lines_are_no_trouble() -> None:
    old = page(*["a", "b"] * 20_000)
    new = page(*["b", "a"] * 20_000)
    assert len(find_differences(old, new)) == 1


def test_lines_in_another_order() -> None:
    lines = [str(number) for number in range(20_000)]
    assert find_differences(page(*lines), page(*reversed(lines)))


def test_places_of_a_page() -> None:
    assert list(places_in("a\nb").values()) == [3, 1, 2]
