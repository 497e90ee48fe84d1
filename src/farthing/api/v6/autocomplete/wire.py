"""Shows suggestions."""

from msgspec import Struct
from msgspec.structs import asdict

from farthing.books.piggy_banks.model import PiggyBank
from farthing.books.transactions.model import Line
from farthing.kernel.money import Currency
from farthing.overviews.autocomplete.store import DescribedName, Name

from ..parts.amounts import show_amount


class ActiveName(Struct, gc=False):
    id: str
    name: str
    active: bool


class CategoryName(Struct, gc=False):
    id: str
    name: str


class TagName(Struct, gc=False):
    id: str
    name: str
    tag: str


class ObjectGroupName(Struct, gc=False):
    id: str
    title: str
    name: str


class TitleShown(Struct, gc=False):
    id: str
    name: str
    description: str
    active: bool


class CurrencyName(Struct, gc=False):
    id: str
    name: str
    code: str
    symbol: str
    decimal_places: int


class TypeName(Struct, gc=False):
    id: str
    name: str
    type: str


class TransactionName(Struct, gc=False):
    """`id` is the id of the first split."""

    id: str
    transaction_group_id: str
    name: str
    description: str


class AccountName(Struct, gc=False):
    """`name_with_balance` has the balance only for assets and liabilities."""

    id: str
    name: str
    name_with_balance: str
    active: bool
    type: str
    currency_id: str
    currency_name: str
    currency_code: str
    currency_symbol: str
    currency_decimal_places: int
    account_currency_id: str
    account_currency_name: str
    account_currency_code: str
    account_currency_symbol: str
    account_currency_decimal_places: int


class PiggyBankName(Struct, gc=False, kw_only=True):
    id: str
    name: str
    currency_id: str
    currency_name: str
    currency_code: str
    currency_symbol: str
    currency_decimal_places: int
    object_group_id: str | None = None
    object_group_title: str | None = None


class PiggyBankBalance(PiggyBankName, gc=False, kw_only=True):
    name_with_balance: str


def show_active(found: Name) -> ActiveName:
    """Shows a name. Only active bills and budgets are suggested."""
    return ActiveName(str(found.id), found.name, active=True)


def show_category(found: Name) -> CategoryName:
    return CategoryName(str(found.id), found.name)


def show_tag(found: Name) -> TagName:
    return TagName(str(found.id), found.name, found.name)


def show_object_group(found: Name) -> ObjectGroupName:
    return ObjectGroupName(str(found.id), found.name, found.name)


def show_title(found: DescribedName) -> TitleShown:
    return TitleShown(str(found.id), found.name, found.description, found.active)


def show_currency(currency: Currency, *, with_code: bool) -> CurrencyName:
    name = f"{currency.name} ({currency.code})" if with_code else currency.name
    return CurrencyName(str(currency.id), name, currency.code, currency.symbol, currency.places)


def show_transaction(line: Line, *, with_id: bool) -> TransactionName:
    text = line.entry.description
    name = f"#{line.entry_id}: {text}" if with_id else text
    return TransactionName(str(line.id), str(line.entry_id), name, text)


def show_account(id_: int, name: str, kind: str, currency: Currency, units: int | None) -> AccountName:
    with_balance = name if units is None else f"{name} ({_show_money(units, currency)})"
    facts = (str(currency.id), currency.name, currency.code, currency.symbol, currency.places)
    return AccountName(str(id_), name, with_balance, True, kind, *facts, *facts)


def show_piggy_bank(piggy_bank: PiggyBank) -> PiggyBankName:
    currency = piggy_bank.currency
    return PiggyBankName(
        id=str(piggy_bank.id),
        name=piggy_bank.name,
        currency_id=str(currency.id),
        currency_name=currency.name,
        currency_code=currency.code,
        currency_symbol=currency.symbol,
        currency_decimal_places=currency.places,
    )


def show_balance(piggy_bank: PiggyBank) -> PiggyBankBalance:
    units = [piggy_bank.current_units, *([piggy_bank.target_units] if piggy_bank.has_target else [])]
    named = f"{piggy_bank.name} ({' / '.join(_show_money(each, piggy_bank.currency) for each in units)})"
    return PiggyBankBalance(**asdict(show_piggy_bank(piggy_bank)), name_with_balance=named)


def _show_money(units: int, currency: Currency) -> str:
    return f"{currency.symbol} {show_amount(units, currency.places)}"
