"""Parses amounts in journals: a number with a commodity before or after it, cost, lot and balance assertion."""

from collections import Counter
from decimal import Decimal

from msgspec import Struct

from ..common.text import parse_number

EXPONENT_MAX = 12
_NUMBER = frozenset("0123456789.,'’ \u00a0\u202f")


class AmountText(Struct, frozen=True):
    """Holds a number as written, unsigned. Its marks are read when all numbers of its commodity are known."""

    number: str
    commodity: str
    negative: bool = False
    exponent: int = 0


class AmountExpression(Struct, frozen=True, kw_only=True):
    """Holds the parts of a posting after its account. `assertion_kind` is =, ==, =* or ==*."""

    amount: AmountText | None = None
    cost: AmountText | None = None
    cost_is_total: bool = False
    lot: AmountText | None = None
    lot_is_total: bool = False
    assertion: AmountText | None = None
    assertion_kind: str = ""


class BadAmount(ValueError):
    pass


def parse_amount_text(text: str) -> AmountText:
    text = text.strip()
    quoted, rest = _without_quoted(text)
    digits = [index for index, letter in enumerate(rest) if letter.isascii() and letter.isdigit()]
    if not digits:
        raise BadAmount(text)
    start = digits[0]
    if start and rest[start - 1] in ".,":
        start -= 1
    end = start
    while end < len(rest) and rest[end] in _NUMBER:
        end += 1
    prefix, number, suffix = rest[:start], rest[start:end].strip(), rest[end:]
    exponent, suffix = _exponent(suffix)
    signs = [letter for letter in prefix if letter in "+-−"]
    names = [name for name in (prefix.translate(_NO_SIGNS).strip(), suffix.strip(), quoted) if name]
    is_odd = not quoted and any(letter in "0123456789;@{}[]()*/=" for letter in "".join(names[:1]))
    if len(names) > 1 or len(signs) > 1 or is_odd:
        raise BadAmount(text)
    negative = bool(signs) and signs[0] != "+"
    return AmountText(number, names[0] if names else "", negative, exponent)


_NO_SIGNS = str.maketrans("", "", "+-−")


def _without_quoted(text: str) -> tuple[str, str]:
    start = text.find('"')
    end = text.find('"', start + 1)
    if start < 0 or end < 0:
        return "", text
    return text[start + 1 : end], text[:start] + " " + text[end + 1 :]


def _exponent(suffix: str) -> tuple[int, str]:
    """Splits off an exponent, such as `E3` right after a number. An E without digits after it is a commodity."""
    word = suffix.split(" ")[0]
    digits = word[1:].lstrip("+-")
    if word[:1] not in ("e", "E") or not digits.isdigit() or not digits.isascii():
        return 0, suffix
    if len(digits) > 2 or int(digits) > EXPONENT_MAX:
        raise BadAmount(suffix)
    return (-int(digits) if "-" in word else int(digits)), suffix[len(word) :]


def parse_expression(text: str) -> AmountExpression:
    """Parses everything after the account, such as `10 AAPL {$5} [2024-01-01] @ $6 = 20 AAPL`."""
    parts: dict[str, object] = {}
    head, rest = _cut(text)
    if head:
        parts["amount"] = parse_amount_text(head)
    while rest:
        rest = _take(rest, parts)
    return AmountExpression(**parts)  # type: ignore[arg-type]


def _take(rest: str, parts: dict[str, object]) -> str:
    mark = rest[0]
    if mark == "@" or rest.startswith("(@"):
        body = rest.lstrip("(").lstrip("@").lstrip(")")
        parts["cost_is_total"] = "@@" in rest[:4]
        head, rest = _cut(body)
        parts["cost"] = parse_amount_text(head)
    elif mark == "{":
        end = rest.find("}")
        inner = rest[1:end].lstrip("{").strip().lstrip("=").strip()
        parts["lot_is_total"] = rest.startswith("{{")
        if end < 0:
            raise BadAmount(rest)
        if inner:
            parts["lot"] = parse_amount_text(inner.split(",")[0] if ", " in inner else inner)
        rest = rest[end:].lstrip("}").strip()
    elif mark in "[(":
        end = rest.find("]" if mark == "[" else ")")
        if end < 0 or "amount" not in parts:
            raise BadAmount(rest)
        rest = rest[end + 1 :].strip()
    else:
        kind = rest[: len(rest) - len(rest.lstrip("=*"))]
        if not kind.startswith("=") or len(kind) > 3:
            raise BadAmount(rest)
        head, rest = _cut(rest[len(kind) :])
        parts["assertion"], parts["assertion_kind"] = parse_amount_text(head), kind
        if rest.startswith("@"):
            rest = _cut(rest.lstrip("@"))[1]
    return rest


def _cut(text: str) -> tuple[str, str]:
    """Splits a text before the first mark outside of quotes that begins a cost, lot or assertion."""
    in_quotes = False
    for index, letter in enumerate(text):
        if letter == '"':
            in_quotes = not in_quotes
        elif not in_quotes and letter in "@{[(=":
            return text[:index].strip(), text[index:].strip()
    return text.strip(), ""


class Styles:
    """Decides the decimal mark of each commodity: as declared, otherwise as its unambiguous numbers show."""

    def __init__(self) -> None:
        self._declared: dict[str, str] = {}
        self._seen: dict[str, Counter[str]] = {}

    def declare(self, amount: AmountText) -> None:
        last = max(amount.number.rfind("."), amount.number.rfind(","))
        if last >= 0:
            self._declared[amount.commodity] = amount.number[last]

    def see(self, amount: AmountText) -> None:
        mark = _clear_mark(amount.number)
        if mark:
            self._seen.setdefault(amount.commodity, Counter())[mark] += 1

    def mark(self, commodity: str) -> str | None:
        if commodity in self._declared:
            return self._declared[commodity]
        marks = self._seen.get(commodity)
        return marks.most_common(1)[0][0] if marks else None

    def value(self, amount: AmountText, file_mark: str | None) -> Decimal:
        mark = file_mark or _clear_mark(amount.number) or self.mark(amount.commodity)
        number = parse_number(amount.number, decimal_mark=mark)
        if number is None:
            raise BadAmount(amount.number)
        number = number.scaleb(amount.exponent) if amount.exponent else number
        return -number if amount.negative else number


def _clear_mark(number: str) -> str | None:
    """Returns the decimal mark of a number that can only be read in one way."""
    last = max(number.rfind("."), number.rfind(","))
    if last < 0:
        return None
    mark = number[last]
    if "." in number and "," in number:
        return mark
    if number.count(mark) > 1:
        return "." if mark == "," else ","
    return mark if len(number) - last - 1 != 3 or last == 0 else None
