"""Only the public internet may be dialled."""

import pytest

from pipeline.sources.reachable import is_public


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "127.8.9.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1",
     "169.254.169.254", "100.64.0.1", "100.100.100.200", "192.0.0.8", "192.88.99.1", "198.18.0.1",
     "203.0.113.7", "224.0.0.1", "255.255.255.255", "::1", "::", "::ffff:127.0.0.1",
     "::ffff:10.0.0.1", "::7f00:1", "64:ff9b::7f00:1", "fe80::1", "fe80::1%eth0", "fc00::1",
     "fd12::1", "fec0::1", "ff02::1", "2001:db8::1", "2002:7f00:1::1",
     "2001:0:4136:e378:8000:63bf:3fff:fdd2", "100::1", "localhost", "", "2130706433", "0x7f.1"],
)  # fmt: skip
def test_ranges_that_lead_inside_are_refused(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8", "172.32.0.1"]
)
def test_public_addresses_are_dialled(address):
    assert is_public(address)
