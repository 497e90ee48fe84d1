"""Makes a row of one QIF record, with its splits."""

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...findings import Finding
from ...statements import StatementPart, StatementRow, StatementSplit
from ..values import clean, join, leave_out, parse_decimal, quote, reject
from .habits import Habits, read_amount, read_day

_SPLIT_MARKS = ("--split--", "|split|", "<--split-->")
# How Quicken marks rows that were compared with a statement.
_RECONCILED = {"x", "r"}
_READ = set("DTUMCNPALSE$%")


class QifRecord(Struct):
    """Fields in their order, by letter; some occur several times."""

    row: int = 0
    fields: list[tuple[str, str]] = []

    def get(self, letter: str) -> str | None:
        return next((value for of, value in self.fields if of == letter), None)


class _Split(Struct):
    category: str
    memo: str | None = None
    amount: str | None = None
    percent: str | None = None


def read_row(record: QifRecord, habits: Habits) -> Iterator[StatementPart]:
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
    yield StatementRow(
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
    """`Category:Sub/Class` or `[Account]/Class`: the category, the account, the classes."""
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


def _read_splits(record: QifRecord, amount: Decimal, habits: Habits) -> tuple[tuple[StatementSplit, ...], str | None]:
    """Reads splits that add up to the amount, or returns a sentence that explains why there are none."""
    splits = _collect_splits(record)
    amounts = [_split_amount(split, amount, habits) for split in splits]
    amounts_read = [part_amount for part_amount in amounts if part_amount is not None]
    if len(amounts_read) < len(splits):
        return (), "Not every split has an amount; the row is read without its splits, which are in its notes."
    if splits and sum(amounts_read) != amount:
        return (), (
            f"The splits add up to {sum(amounts_read):f} and not to {amount:f}; the row is read without them, "
            "they are in its notes."
        )
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


def _make_split(split: _Split, amount: Decimal) -> StatementSplit:
    category, account, tags = read_category(split.category)
    return StatementSplit(
        amount=amount, description=clean(split.memo), category=category, transfer_account=account, tags=tags
    )


def _note(record: QifRecord, *, has_problem: bool) -> str | None:
    address = join((clean(value) for letter, value in record.fields if letter == "A"), "\n")
    lines = [f"{letter}: {value}" for letter, value in record.fields if letter not in _READ and value]
    if has_problem or any(letter == "$" and not value.strip("-+0.,") for letter, value in record.fields):
        lines += [f"{letter}: {value}" for letter, value in record.fields if letter in "SE$%"]
    return "\n".join(filter(None, (address, *lines))) or None
