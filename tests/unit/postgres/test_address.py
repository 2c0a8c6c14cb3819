"""Addresses that people get wrong are refused, and show nothing that may be a password."""

from __future__ import annotations

import shlex

import pytest

from trapline.core.errors import CrawlBusy, CrawlMissing, ShardsFixed, StoreAddressBad
from trapline.postgres.address import is_store_address, read_address
from trapline.postgres.password_hiding import hide_password

SECRET = "s3kret"
BAD = (
    (f"host=db user=u password={SECRET}", "no address"),
    (f"u:{SECRET}@db/x", "no address"),
    (f"postgres:u:{SECRET}@db/x", "no address"),
    (f"postgresql:/u:{SECRET}@db/x", "no address"),
    (f"postgresql//u:{SECRET}@db/x", "no address"),
    (f"jdbc:postgresql://db/x?user=u&password={SECRET}", "no address"),
    (f"POSTGRESQL://u:{SECRET}@db/x", "POSTGRESQL:// is not known"),
    (f"postgresql+psycopg://u:{SECRET}@db/x", r"postgresql\+psycopg:// is not known"),
    (f"postgresql://db/x#news?password={SECRET}", "name of a crawl"),
    (f"postgresql://db/x?pasword={SECRET}", "pasword cannot be kept secret"),
    (f"postgresql://db/x?sslpassword={SECRET}", "sslpassword cannot be kept secret"),
    (f"postgresql://u:%00{SECRET}@db/x", "%00"),
    (f"postgresql://u:a/{SECRET}@db/x", "%2F"),
    (f"postgresql://u:{SECRET}@db:x/x", "host or port"),
    ("engine", "the store engine: that is no address"),
)


@pytest.mark.parametrize(("text", "problem"), BAD)
def test_bad_ones_show_no_password(text: str, problem: str) -> None:
    with pytest.raises(StoreAddressBad, match=problem) as refused:
        read_address(text)
    assert SECRET not in str(refused.value)
    assert SECRET not in hide_password(text)


@pytest.mark.parametrize("text", [text for text, _ in BAD if SECRET in text])
def test_they_are_meant_as_addresses(text: str) -> None:
    """Taken for a folder they would be shown, and folders of that name made."""
    assert is_store_address(text)


@pytest.mark.parametrize("text", ["engine", "../lab/engine", "a:b", "/data/a@b", "."])
def test_folders_are_not(text: str) -> None:
    assert not is_store_address(text)


def test_each_crawl_has_tables_of_its_own() -> None:
    schemas = {
        read_address(f"postgresql://db/x#{crawl}").schema
        for crawl in ("a-b", "a_b", "a--b", "a-_b", "a_-b", "ab")
    }
    assert len(schemas) == 6


@pytest.mark.parametrize(
    "text",
    ["postgresql://u@db/x?passfile=/home/u/.pgpass", "postgresql:///x?service=web"],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert read_address(text).shown == text


def test_commands_that_people_are_told_to_type_pass_through_a_shell() -> None:
    address = "postgresql://u@/x?host=/run/pg&port=5433#news"
    for told in (CrawlBusy(address), CrawlMissing(address), ShardsFixed(address, 2, 4)):
        [command] = [part for part in str(told).split("`") if part.startswith("trap")]
        assert address in shlex.split(command)
        assert f"'{address}'" in command
