"""Gathers from the splits of a request what belongs to the whole transaction: its day, notes, bill and so on.

Clients send such fields with every split, and often change only one of them. So only values that differ from the
stored one are used, and two different new values are refused.
"""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from msgspec.structs import replace

from farthing.books.transactions.model import Line, Lookup
from farthing.kernel.errors import Problem
from farthing.kernel.parsed import Parsed
from farthing.kernel.shown import rate
from farthing.kernel.text import fold
from farthing.ledger.details import NO_DETAILS, EntryDetails
from farthing.ledger.entry import OTHER_DATES
from farthing.ledger.kinds import Type

from ..parts.moments import Sent
from .wire import DETAILS, SplitBody

_SAID = "belongs to the whole transaction, so it must be the same in all splits"
_Read = Callable[[Any], Any]


class WholeReader:
    """Reads the fields of the whole transaction. `stored` is a line of the transaction to change.

    `key_of` names the field of a split behind each field of the whole, for problems that are found later.
    """

    def __init__(self, splits: Sequence[Parsed[SplitBody]], stored: Line | None, zone: str) -> None:
        self.splits, self._stored, self._zone = splits, stored, zone
        self.key_of: dict[str, str] = {}
        self._named: dict[str, dict[str, Any]] = {}

    def read(self, stored_details: EntryDetails = NO_DETAILS) -> dict[str, Any]:
        """Returns the values of a `WholeBody`, except its description and its splits."""
        stored, entry = self._stored, self._stored.entry if self._stored else None
        dates = entry.dates if entry else None
        days = {
            "date": stored.on if stored else None,
            **{f"{name}_date": getattr(dates, f"{name}_on") if dates else None for name in OTHER_DATES},
        }
        return {
            "type": self._choose("type", Type(stored.type).label.lower() if stored else None),
            **{name: self._choose(name, getattr(entry, name, None)) for name in ("notes", "internal_reference")},
            **{
                name: self._choose(name, date.fromisoformat(day) if day else None, self._read_day)
                for name, day in days.items()
            },
            **self._choose_bill(entry.bill if entry else None),
            **self._choose_piggy_bank(),
            "tags": self._join_tags(entry.tags if entry else ()),
            "details": self._choose_details(stored_details),
        }

    def empties(self, *names: str) -> bool:
        """Tells whether a split empties the fields, and no split sends a value for them."""
        if any(getattr(split.values, name) is not None for split in self.splits for name in names):
            return False
        return any(name in split.emptied for split in self.splits for name in names)

    def _choose(self, name: str, stored: Any, read: _Read = lambda value: value) -> Any:
        """Returns the new value of a field if a split changes it, otherwise the stored value."""
        chosen: list[Any] = []
        for split in self.splits:
            value = getattr(split.values, name)
            if value is None and name not in split.emptied:
                continue
            value = read(value)
            if value == stored or value in chosen:
                continue
            if chosen:
                split.report(name, f"The {split.label(name)} {_SAID}.")
            else:
                self.key_of[name] = split.key(name)
                chosen.append(value)
        return chosen[0] if chosen else stored

    def _read_day(self, value: Any) -> Any:
        return value.on_day(self._zone) if isinstance(value, Sent) else value

    def _choose_bill(self, stored: Any) -> dict[str, Any]:
        """Returns the bill only if it changes, because a bill that matched by itself stays open to rules."""
        return self._choose_named("bill", stored.id if stored else None, fold(stored.name) if stored else None)

    def _choose_piggy_bank(self) -> dict[str, Any]:
        return self._choose_named("piggy_bank", None, None)

    def _choose_named(self, noun: str, stored_id: int | None, stored_name: str | None) -> dict[str, Any]:
        """Returns the id and the name by which splits newly refer to an object. A split with both means the id."""
        id_field, name_field = f"{noun}_id", f"{noun}_name"
        chosen: dict[str, Any] = {}
        for split in self.splits:
            sent_id, name = getattr(split.values, id_field), getattr(split.values, name_field)
            if sent_id == stored_id if sent_id else not name or fold(name) == stored_name:
                continue
            field, value = (id_field, sent_id) if sent_id else (name_field, name)
            if fold(str(chosen.setdefault(field, value))) != fold(str(value)):
                split.report(field, f"The {split.label(field)} {_SAID}.")
            self.key_of.setdefault(field, split.key(field))
        self._named[noun] = chosen
        return chosen

    def check_names(self, facts: Lookup) -> None:
        """Reports a bill or piggy bank that some splits refer to by id, and others by the name of another one."""
        named = {"bill": facts.bills_named, "piggy_bank": facts.piggy_banks_named}
        for noun, chosen in self._named.items():
            id_field, name_field = f"{noun}_id", f"{noun}_name"
            if len(chosen) == 2 and named[noun].get(fold(chosen[name_field])) != chosen[id_field]:
                key = self.key_of[name_field]
                self.splits[0].report_all([Problem(key, f"The {key} {_SAID}.")])

    def _join_tags(self, stored: Sequence[str]) -> list[str]:
        """Combines the tags of the splits that change them."""
        folded = {fold(tag) for tag in stored}
        changed: list[str] | None = None
        for split in self.splits:
            tags = split.values.tags
            if (tags is None and "tags" not in split.emptied) or {fold(tag) for tag in tags or ()} == folded:
                continue
            self.key_of.setdefault("tags", split.key("tags"))
            changed = [*(changed or ()), *(tags or ())]
        return list(stored if changed is None else changed)

    def _choose_details(self, stored: EntryDetails) -> EntryDetails:
        read: dict[str, _Read] = dict.fromkeys(("latitude", "longitude"), lambda value: rate(value) if value else value)
        values = {
            name: self._choose(name, getattr(stored, name), read.get(name, lambda value: value)) for name in DETAILS
        }
        if (values["latitude"] is None) != (values["longitude"] is None):
            for split in self.splits[:1]:
                split.require_together("latitude", "longitude")
        return replace(stored, **values)
