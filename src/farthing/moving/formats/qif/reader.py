"""Reads the sections of a QIF file: accounts and their transactions. Other lists are skipped."""

import io
import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from typing import BinaryIO, NoReturn

from msgspec import Struct

from ... import statements
from ...findings import Finding, Unreadable
from .. import text as texts
from ..values import clean, join, leave_out, parse_decimal, quote, reject
from .habits import Habits, HabitsFinder, read_amount, read_day

_REGISTERS = {"bank", "cash", "ccard", "oth a", "oth l"}
_LISTS = {"cat": "categories", "class": "classes", "memorized": "memorized transactions", "security": "securities"}
_LISTS |= {"prices": "prices", "tag": "tags", "bill": "bills", "budget": "budgets", "tax": "tax items"}
_INVESTMENTS = {"invst", "port"}
# A record has a dozen fields and a few for each split.
FIELDS_MAX = 5000
RECORD_CHARS_MAX = 1_000_000
_SPLIT_MARKS = ("--split--", "|split|", "<--split-->")
# How Quicken marks reconciled rows.
_RECONCILED = {"x", "r"}
_READ = set("DTUMCNPALSE$%")
# What programs in various languages call the opening balance.
_OPENING_WORDS = ("opening balance", "solde initial", "anfangssaldo", "eröffnungssaldo", "saldo inicial")
_TAIL_BYTES = 4
_MONEY = re.compile(r"[.,]\d\d$")
_HEADER_STARTS = (b"!type:", b"!account", b"!option:", b"!clear:")
_COMMENT_STARTS = (b"#", b";", b"//", b"%", b"--")
# The most lines that may be above the first header.
COMMENTS_MAX = 100


def looks_like(head: bytes, filename: str) -> bool:
    """Recognizes a QIF file by its first header line. Comments may come before it."""
    lines = (line.strip() for line in head.replace(b"\0", b"").lstrip(b"\xef\xbb\xff\xfe\xbf").lower().splitlines())
    filled = islice((line for line in lines if line), COMMENTS_MAX)
    if filename.lower().endswith(".qif"):
        return any(line.startswith(_HEADER_STARTS) for line in filled)
    first = next((line for line in filled if not line.startswith(_COMMENT_STARTS)), b"")
    return first.startswith(_HEADER_STARTS)


def read(file: BinaryIO, encoding: str | None = None, *, date_order: str | None = None) -> statements.StatementParts:
    """Reads the statements. `date_order` is mdy, dmy or ymd; if omitted, it is detected."""
    text, name = texts.decode(file, encoding)
    habits = HabitsFinder(_find_fields(texts.lines(text))).decide(date_order)
    yield from habits.findings
    text, _ = texts.decode(file, name)
    reader = QifReader(habits)
    for number, line in texts.lines(text):
        yield from reader.take(number, line)
    yield from reader.finish(ends_with_line=_ends_with_line(file))


def _ends_with_line(file: BinaryIO) -> bool:
    """Tells whether the text ends with a line end in any encoding, or with the end-of-file mark of DOS."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _TAIL_BYTES))
    return file.read().replace(b"\0", b"").endswith((b"\n", b"\r", b"\x1a"))


class QifRecord(Struct):
    """Holds a record's fields in their order, as pairs of letter and value. A letter may occur several times."""

    row: int = 0
    fields: list[tuple[str, str]] = []

    def get(self, letter: str) -> str | None:
        return next((value for of, value in self.fields if of == letter), None)


class _Split(Struct):
    category: str
    memo: str | None = None
    amount: str | None = None
    percent: str | None = None


class _Section(Struct):
    name: str = ""
    is_register: bool = False


def _parse_header(line: str) -> _Section:
    kind = line.strip().lower().removeprefix("!type:").strip()
    return _Section(name=kind, is_register=line.lower().startswith("!type:") and kind in _REGISTERS)


def _find_fields(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    """Yields only the fields of transactions, because other lists use the same letters with other meanings."""
    section, fields, chars = _Section(), 0, 0
    for number, line in lines:
        if line.startswith("!"):
            section = _parse_header(line)
        elif section.is_register and line:
            yield line[0], line[1:]
        fields, chars = (0, 0) if line.startswith(("!", "^")) else (fields + 1, chars + len(line))
        if fields > FIELDS_MAX or chars > RECORD_CHARS_MAX:
            limits = f"{FIELDS_MAX} fields or {RECORD_CHARS_MAX} characters"
            raise Unreadable(f"The record that ends in line {number} or later has more than {limits}.")


class QifReader:
    def __init__(self, habits: Habits) -> None:
        self.habits = habits
        self.section = _Section()
        self.record = QifRecord()
        self.account = statements.BankAccount()
        self.is_open = self.has_begun = self.has_header = False
        self.comments: list[str] = []
        self.skipped: dict[str, int] = {}

    def take(self, number: int, line: str) -> Iterator[statements.StatementPart]:
        stripped = line.strip()
        if not stripped:
            return
        if stripped.startswith("!"):
            if self.record.fields:
                message = "The record before this line does not end with ^; it is read as it is."
                yield Finding(row=number, message=message)
                yield from self._end_record()
            yield from self._open_section(number, stripped)
        elif not self.has_header:
            self.comments.append(stripped)
            if len(self.comments) > COMMENTS_MAX:
                self._refuse()
        elif stripped.startswith("^"):
            yield from self._end_record()
        else:
            letter, value = line.lstrip()[0], line.lstrip()[1:]
            if not self.record.fields:
                self.record.row = number
            if self.section.is_register or self.section.name == "!account":
                self.record.fields.append((letter, value.strip()))
            else:  # skipped records are only counted, so their last field is enough
                self.record.fields = [(letter, value)]

    def _refuse(self) -> NoReturn:
        begins = f"it begins with {quote(self.comments[0])} instead of a" if self.comments else "it has no"
        raise Unreadable(f"This is not a QIF file: {begins} line like !Type:Bank.")

    def _open_section(self, number: int, line: str) -> Iterator[statements.StatementPart]:
        self.has_header = True
        lower = line.lower()
        if lower.startswith("!clear:autoswitch"):
            self.account = statements.BankAccount()
        elif lower.startswith(("!type:", "!account")):
            yield from self._close()
            self.section = _parse_header(lower)
            if self.section.is_register:
                self.is_open, self.has_begun = True, False
            elif self.section.name != "!account" and self.section.name not in (*_LISTS, *_INVESTMENTS):
                yield Finding(row=number, message=f"The section {quote(line)} is not known. It is skipped.")
        elif not lower.startswith(("!option:", "!clear:")):
            yield from self._close()
            self.section = _Section(name=lower)
            yield Finding(row=number, message=f"The line {quote(line)} is not known. It is skipped.")

    def _end_record(self) -> Iterator[statements.StatementPart]:
        record, self.record = self.record, QifRecord()
        if not record.fields:
            return
        if self.section.name == "!account":
            self.account = statements.BankAccount(name=clean(record.get("N")))
        elif not self.section.is_register:
            self.skipped[self.section.name] = self.skipped.get(self.section.name, 0) + 1
        else:
            opening = None if self.has_begun else self._find_opening(record)
            yield from self._begin(opening)
            if opening is None:
                yield from read_row(record, self.habits)
            else:
                day = f" on {opening.on.isoformat()}" if opening.on else ""
                what = f"The opening balance {opening.amount:f}{day}"
                yield Finding(row=record.row, message=f"{what} is not read as a row; it belongs to the account.")

    def _may_be_cut(self) -> bool:
        """Tells whether the last field may be an incomplete date or amount; incomplete texts do not matter."""
        letter, value = self.record.fields[-1]
        return letter == "D" or (letter in "TU$" and not _MONEY.search(value))

    def _find_opening(self, record: QifRecord) -> statements.BalanceOn | None:
        """Returns the record as an opening balance if it is one: a transfer to the account itself or, if the account
        has no name, a transfer whose payee is a word for an opening balance.
        """
        account = read_category(record.get("L"))[1]
        says_so = (record.get("P") or "").lower().startswith(_OPENING_WORDS)
        if account is None or not (account == self.account.name or (says_so and self.account.name is None)):
            return None
        amount = read_amount(record.get("T") or record.get("U") or "", self.habits.decimal_mark)
        on = read_day(record.get("D") or "", self.habits.date_order)
        return None if amount is None or on is None else statements.BalanceOn(amount=amount, on=on)

    def _begin(self, opening: statements.BalanceOn | None = None) -> Iterator[statements.StatementPart]:
        if not self.has_begun:
            self.has_begun = True
            yield statements.StatementStart(account=self.account, opening=opening)

    def _close(self) -> Iterator[statements.StatementPart]:
        if self.is_open:
            yield from self._begin()
            yield statements.StatementEnd()
        self.is_open = False

    def finish(self, *, ends_with_line: bool) -> Iterator[statements.StatementPart]:
        """Ends the last record, after which some programs write no ^."""
        if self.record.fields and self.section.is_register:
            row = self.record.row
            if ends_with_line or not self._may_be_cut():
                yield Finding(row=row, message="The last record does not end with ^; it is read as it is.")
                yield from self._end_record()
            else:
                self.record = QifRecord()
                message = "The file ends inside this record, without ^. Is it complete?"
                yield Finding(row=row, message=message, rejects=True)
        yield from self._close()
        if not self.has_header:
            self._refuse()
        for name, count in self.skipped.items():
            what = _LISTS.get(name) or ("investment transactions" if name in _INVESTMENTS else quote(name))
            yield Finding(message=f"The list of {what} ({count}) is not imported.")


def read_row(record: QifRecord, habits: Habits) -> Iterator[statements.StatementPart]:
    on = read_day(record.get("D") or "", habits.date_order)
    written = record.get("T") or record.get("U") or ""
    amount = read_amount(written, habits.decimal_mark)
    if on is None:
        order = {"mdy": "12/31/2024", "dmy": "31/12/2024", "ymd": "2024-12-31"}[habits.date_order]
        yield reject(record.row, "D", record.get("D") or "", f"it should be a day such as {order}")
        return
    if amount is None:
        yield reject(record.row, "T", written, "it should be an amount such as -12.50")
        return
    splits, problem = _read_splits(record, amount, habits)
    if problem:
        yield Finding(row=record.row, field="$", message=problem, rejects=not amount)
    if not amount and not problem:
        yield _tell_zero(record, has_splits=bool(splits))
    if not amount:
        return
    category, account, tags = read_category(record.get("L"))
    yield statements.StatementRow(
        row=record.row,
        on=on,
        amount=amount,
        description=join((clean(record.get("P")), clean(record.get("M"))), " – ") or category or "",
        payee=clean(record.get("P")),
        category=None if splits else category,
        transfer_account=None if splits else account,
        tags=tags,
        reference=clean(record.get("N")),
        reconciled=(record.get("C") or "").strip().lower() in _RECONCILED,
        splits=splits,
        notes=_note(record, has_problem=bool(problem)),
    )


def _tell_zero(record: QifRecord, *, has_splits: bool) -> Finding:
    what = quote(join((record.get("P"), record.get("M"))) or "this record")
    if has_splits:
        message = f"The splits of {what} cancel each other out; a row needs an amount."
        return Finding(row=record.row, field="T", message=message, rejects=True)
    return leave_out(record.row, f"The amount of {what} is zero.")


def read_category(text: str | None) -> tuple[str | None, str | None, tuple[str, ...]]:
    """Splits `Category:Sub/Class` or `[Account]/Class` into category, account and classes."""
    text = (text or "").strip()
    if text.lower() in _SPLIT_MARKS:
        return None, None, ()
    if text.startswith("["):
        account, _, rest = text[1:].partition("]")
        return None, clean(account), _read_classes(rest.lstrip("/"))
    category, _, classes = text.partition("/")
    return clean(category), None, _read_classes(classes)


def _read_classes(text: str) -> tuple[str, ...]:
    return tuple(tag for part in text.split("/") if (tag := clean(part)))


def _read_splits(
    record: QifRecord, amount: Decimal, habits: Habits
) -> tuple[tuple[statements.StatementSplit, ...], str | None]:
    """Reads splits that add up to the amount, or returns a sentence that explains why there are none."""
    splits = _collect_splits(record)
    amounts = [_split_amount(split, amount, habits) for split in splits]
    amounts_read = [part_amount for part_amount in amounts if part_amount is not None]
    if len(amounts_read) < len(splits):
        return (), "Not every split has an amount; the row is read without splits, and its notes list them."
    if splits and sum(amounts_read) != amount:
        sums = f"The splits add up to {sum(amounts_read):f}, not to {amount:f}"
        return (), f"{sums}; the row is read without splits, and its notes list them."
    return tuple(_make_split(split, part) for split, part in zip(splits, amounts_read, strict=True) if part), None


def _collect_splits(record: QifRecord) -> list[_Split]:
    splits: list[_Split] = []
    for letter, value in record.fields:
        if letter == "S":
            splits.append(_Split(category=value))
        elif not splits:
            continue
        elif letter == "E":
            splits[-1].memo = join((splits[-1].memo, value))
        elif letter == "$":
            splits[-1].amount = value
        elif letter == "%":
            splits[-1].percent = value
    return splits


def _split_amount(split: _Split, amount: Decimal, habits: Habits) -> Decimal | None:
    if split.amount is not None:
        return read_amount(split.amount, habits.decimal_mark)
    percent = parse_decimal((split.percent or "").rstrip("% "), habits.decimal_mark or ".")
    return None if percent is None else amount * percent / 100


def _make_split(split: _Split, amount: Decimal) -> statements.StatementSplit:
    category, account, tags = read_category(split.category)
    memo = clean(split.memo)
    return statements.StatementSplit(
        amount=amount, description=memo, category=category, transfer_account=account, tags=tags
    )


def _note(record: QifRecord, *, has_problem: bool) -> str | None:
    address = join((clean(value) for letter, value in record.fields if letter == "A"), "\n")
    lines = [f"{letter}: {value}" for letter, value in record.fields if letter not in _READ and value]
    if has_problem or any(letter == "$" and not value.strip("-+0.,") for letter, value in record.fields):
        lines += [f"{letter}: {value}" for letter, value in record.fields if letter in "SE$%"]
    return "\n".join(filter(None, (address, *lines))) or None
