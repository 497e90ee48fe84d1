"""Serves exports. A separate process makes the file, because reading all books here would block other requests."""

from collections.abc import Mapping

from farthing.http.callers.noting import note
from farthing.http.request.call import Answer, Call
from farthing.http.resources.downloads import answer_produced
from farthing.http.route import Before, Gate, Mode, Parameter, Produces, Route, Runs
from farthing.identity.audit import Event
from farthing.kernel.errors import Invalid, Problem, refuse
from farthing.moving.exports import task
from farthing.moving.exports.model import FILES, ExportFormat, ExportRequest, find_problems
from farthing.moving.exports.reading import ACCOUNTS_MAX, check_accounts, parse_accounts, parse_days

_DAY = {"type": "string", "format": "date"}
_FORMATS = ", ".join(ExportFormat)

PARAMETERS = (
    Parameter("format", {"type": "string", "enum": list(ExportFormat)}, "The format of the file.", required=True),
    Parameter("start", _DAY, "Exports only transactions on or after this day. Not allowed if `format` is `json`."),
    Parameter("end", _DAY, "Exports only transactions on or before this day. Not allowed if `format` is `json`."),
    Parameter(
        "accounts[]",
        {"type": "array", "items": {"type": "string", "pattern": "^[0-9]{1,18}$"}, "maxItems": ACCOUNTS_MAX},
        "Exports only transactions that involve one of these accounts, with all their splits."
        " Not allowed if `format` is `json`.",
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


def note_export(call: Call) -> None:
    """Records the export in the audit log before it begins, because even an interrupted export has sent some data."""
    about = _read(call).format.value
    note(call, Event.EXPORTED, about=about, user_id=call.user_id)


def export(call: Call) -> Answer:
    request = _read(call)
    task_input = task.encode(request, call.settings, call.caller.revision)
    return answer_produced(task.WORDS, task_input, FILES[request.format].media_type, request.filename)


def _read(call: Call) -> ExportRequest:
    problems: list[Problem] = []
    format_ = parse_format(call.query, problems)
    start, end = parse_days(call.query, problems)
    account_ids = parse_accounts(call.query, problems)
    if format_:
        filters = {"start": start is not None, "end": end is not None, "accounts": bool(account_ids)}
        problems += find_problems(format_, filters)
    problems += check_accounts(call.db, call.user_id, account_ids)
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


_FILE = Produces(tuple(dict.fromkeys(FILES[format_].media_type.partition(";")[0] for format_ in ExportFormat)))

ROUTES = (
    Route(
        "GET", "/export", export, "Export the books as a file",
        gives=_FILE, parameters=PARAMETERS, gate=Gate.WHOLE,
        runs=Runs(before=Before(ask=note_export, mode=Mode.WRITE)), fails=(Invalid,),
    ),
)  # fmt: skip
