"""Serves suggestions while the user types. Every answer is a plain list."""

from typing import Any

from farthing.books.accounts import store as accounts_store
from farthing.books.currencies import store as currencies_store
from farthing.books.piggy_banks import store as piggy_bank_store
from farthing.books.piggy_banks.model import PiggyBank
from farthing.books.transactions import groups
from farthing.books.transactions.model import OWN, types_named
from farthing.http.answer.pages import read_positive
from farthing.http.request.call import Answer, Call
from farthing.http.resources.resource import Handler
from farthing.http.route import DATE, Parameter, Route
from farthing.identity.user import PAGE_SIZE_MAX
from farthing.kernel.errors import Invalid, refuse_field
from farthing.kernel.text import fold, parse_id
from farthing.ledger.kinds import HIDDEN, KIND_OF, SHOWN, Kind, Type, kinds_named
from farthing.overviews.autocomplete import descriptions, store

from ..objects.accounts import name_label
from . import wire

_USUAL = 10
_CHARACTERS_MAX = 255


def accounts(call: Call) -> Answer:
    words = [word for word in call.query.get("types", call.query.get("type", "")).split(",") if word.strip()]
    kinds = frozenset[Kind]().union(*(kinds_named(word.strip()) for word in words)) if words else SHOWN - HIDDEN
    found = store.accounts(call.db, call.user_id, kinds, fold(_read_text(call)), limit=_read_limit(call))
    balances = _read_balances(call, [account.id for account in found if KIND_OF[account.kind] in OWN])
    return _answer(
        [
            wire.show_account(each.id, each.name, name_label(KIND_OF[each.kind]), each.currency, balances.get(each.id))
            for each in found
        ]
    )


def _read_balances(call: Call, own_ids: list[int]) -> dict[int, int]:
    later = accounts_store.sum_booked_after(call.db, call.user_id, own_ids, call.day or call.today)
    stored = accounts_store.get_some(call.db, call.user_id, own_ids)
    return {account.id: account.total_units + account.virtual_units - later[account.id] for account in stored}


def bills(call: Call) -> Answer:
    return _answer([wire.show_active(found) for found in _find_names(call, "bills")])


def subscriptions(call: Call) -> Answer:
    return bills(call)


def budgets(call: Call) -> Answer:
    return _answer([wire.show_active(found) for found in _find_names(call, "budgets")])


def categories(call: Call) -> Answer:
    return _answer([wire.show_category(found) for found in _find_names(call, "categories")])


def tags(call: Call) -> Answer:
    return _answer([wire.show_tag(found) for found in _find_names(call, "tags")])


def object_groups(call: Call) -> Answer:
    return _answer([wire.show_object_group(found) for found in _find_names(call, "object_groups")])


def recurring(call: Call) -> Answer:
    return _answer_titles(call, "recurrences")


def rules(call: Call) -> Answer:
    return _answer_titles(call, "rules")


def rule_groups(call: Call) -> Answer:
    return _answer_titles(call, "rule_groups")


def piggy_banks(call: Call) -> Answer:
    return _answer([wire.show_piggy_bank(found) for found in _find_piggy_banks(call)])


def piggy_banks_with_balance(call: Call) -> Answer:
    return _answer([wire.show_balance(found) for found in _find_piggy_banks(call)])


def currencies(call: Call) -> Answer:
    return _answer_currencies(call, with_code=False)


def currencies_with_code(call: Call) -> Answer:
    return _answer_currencies(call, with_code=True)


def transaction_types(call: Call) -> Answer:
    text = fold(_read_text(call))
    found = [type_ for type_ in Type if text in fold(type_.label)][: _read_limit(call)]
    return _answer([wire.TypeName(str(int(type_)), type_.label, type_.label) for type_ in found])


def transactions(call: Call) -> Answer:
    return _answer_transactions(call, with_id=False)


def transactions_with_id(call: Call) -> Answer:
    return _answer_transactions(call, with_id=True)


def _answer(shown: list[Any]) -> Answer:
    return Answer(shown, media_type="application/json")


def _answer_titles(call: Call, table: str) -> Answer:
    found = store.titles(call.db, call.user_id, table, fold(_read_text(call)), limit=_read_limit(call))
    return _answer([wire.show_title(each) for each in found])


def _answer_currencies(call: Call, *, with_code: bool) -> Answer:
    """Finds currencies by name or code. All are read, because there are only a few hundred."""
    text = fold(_read_text(call))
    _, stored = currencies_store.page(call.db, call.user_id, limit=PAGE_SIZE_MAX, offset=0)
    found = [each.currency for each in stored if text in fold(each.currency.name) or text in fold(each.currency.code)]
    return _answer([wire.show_currency(currency, with_code=with_code) for currency in found[: _read_limit(call)]])


def _answer_transactions(call: Call, *, with_id: bool) -> Answer:
    """Finds earlier descriptions, each with the newest transaction that has it. A number can be a transaction's id."""
    entry_id = parse_id(_read_text(call).strip()) if with_id else None
    if entry_id and (numbered := groups.of_entries(call.db, call.user_id, [entry_id])):
        return _answer([wire.show_transaction(line, with_id=True) for group in numbered for line in group])
    types = types_named(call.query.get("type") or "default")
    found = descriptions.newest(call.db, call.user_id, _read_text(call), types, limit=_read_limit(call))
    return _answer([wire.show_transaction(line, with_id=with_id) for line in found])


def _find_names(call: Call, table: str) -> list[store.Name]:
    return store.names(call.db, call.user_id, table, fold(_read_text(call)), limit=_read_limit(call))


def _find_piggy_banks(call: Call) -> list[PiggyBank]:
    ids = [found.id for found in _find_names(call, "piggy_banks")]
    by_id = {each.id: each for each in piggy_bank_store.get_some(call.db, call.user_id, ids)}
    return [by_id[each] for each in ids]


def _read_text(call: Call) -> str:
    typed = call.query.get("query", "").replace("\0", "")
    if len(typed) > _CHARACTERS_MAX:
        refuse_field("query", f"The query may not be greater than {_CHARACTERS_MAX} characters.")
    return typed


def _read_limit(call: Call) -> int:
    """Reads `limit`. If it is invalid or zero, it is ignored, as in lists."""
    return min(read_positive(call.query.get("limit")) or _USUAL, PAGE_SIZE_MAX)


_QUERY = Parameter(
    "query",
    {"type": "string", "maxLength": _CHARACTERS_MAX},
    "The text typed so far (case-insensitive). If empty, everything matches.",
)
_LIMIT = Parameter(
    "limit",
    {"type": "integer", "minimum": 1, "default": _USUAL},
    f"The maximum number of suggestions, of which there are at most {PAGE_SIZE_MAX}.",
)
_KINDS = Parameter(
    "types", {"type": "string"}, "Suggests only accounts of these types, comma-separated, such as `asset`."
)
_TYPES = Parameter("type", {"type": "string"}, "Searches only transactions of this type.")


def _suggest(noun: str, handler: Handler, of: Any, *more: Parameter) -> Route:
    return Route(
        "GET", f"/autocomplete/{noun}", handler, f"Suggest {noun.replace('-', ' ')}",
        gives=list[of], parameters=(_QUERY, _LIMIT, *more), fails=(Invalid,),
    )  # fmt: skip


ROUTES = (
    _suggest("accounts", accounts, wire.AccountName, _KINDS, DATE),
    _suggest("bills", bills, wire.ActiveName),
    _suggest("budgets", budgets, wire.ActiveName),
    _suggest("categories", categories, wire.CategoryName),
    _suggest("currencies", currencies, wire.CurrencyName),
    _suggest("currencies-with-code", currencies_with_code, wire.CurrencyName),
    _suggest("object-groups", object_groups, wire.ObjectGroupName),
    _suggest("piggy-banks", piggy_banks, wire.PiggyBankName),
    _suggest("piggy-banks-with-balance", piggy_banks_with_balance, wire.PiggyBankBalance),
    _suggest("recurring", recurring, wire.TitleShown),
    _suggest("rule-groups", rule_groups, wire.TitleShown),
    _suggest("rules", rules, wire.TitleShown),
    _suggest("subscriptions", subscriptions, wire.ActiveName),
    _suggest("tags", tags, wire.TagName),
    _suggest("transaction-types", transaction_types, wire.TypeName),
    _suggest("transactions", transactions, wire.TransactionName, _TYPES),
    _suggest("transactions-with-id", transactions_with_id, wire.TransactionName, _TYPES),
)
