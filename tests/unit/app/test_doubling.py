"""Where hosts and addresses go when shards are doubled."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trapline.app.shards.splitting.splitting import Located, settle
from trapline.cluster.partition import home_shard
from trapline.core.ledger import MovedHost

SHARDS = 3
_ADDRESSES = [f"192.0.2.{i}" for i in range(6)]
_hosts = st.dictionaries(
    st.integers(0, 60).map(lambda i: f"www.site{i}.example:443"),
    st.sampled_from(_ADDRESSES),
    max_size=30,
)


@given(_hosts)
def test_hosts_of_one_address_stay_together(hosts: dict[str, str]) -> None:
    """And with the half of the shard that they are in; all others are where their names say."""
    homes: dict[str, int] = {}
    for name, address in hosts.items():
        homes.setdefault(address, home_shard(name, SHARDS))
    before = [
        MovedHost(number, name, homes[address], address)
        for number, (name, address) in enumerate(hosts.items(), 1)
        if home_shard(name, SHARDS) != homes[address]
    ]
    located = [Located(name, at, homes[at]) for name, at in hosts.items()]
    after, moved = settle(located, before, SHARDS)
    places = {one.name: one.shard for one in moved}
    for name, address in hosts.items():
        place = places.get(name, home_shard(name, 2 * SHARDS))
        assert place == after[address]
        assert place % SHARDS == homes[address]
    assert [one.number for one in moved] == list(range(1, len(moved) + 1))
    assert {one.name for one in before} <= set(places)


def test_a_moved_host_that_was_not_located_again_stays() -> None:
    before = [MovedHost(1, "a.example:80", 2, "192.0.2.9")]
    assert settle([], before, SHARDS) == ({}, before)
