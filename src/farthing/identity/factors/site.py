"""Finds the address to which passkeys are bound. Browsers demand a host name with https, or localhost."""

from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from farthing.kernel.errors import Conflict
from farthing.kernel.network.networks import read_address

_LOCALHOST = "localhost"
_DEFAULT_PORTS = {"http": 80, "https": 443}


class Site(Struct, frozen=True, kw_only=True):
    """Describes the site to which a passkey is bound. `id` is its host. Only pages of `origin` can use the passkey."""

    id: str
    origin: str


def find_site(base: str) -> Site:
    """Returns the site at `base`, the public address. Raises Conflict if browsers do not offer passkeys there."""
    parts = urlsplit(base)
    host, port = parts.hostname or "", _read_port(parts)
    port_suffix = "" if port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f":{port}"
    address = read_address(host)
    if address is not None and address.is_loopback:
        raise Conflict(
            f"Passkeys need a host name: open {parts.scheme}://{_LOCALHOST}{port_suffix}{parts.path} instead."
        )
    if address is not None or not (parts.scheme == "https" or host == _LOCALHOST or host.endswith(f".{_LOCALHOST}")):
        raise Conflict(
            f"Passkeys need a host name and https, but this is {parts.scheme}://{parts.netloc}. Open Farthing at an"
            " address such as https://money.example.org, and set FARTHING_BASE_URL to it."
        )
    return Site(id=host, origin=f"{parts.scheme}://{host}{port_suffix}")


def find_usable_site(base: str) -> Site | None:
    """Returns the site at `base`, or None if passkeys do not work at that address."""
    try:
        return find_site(base)
    except Conflict:
        return None


def _read_port(parts: SplitResult) -> int | None:
    """Returns None for an invalid port, which no browser uses."""
    try:
        return parts.port
    except ValueError:
        return None
