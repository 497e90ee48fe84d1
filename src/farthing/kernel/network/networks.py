"""Reads addresses, and compares them with the networks that settings name."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Network = IPv4Network | IPv6Network


def read_address(text: str) -> IPv4Address | IPv6Address | None:
    """Returns None for any other text. A socket for both kinds reports IPv4 addresses in the form of IPv6."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if address.version == 6 else None
    return mapped or address


def is_within(text: str, networks: Sequence[Network]) -> bool:
    """Says whether one of the networks holds the address."""
    address = read_address(text)
    return address is not None and any(address in network for network in networks)
