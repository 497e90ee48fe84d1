"""Which preferences are there, what is their default, and what may they be?"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from zoneinfo import available_timezones

Value = str | int | bool | list[Any]
PAGE_SIZE_MAX = 1000

OPTIONAL_FIELDS = (
    "interest_date", "book_date", "process_date", "due_date", "payment_date", "invoice_date", "internal_reference",
    "notes", "attachments",
)  # fmt: skip


class Refused(ValueError):
    """The message ends the sentence `The data …`."""


@dataclass(frozen=True)
class Preference:
    id: int
    name: str
    data: Value
    created_at: str
    updated_at: str


@dataclass(frozen=True)
class Known:
    """`read` turns what was sent into what is kept, or refuses; the kind of the value never changes."""

    name: str
    default: Value
    read: Callable[[Any], Value]
    may_be_empty: bool = False


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Refused("must be a string.")
    return value


def _one_of(*words: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if _text(value) not in words:
            raise Refused(f"must be one of {', '.join(words)}.")
        return str(value)

    return read


def _matching(pattern: str, meaning: str) -> Callable[[Any], str]:
    compiled = re.compile(pattern)

    def read(value: Any) -> str:
        if not compiled.fullmatch(_text(value)):
            raise Refused(f"must be {meaning}.")
        return str(value)

    return read


def _flag(value: Any) -> bool:
    word = value.lower() if isinstance(value, str) else value
    if word in (True, 1, "1", "true"):
        return True
    if word in (False, 0, "0", "false"):
        return False
    raise Refused("must be true or false.")


def _page_size(value: Any) -> int:
    digits = value if isinstance(value, str) else str(value)
    if isinstance(value, bool) or not re.fullmatch(r"[0-9]{1,9}", digits) or not 1 <= int(digits) <= PAGE_SIZE_MAX:
        raise Refused(f"must be a whole number between 1 and {PAGE_SIZE_MAX}.")
    return int(digits)


def _listed(value: Any) -> list[Any]:
    """A JSON array, or a comma list whose entries stay text."""
    if isinstance(value, str):
        return [word.strip() for word in value.split(",") if word.strip()]
    if isinstance(value, list):
        return value
    raise Refused("must be a list, or words separated by commas.")


def _account_ids(value: Any) -> list[Any]:
    ids = _listed(value)
    if any(isinstance(entry, bool) or not re.fullmatch(r"[0-9]{1,18}", str(entry)) for entry in ids):
        raise Refused("must be a list of account ids.")
    return [entry if isinstance(entry, str) else int(entry) for entry in ids]


def _optional_fields(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = [name for name, wanted in value.items() if _flag(wanted)]
    names = _listed(value)
    if any(name not in OPTIONAL_FIELDS for name in names):
        raise Refused(f"must be a list of these names: {', '.join(OPTIONAL_FIELDS)}.")
    return names


def _month_and_day(value: Any) -> str:
    text = _matching(r"(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", "a month and a day, such as 04-01")(value)
    month, day = int(text[:2]), int(text[3:])
    if day > (29 if month == 2 else 30 if month in (4, 6, 9, 11) else 31):
        raise Refused("must be a day that exists, such as 04-01.")
    return text


def _zone(value: Any) -> str:
    if _text(value) not in available_timezones():
        raise Refused("must be a time zone of the IANA list, such as Europe/Amsterdam.")
    return str(value)


def _country(value: Any) -> str:
    return _matching(r"([A-Z]{2})?", "a country code of two letters, such as NL, or empty")(value)


def _currency_code(value: Any) -> str:
    """Whether the code is known is the store's question."""
    return _matching(r"[A-Z]{3}", "the code of a known currency, such as EUR")(value)


def known(timezone: str) -> tuple[Known, ...]:
    """In the order in which they are listed; `timezone` is the installation's own."""
    return (
        Known("language", "en_US", _matching(r"[a-z]{2,3}([_-][A-Za-z]{2,4})?", "a language code, such as en_US")),
        Known("customFiscalYear", False, _flag),
        Known("fiscalYearStart", "01-01", _month_and_day),
        Known("currencyPreference", "EUR", _currency_code),
        Known("transaction_journal_optional_fields", [], _optional_fields, may_be_empty=True),
        Known("frontPageAccounts", [], _account_ids, may_be_empty=True),
        Known("viewRange", "1M", _one_of("1D", "1W", "1M", "3M", "6M", "1Y")),
        Known("listPageSize", 50, _page_size),
        Known("twoFactorAuthEnabled", False, _flag),
        Known("timezone", timezone, _zone),
        Known("recurrenceCatchUp", "all", _one_of("all", "latest", "none")),
        Known("holidayCountry", "", _country, may_be_empty=True),
    )


BY_NAME = {preference.name: preference for preference in known("UTC")}
NAMES = tuple(BY_NAME)
