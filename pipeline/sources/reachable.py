"""Which network addresses a fetch may dial. Pure; `client.py` asks it for every hop.

Names of boards and pasted links come from outside: without this, an address could lead into the machine's
own network. The list is explicit, because what the standard library calls global includes ranges that lead
inside (translation prefixes, retired site-local ranges).
"""

import ipaddress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_NETWORKS: tuple[IPv4Network | IPv6Network, ...] = tuple(
    ipaddress.ip_network(each)
    for each in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "::/96",
        "::ffff:0:0:0/96",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "100::/64",
        "100:0:0:1::/64",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
        "5f00::/16",
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8",
    )
)

# Interface identifiers that carry an IPv4 address to a router inside (ISATAP).
_TUNNELLED = frozenset((0x00005EFE, 0x02005EFE))


def is_public(address: str) -> bool:
    """Whether an address literal lies on the public internet; False for what is no address."""
    try:
        found: IPv4Address | IPv6Address = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if isinstance(found, IPv6Address) and (int(found) >> 32) & 0xFFFFFFFF in _TUNNELLED:
        return is_public(str(IPv4Address(int(found) & 0xFFFFFFFF)))
    return found.is_global and not any(
        found in network for network in _NETWORKS if network.version == found.version
    )
