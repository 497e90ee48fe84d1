"""Compares addresses with the networks that settings name."""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address

Network = IPv4Network | IPv6Network


def is_within(address: str, networks: Sequence[Network]) -> bool:
    """Says whether a network holds the address. A socket for both kinds reports IPv4 addresses in the form of IPv6."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if ip.version == 6 and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    return any(ip in network for network in networks)
