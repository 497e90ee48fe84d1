"""Splits a typed search into its parts: words, days, amounts, types, and names such as `category:food`."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from farthing.kernel.text import strip_accents

from .amounts import AmountRange, read_amounts
from .days import PHRASE_MAX, DayRange, read_days
from .region import Region

# What may be written before a colon, and the filter that it sets.
FIELDS = {
    "account": "account_id", "payee": "payee", "category": "category_id", "budget": "budget_id", "tag": "tag_id",
    "bill": "bill_id", "type": "type", "amount": "amount", "date": "days", "on": "days", "from": "start",
    "since": "start", "after": "start", "until": "end", "to": "end", "before": "end", "no": "no", "without": "no",
}  # fmt: skip
_TYPES = {
    "expense": "withdrawal", "expenses": "withdrawal", "withdrawal": "withdrawal", "withdrawals": "withdrawal",
    "income": "deposit", "deposit": "deposit", "deposits": "deposit",
    "transfer": "transfer", "transfers": "transfer",
}  # fmt: skip
_PART = re.compile(r'(?:([^\W\d_]+):)?(?:"([^"]*)"?|([^\s"]+))|\S')
_DAY_FIELDS = frozenset(("days", "start", "end"))
_COMPARISONS = frozenset((">", "<", "=", ">=", "<=", "≥", "≤"))
# What looks like a part of the grammar, but has no such meaning, such as `>foo` and `9999-99`.
_ALMOST_AMOUNT, _ALMOST_DAY = re.compile(r"[<>=≥≤].*"), re.compile(r"\d{4}-\d{1,2}(-\d{1,2})?")
_QUOTE_IT = "To search for the text itself, put it in quotation marks."


class TypedPart(Struct, frozen=True):
    """A part of the text. `field` is what was written before a colon."""

    text: str
    field: str = ""
    quoted: bool = False

    @property
    def plain(self) -> str:
        return strip_accents(self.text)


class TypedQuery(Struct, frozen=True):
    """Holds what was understood. `names` maps filters to the names of objects, and `problems` are sentences."""

    words: tuple[str, ...] = ()
    type: str | None = None
    start: date | None = None
    end: date | None = None
    lowest: Decimal | None = None
    highest: Decimal | None = None
    no_budget: bool = False
    names: dict[str, str] = {}
    problems: tuple[str, ...] = ()

    def between(self, start: date | None, end: date | None) -> "TypedQuery":
        """Limits the days. Days that are named twice must overlap."""
        start = max(filter(None, (self.start, start)), default=None)
        end = min(filter(None, (self.end, end)), default=None)
        if start and end and start > end:
            return self.refuse("No day is within all of these days.")
        return replace(self, start=start, end=end)

    def limit(self, amounts: AmountRange | None, text: str) -> "TypedQuery":
        """Limits the amounts. Ranges that are named twice must overlap."""
        if amounts is None:
            return self.refuse(f"“{text}” is not an amount.")
        lowest = max((one for one in (self.lowest, amounts.lowest) if one is not None), default=None)
        highest = min((one for one in (self.highest, amounts.highest) if one is not None), default=None)
        if lowest is not None and highest is not None and lowest > highest:
            return self.refuse("No amount is within all of these amounts.")
        return replace(self, lowest=lowest, highest=highest)

    def of_type(self, word: str) -> "TypedQuery":
        if word not in _TYPES:
            return self.refuse(f"“{word}” is not a type: write expense, income or transfer.")
        if self.type not in (None, _TYPES[word]):
            return self.refuse("A transaction has only one type.")
        return replace(self, type=_TYPES[word])

    def refuse(self, problem: str) -> "TypedQuery":
        return replace(self, problems=(*self.problems, problem))


def split(text: str) -> list[TypedPart]:
    """Splits the text at spaces, except within quotation marks. An unknown word before a colon is part of the text."""
    parts = []
    for match in _PART.finditer(text):
        field, quoted, plain = match.groups()
        if plain is None and quoted is None:
            continue
        if plain and plain.endswith(":") and strip_accents(plain[:-1]) in FIELDS:
            field, plain = plain[:-1], ""
        field = strip_accents(field or "")
        if field and field not in FIELDS:
            parts.append(TypedPart(text=match[0]))
        else:
            parts.append(TypedPart(text=plain or quoted or "", field=field, quoted=quoted is not None))
    return _join(parts)


def _join(parts: list[TypedPart]) -> list[TypedPart]:
    """Joins `>` and `category:` with what follows them after a space."""
    joined: list[TypedPart] = []
    for part in parts:
        last = joined[-1] if joined and not (joined[-1].quoted or part.field) else None
        if last and last.field and not last.text:
            joined[-1] = replace(part, field=last.field)
        elif last and last.text in _COMPARISONS and not part.quoted:
            joined[-1] = replace(part, text=last.text + part.text)
        else:
            joined.append(part)
    return joined


def parse(text: str, *, today: date, region: Region, smallest: Decimal) -> TypedQuery:
    query, parts = TypedQuery(), split(text)
    while parts:
        part = parts[0]
        if part.field and FIELDS[part.field] in _DAY_FIELDS:
            days, taken = _find_days(parts, today, region)
            query = _begin_or_end(query, part, days)
        elif part.field:
            query, taken = _read_field(query, part, region, smallest), 1
        elif part.quoted or part.text.startswith("*"):
            query, taken = _add_word(query, part), 1
        else:
            query, taken = _read_phrase(query, parts, today, region, smallest)
        parts = parts[taken:]
    return query


def _read_phrase(
    query: TypedQuery, parts: Sequence[TypedPart], today: date, region: Region, smallest: Decimal
) -> tuple[TypedQuery, int]:
    """Reads the longest phrase of days at the beginning, or an amount, a type or a word."""
    days, length = _find_days(parts, today, region)
    if days:
        return query.between(days.start, days.end), length
    part = parts[0]
    if amounts := read_amounts(part.text, region, smallest=smallest):
        return query.limit(amounts, part.text), 1
    if part.text.startswith("#") and len(part.text) > 1:
        return _name(query, "tag_id", part.text[1:]), 1
    if part.plain in _TYPES:
        return query.of_type(part.plain), 1
    if _ALMOST_AMOUNT.fullmatch(part.text):
        return query.refuse(f"“{part.text}” is not an amount. {_QUOTE_IT}"), 1
    if _ALMOST_DAY.fullmatch(part.text):
        return query.refuse(f"“{part.text}” is not a day or month. {_QUOTE_IT}"), 1
    return _add_word(query, part), 1


def _find_days(parts: Sequence[TypedPart], today: date, region: Region) -> tuple[DayRange | None, int]:
    """Finds the longest phrase of days at the beginning, and the number of its parts."""
    phrase = parts[0].plain.split()
    phrases = [phrase]
    for part in () if parts[0].quoted else parts[1:PHRASE_MAX]:
        if part.field or part.quoted:
            break
        phrases.append(phrase := [*phrase, part.plain])
    for length in range(len(phrases), 0, -1):
        if days := read_days(phrases[length - 1], today, region):
            return days, length
    return None, 1


def _add_word(query: TypedQuery, part: TypedPart) -> TypedQuery:
    return replace(query, words=(*query.words, f'"{part.text}"' if part.quoted else part.text))


def _read_field(query: TypedQuery, part: TypedPart, region: Region, smallest: Decimal) -> TypedQuery:
    meaning, text = FIELDS[part.field], part.text
    if not text.strip():
        return query.refuse(f"Write something after “{part.field}:”.")
    if meaning == "type":
        return query.of_type(part.plain)
    if meaning == "amount":
        is_plain = text[0].isdecimal() and text.isdecimal()
        return query.limit(read_amounts(f"={text}" if is_plain else text, region, smallest=smallest), text)
    if meaning == "no" or (meaning == "budget_id" and part.plain == "none"):
        is_budget = meaning == "budget_id" or part.plain == "budget"
        return replace(query, no_budget=True) if is_budget else query.refuse("Only “no:budget” is known.")
    return _name(query, meaning, text)


def _begin_or_end(query: TypedQuery, part: TypedPart, days: DayRange | None) -> TypedQuery:
    """Limits the days: `since:july` includes July, `after:july` begins after July."""
    if not part.text.strip():
        return query.refuse(f"Write something after “{part.field}:”.")
    if days is None:
        return query.refuse(f"“{part.text}” is not a day, month or year.")
    if part.field == "after":
        return query.between(days.end + timedelta(days=1), None)
    if part.field == "before":
        return query.between(None, days.start - timedelta(days=1))
    bounds = {"days": (days.start, days.end), "start": (days.start, None), "end": (None, days.end)}
    return query.between(*bounds[FIELDS[part.field]])


def _name(query: TypedQuery, field: str, name: str) -> TypedQuery:
    key = "account_id" if field == "payee" else field
    if query.names.keys() & {field, "payee" if field == "account_id" else key}:
        return query.refuse(f"Write “{field.removesuffix('_id')}:” only once.")
    return replace(query, names={**query.names, field: name})
