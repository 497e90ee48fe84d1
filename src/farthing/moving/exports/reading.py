"""Reads the days and the accounts of an export from a query."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from farthing.books.accounts import store as accounts
from farthing.kernel.errors import Invalid, Problem
from farthing.kernel.fields import query_day
from farthing.kernel.parsed import order_problems
from farthing.kernel.text import parse_id
from farthing.storage.unit import Unit

ACCOUNTS_MAX = 1000
# Only the first hundred parameters of a query are read.
_REPEATED_MAX = 90
_ACCOUNTS = re.compile(r"accounts(?:\[[0-9]{0,9}\])?")


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
    """Returns the ids, each with the name of the parameter that contained it."""
    names: dict[int, str] = {}
    for name, word in _list_accounts(query):
        number = parse_id(word)
        if number is None:
            problems.append(Problem(name.removesuffix("[]"), "The accounts must be ids of accounts."))
        else:
            names[number] = name
    if sum(name != "accounts" for name in names.values()) > _REPEATED_MAX:
        sentence = f"There may not be more than {_REPEATED_MAX} accounts in this form. Write accounts=1,2,3 instead."
        problems.append(Problem("accounts", sentence))
    if len(names) > ACCOUNTS_MAX:
        problems.append(Problem("accounts", f"There may not be more than {ACCOUNTS_MAX} accounts."))
    return names


def _list_accounts(query: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in query.items():
        if _ACCOUNTS.fullmatch(name):
            yield from ((name, word.strip()) for word in value.split(",") if word.strip())


def check_accounts(db: Unit, user_id: int, account_ids: dict[int, str]) -> list[Problem]:
    own = accounts.currencies(db, user_id, list(account_ids)[:ACCOUNTS_MAX])
    return [
        Problem(
            name.removesuffix("[]"), "The selected accounts are invalid: each must be the id of one of your accounts."
        )
        for id_, name in account_ids.items()
        if id_ not in own
    ]
