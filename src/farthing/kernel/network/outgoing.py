"""Sends all requests to addresses that people or settings name.

A host is resolved once, and connections are made only to the addresses found. Private, loopback, link-local and
metadata addresses are refused, unless private ones are allowed. Redirects are not followed, time and size are limited,
and certificates must match the host. Proxies of the environment are not used, and nothing is decompressed.
"""

import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from http.client import HTTPException, HTTPResponse
from io import BufferedReader, RawIOBase
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, BinaryIO, cast
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from ..errors import FarthingError
from .networks import Network

CHUNK_BYTES = 64 * 1024
URL_CHARACTERS_MAX = 2000
ADDRESSES_MAX = 8
_PORTS = {"http": 80, "https": 443}


class NotAllowed(FarthingError):
    """Requests to this address are not allowed. Nothing has been sent."""


class Unreachable(FarthingError):
    """The other server cannot be reached, takes too long, or does not answer in valid HTTP."""


class AnswerTooLarge(Unreachable):
    """The answer exceeds the limit. Sending the request again does not help."""


class RequestLimits(Struct, frozen=True):
    """Limits one request. `total_s` applies to all of it: connecting, sending, and receiving the whole answer."""

    connect_s: float = 10
    total_s: float = 60
    body_bytes_max: int = 16 * 2**20


class Destination(Struct, frozen=True):
    """Describes a server and the IP addresses that were found for it. `path` is the path of the URL, without a slash
    at its end."""

    scheme: str
    host: str
    port: int
    path: str
    addresses: tuple[str, ...]

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def _networks(*texts: str) -> tuple[Network, ...]:
    return tuple(map(ip_network, texts))


# Other computers in the same network. They are allowed only if the settings say so.
_PRIVATE = _networks(
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "::1/128", "fc00::/7"
)
# Never allowed: metadata of clouds, link-local, multicast, reserved, documentation, IPv4 embedded in IPv6.
_NEVER = _networks(
    "100.100.100.200/32",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "fd00:ec2::/32",
    "fd20:ce::254/128",
    "0.0.0.0/8",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/3",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
)
_PUBLIC = _networks("0.0.0.0/0", "2000::/3")


def is_allowed(address: IPv4Address | IPv6Address, *, allow_private: bool) -> bool:
    """Returns whether requests may be sent to an address.

    Only global unicast addresses of IPv6 are public. Mapped IPv4, NAT64, link-local and multicast are refused.
    """
    if _is_in(address, _NEVER):
        return False
    if _is_in(address, _PRIVATE):
        return allow_private
    return _is_in(address, _PUBLIC)


def _is_in(address: IPv4Address | IPv6Address, networks: tuple[Network, ...]) -> bool:
    return any(address.version == network.version and address in network for network in networks)


def look_up(url: str, *, allow_private: bool, limits: RequestLimits | None = None) -> Destination:
    """Resolves the host of a URL. Raises NotAllowed unless every IP address of the host is allowed."""
    parts, port = _split(url)
    host = parts.hostname or ""
    addresses = _resolve(host, port, (limits or RequestLimits()).connect_s)
    for text in addresses:
        if "%" in text or not is_allowed(ip_address(text), allow_private=allow_private):
            kind = "an address that is always refused" if allow_private else "a private or reserved address"
            raise NotAllowed(f"{host} is {text}, {kind}: Farthing does not connect to it.")
    return Destination(
        scheme=parts.scheme, host=host, port=port, path=parts.path.rstrip("/"), addresses=addresses[:ADDRESSES_MAX]
    )


def check_url(url: str) -> None:
    """Raises NotAllowed for a URL to which no request can be sent. Does not look up its host."""
    _split(url)


def _split(url: str) -> tuple[SplitResult, int]:
    example = "an address like https://example.org is needed"
    if len(url) > URL_CHARACTERS_MAX or not url.isascii() or not url.isprintable() or " " in url:
        raise NotAllowed(f"The address is too long or has characters that are not allowed in addresses: {example}.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise NotAllowed(f"The address cannot be read ({error}): {example}.") from error
    if parts.scheme not in _PORTS or not parts.hostname:
        raise NotAllowed(f"The address must begin with http:// or https:// and name a host: {example}.")
    if parts.username is not None or parts.password is not None:
        raise NotAllowed("The address may not contain a user name or a password.")
    if port == 0:
        raise NotAllowed("The port of the address must be from 1 to 65535.")
    return parts, port or _PORTS[parts.scheme]


def _resolve(host: str, port: int, seconds: float) -> tuple[str, ...]:
    """Resolves a host name. The system's resolver has no time limit, so it runs in a thread, which is abandoned if it
    takes too long."""
    addresses: list[str] = []
    problems: list[Exception] = []

    def ask() -> None:
        try:
            answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            addresses.extend(dict.fromkeys(str(answer[4][0]) for answer in answers))
        except (OSError, UnicodeError) as error:
            problems.append(error)

    asking = threading.Thread(target=ask, daemon=True, name="look-up")
    asking.start()
    asking.join(seconds)
    if asking.is_alive():
        raise Unreachable(f"{host} could not be looked up within {seconds:g} seconds.")
    if problems or not addresses:
        raise Unreachable(f"There is no server with the name {host}.")
    return tuple(addresses)


class RemoteAnswer:
    """Holds an answer. `headers` has lower-case names. The body is read from the connection, up to the size limit."""

    def __init__(self, response: HTTPResponse, to: Destination, limits: RequestLimits) -> None:
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self._response, self._to, self._limits = response, to, limits

    def chunks(self) -> Iterator[bytes]:
        """Yields chunks of the body as they arrive. Refuses a compressed body, because we did not ask for one."""
        if self.headers.get("content-encoding", "identity").lower() not in ("identity", ""):
            raise Unreachable("The server sent a compressed answer, although Farthing asked for an uncompressed one.")
        bytes_max = left = self._limits.body_bytes_max
        if (self._response.length or 0) > left:
            raise AnswerTooLarge(f"The answer is larger than {bytes_max} bytes.")
        while chunk := self._next(min(CHUNK_BYTES, left + 1)):
            left -= len(chunk)
            if left < 0:
                raise AnswerTooLarge(f"The answer is larger than {bytes_max} bytes.")
            yield chunk
        if self._response.length:
            raise Unreachable("The answer ended too early.")

    def read(self) -> bytes:
        return b"".join(self.chunks())

    def _next(self, bytes_max: int) -> bytes:
        with _translate_errors(self._to, self._limits):
            return self._response.read(bytes_max)


@contextmanager
def ask(
    to: Destination,
    method: str,
    target: str,
    *,
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
    limits: RequestLimits | None = None,
) -> Iterator[RemoteAnswer]:
    """Sends one request on a separate connection. `target` is the absolute path with its query."""
    limits = limits or RequestLimits()
    deadline = time.monotonic() + limits.total_s
    request = _request(to, method, target, headers or {}, body)
    with ExitStack() as opened:
        with _translate_errors(to, limits):
            connection = opened.enter_context(_connect(to, min(limits.connect_s, limits.total_s)))
            connection.settimeout(_left(deadline))
            connection.sendall(request)
            incoming = cast(socket.socket, _Incoming(connection, deadline))
            response = opened.enter_context(HTTPResponse(incoming, method=method))
            response.begin()
        yield RemoteAnswer(response, to, limits)


@contextmanager
def _translate_errors(to: Destination, limits: RequestLimits) -> Iterator[None]:
    """Translates errors to Unreachable. Use it only around calls that communicate with the other server, so that no
    unrelated error is blamed on that server."""
    try:
        yield
    except TimeoutError as error:
        raise Unreachable(f"{to.host} took longer than {limits.total_s:g} seconds to answer.") from error
    except ssl.SSLCertVerificationError as error:
        raise Unreachable(f"The certificate of {to.host} is not valid: {error.verify_message}.") from error
    except (OSError, HTTPException, ValueError) as error:
        raise Unreachable(f"{to.host} did not answer like a web server: {_describe(error)}.") from error


def _describe(error: Exception) -> str:
    return (str(error) or type(error).__name__)[:200]


_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
_TARGET = re.compile(r"/[!-~]{0,4000}")
_VALUE = re.compile(r"[ -~]{0,8000}")


def _request(to: Destination, method: str, target: str, headers: Mapping[str, str], body: bytes) -> bytes:
    """Writes the request. Refuses texts with characters that could begin another header."""
    sent = {"Host": to.host_header, "Accept-Encoding": "identity", "Connection": "close", **headers}
    if body or method not in ("GET", "HEAD"):
        sent["Content-Length"] = str(len(body))
    if not _TOKEN.fullmatch(method) or not _TARGET.fullmatch(target):
        raise NotAllowed("The path of the request has characters that are not allowed in paths.")
    for name, value in sent.items():
        if not _TOKEN.fullmatch(name) or not _VALUE.fullmatch(value):
            raise NotAllowed(f"The header {name[:100]!r} has characters that are not allowed in headers.")
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", ""]
    return "\r\n".join(lines).encode("ascii") + body


def _connect(to: Destination, seconds: float) -> socket.socket:
    """Connects to one of the addresses that were looked up. The host name is not resolved again."""
    deadline = time.monotonic() + seconds
    problem: OSError | None = None
    for address in to.addresses:
        try:
            plain = socket.create_connection((address, to.port), timeout=_left(deadline))
        except OSError as error:
            problem = error
            continue
        return plain if to.scheme == "http" else _secure(plain, to.host, deadline)
    raise Unreachable(f"{to.host} cannot be reached at port {to.port}: {_describe(problem or OSError())}.")


def _secure(plain: socket.socket, host: str, deadline: float) -> socket.socket:
    try:
        plain.settimeout(_left(deadline))
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except BaseException:
        plain.close()
        raise


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


class _Incoming(RawIOBase):
    """Reads from a connection until a deadline, however slowly the bytes arrive. HTTPResponse uses it like a socket."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        super().__init__()
        self._connection, self._deadline = connection, deadline

    def makefile(self, _mode: str) -> BinaryIO:
        return cast(BinaryIO, BufferedReader(self, CHUNK_BYTES))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._connection.settimeout(_left(self._deadline))
        return self._connection.recv_into(buffer)
