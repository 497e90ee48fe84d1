"""Finds the endpoint of a path, however the path is spelled. This is as quick for hundreds of endpoints as for a few
(ADR 7)."""

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

from starlette.types import ASGIApp, Receive, Scope, Send

from ..request.public_address import API

_API = f"{API}/"
# Names in links of earlier versions, or that clients derive from them.
_ALIASES = {"attachment": "attachments", "recurring": "recurrences", "transaction_currencies": "currencies"}
_SLASHES = re.compile("/{2,}")
# Longer than any of our addresses: paths that strangers invent must not fill the cache.
_CACHED_CHARACTERS_MAX = 100


def canonicalize(path: str, base_path: str) -> str:
    """Removes the base path and superfluous slashes, and writes the names of resources with underscores."""
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


# The words of a path. None stands for a parameter.
_Words = tuple[str | None, ...]
_UNKNOWN: tuple[None, dict[int, str], str] = (None, {}, "")
TEMPLATE = "farthing.template"


class PathRouter:
    """Sends each request to the endpoint of its path.

    `endpoints` are keyed by paths such as `/accounts/{id}`, each beginning with a fixed word. The template that matched
    is stored in the scope, under `TEMPLATE`.
    """

    def __init__(self, prefix: str, endpoints: Mapping[str, ASGIApp], otherwise: ASGIApp) -> None:
        self._prefix = f"{prefix}/"
        self._otherwise = otherwise
        self._endpoints: dict[_Words, tuple[ASGIApp, dict[int, str], str]] = {}
        # Where parameters may stand, by first word and number of words. A path without parameters is looked up first.
        self._shapes: dict[tuple[str, int], list[frozenset[int]]] = {}
        for path, endpoint in endpoints.items():
            self._enter(path, endpoint)

    def _enter(self, path: str, endpoint: ASGIApp) -> None:
        words = path.removeprefix("/").split("/")
        names = {position: word[1:-1] for position, word in enumerate(words) if word.startswith("{")}
        self._endpoints[_mask(words, names.keys())] = endpoint, names, self._prefix + path[1:]
        shapes = self._shapes.setdefault((words[0], len(words)), [])
        if names and names.keys() not in shapes:
            shapes.append(frozenset(names))
            shapes.sort(key=len)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        endpoint = self._otherwise
        if scope["type"] == "http" and scope["path"].startswith(self._prefix):
            words = scope["path"][len(self._prefix) :].split("/")
            endpoint, scope["path_params"], scope[TEMPLATE] = self._find(words)
        await endpoint(scope, receive, send)

    def _find(self, words: list[str]) -> tuple[ASGIApp, dict[str, str], str]:
        endpoint, _, template = self._endpoints.get(tuple(words), _UNKNOWN)
        if endpoint:
            return endpoint, {}, template
        for positions in self._shapes.get((words[0], len(words)), ()):
            endpoint, names, template = self._endpoints.get(_mask(words, positions), _UNKNOWN)
            parameters = {name: words[position] for position, name in names.items()}
            if endpoint and "" not in parameters.values():
                return endpoint, parameters, template
        return self._otherwise, {}, ""


def _mask(words: list[str], positions: Collection[int]) -> _Words:
    masked: list[str | None] = [*words]
    for position in positions:
        masked[position] = None
    return tuple(masked)
