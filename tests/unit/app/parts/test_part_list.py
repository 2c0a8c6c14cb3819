"""Which servers make up an index in parts, and what is said of those that do not."""

from __future__ import annotations

import pytest

from trapline.app.parts.part_list import check_parts, read_part_urls
from trapline.app.parts.part_words import PartFacts
from trapline.core.errors import BadUrl, PartsUnfit
from trapline.search.parts.index_part import IndexPart


def facts(part: str, engine: str = "moons") -> PartFacts:
    return PartFacts(part, engine, 9, 9, 0, at_work=False)


def test_all_parts_each_once_in_their_order() -> None:
    known = check_parts({"http://b": facts("2/2"), "http://a": facts("1/2")})
    assert known.engine == "moons"
    assert known.urls == {IndexPart(1, 2): "http://a", IndexPart(2, 2): "http://b"}


@pytest.mark.parametrize(
    ("found", "complaint"),
    [
        (("1/3", "3/3"), "nobody holds 2/3"),
        (("2/4", "4/4"), "nobody holds 1/4, 3/4"),
        (("1/2", "1/2"), "both http://0 and http://1 hold 1/2"),
        (("1/2", "2/3"), "http://0 holds 1/2, http://1 holds 2/3"),
    ],
)
def test_what_is_missing_twice_or_of_another_count_is_named(
    found: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(PartsUnfit, match=complaint):
        check_parts({f"http://{n}": facts(part) for n, part in enumerate(found)})


def test_parts_of_two_collections_are_refused() -> None:
    with pytest.raises(PartsUnfit, match="http://a of 'moons' and http://b of 'suns'"):
        check_parts({"http://a": facts("1/2"), "http://b": facts("2/2", "suns")})


def test_urls_are_read_as_they_are_listed() -> None:
    assert read_part_urls("http://A:81/ , http://b") == ("http://a:81", "http://b")
    for wrong in ("", " , "):
        with pytest.raises(PartsUnfit, match="no URL is named"):
            read_part_urls(wrong)
    with pytest.raises(PartsUnfit, match="named twice"):
        read_part_urls("http://a,HTTP://A/")
    with pytest.raises(BadUrl):
        read_part_urls("http://a,b c")
