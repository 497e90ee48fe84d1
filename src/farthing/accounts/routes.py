"""What can be done with accounts over HTTP?"""

from collections.abc import Sequence
from datetime import date
from typing import Any

from ..currencies.choose import chosen
from ..errors import Invalid, Problem, refuse
from ..fields import Parsed, label
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import Item, Page
from ..http.includes import Related, include, registry
from ..http.pages import asked, page
from ..http.relatives import USER
from ..http.route import DATE, PAGED, RANGED, Parameter, Route
from ..ledger.kinds import Type, kinds_named
from ..money import Currency
from ..piggy_banks import listing as piggy_listing
from ..piggy_banks import store as piggy_banks
from ..transactions import lines, listing
from ..transactions import reconcile as reconciling
from ..transactions.counts import Book
from ..transactions.wire import ReconcileBody
from . import lifecycle, store, wire
from .listing import AccountThing, things
from .model import Account, Draft


def index(call: Call) -> Answer:
    word = call.query.get("type") or "all"
    day = _day_shown(call)
    at = asked(call)
    total, accounts = store.page(call.db, call.user_id, kinds_named(word), limit=at.size, offset=at.offset)
    document = page(call, "/accounts", things(call, accounts, day), total, {"type": word})
    include(call, document, accounts, INCLUDES)
    return Answer(document)


def show(call: Call) -> Answer:
    account = found(store.get(call.db, call.user_id, call.id))
    return _answer(call, account, _day_shown(call))


def create(call: Call) -> Answer:
    draft = _draft(call, None)
    account_id = lifecycle.open_account(call.db, call.user_id, draft, call.now)
    return _answer(call, found(store.get(call.db, call.user_id, account_id)), call.today)


def change(call: Call) -> Answer:
    account = found(store.get(call.db, call.user_id, call.id))
    draft = _draft(call, account)
    lifecycle.change_account(call.db, call.user_id, account, draft, call.now)
    return _answer(call, found(store.get(call.db, call.user_id, account.id)), call.today)


def remove(call: Call) -> Answer:
    account = found(store.get(call.db, call.user_id, call.id))
    lifecycle.close_account(call.db, call.user_id, account, call.now)
    return NOTHING


def _draft(call: Call, kept: Account | None) -> Draft:
    """Parse, rules between fields, rules that need the database: everything wrong is said at once."""
    kind = kept.kind if kept else None
    parsed = wire.read(call.fields, kind)
    problems = [*parsed.problems, *wire.problems(parsed, kind, call.today)]
    if kind:
        problems += wire.type_problems(call.fields, kind)
    problems += _taken(call, parsed, kept.id if kept else 0)
    currency = chosen(call.db, parsed, problems)
    problems += _saved_otherwise(call, parsed, kept, currency)
    draft = wire.draft(parsed, kind, currency, problems)
    refuse(problems)
    assert draft is not None, "without problems there is a draft"
    return draft


def _saved_otherwise(
    call: Call, parsed: Parsed[wire.AccountBody], kept: Account | None, currency: Currency | None
) -> list[Problem]:
    """What is in piggy banks is counted in the account's currency."""
    if kept is None or currency in (None, kept.currency) or not piggy_banks.has_any(call.db, call.user_id, kept.id):
        return []
    key = "currency_code" if parsed.absent("currency_id") else "currency_id"
    sentence = f"The {label(key)} cannot be changed while the account has piggy banks: theirs is {kept.currency.code}."
    return [Problem(key, sentence)]


def _taken(call: Call, parsed: Parsed[wire.AccountBody], account_id: int) -> list[Problem]:
    spelling = next((name for name in wire.NUMBER_SPELLINGS if name in parsed.raw), "account_number")
    return [
        Problem(key, f"The {label(key)} is already used by another of your accounts.")
        for column, key in (("iban", "iban"), ("account_number", spelling))
        if store.taken(call.db, call.user_id, column=column, value=getattr(parsed.values, column), except_id=account_id)
    ]


def _answer(call: Call, account: Account, day: date) -> Answer:
    document = Item(things(call, [account], day)[0])
    include(call, document, [account], INCLUDES_OF_ONE)
    return Answer(document)


def _day_shown(call: Call) -> date:
    """Whose closing balance is meant."""
    return call.day or call.today


def _page_of_transactions(call: Call, accounts: Sequence[Account]) -> list[Related]:
    at = asked(call)
    book = Book(call.user_id, frozenset(Type), accounts[0].id)
    shown = lines.page(call.db, book, listing.days_of(call), limit=at.size, offset=at.offset)
    return listing.as_relatives_of(call, {accounts[0].id: shown})


def _newest_transactions(call: Call, accounts: Sequence[Account]) -> list[Related]:
    """In a list `page` pages the list itself."""
    ids = [account.id for account in accounts]
    newest = lines.newest_of_accounts(call.db, call.user_id, ids, listing.days_of(call), limit=call.caller.page_size)
    return listing.as_relatives_of(call, {viewed_id: newest[viewed_id] for viewed_id in ids})


def transactions(call: Call) -> Answer:
    account_id = found(store.known_id(call.db, call.user_id, call.id))
    return listing.listed(call, f"/accounts/{account_id}/transactions", call.query.get("type") or "all", account_id)


def saved(call: Call) -> Answer:
    account = found(store.get(call.db, call.user_id, call.id))
    at = asked(call)
    total, shown = piggy_banks.page(call.db, call.user_id, limit=at.size, offset=at.offset, account_id=account.id)
    document = page(call, f"/accounts/{account.id}/piggy_banks", piggy_listing.things(call, shown), total)
    return Answer(document)


def dependents(call: Call) -> Answer:
    account = found(store.get(call.db, call.user_id, call.id))
    return Answer(Item(wire.DependentsShown(*store.dependents(call.db, call.user_id, account.id))))


def reconcile(call: Call) -> Answer:
    account = found(store.get(call.db, call.user_id, call.id))
    statement = reconciling.read(call.db, call.user_id, account, call.fields)
    done = reconciling.reconcile(call.db, call.user_id, account, statement, call.now)
    return Answer(Item(listing.reconciliation(call, account, done)))


def standing(call: Call) -> Answer:
    account = found(store.get(call.db, call.user_id, call.id))
    day = call.day or call.today
    balance, reconciled = reconciling.held_on(call.db, call.user_id, account, day)
    return Answer(Item(listing.standing(account, day, balance, reconciled)))


INCLUDES = registry(USER, piggy_listing.OF_ACCOUNTS, listing.along(_newest_transactions))
INCLUDES_OF_ONE = registry(USER, piggy_listing.OF_ACCOUNTS, listing.along(_page_of_transactions))

_TYPE = Parameter("type", {"type": "string", "default": "all"}, "Which accounts; an unknown word means all.")
_ONE: Any = Item[AccountThing]
_ALWAYS = ("name", "active", "include_net_worth")

ROUTES = (
    Route(
        "GET", "/accounts", index, "List accounts, liabilities included",
        gives=Page[AccountThing], parameters=(_TYPE, DATE, *RANGED, *PAGED), includes=INCLUDES,
    ),
    Route(
        "POST", "/accounts", create, "Make an account",
        gives=_ONE, takes=wire.AccountBody, requires=("type", *_ALWAYS), includes=INCLUDES_OF_ONE,
    ),
    Route(
        "GET", "/accounts/{id}", show, "Show an account",
        gives=_ONE, parameters=(DATE, *RANGED, *PAGED), includes=INCLUDES_OF_ONE,
    ),
    Route(
        "PUT", "/accounts/{id}", change, "Change an account; what is left out is blanked",
        gives=_ONE, takes=wire.AccountBody, requires=_ALWAYS, includes=INCLUDES_OF_ONE, heavy=True,
    ),
    Route(
        "GET", "/accounts/{id}/transactions", transactions, "List an account's transactions, seen from its side",
        gives=Page[listing.TransactionThing], parameters=listing.PARAMETERS, includes=listing.INCLUDES,
    ),
    Route(
        "GET", "/accounts/{id}/piggy_banks", saved, "List the piggy banks of an account",
        gives=Page[piggy_listing.PiggyBankThing], parameters=PAGED,
    ),
    Route(
        "GET", "/accounts/{id}/reconcile", standing, "Show how much of an account was found on statements",
        gives=Item[listing.Standing], parameters=(DATE,),
    ),
    Route(
        "GET", "/accounts/{id}/dependents", dependents, "Say what goes when an account is deleted",
        gives=Item[wire.DependentsShown], heavy=True,
    ),
    Route(
        "POST", "/accounts/{id}/reconcile", reconcile, "Compare an account with a statement of the bank",
        gives=Item[listing.Reconciliation], takes=ReconcileBody, requires=("date", "statement_balance"), heavy=True,
    ),
    Route(
        "DELETE", "/accounts/{id}", remove, "Delete an account and all its transactions",
        heavy=True, fails=(Invalid,),
    ),
)  # fmt: skip
