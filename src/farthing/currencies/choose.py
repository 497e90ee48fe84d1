"""Which currency did the caller choose? By id or by code; the id wins, and both must be known."""

from collections.abc import Callable
from typing import Any

from ..errors import Problem
from ..fields import Parsed, label
from ..money import Currency
from ..storage.unit import Unit
from . import store


def chosen(
    db: Unit,
    parsed: Parsed[Any],
    problems: list[Problem],
    *,
    id_field: str = "currency_id",
    code_field: str = "currency_code",
) -> Currency | None:
    """Whether one of them is required is the resource's own rule."""
    by_id = _look_up(parsed, id_field, lambda value: store.by_id(db, value), problems)
    by_code = _look_up(parsed, code_field, lambda value: store.by_code(db, value.upper()), problems)
    return by_id or by_code


def _look_up(
    parsed: Parsed[Any], name: str, find: Callable[[Any], Currency | None], problems: list[Problem]
) -> Currency | None:
    value = getattr(parsed.values, name)
    if value is None:
        return None
    currency = find(value)
    if currency is None:
        key = parsed.key(name)
        problems.append(Problem(key, f"The selected {label(key)} is invalid: there is no such currency."))
    return currency
