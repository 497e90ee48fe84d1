"""Serves exports. A separate process makes the file, because reading all books here would block other requests."""

import sys

from farthing.books.accounts import store as accounts
from farthing.http.request.call import Answer, Call, Produced
from farthing.http.route import Before, Gate, Mode, Produces, Route, Runs
from farthing.identity.audit import Event
from farthing.kernel.errors import Invalid, Problem, refuse
from farthing.moving.exports import task
from farthing.moving.exports.model import FILES, ExportFormat, ExportRequest, find_problems

from ..audit.noting import note
from . import wire

# If a browser shows the file after all, nothing in it may run, load or contact us.
_SANDBOX = "sandbox; default-src 'none'"


def note_export(call: Call) -> None:
    """Notes the export before it is made, because an interrupted export has already sent a part."""
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
    format_ = wire.parse_format(call.query, problems)
    start, end = wire.parse_days(call.query, problems)
    account_ids = wire.parse_accounts(call.query, problems)
    if format_:
        filters = {"start": start is not None, "end": end is not None, "accounts": bool(account_ids)}
        problems += find_problems(format_, filters)
    problems += _check_accounts(call, account_ids)
    refuse(problems)
    assert format_ is not None, "or it was refused"
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
    own = accounts.currencies(call.db, call.user_id, list(account_ids)[: wire.ACCOUNTS_MAX])
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
        gives=_FILE, parameters=wire.PARAMETERS, gate=Gate.WHOLE,
        runs=Runs(before=Before(ask=note_export, mode=Mode.WRITE)), fails=(Invalid,),
    ),
)  # fmt: skip
