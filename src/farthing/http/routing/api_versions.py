"""Decides which version of the API a request uses: by its host, by the prefix of its path or by its token.

Clients of both versions send the same requests, so nothing else could tell the versions apart.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlsplit

from msgspec import Struct

from farthing.identity.tokens import V6_MARK
from farthing.identity.user import ApiVersion
from farthing.kernel.config import Settings

from ..request.public_address import API
from .allowed_hosts import is_named

# Below this path, every token and session uses version 6.
PREFIX = "/v6"
_API = f"{API}/"
# Names that occur in links of earlier versions, or that clients derive from such links.
_ALIASES = {"attachment": "attachments", "recurring": "recurrences", "transaction_currencies": "currencies"}
# The first segments of paths that may have to be written in another way, although they have no hyphen.
_RENAMED = {*_ALIASES, "budgets"}
_SLASHES = re.compile("/{2,}")
# Only paths up to this length are cached. Longer ones are not ours, and invented paths must not fill the cache.
_CACHED_CHARACTERS_MAX = 100
# Marks a token for version 6 in the Authorization header. The credentials of other schemes contain no dot.
_MARK = f" {V6_MARK}".encode()


class Location(Struct, frozen=True):
    """Describes where a request leads. `prefix` is the part of the public address that chose the version."""

    version: ApiVersion
    path: str
    prefix: str = ""


class VersionChooser:
    def __init__(self, settings: Settings) -> None:
        self._base_path = urlsplit(settings.base_url or "").path.rstrip("/")
        self.v6_url = settings.v6_url

    def is_v6_host(self, headers: Mapping[bytes, bytes]) -> bool:
        """Returns whether the request names the host that is only for version 6."""
        return self.v6_url is not None and is_named(self.v6_url, headers.get(b"host", b""))

    def locate(self, path: str, headers: Mapping[bytes, bytes], *, v6_host: bool) -> Location:
        find = _locate_cached if len(path) <= _CACHED_CHARACTERS_MAX else _locate
        return find(path, self._base_path, v6_host, _MARK in headers.get(b"authorization", b""))


def _locate(path: str, base_path: str, v6_host: bool, v6_token: bool) -> Location:
    """Removes the base path, the prefix and superfluous slashes from a path, and finds the version."""
    if "//" in path:  # from clients that join an address ending in a slash and a path beginning with one
        path = _SLASHES.sub("/", path)
    path = _cut(path, base_path) if base_path else path
    cut = _cut(path, PREFIX) if path.startswith(PREFIX) else path
    prefix = PREFIX if cut != path else ""
    if len(cut) > 1 and cut.endswith("/"):
        cut = cut[:-1]
    if prefix or v6_host or v6_token:
        return Location(ApiVersion.V6, cut, prefix)
    return Location(ApiVersion.V1, _write_with_underscores(cut))


_locate_cached = lru_cache(maxsize=1024)(_locate)


def _cut(path: str, start: str) -> str:
    return path[len(start) :] or "/" if path == start or path.startswith(start + "/") else path


def _write_with_underscores(path: str) -> str:
    """Replaces the hyphens in the names of resources, because the routes of version 1 are written with underscores."""
    if not path.startswith(_API) or ("-" not in path and path.split("/", 4)[3] not in _RENAMED):
        return path
    segments = path[len(_API) :].split("/")
    if segments[:2] == ["budgets", "limits"]:
        segments[:2] = ["budget_limits"]
    name = segments[0].replace("-", "_")
    segments[0] = _ALIASES.get(name, name)
    if len(segments) > 2:
        segments[2] = segments[2].replace("-", "_")
    return _API + "/".join(segments)


def write_with_hyphens(segment: str) -> str:
    """Replaces the underscores in a segment of a path, because the routes of version 6 are written with hyphens."""
    return segment.replace("_", "-")
