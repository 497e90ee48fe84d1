"""Turns a move of the story into the body of POST /api/v1/transactions."""

from datetime import date

from farthing.kernel.money import as_text

from .story.scene import CARD, CURRENT, Move, StorySplit

_PLACES = 2  # the same for euros, dollars and pounds


def body(move: Move, *, reconciled_before: date) -> dict[str, object]:
    """Moves on the current account and the card are marked as reconciled before a day."""
    reconciled = move.on < reconciled_before and not {move.source, move.destination}.isdisjoint({CURRENT, CARD})
    return _omit_empty(
        {
            "type": move.type,
            "date": move.on.isoformat(),
            "description": move.about,
            "notes": move.notes,
            "tags": list(move.tags),
            "internal_reference": move.reference,
            "invoice_date": move.invoiced_on and move.invoiced_on.isoformat(),
            "due_date": move.due_on and move.due_on.isoformat(),
            "transactions": [_split(move, part, reconciled) for part in move.parts],
        }
    )


def _split(move: Move, part: StorySplit, reconciled: bool) -> dict[str, object]:
    return _omit_empty(
        {
            "amount": as_text(part.cents, _PLACES),
            "currency_code": move.currency,
            "foreign_amount": as_text(move.foreign.cents, _PLACES) if move.foreign else None,
            "foreign_currency_code": move.foreign.code if move.foreign else None,
            "source_name": move.source,
            "destination_name": move.destination,
            "description": part.about,
            "category_name": part.category,
            "budget_name": part.budget,
            "reconciled": reconciled,
        }
    )


def _omit_empty(fields: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value not in (None, [])}
