"""Tests rules and rule groups, and applies them to a range of days."""

from typing import Any

from farthing.books.bookkeeping import lookup
from farthing.books.rules import apply_stored
from farthing.books.rules.candidates import Scope
from farthing.books.transactions.model import LookupRequest
from farthing.http.answer.pages import read_page_request
from farthing.http.request.call import NOTHING, Answer, Call
from farthing.http.route import LARGE, RANGED, Later, Parameter, Route
from farthing.kernel.errors import refuse_field
from farthing.kernel.text import parse_id

from ..objects.groups import GroupThing, make_groups
from ..parts.documents import answer_page
from ..parts.resource import Resource

_ACCOUNTS_MAX = 1000
_ACCOUNTS = Parameter("accounts", {"type": "string"}, "Only transactions of these accounts, given by id.")


_LIMITS = (
    Parameter("search_limit", {"type": "integer"}, "How many of the newest transactions are examined, at most 5000."),
    Parameter("triggered_limit", {"type": "integer"}, "How many matching transactions are listed in all."),
)


def read_scope(call: Call) -> Scope:
    """Reads the range, which defaults to the last year, and the accounts."""
    days, accounts = call.whole_range(), _read_accounts(call)
    start, end = (days.start, days.end) if days else (call.today - apply_stored.TEST_RANGE, call.today)
    return Scope(start=start.isoformat(), end=end.isoformat(), account_ids=accounts)


def _read_accounts(call: Call) -> tuple[int, ...]:
    words = [word for word in call.query.get("accounts", "").split(",") if word]
    ids = {parse_id(word.strip()) or 0 for word in words}
    if len(ids) > _ACCOUNTS_MAX:
        refuse_field("accounts", f"The accounts may not have more than {_ACCOUNTS_MAX} items.")
    if ids - lookup.look_up(call.db, call.user_id, LookupRequest(account_ids=ids)).accounts.keys():
        refuse_field("accounts", "The selected accounts are invalid: send the ids of your own accounts.")
    return tuple(sorted(ids))


def routes(resource: Resource[Any, Any], kind: str) -> tuple[Route, ...]:
    """Makes the routes that rules and rule groups share. `kind` is the kind of job that runs the rules."""

    @resource.adopt
    def test(call: Call) -> Answer:
        """Lists the transactions that the rules match, newest first; nothing is changed."""
        subject_id, at = resource.find(call).id, read_page_request(call)
        most = min(call.number("search_limit") or apply_stored.TESTED_MAX, apply_stored.TESTED_MAX)
        trials, _, _ = apply_stored.find_matching(call.db, call.user_id, kind, subject_id, read_scope(call), most=most)
        matched = trials[: call.number("triggered_limit") or len(trials)]
        page = make_groups(call, [list(trial.lines) for trial in matched[at.offset : at.offset + at.size]])
        parameters = {name: call.query.get(name, "") for name in ("accounts", "search_limit", "triggered_limit")}
        return answer_page(call, f"{resource.path}/{subject_id}/test", page, len(matched), parameters)

    @resource.adopt
    def trigger(call: Call) -> Answer:
        """Applies the rules at once, or leaves the work to a background job if there are many transactions."""
        subject_id = resource.find(call).id
        applied = apply_stored.apply_at_once(call.db, call.user_id, kind, subject_id, read_scope(call), call.now)
        return NOTHING if applied else Answer(None, status=202)

    return (
        resource.listing(
            "test", test, "List the transactions that the rules match", GroupThing, *RANGED, _ACCOUNTS, *_LIMITS,
            runs=LARGE,
        ),
        resource.own(
            "POST", "trigger", trigger, "Apply the rules to a range of days, by default the last year",
            *RANGED, _ACCOUNTS, gives=None | Later, runs=LARGE,
        ),
    )  # fmt: skip
