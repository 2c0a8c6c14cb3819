"""Addresses in all their disguises."""

from __future__ import annotations

import pytest

from trapline.politeness.addresses import reason_forbidden

PUBLIC = [
    "8.8.8.8",
    "93.184.216.34",
    "2606:2800:220:1::1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2002:808:808::1",
]
HOUSE = {  # address → the word that names it
    "127.0.0.1": "loopback",
    "127.8.8.8": "loopback",
    "::1": "loopback",
    "::ffff:127.0.0.1": "loopback",
    "::127.0.0.1": "not a public",
    "2002:7f00:1::1": "loopback",
    "64:ff9b::7f00:1": "loopback",
    "64:ff9b::a00:1": "private",
    "2001:0:7f00:1::": "loopback|private",  # Teredo whose server is 127.0.0.1
    "10.0.0.1": "private",
    "172.16.0.1": "private",
    "192.168.1.1": "private",
    "fc00::1": "private",
    "fec0::1": "not a public",
    "4000::1": "not a public",
    "64:ff9b:1::808:808": "not a public|private",
    "100.64.0.1": "not a public",
    "169.254.1.1": "link-local",
    "fe80::1": "link-local",
    "fe80::1%eth0": "link-local",
    "169.254.169.254": "metadata",
    "::ffff:169.254.169.254": "metadata",
    "fd00:ec2::254": "metadata",
    "168.63.129.16": "metadata",
    "192.0.2.1": "private",
    "198.18.0.1": "private",
    "240.0.0.1": "reserved|private",
    "255.255.255.255": "reserved|private",
    "2001:db8::1": "private",
}


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_open(address: str) -> None:
    assert reason_forbidden(address, named_by_user=False) is None
    assert reason_forbidden(address, named_by_user=True) is None


@pytest.mark.parametrize(("address", "words"), HOUSE.items())
def test_nothing_in_the_house_unless_listed(address: str, words: str) -> None:
    why = reason_forbidden(address, named_by_user=False)
    assert why is not None
    assert any(word in why for word in words.split("|")), why
    assert reason_forbidden(address, named_by_user=True) is None


@pytest.mark.parametrize(
    "address", ["224.0.0.1", "ff02::1", "0.0.0.0", "::", "::ffff:0.0.0.0"]
)
def test_what_no_host_can_be_is_refused_even_if_listed(address: str) -> None:
    assert reason_forbidden(address, named_by_user=True) is not None


@pytest.mark.parametrize(
    "address",
    ["", "localhost", "127.1", "0x7f000001", "2130706433", "1.2.3.4.5", "[::1]"],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    assert "not an IP address" in (reason_forbidden(address, named_by_user=True) or "")
