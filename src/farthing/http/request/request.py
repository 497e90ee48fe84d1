"""Everything of a request that the work needs, read before any lock is taken."""

from collections.abc import Mapping

from msgspec import Struct
from starlette.types import Receive, Scope

from farthing.kernel.errors import FarthingError

from .call import Key, Received
from .presence import Presence
from .query import read_query

# What was sent, or what is wrong with it.
Fields = dict[str, object] | FarthingError


class Request(Struct, frozen=True):
    scope: Scope
    headers: Mapping[bytes, bytes]
    base: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    fields: Fields
    presence: Presence
    received: Received | None = None
    # Everything but the body that makes two requests the same.
    target: str = ""
    key: Key | None = None
    if_match: str | None = None
    if_none_match: str | None = None
    prepared: object = None


def make_request(scope: Scope, headers: Mapping[bytes, bytes], receive: Receive) -> Request:
    """Without a body; `receive` tells later whether the client is still there."""
    query = scope["query_string"].decode("latin-1")
    return Request(
        scope=scope,
        headers=headers,
        base=scope["state"]["base"],
        path=scope["path_params"],
        query=read_query(query) if query else {},
        fields={},
        presence=Presence(receive),
        target=f"{scope['path']}?{query}",
        if_match=headers[b"if-match"].decode("latin-1") if b"if-match" in headers else None,
        if_none_match=headers[b"if-none-match"].decode("latin-1") if b"if-none-match" in headers else None,
    )
