"""Reads IP addresses, and compares them with the networks from the settings."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Network = IPv4Network | IPv6Network


def read_address(text: str) -> IPv4Address | IPv6Address | None:
    """Reads an IP address. Returns None for any other text.

    An IPv4 address in IPv6 form, as reported by sockets that accept both, becomes a plain IPv4 address.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if address.version == 6 else None
    return mapped or address


def is_within(text: str, networks: Sequence[Network]) -> bool:
    """Returns whether the address belongs to one of the networks."""
    address = read_address(text)
    return address is not None and any(address in network for network in networks)
