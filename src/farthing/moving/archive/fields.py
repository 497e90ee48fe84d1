"""Defines what the lines of an archive consist of: fields, and lists of parts, for each kind of object."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct

from farthing.books.rules.names import SPELLINGS
from farthing.kernel.limits import NAME_MAX, NOTES_MAX


class FieldType(StrEnum):
    ID = "the id of this object"
    TEXT = "text"
    FLAG = "true or false"
    DAY = "a day, YYYY-MM-DD"
    MOMENT = "a moment, such as 2026-01-31T12:00:00+00:00"
    WHOLE = "a whole number"
    NUMBER = "a decimal number as text"
    CURRENCY = "the code of a currency"
    AMOUNT = "an amount as decimal text, in the currency that the line names"
    REFERENCE = "the id of another object"
    CHOICE = "one of a few words"
    WORDS = "a list of texts"
    VALUE = "a value of a preference"
    HASH = "a hash in lower-case hex"
    DATA = "a JSON object or list"


class ArchiveField(Struct, frozen=True, kw_only=True):
    """Describes one field of a line. `column` is set if the column in the table is named differently from the field.
    `read` is set if the value is read by an SQL expression instead of the plain column. If only `read` is set, the
    field is written to archives, but not stored when an archive is loaded. `most` limits the length of a text or the
    size of a number. `to` is the kind of object that a reference refers to. `words` maps the words of a choice to the
    values that are stored. `currency` is the name of the field with the currency of an amount.
    """

    name: str
    type: FieldType
    column: str = ""
    read: str = ""
    optional: bool = False
    # The value that is stored if the field is omitted.
    usual: int | None = None
    least: int = 0
    most: int = 0
    to: str = ""
    words: Mapping[str, object] = {}
    currency: str = "currency"

    @property
    def stored_as(self) -> str:
        return self.column or self.name

    @property
    def is_stored(self) -> bool:
        return not self.read or bool(self.column)


class ArchivePart(Struct, frozen=True, kw_only=True):
    """Describes a list inside a line. Its items are rows of a separate table, sorted by the column `order`."""

    name: str
    table: str
    parent: str
    order: str
    fields: tuple[ArchiveField, ...]
    most: int
    least: int = 0
    # The number of the first item.
    first: int = 0


class ArchiveKind(Struct, frozen=True, kw_only=True):
    """Describes the lines of one kind of object. `name` is the name of the file, and of the table unless `stored_in`
    is set. `source` is the FROM clause; if it is empty, the rows are read from this table alone, with the alias `t`.
    """

    name: str
    fields: tuple[ArchiveField, ...]
    stored_in: str = ""
    parts: tuple[ArchivePart, ...] = ()
    source: str = ""
    where: str = "t.user_id = :user_id"
    # Fields whose values must be unique among all lines. The case of names and titles is ignored.
    unique: tuple[str, ...] = ()
    lines_max: int = 200_000
    # True if lines may be so long that they are handled one at a time.
    is_large: bool = False

    @property
    def table(self) -> str:
        return self.stored_in or self.name

    @property
    def file(self) -> str:
        return f"{self.name}.jsonl"


def texts(*names: str, most: int, optional: bool = False) -> tuple[ArchiveField, ...]:
    least = 0 if optional else 1
    return tuple(
        ArchiveField(name=name, type=FieldType.TEXT, most=most, least=least, optional=optional) for name in names
    )


def flags(*names: str) -> tuple[ArchiveField, ...]:
    return tuple(ArchiveField(name=name, type=FieldType.FLAG) for name in names)


def day(name: str, column: str = "", *, optional: bool = False) -> ArchiveField:
    return ArchiveField(name=name, type=FieldType.DAY, column=column, optional=optional)


def whole(name: str, *, most: int, least: int = 0, optional: bool = False, column: str = "") -> ArchiveField:
    return ArchiveField(name=name, type=FieldType.WHOLE, least=least, most=most, optional=optional, column=column)


def choice(name: str, words: Mapping[str, object] | Sequence[str], *, optional: bool = False) -> ArchiveField:
    meant = words if isinstance(words, Mapping) else {str(word): str(word) for word in words}
    return ArchiveField(name=name, type=FieldType.CHOICE, words=meant, optional=optional)


def moment(name: str, *, optional: bool = False) -> ArchiveField:
    return ArchiveField(name=name, type=FieldType.MOMENT, optional=optional)


def number(name: str, *, optional: bool = False) -> ArchiveField:
    return ArchiveField(name=name, type=FieldType.NUMBER, optional=optional)


def data(name: str, *, optional: bool = False) -> ArchiveField:
    return ArchiveField(name=name, type=FieldType.DATA, optional=optional)


def currency(name: str = "currency", column: str = "currency_id", *, optional: bool = False) -> ArchiveField:
    return ArchiveField(name=name, type=FieldType.CURRENCY, column=column, optional=optional)


def amount(
    name: str, column: str, *, least: int = 1, optional: bool = False, currency: str = "currency"
) -> ArchiveField:
    return ArchiveField(
        name=name, type=FieldType.AMOUNT, column=column, least=least, optional=optional, currency=currency
    )


def reference(name: str, to: str, column: str = "", *, read: str = "", optional: bool = False) -> ArchiveField:
    return ArchiveField(name=name, type=FieldType.REFERENCE, to=to, column=column or name, read=read, optional=optional)


# Fields that several kinds of lines share, or that belong together.
ID = ArchiveField(name="id", type=FieldType.ID)
STAMPS = (moment("created_at"), moment("updated_at"))
NAME = texts("name", most=NAME_MAX)
TITLE = texts("title", most=NAME_MAX)
DESCRIPTION = texts("description", most=NOTES_MAX, optional=True)
POSITION = ArchiveField(name="position", type=FieldType.WHOLE, most=2**31, optional=True, usual=0)
NOTES = texts("notes", most=NOTES_MAX, optional=True)
PERIOD = (day("start", "start_on"), day("end", "end_on"))
SPLIT = (
    amount("amount", "units"),
    currency(),
    amount("foreign_amount", "foreign_units", optional=True, currency="foreign_currency"),
    currency("foreign_currency", "foreign_currency_id", optional=True),
    reference("source_id", "accounts"),
    reference("destination_id", "accounts"),
    reference("category_id", "categories", optional=True),
    reference("budget_id", "budgets", optional=True),
)
# Archives of the first versions have no refunds.
MARKS = (*flags("reconciled"), ArchiveField(name="refund", type=FieldType.FLAG, optional=True, usual=0))
# Archives of the first versions have none of these.
RULE_MANUAL, _PROHIBITED, _ACTIVE = (
    ArchiveField(name=name, type=FieldType.FLAG, optional=True, usual=usual)
    for name, usual in {"manual": 0, "prohibited": 0, "active": 1}.items()
)
_RULE_PART = (*NAME, *texts("value", most=NOTES_MAX, optional=True), *flags("stop_processing"), _ACTIVE, *STAMPS)
RULE_PARTS = (
    ("triggers", "rule_triggers", (*_RULE_PART, _PROHIBITED, choice("spelling", SPELLINGS, optional=True))),
    ("actions", "rule_actions", _RULE_PART),
)
OTHER_DATES = tuple(
    day(f"{name}_date", f"{name}_on", optional=True)
    for name in ("interest", "book", "process", "due", "payment", "invoice")
)


GROUP = reference("object_group_id", "object_groups", optional=True)
ANY = -(2**63)  # allows amounts below zero


def stamped(name: str, *fields: ArchiveField, **details: Any) -> ArchiveKind:
    """Describes the lines of objects that have an id, and the times when they were created and changed."""
    return ArchiveKind(name=name, fields=(ID, *fields, *STAMPS), **details)
