"""Creates the objects of another program's books, except transactions. Objects are created after those they refer to.

If an object with the same name already exists, it is used unchanged. Every object is remembered by its key in the
source.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import AccountDraft
from farthing.books.available_budgets import store as available_budgets
from farthing.books.available_budgets.model import AvailableBudgetDraft
from farthing.books.bills import store as bills
from farthing.books.bills.model import BillDraft, words_key
from farthing.books.budget_limits import store as budget_limits
from farthing.books.budget_limits.model import BudgetLimitDraft
from farthing.books.budgets import store as budgets
from farthing.books.budgets.model import BudgetDraft, find_next_day
from farthing.books.categories import store as categories
from farthing.books.categories.model import CategoryDraft
from farthing.books.currencies import store as currencies
from farthing.books.currencies.model import CurrencyDraft
from farthing.books.exchange_rates import store as exchange_rates
from farthing.books.exchange_rates.model import ExchangeRateDraft
from farthing.books.labels import store as labels
from farthing.books.object_groups import store as object_groups
from farthing.books.tags import store as tags
from farthing.books.tags.model import TagDraft
from farthing.kernel.limits import DESCRIPTION_MAX
from farthing.kernel.money import PLACES_MAX, Currency
from farthing.kernel.text import in_one_line
from farthing.ledger.kinds import HIDDEN, Kind
from farthing.schedule.frequency import Frequency
from farthing.storage.unit import Clash, Unit

from .. import source_books
from ..findings import Finding
from ..programs.common.commodities import invent_code
from ..rows import made_objects
from .fitting import Unfitting, as_notes, round_to_units

CURRENCIES = "currencies"
# At least one letter is required, because digits alone would be taken for an id.
_CODE = re.compile("(?=.*[A-Z])[A-Z0-9]{3}")
_SYMBOL_CHARACTERS_MAX = 5


class Made(Struct, frozen=True):
    """Identifies an object. `is_made` is false if the object already existed before the import."""

    object_id: int
    is_made: bool


class TakeoverContext(Struct, kw_only=True):
    """Holds what is needed to create objects: the user, the time, and the objects made so far, by kind and key."""

    db: Unit
    user_id: int
    job_id: int
    today: date
    now: str
    currencies: dict[str, Currency]
    may_make_currencies: bool
    default_currency: Currency
    made: dict[str, dict[str, int]]
    findings: list[Finding] = []

    def find(self, kind: str, key: str | None) -> int | None:
        return self.made.get(kind, {}).get(key) if key else None

    def remember(self, kind: str, key: str, made: Made) -> None:
        self.made.setdefault(kind, {})[key] = made.object_id
        made_objects.add_keyed(self.db, self.user_id, self.job_id, kind, [(key, made.object_id, made.is_made)])

    def currency(self, code: str | None) -> Currency:
        if code is None:
            return self.default_currency
        currency = self.currencies.get(code.upper())
        if currency is None:
            raise Unfitting(f"There is no currency “{code[:20]}”.")
        return currency

    def units(self, amount: Any, currency: Currency, what: str) -> int:
        units, is_rounded = round_to_units(amount, currency)
        if is_rounded:
            self.remark(f"{what}: {amount} {currency.code} is rounded to {currency.places} decimal places.")
        return units

    def find_group(self, title: str | None) -> int | None:
        """Returns the id of the group with this title, which is made if there is none."""
        return object_groups.ensure(self.db, self.user_id, in_one_line(title), self.now) if title else None

    def remark(self, message: str) -> None:
        self.findings.append(Finding(message=message))


LabelDraft = TypeVar("LabelDraft", CategoryDraft, TagDraft, BudgetDraft)
ObjectMaker = Callable[[TakeoverContext, Any], Made | None]


class ObjectTask(Struct, frozen=True):
    kind: str
    key: str
    source: Any


def list_tasks(books: source_books.SourceBooks) -> list[ObjectTask]:
    """Lists the objects in the order in which they must be created."""
    details = {detail.name: detail for detail in books.tag_details}
    tags_named = [details.get(name) or source_books.SourceTag(name=name) for name in books.tags]
    return [
        *(ObjectTask(CURRENCIES, currency.code, currency) for currency in books.currencies),
        *(ObjectTask("accounts", account.key, account) for account in books.accounts if account.kind not in HIDDEN),
        *(ObjectTask("categories", name, (name, books.category_notes.get(name))) for name in books.categories),
        *(ObjectTask("tags", tag.name, tag) for tag in tags_named),
        *(ObjectTask("budgets", budget.key, budget) for budget in books.budgets),
        *(ObjectTask("budget_limits", f"{index}", limit) for index, limit in enumerate(books.budget_limits)),
        *(ObjectTask("available_budgets", f"{index}", budget) for index, budget in enumerate(books.available_budgets)),
        *(ObjectTask("exchange_rates", f"{index}", rate) for index, rate in enumerate(books.exchange_rates)),
        *(ObjectTask("object_groups", title, title) for title in books.object_groups),
        *(ObjectTask("bills", bill.key, bill) for bill in books.bills),
        *(ObjectTask("piggy_banks", bank.key, bank) for bank in books.piggy_banks),
    ]


def make(context: TakeoverContext, tasks: Sequence[ObjectTask], makers: Mapping[str, ObjectMaker]) -> None:
    for task in tasks:
        if context.find(task.kind, task.key) is not None:
            continue
        try:
            with context.db.savepoint():
                made = makers[task.kind](context, task.source)
        except Unfitting as error:
            context.remark(f"{_describe(task)} was not taken over: {error}")
            continue
        except Clash:
            context.remark(f"{_describe(task)} was not taken over: it conflicts with existing data.")
            continue
        if made:
            context.remember(task.kind, task.key, made)


def _describe(task: ObjectTask) -> str:
    word = {"budget_limits": "A budget limit", "available_budgets": "An available budget"}.get(task.kind)
    return word or f"“{getattr(task.source, 'name', task.key)}” ({task.kind.replace('_', ' ')})"


def _make_currency(context: TakeoverContext, currency: source_books.SourceCurrency) -> Made | None:
    source_code, name = currency.code.upper(), in_one_line(currency.name)
    existing = _find_currency(context, currency)
    if existing:
        _compare_places(context, existing, currency)
        return Made(existing.id, is_made=False) if existing.code != source_code else None
    if not context.may_make_currencies:
        raise Unfitting("only a user with full access to these books can add currencies.")
    currencies.claim(context.db)
    is_free = _CODE.fullmatch(source_code) and source_code not in context.currencies
    code = source_code if is_free else invent_code(name, context.currencies)
    symbol, places = currency.symbol[:_SYMBOL_CHARACTERS_MAX], min(currency.places, PLACES_MAX)
    draft = CurrencyDraft(code=code, name=name, symbol=symbol, places=places)
    unique = currencies.make_unique(context.db, draft)
    currency_id = currencies.add(context.db, unique, context.now, brought_by=context.user_id)
    made = Currency(id=currency_id, code=unique.code, name=unique.name, symbol=unique.symbol, places=unique.places)
    context.currencies |= {code: made, source_code: made}
    if code != source_code:
        context.remark(f"“{currency.code[:20]}” becomes the currency {code}: codes must have three letters or digits.")
    _compare_places(context, made, currency)
    return Made(currency_id, is_made=True)


def _find_currency(context: TakeoverContext, currency: source_books.SourceCurrency) -> Currency | None:
    """Finds a currency by its code, or by its name if its code was invented because the source has none."""
    code, name = currency.code.upper(), in_one_line(currency.name)
    by_code = context.currencies.get(code)
    is_own_code = _CODE.fullmatch(code) and code.isalpha()
    if is_own_code or (by_code and by_code.name in (name, f"{name} ({code})")):
        return by_code
    return next((existing for existing in context.currencies.values() if existing.name == name), None)


def _compare_places(context: TakeoverContext, existing: Currency, currency: source_books.SourceCurrency) -> None:
    """Reports if the currency has different decimal places here. The decimal places here are kept."""
    if existing.places != currency.places:
        places = f"{existing.places} decimal places instead of {currency.places}"
        finer = ": finer amounts are rounded" if existing.places < currency.places else ""
        context.remark(f"{existing.code} has {places}{finer}.")


def _make_account(context: TakeoverContext, account: source_books.SourceAccount) -> Made:
    db, user_id, name = context.db, context.user_id, in_one_line(account.name)
    account_id = accounts.find_of_kind(db, user_id, account.kind, name)
    if account_id and account_id not in context.made.get("accounts", {}).values():
        return Made(account_id, is_made=False)
    if account.kind == Kind.CASH:
        return Made(accounts.cash_id(db, user_id), is_made=False)
    currency = context.currency(account.currency)
    # An IBAN or number that another account already has is added to the notes instead.
    notes = []
    free: dict[str, str | None] = {}
    for column, value, word in (("iban", account.iban, "IBAN"), ("account_number", account.number, "Account number")):
        taken = value and accounts.is_taken(context.db, context.user_id, column=column, value=value, except_id=0)
        free[column] = None if taken else value
        if taken:
            notes.append(f"{word}: {value}")
            context.remark(f"“{account.name}”: another account has the same {word}, so it was added to the notes.")
    draft = AccountDraft(
        kind=account.kind,
        name=name,
        active=account.active,
        include_net_worth=account.include_net_worth,
        currency=currency,
        virtual_units=context.units(account.virtual_balance, currency, name) if account.virtual_balance else 0,
        role=account.role,
        card_type=account.details.get("cc_type"),
        card_payment_on=account.details.get("cc_monthly_payment_date"),
        interest=account.details.get("interest"),
        interest_period=account.details.get("interest_period"),
        account_number=free["account_number"],
        iban=free["iban"],
        bic=account.bic,
        notes=as_notes(account.notes, *notes),
        **{name: account.details.get(name) for name in ("direction", "latitude", "longitude", "zoom_level")},
    )
    return Made(accounts.add(db, user_id, draft, context.now), is_made=True)


def _make_category(context: TakeoverContext, named: tuple[str, str | None]) -> Made | None:
    name, notes = named
    draft = CategoryDraft(name=in_one_line(name), notes=as_notes(notes))
    return _make_label(context, "categories", draft, categories.add)


def _make_tag(context: TakeoverContext, tag: source_books.SourceTag) -> Made | None:
    draft = TagDraft(
        name=in_one_line(tag.name),
        on=tag.on,
        description=tag.description[:DESCRIPTION_MAX] if tag.description else None,
        latitude=tag.latitude,
        longitude=tag.longitude,
        zoom_level=tag.zoom_level,
    )
    return _make_label(context, "tags", draft, tags.add)


def _make_budget(context: TakeoverContext, budget: source_books.SourceBudget) -> Made | None:
    draft = BudgetDraft(name=in_one_line(budget.name), active=budget.active, notes=as_notes(budget.notes))
    if auto := budget.auto:
        currency = context.currency(auto.currency)
        draft = replace(
            draft,
            carry=auto.carry,
            auto_units=max(1, context.units(auto.amount, currency, draft.name)),
            auto_currency=currency,
            auto_period=auto.period,
            auto_next_on=find_next_day(None, period=auto.period, active=budget.active, today=context.today),
        )
    return _make_label(context, "budgets", draft, budgets.add)


def _make_label(
    context: TakeoverContext, label: labels.Label, draft: LabelDraft, add: Callable[[Unit, int, LabelDraft, str], int]
) -> Made | None:
    if not draft.name:
        return None
    label_id = labels.find_named(context.db, context.user_id, label, draft.name)
    if label_id:
        return Made(label_id, is_made=False)
    return Made(add(context.db, context.user_id, draft, context.now), is_made=True)


def _make_budget_limit(context: TakeoverContext, limit: source_books.SourceBudgetLimit) -> Made | None:
    db, user_id = context.db, context.user_id
    budget_id, currency = context.find("budgets", limit.budget), context.currency(limit.currency)
    if budget_id is None:
        raise Unfitting("its budget is missing.")
    units = context.units(limit.amount, currency, "A budget limit")
    if units <= 0:
        raise Unfitting("its amount is not above zero.")
    start, end = limit.start_on, limit.end_on
    other = budget_limits.find_overlapping(db, user_id, budget_id, currency.id, start=start, end=end, except_id=0)
    if other:
        if (other.units, other.start_on, other.end_on) != (units, start.isoformat(), end.isoformat()):
            raise Unfitting(f"from {start} to {end} it overlaps with another limit of its budget.")
        return Made(other.id, is_made=False)
    draft = BudgetLimitDraft(
        budget_id=budget_id, currency=currency, units=units, start_on=start, end_on=end, notes=as_notes(limit.notes)
    )
    return Made(budget_limits.add(db, user_id, draft, context.now), is_made=True)


def _make_available_budget(context: TakeoverContext, budget: source_books.SourceAvailableBudget) -> Made:
    currency = context.currency(budget.currency)
    units = context.units(budget.amount, currency, "An available budget")
    if units <= 0:
        raise Unfitting("its amount is not above zero.")
    draft = AvailableBudgetDraft(currency=currency, units=units, start_on=budget.start_on, end_on=budget.end_on)
    budget_id = available_budgets.find_same(context.db, context.user_id, draft)
    if budget_id:
        return Made(budget_id, is_made=False)
    return Made(available_budgets.add(context.db, context.user_id, draft, context.now), is_made=True)


def _make_exchange_rate(context: TakeoverContext, rate: source_books.SourceExchangeRate) -> Made:
    from_currency, to_currency = context.currency(rate.from_currency), context.currency(rate.to_currency)
    draft = ExchangeRateDraft(from_currency=from_currency, to_currency=to_currency, on=rate.on, rate=rate.rate)
    existing = exchange_rates.find_same_day(context.db, context.user_id, draft.pair_and_day, except_id=0)
    if existing:
        return Made(existing, is_made=False)
    return Made(exchange_rates.add(context.db, context.user_id, draft, context.now), is_made=True)


def _make_object_group(context: TakeoverContext, title: str) -> Made | None:
    """Creates a group before its members, so that groups keep their order. It is removed with its last member."""
    group_id = context.find_group(title)
    return Made(group_id, is_made=False) if group_id else None


def _make_bill(context: TakeoverContext, bill: source_books.SourceBill) -> Made:
    name, currency = in_one_line(bill.name), context.currency(bill.currency)
    bill_id = bills.find_named(context.db, context.user_id, name)
    if bill_id:
        return Made(bill_id, is_made=False)
    if bill.lowest <= 0 or bill.highest < bill.lowest:
        raise Unfitting(f"its amounts, {bill.lowest} to {bill.highest}, are not a range above zero.")
    words = tuple(dict.fromkeys(word for text in bill.words if (word := in_one_line(text))))
    if bills.is_taken(context.db, context.user_id, column="words_key", value=words_key(words, name), except_id=0):
        words = (*words, name)
    lowest, highest = (context.units(amount, currency, name) for amount in (bill.lowest, bill.highest))
    draft = BillDraft(
        name=name,
        words=words,
        lowest_units=lowest,
        highest_units=highest,
        currency=currency,
        first_on=bill.first_on,
        frequency=Frequency(bill.frequency),
        skip=bill.skip,
        automatch=bool(words),
        active=bill.active,
        notes=as_notes(bill.notes),
        end_on=bill.end_on,
        extension_on=bill.extension_on,
        object_group_id=context.find_group(bill.group),
        order=None,
    )
    return Made(bills.add(context.db, context.user_id, draft, context.now), is_made=True)


MAKERS: dict[str, ObjectMaker] = {
    CURRENCIES: _make_currency,
    "accounts": _make_account,
    "categories": _make_category,
    "tags": _make_tag,
    "budgets": _make_budget,
    "budget_limits": _make_budget_limit,
    "available_budgets": _make_available_budget,
    "exchange_rates": _make_exchange_rate,
    "object_groups": _make_object_group,
    "bills": _make_bill,
}
