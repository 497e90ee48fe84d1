"""Lists the operators of searches by their names."""

from collections.abc import Iterator
from functools import partial

from ..conditions import Node
from . import fields, objects, texts
from .context import Context
from .fields import Compare, Maker, of_entry
from .texts import How

_DESCRIPTIONS = ("description", "split_description")
_SIDES = {
    "account": objects.BOTH_SIDES,
    "source_account": ("source_id",),
    "from_account": ("source_id",),
    "destination_account": ("destination_id",),
    "to_account": ("destination_id",),
}
_LABELS = {
    "category": "categories",
    "budget": "budgets",
    "bill": "bills",
    "subscription": "bills",
    "tag": "tags",
}
_COMPARISONS = {"on": Compare.EQUAL, "before": Compare.MOST, "after": Compare.LEAST}
_OTHER_DAYS = ("interest", "book", "process", "due", "payment", "invoice")
# Other names of operators.
_ALIASES = {
    "description": "description_is",
    "notes": "notes_contains", "notes_contain": "notes_contains", "notes_is": "notes_are",
    "internal_reference": "internal_reference_is", "external_id": "external_id_is",
    "external_url": "external_url_is",
    "amount": "amount_is", "amount_exactly": "amount_is", "less": "amount_less", "amount_max": "amount_less",
    "more": "amount_more", "amount_min": "amount_more",
    "foreign_amount": "foreign_amount_is", "foreign_amount_max": "foreign_amount_less",
    "foreign_amount_min": "foreign_amount_more",
    "date": "date_on", "on": "date_on", "date_is": "date_on", "before": "date_before", "after": "date_after",
    **{f"{stem}_{short}": f"{stem}_at_{short}" for stem in ("created", "updated") for short in _COMPARISONS},
    "created_at": "created_at_on", "updated_at": "updated_at_on",
    **{f"{name}_date": f"{name}_date_on" for name in _OTHER_DAYS},
    "account": "account_is", "source": "source_account_is", "from": "source_account_is",
    "source_account": "source_account_is", "from_account": "source_account_is",
    "destination": "destination_account_is", "to": "destination_account_is",
    "destination_account": "destination_account_is", "to_account": "destination_account_is",
    **{noun: f"{noun}_is" for noun in _LABELS},
    "transaction_type": "type", "currency": "currency_is", "foreign_currency": "foreign_currency_is",
}  # fmt: skip


def find(name: str) -> Maker | None:
    return OPERATORS.get(_ALIASES.get(name, name))


def make_description(context: Context, value: str) -> Node:
    """Makes the condition of a word without an operator."""
    return _text(How.CONTAINS, _DESCRIPTIONS)(context, value)


def _text(how: How, columns: tuple[str, ...]) -> Maker:
    return lambda _context, value: texts.make_condition(how, value, columns)


def _detail(how: How, column: str) -> Maker:
    return lambda _context, value: texts.make_detail(how, value, column)


def _list_texts() -> Iterator[tuple[str, Maker]]:
    for how in How:
        yield f"description_{how}", _text(how, _DESCRIPTIONS)
        yield "notes_are" if how is How.IS else f"notes_{how}", _text(how, ("notes",))
        yield f"internal_reference_{how}", _text(how, ("internal_reference",))
    for name in ("notes", "internal_reference"):
        condition = of_entry(f"e.{name} IS NOT NULL")
        yield from _list_presence(name, condition)
    for name in ("external_id", "external_url"):
        for how in How:
            yield f"{name}_{how}", _detail(how, name)
        yield from _list_presence(
            name, texts.HAS_DETAIL.format(column=name, condition="IS NOT NULL"), texts.HAVING_DETAIL[name]
        )


def _list_presence(name: str, condition: str, few: str = "") -> Iterator[tuple[str, Maker]]:
    yield f"any_{name}", fields.flag(condition, few=few)
    yield f"no_{name}", fields.flag(condition, opposite=True)


def _list_amounts_and_days() -> Iterator[tuple[str, Maker]]:
    for prefix in ("", "foreign_"):
        make = partial(fields.amount, f"{prefix}units", f"{prefix}currency_id")
        yield f"{prefix}amount_is", make(Compare.EQUAL)
        yield f"{prefix}amount_less", make(Compare.MOST)
        yield f"{prefix}amount_more", make(Compare.LEAST)
        yield f"{prefix}currency_is", objects.currency(f"{prefix}currency_id")
    for word, compare in _COMPARISONS.items():
        yield f"date_{word}", fields.day("on_day", compare)
        for name in _OTHER_DAYS:
            yield f"{name}_date_{word}", fields.day(f"{name}_on", compare)
        for column in ("created_at", "updated_at"):
            yield f"{column}_{word}", fields.instant(column, compare)


def _list_objects() -> Iterator[tuple[str, Maker]]:
    for name, sides in _SIDES.items():
        yield f"{name}_id", objects.account_id(sides)
        yield f"{name}_is_cash", objects.account_is_cash(sides)
        for how in How:
            yield f"{name}_{how}", objects.account_name(how, sides)
            yield f"{name}_nr_{how}", objects.account_number(how, sides)
    for name, table in _LABELS.items():
        for how in How:
            yield f"{name}_{how}", objects.label_name(table, how)
        yield f"has_any_{name}", objects.has_label(table, any_=True)
        yield f"has_no_{name}", objects.has_label(table, any_=False)
    for name in ("has_attachments", "has_any_attachments"):
        yield name, fields.flag(objects.HAS_FILES, few=objects.HAVING_FILES)
    yield "has_no_attachments", fields.flag(objects.HAS_FILES, opposite=True)


OPERATORS: dict[str, Maker] = {
    **dict(_list_texts()),
    **dict(_list_amounts_and_days()),
    **dict(_list_objects()),
    "type": fields.type_is,
    "reconciled": fields.flag("splits.reconciled = 1"),
    "id": fields.ids("splits.entry_id"),
    "journal_id": fields.ids("splits.id"),
    "recurrence_id": fields.recurrence_is,
    "exists": fields.exists,
}
