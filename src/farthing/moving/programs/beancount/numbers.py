"""Parses the numbers and amounts of Beancount: arithmetic, currencies, costs and prices."""

from decimal import Context, Decimal, InvalidOperation, localcontext

from msgspec import Struct

from ..common.text import DIGITS_MAX, parse_iso_date

EXPRESSION_LETTERS_MAX = 200
_DEPTH_MAX = 20
_CONTEXT = Context(prec=28)


class BadNumber(ValueError):
    pass


class BeancountAmount(Struct, frozen=True):
    number: Decimal
    currency: str


class Cost(Struct, frozen=True, kw_only=True):
    """Describes a cost. `number` is None for `{}`, which fits lots of any cost."""

    number: Decimal | None
    currency: str
    is_total: bool = False
    fee: Decimal = Decimal(0)


class PostingAmount(Struct, frozen=True, kw_only=True):
    """Holds an amount. `number` is None if the file omits it; `currency` may still be named."""

    number: Decimal | None = None
    currency: str = ""
    cost: Cost | None = None
    price: BeancountAmount | None = None
    price_is_total: bool = False


def is_currency(word: str) -> bool:
    return bool(word) and len(word) <= 24 and word[0].isalpha() and word[0].isupper() and word.isascii()


def parse_posting_amount(text: str) -> PostingAmount:
    text = text.strip()
    head, cost, price = text, None, ""
    if "@" in head:
        head, _, price = head.partition("@")
    if "{" in head:
        start, end = head.index("{"), head.rfind("}")
        if end < start:
            raise BadNumber(text)
        cost = _cost(head[start : end + 1])
        head = head[:start]
    number, currency = _maybe_amount(head.strip())
    is_total, price = price.startswith("@"), price.lstrip("@").strip()
    paid = parse_amount(price) if price else None
    return PostingAmount(number=number, currency=currency, cost=cost, price=paid, price_is_total=is_total)


def parse_amount(text: str) -> BeancountAmount:
    number, currency = _maybe_amount(text.strip())
    if number is None or not currency:
        raise BadNumber(text)
    return BeancountAmount(number, currency)


def _maybe_amount(text: str) -> tuple[Decimal | None, str]:
    if not text:
        return None, ""
    body, _, last = text.rpartition(" ")
    if not is_currency(last):
        # 10USD and -5USD are written without a space.
        cut = next((index for index, letter in enumerate(text) if letter.isalpha()), len(text))
        body, last = text[:cut], text[cut:].strip()
    if not is_currency(last):
        raise BadNumber(text)
    return (evaluate(body) if body.strip() else None), last


def _cost(text: str) -> Cost:
    is_total = text.startswith("{{")
    inner = text.strip("{}").strip()
    number, currency, fee = None, "", Decimal(0)
    for part in inner.split(","):
        part = part.strip()
        if not part or part == "*" or part.startswith('"') or parse_iso_date(part):
            continue
        if "#" in part:
            unit, _, total = part.partition("#")
            amount = parse_amount(total)
            number, currency, fee = (evaluate(unit) if unit.strip() else Decimal(0)), amount.currency, amount.number
        else:
            number, currency = _maybe_amount(part)
    return Cost(number=number, currency=currency, is_total=is_total, fee=fee)


def evaluate(text: str) -> Decimal:
    """Evaluates an expression of numbers, + - * / and parentheses, as Beancount does."""
    text = text.replace(",", "").replace(" ", "")
    if not text or len(text) > EXPRESSION_LETTERS_MAX:
        raise BadNumber(text)
    with localcontext(_CONTEXT):
        try:
            number, rest = _sum(text, 0)
        except (InvalidOperation, ArithmeticError) as error:
            raise BadNumber(text) from error
    if rest or len(number.as_tuple().digits) > DIGITS_MAX or not number.is_finite() or abs(number.adjusted()) > 30:
        raise BadNumber(text)
    return number


def _sum(text: str, depth: int) -> tuple[Decimal, str]:
    if depth > _DEPTH_MAX:
        raise BadNumber(text)
    number, rest = _product(text, depth)
    while rest[:1] in ("+", "-"):
        sign, (other, after) = rest[0], _product(rest[1:], depth)
        number, rest = (number + other if sign == "+" else number - other), after
    return number, rest


def _product(text: str, depth: int) -> tuple[Decimal, str]:
    number, rest = _factor(text, depth)
    while rest[:1] in ("*", "/"):
        sign, (other, after) = rest[0], _factor(rest[1:], depth)
        number, rest = (number * other if sign == "*" else number / other), after
    return number, rest


def _factor(text: str, depth: int) -> tuple[Decimal, str]:
    if text[:1] in ("+", "-"):
        number, rest = _factor(text[1:], depth + 1) if depth < _DEPTH_MAX else (Decimal(0), "?")
        return (-number if text[0] == "-" else number), rest
    if text[:1] == "(":
        number, rest = _sum(text[1:], depth + 1)
        if rest[:1] != ")":
            raise BadNumber(text)
        return number, rest[1:]
    end = 0
    while end < len(text) and text[end] in "0123456789.":
        end += 1
    return Decimal(text[:end]), text[end:]
