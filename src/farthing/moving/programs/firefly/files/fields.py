"""Reads the fields of one object of Firefly III, whichever way it came; what has a wrong type is a finding."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from ....findings import shorten
from .remarks import Remarks

# Linear, and short enough that no number becomes expensive.
_NUMBER = re.compile(r"[+-]?[0-9]{1,30}(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,2})?")
_DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ].{0,40})?")
_FLAGS = {"1": True, "true": True, "0": False, "false": False, "": False}


class ItemFields:
    """`what` names the object in findings: `the account 12`."""

    def __init__(self, values: Mapping[str, Any], *, what: str, remarks: Remarks, row: int | None = None) -> None:
        self.values, self.what, self.remarks, self.row = values, what, remarks, row

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
        """Returns the exact amount without trailing zeros: Firefly III writes 12 decimals whatever the currency."""
        text = self.text(name)
        if text is None:
            return None
        if _NUMBER.fullmatch(text):
            return trim(Decimal(text))
        self._complain(name, text, "a number like 1234.56")
        return None

    def day(self, name: str) -> date | None:
        """Returns the day as Firefly III shows it; its time and zone do not move it."""
        text = self.text(name)
        if text is None:
            return None
        matched = _DAY.fullmatch(text)
        try:
            if matched:
                return date.fromisoformat(matched[1])
        except ValueError:
            pass
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
        value = self.values.get(name)
        if value is None:
            return ()
        if not isinstance(value, list | tuple):
            self._complain(name, value, "a list of texts")
            return ()
        cleaned = (str(text).replace("\x00", "").strip() for text in value if isinstance(text, str | int))
        return tuple(dict.fromkeys(text for text in cleaned if text))

    def parts(self, name: str) -> Iterator["ItemFields"]:
        """Returns the objects of a list in their order."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, list | tuple):
            self._complain(name, value, "a list of objects")
            return
        for text in value or ():
            if isinstance(text, dict):
                yield ItemFields(text, what=f"{self.what}, {name}", remarks=self.remarks, row=self.row)
            else:
                self._complain(name, text, "an object")

    def _complain(self, name: str, value: object, right: str) -> None:
        message = f"{self.what}: {name} is '{shorten(value)}', but should be {right}; it is skipped."
        self.remarks.add(message[:1].upper() + message[1:], row=self.row, field=name)


def trim(number: Decimal) -> Decimal:
    """Removes trailing zeros and the exponent without rounding: 10.500 becomes 10.5, 1E+2 becomes 100."""
    plain = format(number, "f")
    return Decimal(plain.rstrip("0").rstrip(".") if "." in plain else plain)
