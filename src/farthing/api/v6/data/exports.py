"""Serves CSV files of accounts, transactions and other objects. As for all exports, a separate process makes them."""

from collections.abc import Iterator

from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import CONVERT_TO_PRIMARY
from farthing.http.callers.noting import note
from farthing.http.request.call import Answer, Call
from farthing.http.resources.downloads import answer_produced
from farthing.http.route import RANGE_NEEDED, Before, Gate, Mode, Parameter, Produces, Route, Runs
from farthing.identity.audit import Event
from farthing.kernel.errors import Invalid, Problem, refuse
from farthing.moving.exports import task
from farthing.moving.exports.model import FILES, ExportFormat, ExportRequest, Noun
from farthing.moving.exports.reading import check_accounts, parse_accounts, parse_days

_MEDIA_TYPE = FILES[ExportFormat.CSV].media_type
_TYPE = Parameter("type", {"type": "string", "enum": ["csv"]}, "The format of the file; defaults to csv.")
_ACCOUNTS = Parameter(
    "accounts",
    {"type": "string"},
    "Ids of accounts, separated by commas. If omitted, the transactions of all accounts are exported.",
)


def _read(call: Call, noun: Noun) -> ExportRequest:
    problems: list[Problem] = []
    if call.query.get("type", "csv") not in ("", "csv"):
        problems.append(Problem("type", "The selected type is invalid: it must be csv."))
    start, end = parse_days(call.query, problems)
    account_ids: dict[int, str] = {}
    if noun is Noun.TRANSACTIONS:
        named = {problem.field for problem in problems}
        missing = [name for name, day in (("start", start), ("end", end)) if day is None and name not in named]
        problems += [Problem(name, f"The {name} field is required.") for name in missing]
        account_ids = parse_accounts(call.query, problems)
        problems += check_accounts(call.db, call.user_id, account_ids)
    refuse(problems)
    wish = preferences.get_named(call.db, call.user_id, CONVERT_TO_PRIMARY)
    return ExportRequest(
        user_id=call.user_id,
        format=ExportFormat.CSV,
        today=call.today.isoformat(),
        made_at=call.now,
        start=start.isoformat() if start else None,
        end=end.isoformat() if end else None,
        account_ids=tuple(account_ids),
        noun=noun,
        primary_code=call.caller.currency_code,
        converts=wish is not None and wish.data is True,
    )


def _make_route(noun: Noun) -> Route:
    def note_export(call: Call) -> None:
        """Records the export in the audit log before it begins, because even an interrupted one has sent some data."""
        _read(call, noun)
        note(call, Event.EXPORTED, about=ExportFormat.CSV.value, user_id=call.user_id)

    def export(call: Call) -> Answer:
        request = _read(call, noun)
        task_input = task.encode(request, call.settings, call.caller.revision)
        return answer_produced(task.WORDS, task_input, _MEDIA_TYPE, request.filename)

    # The name of a route consists of the name of its handler and its folder.
    export.__name__ = f"export_{noun.name.lower()}"
    words = noun.value.replace("-", " ")
    return Route(
        "GET", f"/data/export/{noun}", export, f"Export {words} as a CSV file",
        gives=Produces((_MEDIA_TYPE.partition(";")[0],)),
        parameters=(*RANGE_NEEDED, _ACCOUNTS, _TYPE) if noun is Noun.TRANSACTIONS else (_TYPE,), gate=Gate.WHOLE,
        runs=Runs(before=Before(ask=note_export, mode=Mode.WRITE)), fails=(Invalid,),
    )  # fmt: skip


def make_routes() -> Iterator[Route]:
    return map(_make_route, Noun)
