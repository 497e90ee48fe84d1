"""Finds out which column has which role: by the words of the header, else by what the columns hold."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from .columns import ColumnProfile, count_steps, numbers_of
from .words import WordMatch, match_roles

# Roles that take one column, in the order in which they choose; then those that take several.
_BY_WORDS = (
    "date",
    "debit",
    "credit",
    "sign",
    "foreign_amount",
    "foreign_currency",
    "balance",
    "amount",
    "fee",
    "value_date",
    "currency",
    "payee_account",
    "account",
    "bank_id",
    "reference",
    "status",
    "category",
)
_SEVERAL = ("description", "payee", "notes", "tags")
_AMOUNT_ROLES = ("amount", "debit", "credit", "foreign_amount", "balance", "fee")

Roles = dict[str, list[int]]


def assign_roles(header: Sequence[str] | None, columns: Sequence[ColumnProfile]) -> Roles:
    """By words first; whatever is still missing of a date, an amount and a text is looked for by content."""
    words = [match_roles(cell) for cell in header] if header else []
    words += [{} for _ in range(len(columns) - len(words))]
    roles: Roles = {}
    for role in _BY_WORDS:
        _assign_by_words(role, roles, columns, words)
    for role in _SEVERAL:
        fits = [one.index for one in columns if role in words[one.index] and one.index not in _taken(roles)]
        chosen = [index for index in fits if _is_text_for(role, columns[index], words[index])]
        if chosen:
            roles[role] = sorted(chosen, key=lambda index: words[index][role].place)[:1] if role == "payee" else chosen
    _settle_amounts(roles, columns)
    _assign_by_content(roles, columns)
    _settle_signs(roles, columns)
    return roles


def _taken(roles: Roles) -> set[int]:
    return {index for indexes in roles.values() for index in indexes}


def _assign_by_words(
    role: str, roles: Roles, columns: Sequence[ColumnProfile], words: Sequence[dict[str, WordMatch]]
) -> None:
    taken = _taken(roles)
    fits = [
        column
        for column in columns
        if role in words[column.index] and column.index not in taken and _holds(role, column, columns)
    ]
    if fits:
        best = min(fits, key=lambda one: (words[one.index][role], not one.filled, one.index))
        roles[role] = [best.index]


def _holds(role: str, column: ColumnProfile, columns: Sequence[ColumnProfile]) -> bool:
    """Whether the cells could be meant; a column without any may have every role, by its name."""
    rows = len(column.cells)
    if not column.filled:
        return role not in ("sign", "account", "bank_id", "status")
    if role == "date":
        return column.is_date and len(column.filled) * 10 >= rows * 6
    if role == "value_date":
        return column.is_date
    if role in _AMOUNT_ROLES:
        return column.is_amount and not column.is_date
    if role == "sign":
        return column.is_sign and len(column.filled) == rows
    if role in ("currency", "foreign_currency"):
        return column.is_currency
    if role == "account":
        return _names_own_account(column, columns)
    if role == "payee_account":
        return not column.is_date
    if role == "bank_id":
        return len(column.filled) == rows and column.distinct == rows and not column.is_date
    return role == "reference" or not column.is_date


def _names_own_account(column: ColumnProfile, columns: Sequence[ColumnProfile]) -> bool:
    """Filled in every row, and with few names: a column of other people's accounts has many."""
    rows = len(column.cells)
    is_rival = any(other.is_iban and other.index != column.index and len(other.filled) == rows for other in columns)
    return len(column.filled) == rows and (
        column.distinct <= max(1, rows // 4) or (is_rival and column.distinct < rows)
    )


def _is_text_for(role: str, column: ColumnProfile, words: dict[str, WordMatch]) -> bool:
    """The first role of a header is the one it is taken for; dates and amounts are no texts."""
    if column.is_date or (column.is_amount and not column.is_plain_number):
        return False
    better = [other for other in words if other in _SEVERAL and words[other].partial < words[role].partial]
    return not better


def _settle_amounts(roles: Roles, columns: Sequence[ColumnProfile]) -> None:
    """Debit and credit need each other, and no amount beside them."""
    if "debit" in roles and "credit" in roles:
        both_empty = not columns[roles["debit"][0]].filled and not columns[roles["credit"][0]].filled
        roles.pop("credit" if both_empty and "amount" in roles else "amount", None)
        if "amount" in roles:
            roles.pop("debit")
        return
    if "amount" in roles:
        roles.pop("debit", None)
        roles.pop("credit", None)


def _assign_by_content(roles: Roles, columns: Sequence[ColumnProfile]) -> None:
    free = [column for column in columns if column.index not in _taken(roles) and column.filled]
    dates = [column for column in free if column.is_date]
    if "date" not in roles:
        _take_first(roles, "date", (one for one in dates if len(one.filled) * 10 >= len(one.cells) * 9))
        _take_first(roles, "value_date", (one for one in dates if "date" in roles and [one.index] != roles["date"]))
    if not roles.keys() & {"amount", "debit", "credit"}:
        _find_amounts(roles, [one for one in free if one.is_amount and not one.is_date])
    free = [column for column in free if column.index not in _taken(roles)]
    _take_first(roles, "currency", (one for one in free if one.is_currency and len(one.filled) == len(one.cells)))
    _take_first(roles, "sign", (one for one in free if one.is_sign and len(one.filled) == len(one.cells)))
    ibans = [one for one in free if one.is_iban and one.index not in _taken(roles)]
    _take_first(roles, "account", (one for one in ibans if len(one.filled) == len(one.cells) and one.distinct == 1))
    _take_first(roles, "payee_account", (one for one in ibans if [one.index] != roles.get("account")))
    if not roles.keys() & {"description", "payee"}:
        texts = [one for one in free if one.is_text and one.index not in _taken(roles)]
        _take_first(roles, "description", sorted(texts, key=lambda one: -one.length))


def _take_first(roles: Roles, role: str, columns: Iterable[ColumnProfile]) -> None:
    first = next(iter(columns), None)
    if first is not None and role not in roles:
        roles[role] = [first.index]


def _find_amounts(roles: Roles, numeric: Sequence[ColumnProfile]) -> None:
    """A pair whose sums run on is amount and balance; a pair of which each row fills one is debit and credit."""
    numbers = {column.index: numbers_of(column) for column in numeric}
    pairs = [(one.index, other.index) for one in numeric for other in numeric if one.index != other.index]
    steps = {pair: count_steps(numbers[pair[0]], numbers[pair[1]]) for pair in pairs[:200]}
    if steps and (best := max(steps, key=lambda pair: steps[pair])) and steps[best] >= 2:
        roles["amount"] = [best[0]]
        roles.setdefault("balance", [best[1]])
        return
    for one, other in ((one, other) for one, other in pairs if one < other):
        if all(bool(first) != bool(second) for first, second in zip(numbers[one], numbers[other], strict=True)):
            roles["debit"], roles["credit"] = [one], [other]
            return
    money = [one for one in numeric if not one.is_plain_number] or list(numeric)
    _take_first(roles, "amount", (one for one in money if len(one.filled) == len(one.cells)))
    _take_first(roles, "balance", (one for one in money[1:] if [one.index] != roles.get("amount")))


def _settle_signs(roles: Roles, columns: Sequence[ColumnProfile]) -> None:
    """A marker is of use only beside amounts without signs. A fee is part of the row only if the balances say so."""
    if "amount" not in roles:
        roles.pop("sign", None)
        roles.pop("fee", None)
        return
    amounts = numbers_of(columns[roles["amount"][0]])
    if any(amount < 0 for amount in amounts if amount is not None):
        sign = roles.pop("sign", None)
        if sign and columns[sign[0]].distinct > 1:
            roles.setdefault("notes", []).extend(sign)
    if "fee" in roles and not _fee_is_extra(amounts, roles, columns):
        roles.pop("fee")


def _fee_is_extra(amounts: Sequence[Decimal | None], roles: Roles, columns: Sequence[ColumnProfile]) -> bool:
    if "balance" not in roles:
        return False
    balances, fees = numbers_of(columns[roles["balance"][0]]), numbers_of(columns[roles["fee"][0]])
    after_fees = [None if one is None else one - abs(fee or Decimal()) for one, fee in zip(amounts, fees, strict=True)]
    return count_steps(after_fees, balances) >= count_steps(amounts, balances)
