"""Answers tests, runs and dry runs of rules and rule groups."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from farthing.books.bookkeeping import lookup
from farthing.books.rules import apply_stored, candidates, dry_run
from farthing.books.rules.apply_stored import RuleTrial, RuleTrialResult
from farthing.books.rules.candidates import CandidateCursor, Scope
from farthing.books.rules.dry_run import RuleEffect
from farthing.books.transactions import lines as transaction_lines
from farthing.books.transactions.model import Line, Lookup, LookupRequest
from farthing.http.answer.document import Item, ObjectLinks, PageLinks, Pagination, Thing
from farthing.http.answer.includes import include
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.request.public_address import API
from farthing.http.resources.resource import Handler
from farthing.http.route import FLAG_SCHEMA, LARGE, PAGED, RANGE_NEEDED, RANGED, Later, Mode, Parameter, Route, Runs
from farthing.kernel.errors import Invalid
from farthing.kernel.fields import parse
from farthing.kernel.parsed import Parsed
from farthing.kernel.shown import ShownDay, show_as
from farthing.kernel.text import parse_id
from farthing.storage.change_log import changes

from ..resources.resource import Resource
from ..serializers.transactions import INCLUDES as TRANSACTION_INCLUDES
from ..serializers.transactions import TransactionThing
from ..serializers.transactions import things as transaction_things
from . import wire

_ACCOUNTS_MAX = 20


class RuleTestMeta(Struct):
    """`complete` is true if the whole range was examined, and not only its newest transactions."""

    pagination: Pagination
    looked_at: int
    complete: bool


class RuleTest(Struct):
    """Lists the transactions that rules match. The `meta` of each transaction names these rules and the reasons."""

    data: list[TransactionThing]
    meta: RuleTestMeta
    links: PageLinks
    included: list[Thing[Any]] | UnsetType = UNSET


class RuleChangeAttributes(Struct):
    """Shows what the rules changed, or would change, in a transaction. `failure` says why this was impossible."""

    changed: bool
    failure: str | None
    fired: list[wire.RuleFiredShown]
    before: list[TransactionThing]
    after: list[TransactionThing]


class RuleRunMeta(Struct):
    """`in_background` is true if a background job will do the work, because there are many transactions."""

    looked_at: int
    matched: int
    changed: int
    complete: bool
    dry_run: bool
    in_background: bool


class RuleRun(Struct):
    data: list[Thing[RuleChangeAttributes]]
    meta: RuleRunMeta


class RuleDryRunMeta(Struct):
    """Shows the progress of a long dry run. `pagination.total` counts the stored changes."""

    pagination: Pagination
    start: ShownDay
    end: ShownDay
    looked_at: int
    matched: int
    changed: int
    finished: bool
    failure: str | None


class RuleDryRun(Struct):
    """Lists what rules would change, newest transactions first."""

    data: list[Thing[RuleChangeAttributes]]
    meta: RuleDryRunMeta
    links: PageLinks


class RuleProgressAttributes(Struct):
    """Shows the progress of a background run. Its changes are logged under revisions from `first_revision` to
    `last_revision`.

    Both are null until something has changed.
    """

    start: ShownDay
    end: ShownDay
    changed: int
    finished: bool
    failure: str | None
    first_revision: int | None
    last_revision: int | None


def _answer_test(call: Call, kind: str, subject_id: int) -> Answer:
    scope, at = _scope(call, parse(wire.RunFlags, call.query), needed=False), read_page_request(call)
    most = apply_stored.TESTED_MAX
    matched, looked_at, complete = apply_stored.find_matching(call.db, call.user_id, kind, subject_id, scope, most=most)
    why = {trial.entry_id: _reasons(call, trial) for trial in matched}
    page_lines = [line for trial in matched for line in trial.lines]
    total, page_lines = len(page_lines), page_lines[at.offset : at.offset + at.size]
    parameters = {"accounts": call.query.get("accounts", "")}
    document = page(call, f"{_path(kind, subject_id)}/test", transaction_things(call, page_lines), total, parameters)
    include(call, document, page_lines, TRANSACTION_INCLUDES)
    for transaction, line in zip(document.data, page_lines, strict=True):
        transaction.meta = why[line.entry_id]
    meta = RuleTestMeta(document.meta.pagination, looked_at, complete)
    return Answer(RuleTest(document.data, meta, document.links, document.included))


def _reasons(call: Call, tried: RuleTrial) -> list[dict[str, Any]]:
    return [
        {"rule_id": match.rule_id, "rule_title": match.title, "why": call.say(match.why)}
        for match in tried.outcome.fired
    ]


def _answer_run(call: Call, kind: str, subject_id: int) -> Answer:
    """Applies the rules at once, or leaves the work to a background job if there are many transactions."""
    parsed = parse(wire.RunFlags, call.query)
    scope = _scope(call, parsed, needed=True)
    if parsed.values.dry_run:
        return _try_dry(call, kind, subject_id, scope)
    applied = apply_stored.apply_at_once(call.db, call.user_id, kind, subject_id, scope, call.now)
    if applied is None:
        return _answer_later(dry_run=False)
    return _answer_effects(call, _read_back(call, applied.results), looked_at=applied.looked_at, dry_run=False)


def choose_mode(call: Call) -> Mode:
    """Returns the mode of the call: reading for a dry run of a few transactions, otherwise writing.

    Queueing a job for many transactions writes, and so does storing the answer for an Idempotency-Key.
    """
    parsed = parse(wire.RunFlags, call.query)
    if call.key or not (parsed.values.dry_run or parsed.problems):
        return Mode.WRITE
    try:
        scope = _scope(call, parsed, needed=True)
    except Invalid:
        return Mode.READ  # the handler reports what is wrong
    newest = candidates.newest(call.db, call.user_id, scope, limit=apply_stored.AT_ONCE_MAX + 1)
    return Mode.WRITE if len(newest) > apply_stored.AT_ONCE_MAX else Mode.READ


def _try_dry(call: Call, kind: str, subject_id: int, scope: Scope) -> Answer:
    """Carries out a dry run. If `choose_mode` chose writing, a job does the work in the background."""
    if call.writes:
        dry_run.begin(call.db, call.user_id, kind, subject_id, scope, call.now)
        changes.hide_if_empty(call.db)
        return _answer_later(
            dry_run=True, headers=(("location", f"{call.base}{API}{_dry_run_path(kind, subject_id)}"),)
        )
    newest = candidates.newest(call.db, call.user_id, scope, limit=apply_stored.AT_ONCE_MAX + 1)
    tried, facts = _try_rules(call, kind, subject_id, newest)
    matched = apply_stored.select_matched(tried)
    effects = dry_run.describe_effects(call.db, call.user_id, matched, facts, call.now)
    return _answer_effects(call, effects, looked_at=len(newest), dry_run=True)


def _answer_dry_run(call: Call, kind: str, subject_id: int) -> Answer:
    """Answers with the progress of the last long dry run, and with a page of the changes that it has found."""
    last = or_404(dry_run.last(call.db, call.user_id, kind, subject_id, call.now))
    at, progress = read_page_request(call), dry_run.progress_of(last)
    effects = dry_run.page(call.db, call.user_id, last.id, limit=at.size, offset=at.offset)
    document = page(call, _dry_run_path(kind, subject_id), _show_changes(call, effects), progress.kept)
    meta = show_as(
        RuleDryRunMeta,
        progress,
        pagination=document.meta.pagination,
        start=last.data["start"],
        end=last.data["end"],
        finished=last.finished_at is not None,
        failure=last.failure and call.say(last.failure),
    )
    return Answer(RuleDryRun(document.data, meta, document.links))


def _answer_progress(call: Call, kind: str, subject_id: int) -> Answer:
    """Answers with the progress of the last background run."""
    status, progress = or_404(apply_stored.find_last(call.db, call.user_id, kind, subject_id))
    is_finished = status.finished_at is not None
    failure = call.say(status.failure) if is_finished and status.failure else None
    attributes = show_as(RuleProgressAttributes, progress, finished=is_finished, failure=failure)
    links = ObjectLinks(f"{call.base}{API}{_path(kind, subject_id)}/run")
    return Answer(Item(Thing("rule_runs", str(status.id), attributes, links)))


def _dry_run_path(kind: str, subject_id: int) -> str:
    return f"{_path(kind, subject_id)}/dry_run"


def _path(kind: str, subject_id: int) -> str:
    return f"/{'rules' if kind == apply_stored.RULE_JOB else 'rule_groups'}/{subject_id}"


def _try_rules(
    call: Call, kind: str, subject_id: int, among: Sequence[CandidateCursor]
) -> tuple[list[RuleTrial], Lookup]:
    rules = apply_stored.rules_of(call.db, call.user_id, kind, subject_id)
    return apply_stored.try_on(call.db, call.user_id, rules, [candidate.entry_id for candidate in among])


def _read_back(call: Call, done: Sequence[RuleTrialResult]) -> list[RuleEffect]:
    """Returns the results, with each transaction as it was before and as it is stored now."""
    changed = [result.trial.entry_id for result in done if result.changed]
    after: dict[int, tuple[Line, ...]] = {}
    for line in transaction_lines.of_entries(call.db, call.user_id, changed):
        after[line.entry_id] = (*after.get(line.entry_id, ()), line)
    return [
        RuleEffect(
            fired=result.trial.outcome.fired,
            before=result.trial.lines,
            after=after.get(result.trial.entry_id, result.trial.lines),
            changed=result.changed,
            failure=result.failure,
        )
        for result in done
    ]


def _answer_effects(call: Call, effects: Sequence[RuleEffect], *, looked_at: int, dry_run: bool) -> Answer:
    meta = RuleRunMeta(
        looked_at=looked_at,
        matched=len(effects),
        changed=sum(effect.changed for effect in effects),
        complete=True,
        dry_run=dry_run,
        in_background=False,
    )
    return Answer(RuleRun(_show_changes(call, effects), meta))


def _answer_later(*, dry_run: bool, headers: tuple[tuple[str, str], ...] = ()) -> Answer:
    meta = RuleRunMeta(looked_at=0, matched=0, changed=0, complete=False, dry_run=dry_run, in_background=True)
    return Answer(RuleRun([], meta), status=202, headers=headers)


def _scope(call: Call, parsed: Parsed[wire.RunFlags], *, needed: bool) -> Scope:
    """Reads the range, which defaults to the last year for a test and is required for a run."""
    chosen = call.range()
    if chosen is None and needed:
        for name in ("start", "end"):
            if not call.query.get(name):
                parsed.report(name, f"The {name} field is required.")
    accounts = _read_accounts(call, parsed)
    parsed.finish()
    if chosen is None:
        return Scope(
            start=(call.today - apply_stored.TEST_RANGE).isoformat(), end=call.today.isoformat(), account_ids=accounts
        )
    return Scope(start=chosen.start.isoformat(), end=chosen.end.isoformat(), account_ids=accounts)


def _read_accounts(call: Call, parsed: Parsed[wire.RunFlags]) -> tuple[int, ...]:
    words = parsed.values.accounts or []
    if len(words) > _ACCOUNTS_MAX:
        parsed.report("accounts", f"The accounts may not have more than {_ACCOUNTS_MAX} items.")
        return ()
    ids = {parse_id(word) or 0 for word in words}
    facts = lookup.look_up(call.db, call.user_id, LookupRequest(account_ids=ids))
    if ids - facts.accounts.keys():
        parsed.report("accounts", "The selected accounts are invalid: send the ids of your own accounts.")
    return tuple(sorted(ids))


def _show_changes(call: Call, effects: Sequence[RuleEffect]) -> list[Thing[RuleChangeAttributes]]:
    changed = []
    for effect in effects:
        before = transaction_things(call, effect.before)
        attributes = show_as(
            RuleChangeAttributes,
            effect,
            fired=[wire.show_fired(fired, call.language) for fired in effect.fired],
            before=before,
            after=transaction_things(call, effect.after),
        )
        changed.append(Thing("rule_changes", str(effect.before[0].entry_id), attributes, before[0].links))
    return changed


_ACCOUNTS = Parameter(
    "accounts", {"type": "string"}, "Only transactions of these accounts. Send their ids, comma-separated."
)
_DRY_RUN = Parameter("dry_run", FLAG_SCHEMA, "Shows what would change, but changes nothing.")


def routes(resource: Resource[Any, Any], kind: str, *, test: str, trigger: str) -> tuple[Route, ...]:
    """Makes the routes that rules and rule groups share. `kind` is the kind of job that runs the rules."""

    def handler(name: str, answer: Callable[[Call, str, int], Answer]) -> Handler:
        def handle(call: Call) -> Answer:
            return answer(call, kind, resource.find(call).id)

        handle.__name__ = name
        return resource.adopt(handle)

    return (
        resource.own(
            "GET", "test", handler("test", _answer_test), test, *RANGED, _ACCOUNTS, *PAGED,
            gives=RuleTest, includes=TRANSACTION_INCLUDES, runs=LARGE,
        ),
        resource.own(
            "POST", "trigger", handler("run", _answer_run), trigger, *RANGE_NEEDED, _ACCOUNTS, _DRY_RUN,
            gives=RuleRun | Later, runs=Runs(large=True, mode=choose_mode),
        ),
        resource.own(
            "GET", "dry_run", handler("dry_run", _answer_dry_run), "Show the results of a long dry run so far", *PAGED,
            gives=RuleDryRun,
        ),
        resource.own(
            "GET", "run", handler("progress", _answer_progress), "Show the progress of the last background run",
            gives=Item[Thing[RuleProgressAttributes]],
        ),
    )  # fmt: skip
