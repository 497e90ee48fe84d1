"""Represents a request before its caller is known. Notices when the client hangs up, and decides in whose turn the
request is handled."""

import asyncio
from collections.abc import Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qsl

from msgspec import Struct
from starlette.types import Receive, Scope

from farthing.identity.user import ApiVersion
from farthing.kernel.errors import FarthingError
from farthing.storage.fair.line import Asker

from .call import Key, Received
from .proxies import Peer


class Presence:
    """Notices when the client hangs up. Watches the connection only once somebody asks, because that costs a task."""

    __slots__ = ("_gone", "_receive")

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._gone: asyncio.Task[None] | None = None

    def gone(self) -> "asyncio.Task[None]":
        """Returns a task that ends when the client hangs up. Call this only after the whole body has been received,
        because the task reads and discards all further messages."""
        if self._gone is None:
            self._gone = asyncio.create_task(self._wait())
        return self._gone

    async def _wait(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass

    def end(self) -> None:
        """Stops watching. Call it when the work is done."""
        if self._gone:
            self._gone.cancel()
            self._gone = None


# The decoded body, or the error that decoding raised.
Fields = dict[str, object] | FarthingError


class Request(Struct, frozen=True):
    """Holds a request before its caller is known. Endpoints add `fields`, `received`, `key` and `prepared` later."""

    peer: Peer
    headers: Mapping[bytes, bytes]
    # Links of the API begin with `base`, and links of the web app with `root`.
    base: str
    root: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    fields: Fields
    presence: Presence
    # The `state` of the ASGI scope, which all copies of this request share.
    state: MutableMapping[str, Any]
    received: Received | None = None
    # The path with the query. The same path in another version of the API has another target.
    target: str = ""
    api_version: ApiVersion = ApiVersion.V1
    key: Key | None = None
    if_match: str | None = None
    if_none_match: str | None = None
    prepared: object = None


def make_request(scope: Scope, headers: Mapping[bytes, bytes], receive: Receive) -> Request:
    """Makes a request without its body. `receive` is used later to notice when the client hangs up."""
    query = scope["query_string"].decode("latin-1")
    state = scope["state"]
    version = state["api_version"]
    read, mark = (read_query, "") if version is ApiVersion.V1 else (read_query_of_v6, f"{version} ")
    return Request(
        peer=state["peer"],
        headers=headers,
        base=state["base"],
        root=state["root"],
        path=scope["path_params"],
        query=read(query) if query else {},
        fields={},
        presence=Presence(receive),
        state=state,
        target=f"{mark}{scope['path']}?{query}",
        api_version=version,
        if_match=headers[b"if-match"].decode("latin-1") if b"if-match" in headers else None,
        if_none_match=headers[b"if-none-match"].decode("latin-1") if b"if-none-match" in headers else None,
    )


_PARAMETERS_MAX = 100
# Clients of version 6 repeat a parameter for each account of a list.
_PARAMETERS_OF_V6_MAX = 1000


def read_query(query: str) -> dict[str, str]:
    """Reads the parameters of a query. If a name is repeated, its last value is kept. If the name ends in `[]`, all its
    values are joined with commas."""
    values: dict[str, str] = {}
    for name, value in _split_query(query):
        joins = name.endswith("[]") and name in values
        values[name] = f"{values[name]},{value.strip()}" if joins else value.strip()
    return values


def read_query_of_v6(query: str) -> dict[str, str]:
    """Reads the parameters of a query of version 6, whose lists are written `x[]=1&x[]=2`, `x=1&x=2` or `x=1,2`."""
    values: dict[str, str] = {}
    for sent, value in _split_query(query, _PARAMETERS_OF_V6_MAX):
        name = sent.removesuffix("[]")
        values[name] = f"{values[name]},{value.strip()}" if name in values else value.strip()
    return values


def _split_query(query: str, most: int = _PARAMETERS_MAX) -> list[tuple[str, str]]:
    """Splits a query. Ignores parameters beyond a limit, because a million of them would block the event loop."""
    pieces = query.split("&", most)[:most]
    return parse_qsl("&".join(pieces), keep_blank_values=True, errors="replace")


_CREDENTIALS_MAX = 10_000


class Askers:
    """Remembers which user a token or session belongs to, so that users can take turns. An asker is the client that
    waits for a result.

    While the user of a request is unknown, the client's address is used instead. Only hashes of tokens and sessions are
    kept. If two hashes were equal, two users would share their turns.
    """

    def __init__(self) -> None:
        self._user_ids: dict[int, int] = {}

    def note(self, headers: Mapping[bytes, bytes], user_id: int) -> None:
        if len(self._user_ids) >= _CREDENTIALS_MAX:
            self._user_ids.clear()
        self._user_ids[_hash_credential(headers)] = user_id

    def is_known(self, request: Request) -> bool:
        return _hash_credential(request.headers) in self._user_ids

    def of(self, request: Request) -> Asker:
        """Returns the asker for short work, which is done even if the client hangs up."""
        return Asker(user=self._user_ids.get(_hash_credential(request.headers)) or request.peer.client)

    def of_large(self, request: Request) -> Asker:
        """Returns the asker for work that is dropped when the client hangs up. The body must have been received."""
        return Asker(user=self.of(request).user, gone=request.presence.gone(), is_bounded=True)

    def of_heavy(self, request: Request) -> Asker:
        """Returns the asker for work that has proved slow. It is treated as large work, but any amount of it may
        wait.
        """
        return Asker(user=self.of(request).user, gone=request.presence.gone())

    def of_visitor(self, request: Request) -> Asker:
        """Returns the asker for a sign-in, which is the client's address."""
        return Asker(user=request.peer.client, gone=request.presence.gone())

    def of_account(self, request: Request) -> Asker:
        """Returns the asker for the account that a sign-in names, which is its e-mail address."""
        email = request.fields.get("email") if isinstance(request.fields, dict) else None
        return Asker(user=str(email), gone=request.presence.gone())


def _hash_credential(headers: Mapping[bytes, bytes]) -> int:
    return hash(headers.get(b"authorization") or headers.get(b"cookie"))
