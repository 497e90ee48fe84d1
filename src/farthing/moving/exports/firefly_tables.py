"""Writes accounts, budgets and other objects as CSV, with the columns of Firefly III's exports of these objects."""

import csv
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from typing import Any

from farthing.books.accounts import store as accounts
from farthing.books.bills import store as bills
from farthing.books.budget_limits import store as budget_limits
from farthing.books.budgets import store as budgets
from farthing.books.categories import store as categories
from farthing.books.piggy_banks import store as piggy_banks
from farthing.books.recurrences import store as recurrences
from farthing.books.recurrences.model import Recurrence, RecurrenceSplit, StoredRepetition
from farthing.books.rules import store as rules
from farthing.books.rules.model import USER_ACTION, Rule, StoredRulePart
from farthing.books.rules.names import their_name
from farthing.books.tags import store as tags
from farthing.kernel.money import Currency, as_number
from farthing.ledger.kinds import SHOWN

from ..formulas import mark_formula
from .model import Noun
from .snapshot import Snapshot

_Row = dict[str, object]
# More objects of one kind than any user has.
_EVERY = 1_000_000
_STAMPS = ("created_at", "updated_at")
_PART = ("type", "value", "order", "active", "stop_processing")
_COLUMNS: dict[Noun, Sequence[str]] = {
    Noun.ACCOUNTS: (
        "account_id", *_STAMPS, "type", "name", "virtual_balance", "iban", "number", "active", "currency_code", "role",
        "cc_type", "cc_payment_date", "in_net_worth", "interest", "interest_period",
    ),
    Noun.BILLS: (
        "bill_id", *_STAMPS, "currency_code", "name", "amount_min", "amount_max", "date", "repeat_freq", "skip",
        "active",
    ),
    Noun.BUDGETS: (
        "budget_id", *_STAMPS, "name", "active", "order", "start_date", "end_date", "currency_code", "amount",
    ),
    Noun.CATEGORIES: ("category_id", *_STAMPS, "name"),
    Noun.PIGGY_BANKS: (
        "piggy_bank_id", *_STAMPS, "account_name", "account_type", "name", "currency_code", "target_amount",
        "current_amount", "start_date", "target_date", "order", "active",
    ),
    Noun.RECURRING: (
        "recurrence_id", "row_contains", *_STAMPS, "type", "title", "description", "first_date", "repeat_until",
        "latest_date", "repetitions", "apply_rules", "active", "repetition_type", "moment", "skip", "weekend",
        "currency_code", "foreign_currency_code", "source_name", "source_type", "destination_name", "destination_type",
        "amount", "foreign_amount", "category", "budget", "piggy_bank", "tags",
    ),
    Noun.RULES: (
        "rule_id", "row_contains", *_STAMPS, "group_id", "title", "description", "order", "active", "stop_processing",
        "strict", *(f"{kind}_{name}" for kind in ("trigger", "action") for name in _PART),
    ),
    Noun.TAGS: ("tag_id", *_STAMPS, "tag", "date", "description", "latitude", "longitude", "zoom_level"),
}  # fmt: skip
_COLUMNS[Noun.SUBSCRIPTIONS] = _COLUMNS[Noun.BILLS]
# The columns with texts that people write, which may look like formulas.
_WRITTEN = frozenset((
    "name", "iban", "number", "account_name", "title", "description", "source_name", "destination_name", "category",
    "budget", "piggy_bank", "tags", "tag", "trigger_value", "action_value",
))  # fmt: skip


def write(snapshot: Snapshot) -> Iterator[str]:
    noun, user_id = snapshot.request.noun, snapshot.request.user_id
    assert noun is not None, "transactions have a writer of their own"
    buffer = StringIO(newline="")
    writer = csv.DictWriter(buffer, ("user_id", *_COLUMNS[noun]), restval="")
    writer.writeheader()
    for row in _ROWS[noun](snapshot):
        writer.writerow({"user_id": user_id} | {name: _show(name, value) for name, value in row.items()})
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def _show(name: str, value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    return mark_formula(value) if name in _WRITTEN and isinstance(value, str) else value


def _amount(units: int, currency: Currency) -> str:
    return as_number(units, currency.places)


def _accounts(snapshot: Snapshot) -> Iterator[_Row]:
    _, listed = accounts.page(snapshot.db, snapshot.request.user_id, SHOWN, limit=_EVERY, offset=0)
    for account in listed:
        yield {
            **_take(account, "account_id", "name", "iban", "active", "role", "interest", "interest_period"),
            "type": account.kind.value,
            "virtual_balance": _amount(account.virtual_units, account.currency),
            "number": account.account_number,
            "currency_code": account.currency.code,
            "cc_type": account.card_type,
            "cc_payment_date": account.card_payment_on,
            "in_net_worth": account.include_net_worth,
        }


def _take(thing: Any, id_name: str, *names: str) -> _Row:
    """Returns the id, the times and the named fields of an object."""
    return {id_name: thing.id, **{name: getattr(thing, name) for name in (*_STAMPS, *names)}}


def _bills(snapshot: Snapshot) -> Iterator[_Row]:
    _, listed = bills.page_in_order(snapshot.db, snapshot.request.user_id, limit=_EVERY, offset=0)
    for bill in listed:
        yield {
            **_take(bill, "bill_id", "name", "skip", "active"),
            "currency_code": bill.currency.code,
            "amount_min": _amount(bill.lowest_units, bill.currency),
            "amount_max": _amount(bill.highest_units, bill.currency),
            "date": bill.first_on,
            "repeat_freq": bill.frequency.value,
        }


def _budgets(snapshot: Snapshot) -> Iterator[_Row]:
    """Yields a row for each limit, and one for each budget without limits."""
    db, user_id = snapshot.db, snapshot.request.user_id
    _, listed = budgets.page_in_order(db, user_id, limit=_EVERY, offset=0)
    _, limits = budget_limits.page(db, user_id, budget_id=None, within=None, limit=_EVERY, offset=0)
    rows: dict[int, list[_Row]] = {}
    for limit in limits:
        row: _Row = {
            "start_date": limit.start_on,
            "end_date": limit.end_on,
            "currency_code": limit.currency.code,
            "amount": _amount(limit.units, limit.currency),
        }
        rows.setdefault(limit.budget_id, []).append(row)
    for budget in listed:
        for row in rows.get(budget.id, [{}]):
            yield {**_take(budget, "budget_id", "name", "active", "order"), **row}


def _categories(snapshot: Snapshot) -> Iterator[_Row]:
    _, listed = categories.page(snapshot.db, snapshot.request.user_id, limit=_EVERY, offset=0)
    for category in listed:
        yield _take(category, "category_id", "name")


def _piggy_banks(snapshot: Snapshot) -> Iterator[_Row]:
    _, listed = piggy_banks.page(snapshot.db, snapshot.request.user_id, limit=_EVERY, offset=0)
    for piggy_bank in listed:
        has_target, currency = piggy_bank.has_target, piggy_bank.currency
        yield {
            **_take(piggy_bank, "piggy_bank_id", "account_name", "name", "order", "active"),
            "account_type": snapshot.accounts[piggy_bank.account_id].kind.value,
            "currency_code": currency.code,
            "target_amount": _amount(piggy_bank.target_units, currency) if has_target else "",
            "current_amount": _amount(piggy_bank.current_units, currency),
            "start_date": piggy_bank.start_on,
            "target_date": piggy_bank.target_on,
        }


def _recurring(snapshot: Snapshot) -> Iterator[_Row]:
    """Yields a row for each recurrence, followed by rows for its repetitions and for its splits."""
    _, listed = recurrences.page(snapshot.db, snapshot.request.user_id, limit=_EVERY, offset=0)
    for recurrence in listed:
        yield {
            **_take(recurrence, "recurrence_id", "title", "description", "apply_rules", "active"),
            "row_contains": "recurrence",
            "type": recurrence.type.label,
            "first_date": recurrence.first_on,
            "repeat_until": recurrence.until_on,
            "latest_date": recurrence.latest_on,
            "repetitions": recurrence.count_max,
        }
        yield from (_repetition(recurrence, stored) for stored in recurrence.repetitions)
        yield from (_recurring_split(recurrence, split) for split in recurrence.splits)


def _repetition(recurrence: Recurrence, stored: StoredRepetition) -> _Row:
    repetition = stored.repetition
    return {
        **_take(stored, "recurrence_id"),
        "recurrence_id": recurrence.id,
        "row_contains": "repetition",
        "repetition_type": repetition.type.value,
        "moment": repetition.moment,
        "skip": repetition.skip,
        "weekend": int(repetition.weekend),
    }


def _recurring_split(recurrence: Recurrence, split: RecurrenceSplit) -> _Row:
    foreign = split.foreign_currency
    return {
        "recurrence_id": recurrence.id,
        "row_contains": "transaction",
        "description": split.description,
        "currency_code": split.currency.code,
        "foreign_currency_code": foreign.code if foreign else None,
        "source_name": split.source_name,
        "source_type": split.source_kind.value,
        "destination_name": split.destination_name,
        "destination_type": split.destination_kind.value,
        "amount": _amount(split.units, split.currency),
        "foreign_amount": _amount(split.foreign_units, foreign) if foreign and split.foreign_units else None,
        "category": split.category_name,
        "budget": split.budget_name,
        "piggy_bank": recurrence.piggy_bank_name,
        "tags": ",".join(recurrence.tags),
    }


def _rules(snapshot: Snapshot) -> Iterator[_Row]:
    """Yields a row for each rule, followed by rows for its triggers and for its actions."""
    _, listed = rules.page(snapshot.db, snapshot.request.user_id, limit=_EVERY, offset=0)
    for rule in listed:
        yield {
            **_take(rule, "rule_id", "title", "description", "order", "active", "strict"),
            "row_contains": "rule",
            "group_id": rule.rule_group_id,
            "stop_processing": rule.stops,
        }
        yield from (_part(rule, "trigger", part) for part in rule.triggers if part.name != USER_ACTION)
        yield from (_part(rule, "action", part) for part in rule.actions)


def _part(rule: Rule, kind: str, part: StoredRulePart) -> _Row:
    """Returns the row of a trigger or action. A prohibited trigger begins with a minus sign."""
    name = f"{'-' if part.prohibited else ''}{their_name(part.name)}" if kind == "trigger" else part.name
    values = (name, part.value, part.order, part.active, part.stops)
    return {
        "rule_id": rule.id,
        "row_contains": kind,
        "created_at": part.created_at,
        "updated_at": part.updated_at,
        **{f"{kind}_{column}": value for column, value in zip(_PART, values, strict=True)},
    }


def _tags(snapshot: Snapshot) -> Iterator[_Row]:
    _, listed = tags.page(snapshot.db, snapshot.request.user_id, limit=_EVERY, offset=0)
    for tag in listed:
        shown = _take(tag, "tag_id", "description", "latitude", "longitude", "zoom_level")
        yield {**shown, "tag": tag.name, "date": tag.on}


_ROWS: dict[Noun, Callable[[Snapshot], Iterator[_Row]]] = {
    Noun.ACCOUNTS: _accounts,
    Noun.BILLS: _bills,
    Noun.BUDGETS: _budgets,
    Noun.CATEGORIES: _categories,
    Noun.PIGGY_BANKS: _piggy_banks,
    Noun.RECURRING: _recurring,
    Noun.RULES: _rules,
    Noun.SUBSCRIPTIONS: _bills,
    Noun.TAGS: _tags,
}
