"""Reads the query of an export."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from farthing.http.route import Parameter
from farthing.kernel.errors import Invalid, Problem
from farthing.kernel.fields import query_day
from farthing.kernel.parsed import order_problems
from farthing.kernel.text import parse_id
from farthing.moving.exports.model import ExportFormat

ACCOUNTS_MAX = 1000
# Only the first hundred parameters of a query are read.
_REPEATED_MAX = 90
_ACCOUNTS = re.compile(r"accounts(?:\[[0-9]{0,9}\])?")
_DAY = {"type": "string", "format": "date"}
_FORMATS = ", ".join(ExportFormat)

PARAMETERS = (
    Parameter("format", {"type": "string", "enum": list(ExportFormat)}, "The format of the file.", required=True),
    Parameter("start", _DAY, "Exports only transactions from this day on; not for json."),
    Parameter("end", _DAY, "Exports only transactions up to this day; not for json."),
    Parameter(
        "accounts[]",
        {"type": "array", "items": {"type": "string", "pattern": "^[0-9]{1,18}$"}, "maxItems": ACCOUNTS_MAX},
        "Exports only transactions with one of these accounts, each with all its splits; not for json.",
    ),
)


def parse_format(query: Mapping[str, str], problems: list[Problem]) -> ExportFormat | None:
    word = query.get("format", "")
    if word in list(ExportFormat):
        return ExportFormat(word)
    sentence = (
        f"The selected format is invalid: it must be one of {_FORMATS}." if word else "The format field is required."
    )
    problems.append(Problem("format", sentence))
    return None


def parse_days(query: Mapping[str, str], problems: list[Problem]) -> tuple[date | None, date | None]:
    """Reads both days. Either may be omitted, and the range may have any length."""
    days: dict[str, date | None] = {}
    for name in ("start", "end", "date"):  # `date` is not used, but a wrong day is refused on every route
        try:
            days[name] = query_day(query.get(name), name)
        except Invalid as error:
            problems += error.problems
    start, end = days.get("start"), days.get("end")
    problems += order_problems(start, end, "start", "end")
    return start, end


def parse_accounts(query: Mapping[str, str], problems: list[Problem]) -> dict[int, str]:
    """Returns the ids, each with the name under which it was sent."""
    names: dict[int, str] = {}
    for name, word in _list_accounts(query):
        number = parse_id(word)
        if number is None:
            problems.append(Problem(name.removesuffix("[]"), "The accounts must be ids of accounts."))
        else:
            names[number] = name
    if sum(name != "accounts" for name in names.values()) > _REPEATED_MAX:
        sentence = f"The accounts may not be more than {_REPEATED_MAX} in this form; write accounts=1,2,3 instead."
        problems.append(Problem("accounts", sentence))
    if len(names) > ACCOUNTS_MAX:
        problems.append(Problem("accounts", f"The accounts may not be more than {ACCOUNTS_MAX}."))
    return names


def _list_accounts(query: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in query.items():
        if _ACCOUNTS.fullmatch(name):
            yield from ((name, word.strip()) for word in value.split(",") if word.strip())
