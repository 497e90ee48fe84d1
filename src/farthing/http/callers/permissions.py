"""Selects the books that a request names, and refuses what the caller may not do in them."""

from collections.abc import Mapping

from farthing.identity import scopes
from farthing.identity.sharing import members
from farthing.identity.user import Access, Caller, Share
from farthing.kernel.errors import Forbidden, NotFound
from farthing.kernel.text import parse_id
from farthing.storage.unit import Unit

from ..answer.includes import Include
from ..route import Gate, Mode, Route

_BOOKS = b"farthing-books"
_ROLES = {Share.BOOKKEEPER: "a bookkeeper", Share.FULL: "somebody with full access"}


def enter_books(db: Unit, caller: Caller, headers: Mapping[bytes, bytes], linked: str | None) -> Caller:
    """Returns the caller with the role that they have in the books that the request names.

    If the request names none, the books of the token are used. Raises NotFound if the books are not shared with the
    caller. An app may name only the books for which it was authorized. `linked` is the query parameter by which a
    download link names the books, because links cannot send the header. If both are sent, the header takes precedence.
    """
    header = headers.get(_BOOKS)
    named = linked if header is None else header.decode("latin-1").strip()
    books_id = caller.books_id if named is None else parse_id(named)
    if caller.app_id is not None and named is not None and books_id != (caller.books_id or caller.id):
        raise Forbidden("This app was given access to other books.")
    if books_id == caller.id or (books_id is None and named is None):
        return caller
    entered = members.enter(db, caller, books_id) if books_id else None
    if entered is None:
        raise NotFound("Resource not found")
    return entered


def refuse_forbidden(caller: Caller, route: Route, mode: Mode, query: Mapping[str, str]) -> None:
    """Raises Forbidden if the token or the caller's role in these books does not allow the request."""
    writes = mode is Mode.WRITE
    if writes and caller.access != Access.FULL:
        raise Forbidden("This token may only read. Use one with full access to change anything.")
    if caller.scopes is not None:
        _refuse_out_of_scope(caller.scopes, route, query, scopes.WRITE if writes else scopes.READ)
    if caller.share is not None:
        _refuse_low_role(caller.share, route, writes=writes)


def _refuse_out_of_scope(granted: str, route: Route, query: Mapping[str, str], access: str) -> None:
    """Refuses what the granted scopes do not cover, including the reading of included related objects.

    Some routes, such as those for tokens and sessions, belong to no group of scopes. They need a token without scopes.
    """
    if not route.groups and route.gate is not Gate.SELF:
        raise Forbidden("This requires a sign-in, or a token without scopes, which may do everything.")
    missing = scopes.find_missing(granted, route.groups, access)
    if "include" in query:
        missing += scopes.find_missing(granted, _groups_of_relatives(route.includes, query["include"]), scopes.READ)
    if missing:
        raise Forbidden(f"This token lacks a scope: {', '.join(dict.fromkeys(missing))}.")


def _groups_of_relatives(includes: Mapping[str, Include], names: str) -> list[str]:
    """Lists the scope groups of all included related objects. `transactions.attachments` needs the groups of both."""
    words = {word.strip() for path in names.split(",") for word in path.split(".")}
    included = [include for include in includes.values() if include.name in words]
    groups = [group for include in included if (group := scopes.find_group(include.name))]
    return groups + [group for include in included for group in _groups_of_relatives(include.further, names)]


def _refuse_low_role(share: Share, route: Route, *, writes: bool) -> None:
    needed = Share.FULL if route.gate is Gate.WHOLE else Share.BOOKKEEPER if writes else Share.VIEWER
    if not share.includes(needed):
        raise Forbidden(f"You are a {share.value} in these books, but only {_ROLES[needed]} may do this.")
