"""Reads bodies in which a zero means "none", as in `"bill_id": "0"`."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation


def empty_zeros(raw: Mapping[str, object], *names: str) -> dict[str, object]:
    """Copies a body. The named fields become empty if they are zero, so they are treated as sent empty."""
    return {name: "" if name in names and _is_zero(value) else value for name, value in raw.items()}


def _is_zero(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        return False
    try:
        return Decimal(value) == 0
    except InvalidOperation:
        return False
