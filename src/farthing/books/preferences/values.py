"""Reads the values of preferences from request bodies. The type of a value depends on the preference."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, get_args

from pydantic import create_model

from farthing.identity.user import PAGE_SIZE_MAX
from farthing.kernel.fields import FieldParser, Flag, Refused, RequestBody, choice, parse, text, whole
from farthing.kernel.parsed import Parsed
from farthing.kernel.text import trim
from farthing.schedule.bank_holidays import place_meant

from ..accounts.model import AccountGroup
from .model import (
    ACCOUNT_ORDER,
    CATCH_UPS,
    CURRENCY,
    DASHBOARD_CARDS,
    GROUP_ORDER,
    HOLIDAYS,
    OPTIONAL_FIELDS,
    SAVED_FILTERS,
    TWO_FACTOR,
    VIEW_RANGES,
    DashboardCard,
    SavedFilter,
    find_card_problem,
    find_filter_problem,
    is_month_and_day,
    is_time_zone,
    language_meant,
)

_CHARACTERS_MAX = 65_000
_as_text = text(_CHARACTERS_MAX).read
_as_flag = get_args(Flag)[1].read
_ACCOUNT_ID = re.compile("[0-9]{1,18}")


def _word_that(fits: Callable[[str], bool], meaning: str, *, upper: bool = False) -> FieldParser:
    def _read_value(value: object) -> str:
        word = str(_as_text(value))
        word = word.upper() if upper else word
        if not fits(word):
            raise Refused(f"The {{label}} must be {meaning}.")
        return word

    return FieldParser(_read_value, {"type": "string"})


def _language(value: object) -> str:
    meant = language_meant(str(_as_text(value)))
    if meant is None:
        raise Refused("The {label} must be a known language, such as en_US.")
    return meant


def _holiday_place(value: object) -> str:
    """Reads the place whose public holidays are used.

    `none` is stored as empty text, because no preference accepts empty data.
    """
    word = str(_as_text(value))
    meant = "" if word.lower() == "none" else place_meant(word)
    if meant is None:
        raise Refused("The {label} must be a country, such as NL, a region of a country, such as DE-BY, or none.")
    return meant


def _entries(value: object) -> list[str | int]:
    """Accepts a list or comma-separated text. Numbers stay numbers and text stays text."""
    items = value if isinstance(value, list) else [value]
    entries = [entry for item in items for entry in _pieces(item)]
    _as_text(",".join(map(str, entries)))  # checks their total length
    return entries


def _pieces(item: object) -> list[str | int]:
    if isinstance(item, int) and not isinstance(item, bool):
        return [item]
    if not isinstance(item, str):
        raise Refused("The {label} must be a list, or comma-separated text.")
    return [word for piece in item.split(",") if (word := piece.strip())]


def _account_ids(value: object) -> list[str | int]:
    ids = _entries(value)
    if not all(_ACCOUNT_ID.fullmatch(str(entry)) for entry in ids):
        raise Refused("The {label} must be a list of account ids, such as 4,5,6.")
    return ids


def _optional_fields(value: object) -> list[str | int]:
    """Reads a list of names, or an object with a flag for each name."""
    if isinstance(value, dict):
        value = [name for name, flag in value.items() if _as_flag(flag)]
    return _names_in(value, OPTIONAL_FIELDS)


def _names_in(value: object, known: Sequence[str]) -> list[str | int]:
    names = _entries(value)
    if not all(name in known for name in names):
        raise Refused(f"The {{label}} must be a list of these names: {', '.join(known)}.")
    return names


def _saved_filters(value: object) -> list[SavedFilter]:
    items = _objects(value, "filters, each with a name and a query")
    filters = [SavedFilter(name=_text_in(item, "name"), query=_text_in(item, "query")) for item in items]
    if problem := find_filter_problem(filters):
        raise Refused(f"The {{label}} {problem}.")
    return filters


def _dashboard_cards(value: object) -> list[DashboardCard]:
    """Reads a list of cards. A card is shown unless `shown` is false."""
    items = _objects(value, "cards, each with the fields card and shown")
    cards = [
        DashboardCard(
            shown=bool(_as_flag(item.get("shown", True))),
            **{name: _text_in(item, name) for name in ("card", "name", "report", "query")},
        )
        for item in items
    ]
    if problem := find_card_problem(cards):
        raise Refused(f"The {{label}} {problem}.")
    return cards


def _objects(value: object, meaning: str) -> list[dict[str, object]]:
    """Reads a list of objects. Treats empty data as an empty list, because a form has no other way to send one."""
    items = [] if value in ("", "[]", [""]) else value
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise Refused(f"The {{label}} must be a list of {meaning}.")
    return items


def _text_in(item: dict[str, object], name: str) -> str:
    value = item.get(name)
    return trim(value) if isinstance(value, str) else ""


def _list_of(_read_value: Callable[[object], list[str | int]]) -> Any:
    return Annotated[list[str | int], FieldParser(_read_value, {"type": "array"})]


Language = Annotated[str, FieldParser(_language, {"type": "string"})]
TimeZone = Annotated[str, _word_that(is_time_zone, "a time zone of the IANA list, such as Europe/Amsterdam")]
_MonthAndDay = Annotated[str, _word_that(is_month_and_day, "a month and a day that exists, such as 04-01")]
_Code = Annotated[str, _word_that(lambda code: len(code) == 3, "the code of a currency, such as EUR", upper=True)]
_KINDS: dict[str, Any] = {
    "language": Language,
    "customFiscalYear": Flag,
    "fiscalYearStart": _MonthAndDay,
    CURRENCY: _Code,
    "transaction_journal_optional_fields": _list_of(_optional_fields),
    "frontPageAccounts": _list_of(_account_ids),
    "viewRange": Annotated[str, choice(*VIEW_RANGES)],
    "listPageSize": Annotated[int, whole(minimum=1, maximum=PAGE_SIZE_MAX)],
    TWO_FACTOR: Flag,
    "timezone": TimeZone,
    "recurrenceCatchUp": Annotated[str, choice(*CATCH_UPS)],
    HOLIDAYS: Annotated[str, FieldParser(_holiday_place, {"type": "string"})],
    SAVED_FILTERS: Annotated[list[SavedFilter], FieldParser(_saved_filters, {"type": "array"})],
    ACCOUNT_ORDER: _list_of(_account_ids),
    GROUP_ORDER: _list_of(lambda value: _names_in(value, list(AccountGroup))),
    DASHBOARD_CARDS: Annotated[list[DashboardCard], FieldParser(_dashboard_cards, {"type": "array"})],
}
_BODIES = {name: create_model(name, __base__=RequestBody, data=(kind | None, None)) for name, kind in _KINDS.items()}


def parse_value(name: str, raw: Mapping[str, object]) -> Parsed[Any]:
    """Reads the new value as the type of the preference."""
    parsed: Parsed[Any] = parse(_BODIES[name], raw)
    if parsed.values.data is None and not parsed.problems:
        parsed.report("data", "The data field is required.")
    return parsed
