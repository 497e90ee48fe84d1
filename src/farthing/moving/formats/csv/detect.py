"""Proposes a layout for a file: encoding, delimiter, header, decimal mark, order of dates, and each column's role."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from io import BytesIO
from itertools import islice
from os import SEEK_END
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from farthing.kernel.errors import Problem

from ...findings import Unreadable
from ...statements import NO_ACCOUNT, BankAccount
from ..text import decode, lines
from .amounts import Marks, find_marks, is_marked
from .cells import account_parser
from .columns import ColumnProfile, count_steps, count_steps_from, numbers_of, profile_columns
from .dates import DateOrder, find_order
from .layout import Column, CsvLayout, check_fields, find_column, find_problems, layout_key
from .roles import Roles, assign_roles
from .sample import Sample, account_in, choose_delimiter, find_footer, find_table
from .table import LINE_CHARS_MAX, NumberedLines
from .words import CARD_HOLDERS, PURCHASE_WORDS, REPAYMENT_WORDS, plain

SAMPLE_CHARS = 192_000
SAMPLE_LINES = 4000
_TAIL_BYTES = 16_384
_ROWS_SHOWN = 10
# The number of bytes that `looks_like` receives from the beginning of a longer file.
_HEAD_BYTES = 65_536
_ROWS_PROFILED = 400
_PAIR = {"debit", "credit"}
POSITIVE = "Nearly all amounts are positive. Are they money spent, as on some credit cards?"


class LayoutQuestion(Struct, frozen=True, kw_only=True):
    """Asks what the file does not reveal. `choices` are the values of `field`, the proposed one first."""

    field: str
    message: str
    choices: tuple[str, ...] = ()


class Detection(Struct, frozen=True, kw_only=True):
    """Holds the detected layout, for the user to check and correct. It cannot be used while there are `problems`.
    `header` holds the names of the columns (empty if there is no header), `rows` the first rows as written, and
    `unused` the columns that have no role and are not imported. `key` recognises the next file of the same kind.
    `seems_spent` is set if most amounts are positive and may be expenses, which only the account's owner can know.
    """

    layout: CsvLayout
    key: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    unused: tuple[Column, ...]
    account: BankAccount = NO_ACCOUNT
    questions: tuple[LayoutQuestion, ...] = ()
    seems_spent: bool = False
    problems: tuple[Problem, ...] = ()


class _Signs(Struct, frozen=True, kw_only=True):
    """Tells how amounts are signed, with a `question` if in doubt. `seem_spent` is set if most amounts are positive."""

    are_inverted: bool = False
    question: str | None = None
    seem_spent: bool = False


class _Guesses(Struct, frozen=True, kw_only=True):
    order: DateOrder
    money: list[str]
    marks: Marks
    are_marks_sure: bool
    signs: _Signs


def detect(file: BinaryIO, mapping: object = None) -> Detection:
    """Detects a layout. `mapping` holds the user's choices as JSON, which are kept and guide all other guesses."""
    chosen, problems = check_fields({} if mapping is None else mapping)
    for column in chosen.get("columns", {}).values():
        if any(isinstance(name, str) for name in (column if isinstance(column, tuple) else (column,))):
            chosen.setdefault("header", True)
    text, encoding = decode(file, chosen.get("encoding"))
    sampled, is_all = _take_sample(lines(text, LINE_CHARS_MAX))
    tail = sampled if is_all else _read_tail(file, encoding)
    sample = find_table(sampled, choose_delimiter(sampled, chosen), chosen)
    columns = profile_columns([cells for _, cells in sample.rows[:_ROWS_PROFILED]], sample.width)
    account = account_in([line for _, line in sampled[: sample.preamble]], sample.delimiter, sample.quote)
    roles = assign_roles(sample.header, columns, account.iban)
    money = _cells(columns, roles, "amount", "debit", "credit") or _cells(columns, roles, "balance")
    marks, are_marks_sure = find_marks(money)
    signs, order = _guess_signs(sample, columns, roles), find_order(_days(sample, roles))
    guesses = _Guesses(order=order, money=money, marks=marks, are_marks_sure=are_marks_sure, signs=signs)
    layout = _propose(sample, roles, encoding, guesses, chosen)
    if "footer" not in chosen:
        layout = msgspec.structs.replace(layout, footer=find_footer(tail, layout, sample))
    return Detection(
        layout=layout,
        key=layout_key(sample.header, sample.width),
        header=tuple(sample.header or ()),
        rows=tuple(tuple(cells) for _, cells in sample.rows[:_ROWS_SHOWN]),
        unused=_unused(layout, sample),
        account=_account_of_rows(layout, sample, is_all=is_all) if "account" in layout.columns else account,
        questions=tuple(_ask(columns, roles, guesses, chosen)),
        seems_spent=guesses.signs.seem_spent,
        problems=(*problems, *find_problems(layout, sample.header, sample.width)),
    )


def _take_sample(numbered: NumberedLines) -> tuple[list[tuple[int, str]], bool]:
    """Returns the first lines, and whether the file has no other lines."""
    taken: list[tuple[int, str]] = []
    size = 0
    for line in islice(numbered, SAMPLE_LINES):
        if size + len(line[1]) > SAMPLE_CHARS and taken:
            return taken, False
        taken.append(line)
        size += len(line[1])
    return taken, next(numbered, None) is None


def _read_tail(file: BinaryIO, encoding: str) -> list[tuple[int, str]]:
    """Returns the lines at the end of the file, except the first one read, which may be incomplete."""
    size = file.seek(0, SEEK_END)
    file.seek(max(0, size - _TAIL_BYTES) // 2 * 2)
    text = file.read(_TAIL_BYTES + 1).decode(encoding, errors="replace")
    return list(enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")))[1:]


def _guess_signs(sample: Sample, columns: Sequence[ColumnProfile], roles: Roles) -> _Signs:
    if sample.header is None and roles.keys() & {"debit", "credit", "balance"} == _PAIR:
        message = "It is not clear which of the two amount columns is money spent. Is it the second one?"
        return _Signs(are_inverted=_pays_back_by_debits(columns, roles), question=message)
    if "amount" not in roles or "sign" in roles:
        return _Signs()
    cells = _cells(columns, roles, "amount")
    positive = sum(not set(cell) & set("-−–(+") for cell in cells)
    seem_spent = positive * 2 > len(cells)
    if "balance" in roles:
        balances = numbers_of(columns[roles["balance"][0]])
        return _Signs(
            are_inverted=_run_against(numbers_of(columns[roles["amount"][0]]), balances),
            seem_spent=seem_spent and not any(balance < 0 for balance in balances if balance),
        )
    are_inverted = seem_spent and _is_inverted_card(sample, columns, roles)
    is_asked = are_inverted or 1 < positive >= 0.75 * len(cells)
    return _Signs(are_inverted=are_inverted, question=POSITIVE if is_asked else None, seem_spent=seem_spent)


def _run_against(amounts: Sequence[Decimal | None], balances: Sequence[Decimal | None]) -> bool:
    """Tells whether the signs of the amounts are inverted, that is, whether a positive amount reduces the balance."""
    turned = [None if amount is None else -amount for amount in amounts]
    counts = (count_steps, count_steps_from)
    with_sign, against = (max(count(numbers, balances) for count in counts) for numbers in (amounts, turned))
    return against > max(with_sign, 1)


def _propose(sample: Sample, roles: Roles, encoding: str, guesses: _Guesses, chosen: Mapping[str, Any]) -> CsvLayout:
    proposal: dict[str, Any] = {
        "columns": {role: _columns(indexes, sample) for role, indexes in roles.items()},
        "encoding": encoding,
        "delimiter": sample.delimiter,
        "quote": sample.quote,
        "decimal": guesses.marks.decimal,
        "thousands": guesses.marks.thousands,
        "date_order": guesses.order.order,
        "header": sample.header is not None,
        "preamble": sample.preamble,
        "invert": guesses.signs.are_inverted,
    }
    layout = CsvLayout(**(proposal | dict(chosen)))
    if "thousands" not in chosen and layout.thousands == layout.decimal:
        layout = msgspec.structs.replace(layout, thousands="." if layout.decimal == "," else ",")
    return layout


def _ask(
    columns: Sequence[ColumnProfile], roles: Roles, guesses: _Guesses, chosen: Mapping[str, Any]
) -> Iterator[LayoutQuestion]:
    order, marks = guesses.order, guesses.marks
    if order.rivals and "date_order" not in chosen:
        first = next(iter(_cells(columns, roles, "date")), "")[:40]
        message = f"In which order are dates such as “{first}” written? All can be read in several ways."
        yield LayoutQuestion(field="date_order", message=message, choices=(order.order, *order.rivals))
    if not guesses.are_marks_sure and "decimal" not in chosen:
        marked = next((cell for cell in guesses.money if "." in cell or "," in cell), "")[:40]
        message = f"Is the mark in “{marked}” a decimal mark or a thousands mark?"
        yield LayoutQuestion(field="decimal", message=message, choices=(marks.decimal, marks.thousands))
    signs = guesses.signs
    if signs.question and "invert" not in chosen:
        choices = ("true", "false") if signs.are_inverted else ("false", "true")
        yield LayoutQuestion(field="invert", message=signs.question, choices=choices)


def _cells(columns: Sequence[ColumnProfile], roles: Roles, *names: str) -> list[str]:
    return [cell for role in names for index in roles.get(role, ()) for cell in columns[index].filled]


def _days(sample: Sample, roles: Roles) -> list[str]:
    """Returns the dates of the whole sample, because the first day above 12, which reveals the order, may come late."""
    indexes = [index for role in ("date", "value_date") for index in roles.get(role, ())]
    days = (cells[index].strip() for _, cells in sample.rows for index in indexes if index < len(cells))
    return [day for day in days if day]


def _is_inverted_card(sample: Sample, columns: Sequence[ColumnProfile], roles: Roles) -> bool:
    """Decides by the header, CR marks and the words in the rows whether a credit card's purchases are positive."""
    marked = [cell for cell in _cells(columns, roles, "amount") if is_marked(cell)]
    # If only credits are marked, the others are debits.
    are_credits = bool(marked) and all(cell.rstrip(" .").upper().endswith("CR") for cell in marked)
    if are_credits or any(plain(name) in CARD_HOLDERS for name in sample.header or ()):
        return True
    amounts = numbers_of(columns[roles["amount"][0]])
    pairs = [(amount, text) for amount, text in zip(amounts, _texts(columns), strict=False) if amount]
    purchases = [amount for amount, text in pairs if set(text.split()) & PURCHASE_WORDS]
    others = [(amount, text) for amount, text in pairs if not set(text.split()) & PURCHASE_WORDS]
    repayments = [amount for amount, text in others if any(word in text for word in REPAYMENT_WORDS)]
    return bool(purchases + repayments) and min(purchases, default=1) > 0 > max(repayments, default=-1)


def _texts(columns: Sequence[ColumnProfile]) -> list[str]:
    return [plain(" ".join(row)) for row in zip(*(column.cells for column in columns if column.is_text), strict=True)]


def _pays_back_by_debits(columns: Sequence[ColumnProfile], roles: Roles) -> bool:
    """Tells whether all payments to a credit card, recognized by words such as “thank you”, are in the column that was
    taken for debits.
    """
    debits = columns[roles["debit"][0]].cells
    thanked = [any(word in text for word in REPAYMENT_WORDS) for text in _texts(columns)]
    are_debits = [bool(debit) for debit, is_thanked in zip(debits, thanked, strict=False) if is_thanked]
    return bool(are_debits) and all(are_debits)


def _columns(indexes: Sequence[int], sample: Sample) -> Column | tuple[Column, ...]:
    """Refers to a column by name if no other column has that name, otherwise by number."""
    names = [plain(cell) for cell in sample.header or ()]
    named: list[Column] = [
        sample.header[index].strip()
        if sample.header and index < len(names) and names[index] and names.count(names[index]) == 1
        else index
        for index in indexes
    ]
    return tuple(named) if len(named) > 1 else named[0]


def _account_of_rows(layout: CsvLayout, sample: Sample, *, is_all: bool) -> BankAccount:
    at = [find_column(column, sample.header, sample.width) for column in layout.of("account")]
    indexes = [index for index in at if index is not None]
    names = {cells[index].strip() for index in indexes for _, cells in sample.rows if index < len(cells)} - {""}
    return (account_parser()(names.pop()) if is_all and len(names) == 1 else None) or NO_ACCOUNT


def _unused(layout: CsvLayout, sample: Sample) -> tuple[Column, ...]:
    used = {column for role in layout.columns for column in layout.of(role)}
    every = [_columns([index], sample) for index in range(sample.width)]
    filled = {index for _, cells in sample.rows for index, cell in enumerate(cells) if cell.strip()}
    return tuple(
        column
        for index, column in enumerate(every)
        if not isinstance(column, tuple) and column not in used and index not in used and index in filled
    )


def looks_like(head: bytes, filename: str) -> bool:  # noqa: ARG001 - every reader is asked in the same way
    """Tells whether these bytes begin a table with dates and amounts. Other programs' readers must be tried first."""
    if head.lstrip(b"\xef\xbb\xbf\r\n\t ")[:1] in (b"{", b"[", b"<"):
        return False
    try:
        detection = detect(BytesIO(_whole_lines(head)))
    except Unreadable:
        return False
    lines = sum(bool(line.strip()) for line in head.splitlines())
    return not detection.problems and (detection.layout.header or len(detection.rows) * 2 > min(lines, _ROWS_SHOWN))


def _whole_lines(head: bytes) -> bytes:
    """Drops the last line, which may be cut off. In UTF-16, drops only an incomplete character."""
    if head.count(0) > len(head) // 5:
        return head[: len(head) // 2 * 2]
    end = head.rfind(b"\n")
    return head[: end + 1] if len(head) >= _HEAD_BYTES and end > 0 else head
