"""Keeps callers from learning by webhook what they may not see otherwise."""

from collections.abc import Collection

from farthing.identity import scopes
from farthing.identity.user import Caller
from farthing.kernel.errors import Forbidden

from .model import OF_BUDGETS, OF_TRANSACTIONS, Event, Response, Trigger

# What a token with scopes must be able to read, so that it does not learn more from events.
_NEEDS: dict[str, tuple[str, ...]] = {
    "transaction": ("transactions",),
    "account": ("accounts",),
    "bill": ("bills", "transactions"),
    "recurrence": ("bills", "transactions"),
    "budget": ("budgets",),
    "import": ("imports",),
    Trigger.ANY: ("transactions", "budgets"),
    **dict.fromkeys(OF_TRANSACTIONS, ("transactions",)),
    **dict.fromkeys(OF_BUDGETS, ("budgets",)),
    Response.ACCOUNTS: ("accounts",),
}


def refuse_events(caller: Caller, triggers: Collection[str], responses: Collection[str]) -> None:
    """Refuses events that the caller may not see: sign-ins of another person, and what the token's scopes lack."""
    if Event.SIGN_IN_NEW_DEVICE in triggers and not _sees_sign_ins(caller):
        raise Forbidden(
            f"Only the owner of these books, without a token with scopes, may wait for {Event.SIGN_IN_NEW_DEVICE}."
        )
    if missing := _find_missing(caller, [*triggers, *responses]):
        raise Forbidden(f"This token lacks a scope: {', '.join(missing)}.")


def list_hidden(caller: Caller) -> list[str]:
    """Lists the events of version 1 that the caller may not see, although a webhook may have waited for them before."""
    return [
        event
        for event in Event
        if (not _sees_sign_ins(caller) if event is Event.SIGN_IN_NEW_DEVICE else _find_missing(caller, [event]))
    ]


def _sees_sign_ins(caller: Caller) -> bool:
    return caller.share is None and caller.scopes is None


def _find_missing(caller: Caller, words: Collection[str]) -> list[str]:
    if caller.scopes is None:
        return []
    nouns = {word if word.isupper() else word.partition(".")[0] for word in words}
    groups = sorted({group for noun in nouns for group in _NEEDS.get(noun, ())})
    return scopes.find_missing(caller.scopes, groups, scopes.READ)
