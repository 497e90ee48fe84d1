"""Serves exports. A separate process makes the file, because reading all books here would block other requests."""

import re
import sys
from collections.abc import Iterator, Mapping
from datetime import date

from farthing.books.accounts import store as accounts
from farthing.http.callers.noting import note
from farthing.http.request.call import Answer, Call, Produced
from farthing.http.route import Before, Gate, Mode, Parameter, Produces, Route, Runs
from farthing.identity.audit import Event
from farthing.kernel.errors import Invalid, Problem, refuse
from farthing.kernel.fields import query_day
from farthing.kernel.parsed import order_problems
from farthing.kernel.text import parse_id
from farthing.moving.exports import task
from farthing.moving.exports.model import FILES, ExportFormat, ExportRequest, find_problems

ACCOUNTS_MAX = 1000
# Only the first hundred parameters of a query are read.
_REPEATED_MAX = 90
_ACCOUNTS = re.compile(r"accounts(?:\[[0-9]{0,9}\])?")
_DAY = {"type": "string", "format": "date"}
_FORMATS = ", ".join(ExportFormat)

PARAMETERS = (
    Parameter("format", {"type": "string", "enum": list(ExportFormat)}, "The format of the file.", required=True),
    Parameter("start", _DAY, "Exports only transactions on or after this day. Not allowed with the format json."),
    Parameter("end", _DAY, "Exports only transactions on or before this day. Not allowed with the format json."),
    Parameter(
        "accounts[]",
        {"type": "array", "items": {"type": "string", "pattern": "^[0-9]{1,18}$"}, "maxItems": ACCOUNTS_MAX},
        "Exports only transactions that involve one of these accounts, with all their splits."
        " Not allowed with the format json.",
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


# If a browser shows the file after all, nothing in it may run, load or contact us.
_SANDBOX = "sandbox; default-src 'none'"


def note_export(call: Call) -> None:
    """Records the export in the audit log before it begins, because even an interrupted export has sent some data."""
    about = _read(call).format.value
    note(call, Event.EXPORTED, about=about, user_id=call.user_id)


def export(call: Call) -> Answer:
    request = _read(call)
    headers = (
        ("content-type", FILES[request.format].media_type),
        ("content-disposition", f'attachment; filename="{request.filename}"'),
        ("content-security-policy", _SANDBOX),
        ("cache-control", "private, no-store"),
    )
    words = (sys.executable, "-m", "farthing.moving.exports")
    task_input = task.encode(request, call.settings, call.caller.revision)
    return Answer(None, headers=headers, produced=Produced(words=words, stdin=task_input))


def _read(call: Call) -> ExportRequest:
    problems: list[Problem] = []
    format_ = parse_format(call.query, problems)
    start, end = parse_days(call.query, problems)
    account_ids = parse_accounts(call.query, problems)
    if format_:
        filters = {"start": start is not None, "end": end is not None, "accounts": bool(account_ids)}
        problems += find_problems(format_, filters)
    problems += _check_accounts(call, account_ids)
    refuse(problems)
    assert format_ is not None, "a missing format was refused above"
    return ExportRequest(
        user_id=call.user_id,
        format=format_,
        today=call.today.isoformat(),
        made_at=call.now,
        start=start.isoformat() if start else None,
        end=end.isoformat() if end else None,
        account_ids=tuple(account_ids),
    )


def _check_accounts(call: Call, account_ids: dict[int, str]) -> list[Problem]:
    own = accounts.currencies(call.db, call.user_id, list(account_ids)[:ACCOUNTS_MAX])
    return [
        Problem(
            name.removesuffix("[]"), "The selected accounts are invalid: each must be the id of one of your accounts."
        )
        for id_, name in account_ids.items()
        if id_ not in own
    ]


_FILE = Produces(tuple(dict.fromkeys(FILES[format_].media_type.partition(";")[0] for format_ in ExportFormat)))

ROUTES = (
    Route(
        "GET", "/export", export, "Export the books as a file",
        gives=_FILE, parameters=PARAMETERS, gate=Gate.WHOLE,
        runs=Runs(before=Before(ask=note_export, mode=Mode.WRITE)), fails=(Invalid,),
    ),
)  # fmt: skip
