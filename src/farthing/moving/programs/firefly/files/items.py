"""Represents the objects of Firefly III, from its API or its CSV export. Values of a wrong type become findings."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from decimal import Decimal
from typing import Any, Protocol

from msgspec import Struct

from farthing.kernel.limits import ZOOM_MAX

from ....findings import Finding, shorten

FINDINGS_MAX = 5_000
EXAMPLES_MAX = 5
# Matches in linear time, and only numbers that are cheap to calculate with.
_NUMBER = re.compile(r"[+-]?[0-9]{1,30}(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,2})?")
_DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ].{0,40})?")
_FLAGS = {"1": True, "true": True, "0": False, "false": False, "": False}
# The names of objects in findings, unless they are the list's name without the final s.
_NOUNS = {"budget-limits-of": "budget limit", "categories": "category", "currencies": "currency"}
_NOUNS |= {"transaction-links": "link"}


class Remarks:
    def __init__(self) -> None:
        self._findings: list[Finding] = []
        self._dropped = 0
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, list[str]] = {}

    def add(self, message: str, *, row: int | None = None, field: str | None = None, rejects: bool = False) -> None:
        if len(self._findings) >= FINDINGS_MAX:
            self._dropped += 1
            return
        self._findings.append(Finding(message=message, row=row, field=field, rejects=rejects))

    def count(self, topic: str, example: str) -> None:
        """Counts similar remarks, which become one finding with their number and a few examples."""
        self._counts[topic] += 1
        examples = self._examples.setdefault(topic, [])
        if len(examples) < EXAMPLES_MAX:
            examples.append(shorten(example))

    def findings(self) -> tuple[Finding, ...]:
        return (*self._findings, *self._summaries())

    def _summaries(self) -> Iterator[Finding]:
        for topic, many in self._counts.items():
            examples = "; ".join(self._examples[topic])
            more = f"; and {many - EXAMPLES_MAX} more" if many > EXAMPLES_MAX else ""
            yield Finding(message=f"{topic} ({many}: {examples}{more})")
        if self._dropped:
            yield Finding(message=f"There are {self._dropped} more findings than can be listed.", rejects=True)


class SourceItem:
    """Holds an object, named `what` in findings. `row` is its line in a CSV file, or its number in the API's list."""

    def __init__(self, values: Mapping[str, Any], *, what: str, remarks: Remarks, row: int, key: str = "") -> None:
        self.values, self.what, self.remarks, self.row, self.id = values, what, remarks, row, key

    @property
    def order(self) -> tuple[int, int]:
        order = str(self.values.get("order") or "")
        return (int(order) if order.isdecimal() and len(order) < 10 else 0, self.row)

    def quiet(self) -> "SourceItem":
        """Returns a copy of the object that does not report wrong values."""
        return SourceItem(self.values, what=self.what, remarks=Remarks(), row=self.row, key=self.id)

    def text(self, name: str) -> str | None:
        value = self.values.get(name)
        if value is None or value == "" or isinstance(value, bool):
            return None
        if isinstance(value, str):
            return value.replace("\x00", "").strip() or None
        if isinstance(value, int | Decimal):
            return str(value)
        self._complain(name, value, "a text")
        return None

    def amount(self, name: str) -> Decimal | None:
        """Reads the exact number without trailing zeros: Firefly III writes 12 decimals whatever the currency."""
        text = self.text(name)
        if text is None:
            return None
        if _NUMBER.fullmatch(text):
            plain = format(Decimal(text), "f")
            return Decimal(plain.rstrip("0").rstrip(".") if "." in plain else plain)
        self._complain(name, text, "a number like 1234.56")
        return None

    def day(self, name: str) -> date | None:
        """Returns the date as Firefly III shows it. Time and time zone are ignored."""
        text = self.text(name)
        if text is None:
            return None
        with suppress(ValueError):
            if matched := _DAY.fullmatch(text):
                return date.fromisoformat(matched[1])
        self._complain(name, text, "a date like 2026-11-30")
        return None

    def flag(self, name: str, *, default: bool) -> bool:
        value = self.values.get(name)
        if value is None:
            return default
        flag = _FLAGS.get(str(value).strip().lower()) if isinstance(value, str | int) else None
        if flag is None:
            self._complain(name, value, "true or false")
            return default
        return flag

    def whole(self, name: str, *, default: int, most: int) -> int:
        number = self.amount(name)
        if number is None:
            return default
        if number != number.to_integral_value() or not 0 <= number <= most:
            self._complain(name, number, f"a whole number from 0 to {most}")
            return default
        return int(number)

    def texts(self, name: str) -> tuple[str, ...]:
        texts = (str(text) for text in self._list(name, "a list of texts") if isinstance(text, str | int))
        cleaned = (text.replace("\x00", "").strip() for text in texts)
        return tuple(dict.fromkeys(text for text in cleaned if text))

    def parts(self, name: str) -> Iterator["SourceItem"]:
        for values in self._list(name, "a list of objects"):
            if isinstance(values, dict):
                yield SourceItem(values, what=f"{self.what}, {name}", remarks=self.remarks, row=self.row)
            else:
                self._complain(name, values, "an object")

    def _list(self, name: str, right: str) -> Iterable[object]:
        value = self.values.get(name)
        if value is not None and not isinstance(value, list | tuple):
            self._complain(name, value, right)
            return ()
        return value or ()

    def group_line(self) -> Iterator[str]:
        if group := self.text("object_group_title"):
            yield f"Group: {group}"

    def place(self) -> dict[str, Any]:
        """Reads the location of the object. Returns nothing if the coordinates are invalid."""
        latitude, longitude = self.amount("latitude"), self.amount("longitude")
        if latitude is None or longitude is None or abs(latitude) > 90 or abs(longitude) > 180:
            return {}
        zoom_level = self.whole("zoom_level", default=0, most=ZOOM_MAX) or None
        return {"latitude": latitude, "longitude": longitude, "zoom_level": zoom_level}

    def location(self) -> Iterator[str]:
        latitude, longitude = self.text("latitude"), self.text("longitude")
        if latitude and longitude:
            zoom = self.text("zoom_level")
            yield f"Location: {latitude}, {longitude}" + (f" (zoom {zoom})" if zoom else "")

    def reject(self, missing: str) -> None:
        self.tell(f"cannot be imported: {missing} is missing or cannot be read.", field=missing, rejects=True)

    def tell(self, rest: str, *, field: str | None = None, rejects: bool = False) -> None:
        """Adds a finding. Its message is the name of the object, such as `the account 12`, followed by `rest`."""
        self._add(f"{self.what} {rest}", field, rejects=rejects)

    def _complain(self, name: str, value: object, right: str) -> None:
        self._add(f"{self.what}: {name} is '{shorten(value)}', but should be {right}; it is skipped.", name)

    def _add(self, sentence: str, field: str | None, *, rejects: bool = False) -> None:
        self.remarks.add(sentence[:1].upper() + sentence[1:], row=self.row, field=field, rejects=rejects)


class Group(Struct, frozen=True, kw_only=True):
    """Represents a transaction of Firefly III, which consists of journals."""

    id: str
    title: str | None
    journals: tuple[SourceItem, ...]


class Source(Protocol):
    """Provides the objects of Firefly III. If `lacks_ids`, journals have names instead of ids."""

    remarks: Remarks

    @property
    def lacks_ids(self) -> bool: ...

    @property
    def is_farthing(self) -> bool:
        """Tells whether Farthing's own API has answered."""

    def items(self, name: str, of: str | None = None) -> Iterator[SourceItem]:
        """Yields the objects of a list; `of` is the id of the object that they belong to."""

    def groups(self) -> Iterator[Group]:
        """Yields all transactions. Can be called several times, and reads the files each time."""

    def content(self, attachment_id: str) -> str | None:
        """Returns the name of the file that holds an attachment's bytes."""


def item_of(list_name: str, key: str, values: Mapping[str, Any], row: int, remarks: Remarks) -> SourceItem:
    noun = _NOUNS.get(list_name, list_name.removesuffix("s").replace("-", " "))
    return SourceItem(values, what=f"the {noun} {key}", remarks=remarks, row=row, key=key)


def journal_of(values: Mapping[str, Any], row: int, remarks: Remarks) -> SourceItem:
    key = str(values.get("transaction_journal_id") or "")
    return SourceItem(values, what=f"the journal {key}", remarks=remarks, row=row, key=key)


def join_notes(notes: str | None, lines: Iterable[str]) -> str | None:
    """Appends a line for each further detail to the user's own notes."""
    added = "\n".join(lines)
    return "\n\n".join(text for text in (notes, added) if text) or None
