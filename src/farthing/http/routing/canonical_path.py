"""Reduces the spellings of an address that clients use to one."""

import re
from functools import lru_cache

from ..request.public_address import API

_API = f"{API}/"
# Names in links of earlier versions, or that clients derive from them.
_ALIASES = {"attachment": "attachments", "recurring": "recurrences", "transaction_currencies": "currencies"}
_SLASHES = re.compile("/{2,}")
# Longer than any of our addresses: paths that strangers invent must not fill the cache.
_CACHED_CHARACTERS_MAX = 100


def canonicalize(path: str, base_path: str) -> str:
    """Removes the base path, double and closing slashes, and writes names of resources with underscores."""
    return (
        _canonicalize_cached(path, base_path) if len(path) <= _CACHED_CHARACTERS_MAX else _canonicalize(path, base_path)
    )


def _canonicalize(path: str, base_path: str) -> str:
    if "//" in path:  # from clients that join an address ending in a slash and a path beginning with one
        path = _SLASHES.sub("/", path)
    if base_path and (path == base_path or path.startswith(base_path + "/")):
        path = path[len(base_path) :] or "/"
    if len(path) > 1 and path.endswith("/"):
        path = path[:-1]
    if not path.startswith(_API):
        return path
    words = path[len(_API) :].split("/")
    if words[:2] == ["budgets", "limits"]:
        words[:2] = ["budget_limits"]
    name = words[0].replace("-", "_")
    words[0] = _ALIASES.get(name, name)
    if len(words) > 2:
        words[2] = words[2].replace("-", "_")
    return _API + "/".join(words)


_canonicalize_cached = lru_cache(maxsize=1024)(_canonicalize)
