"""Serves accounts."""

from farthing.books.accounts import store
from farthing.books.accounts.model import Account
from farthing.books.attachments.model import Model
from farthing.books.currencies.choose import choose_or_primary
from farthing.books.lifecycle import accounts as lifecycle
from farthing.books.lifecycle.settings import account_order
from farthing.books.piggy_banks import store as piggy_banks
from farthing.books.transactions.counts import LabelFilter
from farthing.http.request.call import Answer, Call
from farthing.http.resources.lists import answer_page
from farthing.http.route import DATE, LARGE, RANGED, Gate, Parameter
from farthing.kernel.errors import Invalid
from farthing.ledger.kinds import ASSETS, LIABILITIES, kinds_named

from ..objects.accounts import AccountThing, make_accounts
from ..objects.attachments import list_route
from ..objects.groups import GROUPS, PARAMETERS, answer_groups
from ..objects.piggy_banks import PiggyBankThing, things
from ..parts.resource import Resource
from . import wire


def _draft(call: Call, stored: Account | None) -> wire.PlacedDraft:
    """Reads the body. Reports all problems at once, including conflicts with other accounts."""
    parsed = wire.read(call.fields, stored)
    values = parsed.values
    unique = {"iban": values.iban, "account_number": values.account_number}
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, unique, except_id=stored.id if stored else 0))
    kind = wire.find_kind(parsed, stored)
    if stored is None and kind and values.name and store.find_of_kind(call.db, call.user_id, kind, values.name):
        parsed.report("name", "The name has already been taken by another of your accounts of this type.")
    sends_currency = not parsed.absent("currency_id", "currency_code")
    currency = (
        stored.currency
        if stored and not sends_currency
        else choose_or_primary(call.db, parsed, call.caller.currency_code)
    )
    field = "currency_code" if parsed.absent("currency_id") else "currency_id"
    parsed.report_all(lifecycle.currency_problems(call.db, call.user_id, stored, currency, field=field))
    return wire.draft(parsed, stored, currency, call.caller.timezone)


def _add(call: Call, placed: wire.PlacedDraft) -> int:
    account_id = lifecycle.add(call.db, call.user_id, placed.draft, call.now)
    _move(call, account_id, placed)
    return account_id


def _update(call: Call, stored: Account, placed: wire.PlacedDraft) -> None:
    lifecycle.change(call.db, call.user_id, stored, placed.draft, call.now)
    _move(call, stored.id, placed)


def _move(call: Call, account_id: int, placed: wire.PlacedDraft) -> None:
    if placed.order and placed.draft.kind in ASSETS | LIABILITIES:
        account_order.move(call.db, call.user_id, account_id, placed.order, call.now)


def transactions(call: Call) -> Answer:
    account_id = ACCOUNTS.find(call).id
    return answer_groups(call, f"/accounts/{account_id}/transactions", LabelFilter("accounts", account_id))


def saved(call: Call) -> Answer:
    account_id = ACCOUNTS.find(call).id
    path = f"/accounts/{account_id}/piggy-banks"
    return answer_page(call, path, piggy_banks.page, things, account_id=account_id)


def _read_type(call: Call) -> str:
    return call.query.get("type") or "all"


_TYPE = Parameter(
    "type",
    {"type": "string", "default": "all"},
    "The type of accounts to list, such as `asset`. If the type is unknown, all accounts are listed.",
)
ACCOUNTS = Resource(
    path="/accounts",
    shows=AccountThing,
    things=make_accounts,
    get=store.get,
    page=account_order.page,
    filters=lambda call: {"kinds": kinds_named(_read_type(call))},
    links=lambda call: {"type": _read_type(call)},
    draft=_draft,
    add=_add,
    update=_update,
    delete=lambda call, account: lifecycle.remove(call.db, call.user_id, account, call.now),
    takes=wire.AccountBody,
)

ROUTES = (
    ACCOUNTS.index("List accounts, your own first", _TYPE, DATE, *RANGED),
    ACCOUNTS.create("Create an account", requires=("name", "type")),
    ACCOUNTS.show("Show an account", DATE, *RANGED),
    ACCOUNTS.change("Change the sent fields of an account", runs=LARGE),
    ACCOUNTS.own("GET", "transactions", transactions, "List the transactions of an account", *PARAMETERS, gives=GROUPS),
    ACCOUNTS.listing("piggy-banks", saved, "List the piggy banks of an account", PiggyBankThing),
    list_route(ACCOUNTS, Model.ACCOUNT, "List the attachments of an account"),
    ACCOUNTS.remove("Delete an account and all its transactions", gate=Gate.WHOLE, runs=LARGE, fails=(Invalid,)),
)
