"""Serves accounts."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from msgspec.structs import asdict

from farthing.books.accounts import store
from farthing.books.accounts.model import Account, AccountDraft
from farthing.books.attachments.model import Model
from farthing.books.currencies.choose import choose
from farthing.books.lifecycle import accounts as lifecycle
from farthing.books.lifecycle import reconcile as reconciling
from farthing.books.piggy_banks import store as piggy_banks
from farthing.books.transactions import lines
from farthing.books.transactions.counts import Book, LabelFilter
from farthing.books.transactions.model import PAYEES, PAYERS
from farthing.http.answer.document import All, Item
from farthing.http.answer.includes import Related, registry
from farthing.http.answer.pages import read_page_request
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.resources.lists import answer_page
from farthing.http.route import DATE, FLAG_SCHEMA, LARGE, PAGED, RANGED, Gate, Parameter
from farthing.kernel.errors import Invalid, refuse_field
from farthing.kernel.fields import parse_complete
from farthing.kernel.shown import number
from farthing.ledger.kinds import Type, kinds_named
from farthing.overviews.running_balance import balances_after

from ..labels.routes import UNUSED, MonthsDocument, answer_months, merge_route, read_unused
from ..resources.resource import Resource
from ..serializers import attachments
from ..serializers import piggy_banks as piggy_listing
from ..serializers import transactions as listing
from ..serializers.accounts import AccountThing, things
from ..serializers.users import USER
from . import groups, valuation, wire
from . import reconcile as reading


def by_month(call: Call) -> Answer:
    account = ACCOUNTS.find(call)
    if account.kind not in PAYEES | PAYERS:
        call.days()
        refuse_field("id", "Monthly figures are only available for payees, that is, expense and revenue accounts.")
    return answer_months(call, "accounts", store.find_payee_ids(call.db, call.user_id, account.id))


def _draft(call: Call, account: Account | None) -> AccountDraft:
    """Reads the body. Reports all problems at once: invalid fields, fields that contradict each other, and conflicts
    with stored data.
    """
    kind = account.kind if account else None
    parsed = wire.read(call.fields, kind)
    wire.check(parsed, kind, call.today)
    if kind:
        parsed.report_all(wire.type_problems(call.fields, kind))
    unique = {"iban": parsed.values.iban, wire.number_spelling(parsed): parsed.values.account_number}
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, unique, except_id=account.id if account else 0))
    currency = choose(call.db, parsed)
    field = "currency_code" if parsed.absent("currency_id") else "currency_id"
    parsed.report_all(lifecycle.currency_problems(call.db, call.user_id, account, currency, field=field))
    return wire.draft(parsed, account, currency)


def _read_day(call: Call) -> date:
    """Returns the day whose closing balance is shown. After a change, this is always today."""
    return call.today if call.writes else call.day or call.today


def _read_type(call: Call) -> str:
    return call.query.get("type") or "all"


def _page_of_transactions(call: Call, accounts: Sequence[Account]) -> list[Related]:
    at = read_page_request(call)
    book = Book(call.user_id, frozenset(Type), LabelFilter("accounts", accounts[0].id))
    page_lines = lines.page(call.db, book, listing.days_of(call), limit=at.size, offset=at.offset)
    return listing.as_relatives_of(call, {accounts[0].id: page_lines})


def _newest_transactions(call: Call, accounts: Sequence[Account]) -> list[Related]:
    """Loads the newest transactions of each account.

    In a list of accounts, `page` selects a page of accounts, not of transactions.
    """
    ids = [account.id for account in accounts]
    newest = lines.newest_of(call.db, call.user_id, "accounts", ids, listing.days_of(call), limit=call.caller.page_size)
    return listing.as_relatives_of(call, {viewed_id: newest[viewed_id] for viewed_id in ids})


def transactions(call: Call) -> Answer:
    values = parse_complete(wire.TransactionsQuery, call.query)
    account_id = or_404(store.known_id(call.db, call.user_id, call.id))
    answer = listing.answer_list(call, f"/accounts/{account_id}/transactions", _read_type(call), account_id)
    if values.balances:
        _add_balances(call, ACCOUNTS.read(call, account_id), answer.document)
    return answer


def _add_balances(call: Call, account: Account, document: Any) -> None:
    after = balances_after(
        call.db, call.user_id, account, {transaction.attributes.date for transaction in document.data}
    )
    places = account.currency.places
    document.meta.balances = {
        transaction.id: number(after[int(transaction.id)], places) for transaction in document.data
    }


def saved(call: Call) -> Answer:
    account_id = ACCOUNTS.find(call).id
    path = f"/accounts/{account_id}/piggy_banks"
    return answer_page(call, path, piggy_banks.page, piggy_listing.things, account_id=account_id)


def dependents(call: Call) -> Answer:
    dependents = store.dependents(call.db, call.user_id, ACCOUNTS.find(call).id)
    return Answer(Item(wire.DependentsShown(**asdict(dependents))))


def reconcile(call: Call) -> Answer:
    account = ACCOUNTS.find(call)
    statement = reading.read(call.db, call.user_id, account, call.fields)
    done = reconciling.reconcile(call.db, call.user_id, account, statement, call.now)
    return Answer(Item(reading.reconciliation(call, account, done)))


def standing(call: Call) -> Answer:
    account, day = ACCOUNTS.find(call), _read_day(call)
    balance, reconciled = reconciling.read_balance(call.db, call.user_id, account, day)
    return Answer(Item(reading.standing(account, day, balance, reconciled)))


def values(call: Call) -> Answer:
    return valuation.index(call, ACCOUNTS.find(call))


def set_value(call: Call) -> Answer:
    return valuation.set_value(call, ACCOUNTS.find(call))


def remove_value(call: Call) -> Answer:
    return valuation.remove(call, ACCOUNTS.find(call))


_TYPE = Parameter(
    "type",
    {"type": "string", "default": "all"},
    "The type of accounts to list, such as `asset`. If the type is unknown, all accounts are listed.",
)
_BALANCES = Parameter(
    "balances", FLAG_SCHEMA, "Adds `meta.balances`, which maps each transaction's id to the account's balance after it."
)
_VALUED_ON = Parameter("date", {"type": "string", "format": "date"}, "The day whose value is removed.")
_ALWAYS = ("name", "active", "include_net_worth")
ACCOUNTS = Resource(
    path="/accounts",
    shows=AccountThing,
    things=lambda call, accounts: things(call, accounts, _read_day(call)),
    get=store.get,
    page=store.page,
    filters=lambda call: {"kinds": kinds_named(_read_type(call)), "unused": bool(read_unused(call))},
    links=lambda call: {"type": _read_type(call), **read_unused(call)},
    draft=_draft,
    add=lambda call, draft: lifecycle.add(call.db, call.user_id, draft, call.now),
    update=lambda call, account, draft: lifecycle.change(call.db, call.user_id, account, draft, call.now),
    delete=lambda call, account: lifecycle.remove(call.db, call.user_id, account, call.now),
    takes=wire.AccountBody,
    requires=_ALWAYS,
    includes=registry(USER, piggy_listing.OF_ACCOUNTS, listing.along(_newest_transactions)),
    includes_of_one=registry(USER, piggy_listing.OF_ACCOUNTS, listing.along(_page_of_transactions)),
)

ROUTES = (
    ACCOUNTS.index("List accounts, including liabilities", _TYPE, UNUSED, DATE, *RANGED),
    groups.ROUTE,
    ACCOUNTS.create("Create an account", requires=("type", *_ALWAYS)),
    ACCOUNTS.show("Show an account", DATE, *RANGED, *PAGED),
    attachments.list_route(ACCOUNTS, Model.ACCOUNT, "List the attachments of an account"),
    ACCOUNTS.change("Change an account; omitted fields are cleared", runs=LARGE),
    ACCOUNTS.own(
        "GET", "transactions", transactions,
        "List the transactions of an account, with amounts as seen from that account",
        _BALANCES, *listing.PARAMETERS, **listing.LISTED,
    ),
    ACCOUNTS.listing("piggy_banks", saved, "List the piggy banks of an account", piggy_listing.PiggyBankThing),
    ACCOUNTS.own(
        "GET", "reconcile", standing, "Show the balance of an account, and how much of it is reconciled",
        DATE, gives=Item[reading.Standing],
    ),
    ACCOUNTS.own(
        "GET", "dependents", dependents, "Count what would be deleted with an account",
        gives=Item[wire.DependentsShown], runs=LARGE,
    ),
    ACCOUNTS.own(
        "POST", "reconcile", reconcile, "Reconcile an account with a bank statement",
        gives=Item[reading.Reconciliation], takes=wire.ReconcileBody, requires=("date", "statement_balance"),
        runs=LARGE,
    ),
    ACCOUNTS.own(
        "GET", "valuation", values,
        "List the values of an account that is valued by hand, newest first", gives=All[valuation.Valuation],
        fails=(Invalid,),
    ),
    ACCOUNTS.own(
        "POST", "valuation", set_value,
        "Set what an account is worth at the end of a day", gives=Item[valuation.Valuation], takes=wire.ValuationBody,
        requires=("date", "amount"), runs=LARGE,
    ),
    ACCOUNTS.own(
        "DELETE", "valuation", remove_value,
        "Remove the value of one day; the values of other days stay", _VALUED_ON, runs=LARGE, fails=(Invalid,),
    ),
    ACCOUNTS.own(
        "GET", "months", by_month, "Show month by month what was paid to a payee or received from them", *RANGED,
        gives=MonthsDocument, fails=(Invalid,),
    ),
    merge_route(
        ACCOUNTS, "account", lifecycle.merge,
        "Merge a payee into another of the same type, and move its transactions there", gate=Gate.WHOLE,
    ),
    ACCOUNTS.remove("Delete an account and all its transactions", gate=Gate.WHOLE, runs=LARGE, fails=(Invalid,)),
)  # fmt: skip
