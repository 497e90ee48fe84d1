"""How are rules answered, and what they made of transactions? The same for one rule, a group, and a bill."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from ..errors import Problem, refuse
from ..fields import Parsed, parse
from ..http.call import Answer, Call, MustWrite, found
from ..http.document import PageLinks, Pagination, Thing, thing
from ..http.includes import Include, Related, include, registry
from ..http.pages import asked, page
from ..http.relatives import USER
from ..http.route import PAGED, RANGE_NEEDED, RANGED, Parameter
from ..jobs import queue
from ..rule_groups import listing as groups
from ..rule_groups import store as kept_groups
from ..shown import Day as ShownDay
from ..text import id_in
from ..transactions import known as lookup
from ..transactions import lines as transaction_lines
from ..transactions.listing import INCLUDES as TRANSACTION_INCLUDES
from ..transactions.listing import TransactionThing
from ..transactions.listing import things as transaction_things
from ..transactions.model import Known, Line, Named
from . import candidates, dry_run, trigger, wire
from .candidates import Place, Scope
from .dry_run import Told
from .model import KeptPart, Rule
from .trigger import Done, Tried

RuleThing = Thing[wire.RuleAttributes]
# So many of the newest transactions of a range are looked at by a test.
TESTED_MAX = 5000
_ACCOUNTS_MAX = 20
_TEST_RANGE = timedelta(days=365)


def things(call: Call, rules: Sequence[Rule]) -> list[RuleThing]:
    waiting = queue.waiting_for(call.db, call.user_id, trigger.RULE_JOB)
    return [
        thing(call.base, "rules", one.id, wire.show(one, running=one.id in waiting), uri=f"/rules/{one.id}")
        for one in rules
    ]


def _groups(call: Call, rules: Sequence[Rule]) -> list[Related]:
    kept = kept_groups.some(call.db, call.user_id, {one.rule_group_id for one in rules})
    shown = {int(one.id): one for one in groups.things(call, kept.values())}
    return [shown[one.rule_group_id] for one in rules]


def _triggers(call: Call, rules: Sequence[Rule]) -> list[Related]:
    return [[_part(call, "rule_triggers", one, wire.show_trigger(one)) for one in rule.triggers] for rule in rules]


def _actions(call: Call, rules: Sequence[Rule]) -> list[Related]:
    return [[_part(call, "rule_actions", one, wire.show_action(one)) for one in rule.actions] for rule in rules]


def _part(call: Call, kind: str, part: KeptPart, attributes: Any) -> Thing[Any]:
    return thing(call.base, kind, part.id, attributes)


INCLUDES = registry(
    Include("rule_group", _groups, default=True),
    Include("rule_triggers", _triggers, default=True),
    Include("rule_actions", _actions, default=True),
    USER,
)


def listed(call: Call, path: str, rules: Sequence[Rule], total: int) -> Answer:
    document = page(call, path, things(call, rules), total)
    include(call, document, rules, INCLUDES)
    return Answer(document)


class RuleTestMeta(Struct):
    """`complete`: the whole range was looked at, not only its newest transactions."""

    pagination: Pagination
    looked_at: int
    complete: bool


class RuleTest(Struct):
    """The transactions that rules match; `meta` of each says which, and why."""

    data: list[TransactionThing]
    meta: RuleTestMeta
    links: PageLinks
    included: list[Thing[Any]] | UnsetType = UNSET


class RuleChangeAttributes(Struct):
    """What rules made of a transaction. `failure`: why it could not be booked as they would have it."""

    changed: bool
    failure: str | None
    fired: list[wire.RuleFiredShown]
    before: list[TransactionThing]
    after: list[TransactionThing]


class RuleRunMeta(Struct):
    """`in_background`: there are many, and all of it is still to be done."""

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
    """How far a long dry run has come. Of all that would change, `pagination.total` are kept to be looked at."""

    pagination: Pagination
    start: ShownDay
    end: ShownDay
    looked_at: int
    matched: int
    changed: int
    finished: bool
    failure: str | None


class RuleDryRun(Struct):
    """What rules would change, the newest transactions first."""

    data: list[Thing[RuleChangeAttributes]]
    meta: RuleDryRunMeta
    links: PageLinks


def tested(call: Call, path: str, kind: str, subject_id: int) -> Answer:
    """Whatever the rules would change: nothing is changed here."""
    scope, at = _scope(call, parse(wire.RunFlags, call.query), needed=False), asked(call)
    found = candidates.newest(call.db, call.user_id, scope, limit=TESTED_MAX + 1)
    looked_at = [one.entry_id for one in found[:TESTED_MAX]]
    rules = trigger.rules_of(call.db, call.user_id, kind, subject_id)
    tried, _ = trigger.try_on(call.db, call.user_id, rules, looked_at)
    matched = trigger.matched(tried)
    why = {one.entry_id: _reasons(one) for one in matched}
    shown = [line for one in matched for line in one.lines]
    total, shown = len(shown), shown[at.offset : at.offset + at.size]
    document = page(call, path, transaction_things(call, shown), total, _parameters(call))
    include(call, document, shown, TRANSACTION_INCLUDES)
    for one, line in zip(document.data, shown, strict=True):
        one.meta = why[line.entry_id]
    meta = RuleTestMeta(document.meta.pagination, len(looked_at), len(found) <= TESTED_MAX)
    return Answer(RuleTest(document.data, meta, document.links, document.included))


def _reasons(tried: Tried) -> list[dict[str, Any]]:
    return [{"rule_id": one.rule_id, "rule_title": one.title, "why": one.why} for one in tried.outcome.fired]


def triggered(call: Call, kind: str, subject_id: int) -> Answer:
    """At once, or by a job where there are many."""
    parsed = parse(wire.RunFlags, call.query)
    scope = _scope(call, parsed, needed=True)
    if parsed.values.dry_run:
        return _tried(call, kind, subject_id, scope)
    if not call.writes:
        raise MustWrite
    found = candidates.newest(call.db, call.user_id, scope, limit=trigger.AT_ONCE_MAX + 1)
    if len(found) > trigger.AT_ONCE_MAX:
        trigger.leave_to_job(call.db, call.user_id, kind, subject_id, scope, call.now)
        return _later(dry_run=False)
    tried, known = _asked(call, kind, subject_id, found)
    matched = trigger.matched(tried)
    done = trigger.carry_out(call.db, call.user_id, matched, known, call.now)
    trigger.tell_failed(call.user_id, done)
    return _run(call, _read_back(call, done), looked_at=len(found), dry_run=False)


def _tried(call: Call, kind: str, subject_id: int, scope: Scope) -> Answer:
    """It only reads. Only where there are many it has to be written down, for a job, what is to be tried."""
    if call.writes:
        dry_run.begin(call.db, call.user_id, kind, subject_id, scope, call.now)
        return _later(dry_run=True, headers=(("location", f"{call.base}/api/v1{_dry_run_path(kind, subject_id)}"),))
    found = candidates.newest(call.db, call.user_id, scope, limit=trigger.AT_ONCE_MAX + 1)
    if len(found) > trigger.AT_ONCE_MAX:
        raise MustWrite
    tried, known = _asked(call, kind, subject_id, found)
    matched = trigger.matched(tried)
    told = dry_run.told_of(call.db, call.user_id, matched, known, call.now)
    return _run(call, told, looked_at=len(found), dry_run=True)


def dry_ran(call: Call, kind: str, subject_id: int) -> Answer:
    """How far the last long dry run has come, and a page of what it found."""
    last = found(dry_run.last(call.db, call.user_id, kind, subject_id, call.now))
    at, progress = asked(call), dry_run.progress_of(last)
    told = dry_run.page(call.db, call.user_id, last.id, limit=at.size, offset=at.offset)
    document = page(call, _dry_run_path(kind, subject_id), _shown(call, told), progress.kept)
    meta = RuleDryRunMeta(
        pagination=document.meta.pagination,
        start=last.data["start"],
        end=last.data["end"],
        looked_at=progress.looked_at,
        matched=progress.matched,
        changed=progress.changed,
        finished=last.finished_at is not None,
        failure=last.failure,
    )
    return Answer(RuleDryRun(document.data, meta, document.links))


def _dry_run_path(kind: str, subject_id: int) -> str:
    return f"/{'rules' if kind == trigger.RULE_JOB else 'rule_groups'}/{subject_id}/dry_run"


def _asked(call: Call, kind: str, subject_id: int, among: Sequence[Place]) -> tuple[list[Tried], Known]:
    rules = trigger.rules_of(call.db, call.user_id, kind, subject_id)
    return trigger.try_on(call.db, call.user_id, rules, [one.entry_id for one in among])


def _read_back(call: Call, done: Sequence[Done]) -> list[Told]:
    """As the transactions were, and as they are now: read back, so that it is the truth."""
    changed = [one.tried.entry_id for one in done if one.changed]
    after: dict[int, tuple[Line, ...]] = {}
    for line in transaction_lines.of_entries(call.db, call.user_id, changed):
        after[line.entry_id] = (*after.get(line.entry_id, ()), line)
    return [
        Told(
            one.tried.outcome.fired,
            one.tried.lines,
            after.get(one.tried.entry_id, one.tried.lines),
            one.changed,
            one.failure,
        )
        for one in done
    ]


def _run(call: Call, told: Sequence[Told], *, looked_at: int, dry_run: bool) -> Answer:
    changed = sum(one.changed for one in told)
    return Answer(RuleRun(_shown(call, told), RuleRunMeta(looked_at, len(told), changed, True, dry_run, False)))


def _later(*, dry_run: bool, headers: tuple[tuple[str, str], ...] = ()) -> Answer:
    meta = RuleRunMeta(0, 0, 0, False, dry_run, in_background=True)
    return Answer(RuleRun([], meta), status=202, headers=headers)


def _shown(call: Call, told: Sequence[Told]) -> list[Thing[RuleChangeAttributes]]:
    found = []
    for one in told:
        before = transaction_things(call, one.before)
        attributes = RuleChangeAttributes(
            changed=one.changed,
            failure=one.failure,
            fired=[wire.show_fired(fired) for fired in one.fired],
            before=before,
            after=transaction_things(call, one.after),
        )
        found.append(Thing("rule_changes", str(one.before[0].entry_id), attributes, before[0].links))
    return found


def _scope(call: Call, parsed: Parsed[wire.RunFlags], *, needed: bool) -> Scope:
    """A test looks at the last year where nothing is said; what changes things must be told how far to go."""
    chosen = call.range()
    problems = list(parsed.problems)
    if chosen is None and needed:
        problems += [
            Problem(name, f"The {name} field is required.") for name in ("start", "end") if not call.query.get(name)
        ]
    accounts = _accounts(call, parsed.values.accounts or [], problems)
    refuse(problems)
    if chosen is None:
        return Scope((call.today - _TEST_RANGE).isoformat(), call.today.isoformat(), accounts)
    return Scope(chosen.start.isoformat(), chosen.end.isoformat(), accounts)


def _accounts(call: Call, words: list[str], problems: list[Problem]) -> tuple[int, ...]:
    if len(words) > _ACCOUNTS_MAX:
        problems.append(Problem("accounts", f"The accounts may not have more than {_ACCOUNTS_MAX} items."))
        return ()
    ids = {id_in(word) or 0 for word in words}
    known = lookup.look_up(call.db, call.user_id, Named(account_ids=ids))
    if ids - known.accounts.keys():
        problems.append(Problem("accounts", "The selected accounts are invalid: send the ids of your own accounts."))
    return tuple(sorted(ids))


def _parameters(call: Call) -> dict[str, str]:
    return {"accounts": call.query.get("accounts", "")}


_ACCOUNTS = Parameter("accounts", {"type": "string"}, "Only transactions of these accounts: ids, comma separated.")
_FLAG = {"type": "string", "enum": ["0", "1", "true", "false"]}
TEST_PARAMETERS = (*RANGED, _ACCOUNTS, *PAGED)
TRIGGER_PARAMETERS = (
    *RANGE_NEEDED,
    _ACCOUNTS,
    Parameter("dry_run", _FLAG, "Show what would change, and change nothing."),
)
