"""Holds everything of a request that its handler needs, read before any lock is taken."""

from collections.abc import Mapping, MutableMapping
from typing import Any

from msgspec import Struct
from starlette.types import Receive, Scope

from farthing.kernel.errors import FarthingError

from .call import Key, Received
from .presence import Presence
from .proxies import Peer
from .query import read_query

# The decoded body, or the error that decoding raised.
Fields = dict[str, object] | FarthingError


class Request(Struct, frozen=True):
    """Holds a request before its caller is known. Endpoints add `fields`, `received`, `key` and `prepared` later."""

    peer: Peer
    headers: Mapping[bytes, bytes]
    base: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    fields: Fields
    presence: Presence
    # The `state` of the ASGI scope, which all copies of this request share.
    state: MutableMapping[str, Any]
    received: Received | None = None
    # Path and query: together with the method and the body they make two requests equal.
    target: str = ""
    key: Key | None = None
    if_match: str | None = None
    if_none_match: str | None = None
    prepared: object = None


def make_request(scope: Scope, headers: Mapping[bytes, bytes], receive: Receive) -> Request:
    """Makes a request without its body. `receive` tells later whether the client is still connected."""
    query = scope["query_string"].decode("latin-1")
    state = scope["state"]
    return Request(
        peer=state["peer"],
        headers=headers,
        base=state["base"],
        path=scope["path_params"],
        query=read_query(query) if query else {},
        fields={},
        presence=Presence(receive),
        state=state,
        target=f"{scope['path']}?{query}",
        if_match=headers[b"if-match"].decode("latin-1") if b"if-match" in headers else None,
        if_none_match=headers[b"if-none-match"].decode("latin-1") if b"if-none-match" in headers else None,
    )
