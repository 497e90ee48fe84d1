"""Deletes all objects of a kind, and the history with which such changes could be undone."""

from collections.abc import Callable, Sequence
from typing import Any

from farthing.books.accounts import store as accounts
from farthing.books.bills import store as bills
from farthing.books.bookkeeping import record
from farthing.books.budgets import store as budgets
from farthing.books.categories import store as categories
from farthing.books.lifecycle import accounts as account_lifecycle
from farthing.books.lifecycle import bills as bill_lifecycle
from farthing.books.lifecycle import labels, rule_groups
from farthing.books.lifecycle.saving import piggy_banks as piggy_bank_lifecycle
from farthing.books.object_groups import store as object_groups
from farthing.books.piggy_banks import store as piggy_banks
from farthing.books.recurrences import store as recurrences
from farthing.books.rule_groups import store as stored_rule_groups
from farthing.books.tags import store as tags
from farthing.care.changes import forget
from farthing.http.callers.noting import note
from farthing.http.request.call import NOTHING, Answer, Call
from farthing.http.route import LARGE, Gate, Parameter, Route
from farthing.identity.audit import Event
from farthing.kernel.errors import Invalid, refuse_field
from farthing.ledger.entry import Label
from farthing.ledger.kinds import ASSETS, LIABILITIES, Kind, Type
from farthing.overviews.matching import run
from farthing.overviews.matching.run import MatchingTask
from farthing.overviews.search import find as search
from farthing.overviews.search.narrowing import SearchFilter

_Handler = Callable[[Call], None]
# More objects of one kind than any user has.
_EVERY = 1_000_000
# A background job deletes more transactions than these.
_AT_ONCE_MAX = 1000
_PAYEES = frozenset((Kind.EXPENSE, Kind.REVENUE))


def _remove_accounts(kinds: frozenset[Kind]) -> _Handler:
    def remove(call: Call) -> None:
        ids = accounts.list_kinds(call.db, call.user_id, kinds)
        account_lifecycle.remove_all(call.db, call.user_id, ids, call.now)

    return remove


def _remove_transactions(*types: Type) -> _Handler:
    """Deletes all transactions of these types as one change, in a background job if there are many."""

    def remove(call: Call) -> None:
        filters = SearchFilter(types=frozenset(types))
        entry_ids = search.find_all(call.db, call.user_id, [], filters, looked_at_max=_AT_ONCE_MAX)
        if entry_ids is None:
            run.begin(call.db, call.user_id, MatchingTask(query=[], filters=filters), call.now)
        elif entry_ids:
            record.erase(call.db, call.user_id, entry_ids, amount_field="objects")

    return remove


def _remove_labels(label: Label) -> _Handler:
    pages: dict[Label, Callable[..., tuple[int, Sequence[Any]]]] = {
        "budgets": budgets.page,
        "categories": categories.page,
        "tags": tags.page,
    }

    def remove(call: Call) -> None:
        _, listed = pages[label](call.db, call.user_id, limit=_EVERY, offset=0)
        for each in listed:
            labels.remove(call.db, call.user_id, label, each.id)

    return remove


def _remove_bills(call: Call) -> None:
    for bill in bills.all_of(call.db, call.user_id):
        bill_lifecycle.remove(call.db, call.user_id, bill)


def _remove_piggy_banks(call: Call) -> None:
    _, listed = piggy_banks.page(call.db, call.user_id, limit=_EVERY, offset=0)
    piggy_bank_lifecycle.remove(call.db, call.user_id, [piggy_bank.id for piggy_bank in listed])


def _remove_recurrences(call: Call) -> None:
    _, listed = recurrences.page(call.db, call.user_id, limit=_EVERY, offset=0)
    if listed:
        recurrences.remove(call.db, call.user_id, [recurrence.id for recurrence in listed], call.now)


def _remove_rules(call: Call) -> None:
    """Deletes all rules and their groups."""
    _, listed = stored_rule_groups.page(call.db, call.user_id, limit=_EVERY, offset=0)
    for group in listed:
        rule_groups.remove(call.db, call.user_id, group.id, call.now)


def _remove_object_groups(call: Call) -> None:
    _, listed = object_groups.page(call.db, call.user_id, limit=_EVERY, offset=0)
    for group in listed:
        object_groups.remove(call.db, call.user_id, group.id)


_OBJECTS: dict[str, _Handler] = {
    "not_assets_liabilities": _remove_accounts(_PAYEES),
    "budgets": _remove_labels("budgets"),
    "bills": _remove_bills,
    "piggy_banks": _remove_piggy_banks,
    "rules": _remove_rules,
    "recurring": _remove_recurrences,
    "categories": _remove_labels("categories"),
    "tags": _remove_labels("tags"),
    "object_groups": _remove_object_groups,
    "accounts": _remove_accounts(ASSETS | LIABILITIES | _PAYEES),
    "asset_accounts": _remove_accounts(ASSETS),
    "expense_accounts": _remove_accounts(frozenset((Kind.EXPENSE,))),
    "revenue_accounts": _remove_accounts(frozenset((Kind.REVENUE,))),
    "liabilities": _remove_accounts(LIABILITIES),
    "transactions": _remove_transactions(*Type),
    "withdrawals": _remove_transactions(Type.WITHDRAWAL),
    "deposits": _remove_transactions(Type.DEPOSIT),
    "transfers": _remove_transactions(Type.TRANSFER),
}
_NAMES = ", ".join(_OBJECTS)


def destroy(call: Call) -> Answer:
    """Deletes all objects of a kind as one change, which can be undone."""
    word = call.query.get("objects", "")
    if word not in _OBJECTS:
        refuse_field("objects", f"The selected objects are invalid: they must be one of {_NAMES}.")
    _OBJECTS[word](call)
    return NOTHING


def purge(call: Call) -> Answer:
    """Deletes the history of changes in a background job. This is the only change that cannot be undone."""
    note(call, Event.HISTORY_DELETED, user_id=call.user_id)
    forget.begin(call.db, call.user_id, call.now)
    return NOTHING


ROUTES = (
    Route(
        "DELETE", "/data/destroy", destroy, "Delete all objects of a kind",
        parameters=(
            Parameter("objects", {"type": "string", "enum": list(_OBJECTS)}, "What to delete.", required=True),
        ),
        gate=Gate.WHOLE, runs=LARGE, fails=(Invalid,),
    ),
    Route(
        "DELETE", "/data/purge", purge, "Delete the history of changes, so that nothing can be undone any more",
        gate=Gate.WHOLE,
    ),
)  # fmt: skip
