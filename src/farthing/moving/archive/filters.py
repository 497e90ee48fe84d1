"""Renumbers the ids in saved filters, which are queries of addresses."""

from collections.abc import Callable
from urllib.parse import parse_qsl, urlencode

from farthing.kernel.text import parse_id

_KINDS = {
    "account_id": "accounts",
    "category_id": "categories",
    "budget_id": "budgets",
    "tag_id": "tags",
    "bill_id": "bills",
}


def renumber(query: str, find: Callable[[str, int], int | None]) -> str:
    """`find` gives the new id for a kind and an old id, if there is one; otherwise the old one stays."""
    return urlencode([(name, _find_new(name, value, find)) for name, value in parse_qsl(query)])


def _find_new(name: str, value: str, find: Callable[[str, int], int | None]) -> str:
    old = parse_id(value) if name in _KINDS else None
    return value if old is None else str(find(_KINDS[name], old) or old)
