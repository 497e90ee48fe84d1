"""The address to which passkeys are bound: browsers want a host name, and https or localhost."""

from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from farthing.kernel.errors import Conflict

_LOCALHOST = "localhost"
_DEFAULT_PORTS = {"http": 80, "https": 443}


class Site(Struct, frozen=True, kw_only=True):
    """`id` is what a passkey belongs to, `origin` where a page must be that asks for one."""

    id: str
    origin: str


def find_site(base: str) -> Site:
    """`base` is the public address. Raises Conflict where no browser would offer a passkey."""
    parts = urlsplit(base)
    host, port = parts.hostname or "", _read_port(parts)
    shown = "" if port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f":{port}"
    address = _read_address(host)
    if address is not None and address.is_loopback:
        raise Conflict(f"Passkeys need a host name: open {parts.scheme}://{_LOCALHOST}{shown}{parts.path} instead.")
    if address is not None or not (parts.scheme == "https" or _is_localhost(host)):
        raise Conflict(
            f"Passkeys need a host name and https, and this is {parts.scheme}://{parts.netloc}. Open Farthing at an"
            " address such as https://money.example.org, and set FARTHING_BASE_URL to it."
        )
    return Site(id=host, origin=f"{parts.scheme}://{host}{shown}")


def find_usable_site(base: str) -> Site | None:
    """None where passkeys do not work."""
    try:
        return find_site(base)
    except Conflict:
        return None


def _read_port(parts: SplitResult) -> int | None:
    """No browser asks at a port that does not exist, so what it would be does not matter."""
    try:
        return parts.port
    except ValueError:
        return None


def _is_localhost(host: str) -> bool:
    return host == _LOCALHOST or host.endswith(f".{_LOCALHOST}")


def _read_address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
