"""Makes the bodies of messages. They look as in version 6 of the API, whose clients receive them."""

from collections.abc import Mapping, Sequence
from typing import Any

from farthing.kernel.money import as_text
from farthing.ledger.details import EntryDetails
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from ..budgets import store as budgets
from ..transactions.model import LabelName, Line
from .model import Response, Trigger

VERSION = "v0"
_TYPES = {type_: type_.label.lower() for type_ in Type}


def make_body(*, user_id: int, uuid: str, trigger: Trigger, response: str, url: str, content: Any) -> dict[str, Any]:
    return {
        "uuid": uuid,
        "user_id": user_id,
        "user_group_id": user_id,
        "trigger": trigger.value,
        "response": response,
        "url": url,
        "version": VERSION,
        "content": content,
    }


def make_group_content(response: str, group: Sequence[Line], user_id: int, details: EntryDetails) -> Any:
    """Makes what a message about a transaction contains."""
    if response == Response.NONE:
        return []
    if response == Response.ACCOUNTS:
        sides = {side.id: side for line in group for side in (line.source, line.destination)}
        return [{"id": side.id, "name": side.name, "iban": side.iban, "type": side.kind} for side in sides.values()]
    entry = group[0].entry
    return {
        "id": entry.id,
        "created_at": entry.created_at,
        "updated_at": entry.updated_at,
        "user": user_id,
        "group_title": entry.description if len(group) > 1 else None,
        "transactions": [_show_split(line, user_id, details) for line in group],
        "links": [{"rel": "self", "uri": f"/transactions/{entry.id}"}],
    }


def _show_split(line: Line, user_id: int, details: EntryDetails) -> dict[str, Any]:
    entry, currency, foreign = line.entry, line.currency, line.foreign_currency
    return {
        "user": user_id,
        "transaction_journal_id": line.id,
        "type": _TYPES[Type(line.type)],
        "date": f"{line.on}T00:00:00+00:00",
        "order": line.position,
        "currency_id": currency.id,
        "currency_code": currency.code,
        "currency_symbol": currency.symbol,
        "currency_decimal_places": currency.places,
        "foreign_currency_id": foreign.id if foreign else None,
        "foreign_currency_code": foreign.code if foreign else None,
        "foreign_currency_symbol": foreign.symbol if foreign else None,
        "foreign_currency_decimal_places": foreign.places if foreign else None,
        "amount": as_text(line.units, currency.places),
        "foreign_amount": as_text(line.foreign_units, foreign.places) if foreign and line.foreign_units else None,
        "description": line.description or entry.description,
        "source_id": line.source.id,
        "source_name": line.source.name,
        "source_iban": line.source.iban,
        "source_type": line.source.kind,
        "destination_id": line.destination.id,
        "destination_name": line.destination.name,
        "destination_iban": line.destination.iban,
        "destination_type": line.destination.kind,
        **_show_label("budget", line.budget),
        **_show_label("category", line.category),
        **_show_label("bill", entry.bill),
        "reconciled": bool(line.reconciled),
        "notes": entry.notes,
        "tags": list(entry.tags),
        "internal_reference": entry.internal_reference,
        "recurrence_id": entry.recurrence_id,
        "external_id": details.external_id,
        "external_url": details.external_url,
    }


def _show_label(noun: str, label: LabelName | None) -> Mapping[str, str | None]:
    return {f"{noun}_id": str(label.id) if label else None, f"{noun}_name": label.name if label else None}


def make_budget_content(db: Unit, user_id: int, response: str, budget_id: int) -> Any:
    """Makes what a message about a budget contains. The budget must still exist."""
    budget = None if response == Response.NONE else budgets.get(db, user_id, budget_id)
    if budget is None:
        return []
    return {
        "id": budget.id,
        "created_at": budget.created_at,
        "updated_at": budget.updated_at,
        "active": bool(budget.active),
        "name": budget.name,
        "links": [{"rel": "self", "uri": f"/budgets/{budget.id}"}],
    }
