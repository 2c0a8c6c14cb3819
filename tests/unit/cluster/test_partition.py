"""Whose a host is: its registered domain's, unless its address has another home."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import trapline.cluster.partition as partition_module
from trapline.cluster.partition import Partition, home_shard
from trapline.core.ledger import MovedHost

LABEL = st.text("abcdefghij", min_size=1, max_size=8)
HOST = st.builds(lambda sub, name: f"{sub}.{name}.org:443", LABEL, LABEL)


@given(HOST, st.integers(1, 512))
def test_twice_as_many_shards_move_a_host_by_their_number_or_not(
    host: str, shards: int
) -> None:
    before = home_shard(host, shards)
    assert 0 <= before < shards
    assert home_shard(host, 2 * shards) in (before, before + shards)


@given(HOST)
def test_urls_and_names_of_a_host_have_one_home(host: str) -> None:
    partition = Partition(64, 0)
    name = host.partition(":")[0]
    homes = {
        partition.home(place)
        for place in (host, f"https://{name}/", f"https://{name}/a/b?c=https://x.net/")
    }
    assert homes == {home_shard(host, 64)}
    # of another port too: the domain counts
    assert partition.home(f"http://{name}:8080/") in homes


def test_hosts_are_spread_over_the_shards() -> None:
    shares = [0] * 8
    for number in range(4_000):
        shares[home_shard(f"www.site{number}.example:80", 8)] += 1
    assert min(shares) > 400
    assert max(shares) < 600


def test_a_host_that_has_moved_is_where_it_was_moved_from_then_on() -> None:
    partition = Partition(8, 0)
    host = "www.example.org:80"
    url = "http://www.example.org/a"
    before = partition.home(url)
    there = (before + 3) % 8
    assert partition.move_of(host) is None
    move = MovedHost(1, host, there, "192.0.2.1")
    partition.learn([move])
    assert partition.home(url) == there, "though the answer of before was remembered"
    assert partition.home(host) == there
    assert partition.move_of(host) == move
    # its domain's other hosts stay
    assert partition.home("http://example.org/") == before


def test_what_is_remembered_of_homes_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(partition_module, "MOST", 5)
    partition = Partition(8, 0)
    for number in range(23):
        host = f"site{number}.example:80"
        assert partition.home(host) == home_shard(host, 8)
        assert len(partition._homes) <= 5
