"""Runs a user's rules on a transaction that is made or changed, before it is booked, in its unit of work.

Each process caches the prepared rules of its users until their version changes. Every write reads the version together
with its user, so no server has to be notified, and users without rules pay nothing.
"""

import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock

from msgspec.structs import replace

from farthing.ledger.entry import Entry
from farthing.storage.unit import Unit

from ..attachments import store as attachments
from ..attachments.model import Model
from ..bookkeeping import known as lookup
from ..bookkeeping import record
from ..transactions import links
from ..transactions.links import EntryLinks
from ..transactions.model import Lookup, LookupRequest, SplitDraft, TransactionDraft
from . import engine, store
from .actions import Name
from .engine import Outcome, PreparedRule, RuleMatch, Surroundings
from .model import RuleEvent

_LOG = logging.getLogger("farthing.rules")
# More triggers and actions than this are not tried while other writers wait; these take some hundredths of a second.
LOCKED_CHECKS_MAX = 100_000
# Of so many users the prepared rules are cached.
_KEPT_MAX = 200
_kept: OrderedDict[tuple[int, int], "_ByMoment"] = OrderedDict()
_lock = Lock()
_ByMoment = dict[RuleEvent, tuple[PreparedRule, ...]]


def on_create(
    db: Unit, user_id: int, drafts: Sequence[TransactionDraft], known: Lookup
) -> tuple[list[TransactionDraft], Lookup]:
    """The drafts after the rules, and everything that these refer to."""
    rules = find_running(db, user_id, RuleEvent.STORE)
    if not rules:
        return list(drafts), known
    outcomes, known = decide(db, user_id, rules, [(draft, engine.ALONE) for draft in drafts], known)
    log_skipped(user_id, outcomes)
    return [one.draft for one in outcomes], known


def takes_long(db: Unit, user_id: int, drafts: int) -> bool:
    """Whether running the rules on so many new transactions would keep other writers waiting."""
    return are_many(find_running(db, user_id, RuleEvent.STORE), drafts)


def are_many(rules: Iterable[PreparedRule], transactions: int) -> bool:
    """Whether trying all of them on so many transactions would keep other writers waiting."""
    return transactions * sum(rule.size for rule in rules) > LOCKED_CHECKS_MAX


def on_change(
    db: Unit, user_id: int, entry_id: int, draft: TransactionDraft, known: Lookup, *, unlinks: bool
) -> tuple[TransactionDraft, Lookup]:
    """`unlinks`: the caller says that it pays no bill."""
    rules = find_running(db, user_id, RuleEvent.UPDATE)
    if not rules:
        return draft, known
    [around] = find_surroundings(db, user_id, rules, {entry_id: links.of_entry(db, user_id, entry_id)})
    around = replace(around, bill_decided=True, bill_id=None) if unlinks else around
    [outcome], known = decide(db, user_id, rules, [(draft, around)], known)
    log_skipped(user_id, [outcome])
    return outcome.draft, known


def on_entries(db: Unit, user_id: int, entries: Sequence[Entry], now: str) -> list[Entry]:
    """For recurrences, which make whole entries instead of drafts."""
    if not entries or not find_running(db, user_id, RuleEvent.STORE):
        return list(entries)
    drafts, known = draft_entries(db, user_id, entries)
    ruled, known = on_create(db, user_id, drafts, known)
    maker = record.Maker(db, user_id, known, now)
    return [
        entry if after == before else replace(maker.entry(after), recurrence_id=entry.recurrence_id)
        for entry, before, after in zip(entries, drafts, ruled, strict=True)
    ]


def draft_entries(db: Unit, user_id: int, entries: Sequence[Entry]) -> tuple[list[TransactionDraft], Lookup]:
    """The drafts of entries that are not booked yet, and everything that these refer to."""
    known = lookup.look_up(db, user_id, _request_references(entries))
    return [_draft(entry, known) for entry in entries], known


def decide(
    db: Unit,
    user_id: int,
    rules: Sequence[PreparedRule],
    cases: Sequence[tuple[TransactionDraft, Surroundings]],
    known: Lookup,
) -> tuple[list[Outcome], Lookup]:
    """Runs the rules, looks up the accounts, budgets and bills that they name, and runs them again with what was found.

    Repeats as long as a run meets further names; mostly there is one round.
    """
    looked_up: frozenset[Name] = frozenset()
    outcomes = [engine.run(rules, draft, known, looked_up, around) for draft, around in cases]
    while True:
        unknown = frozenset(name for outcome in outcomes for name in outcome.unknown)
        names = unknown or frozenset(name for outcome in outcomes for name in outcome.made)
        if names:
            known = lookup.join(known, lookup.look_up(db, user_id, _request_names(names)))
        if not unknown:
            return outcomes, known
        looked_up |= unknown
        # An outcome without unknown names would be the same again.
        outcomes = [
            engine.run(rules, draft, known, looked_up, around) if outcome.unknown else outcome
            for (draft, around), outcome in zip(cases, outcomes, strict=True)
        ]


def find_surroundings(
    db: Unit, user_id: int, rules: Iterable[PreparedRule], kept: Mapping[int, EntryLinks]
) -> list[Surroundings]:
    """Of stored entries, by id with what they are linked to. Files are counted only where a rule asks for them."""
    asked = any(rule.asks_attachments for rule in rules)
    files = attachments.of_places(db, user_id, Model.JOURNAL, list(kept)) if asked else {}
    return [
        Surroundings(len(files.get(entry_id, ())), one.by_hand, one.bill_id if one.by_hand else None)
        for entry_id, one in kept.items()
    ]


def log_skipped(user_id: int, outcomes: Iterable[Outcome]) -> None:
    """A rule that cannot be applied does not stop the write; it is only logged."""
    for fired in (one for outcome in outcomes for one in outcome.fired):
        for skipped in fired.skipped:
            _note(user_id, fired, skipped)


def _note(user_id: int, fired: RuleMatch, skipped: str) -> None:
    facts = {"user_id": user_id, "rule_id": fired.rule_id}
    _LOG.warning("the rule “%s” could not %s", fired.title, skipped, extra=facts)


def find_running(db: Unit, user_id: int, moment: RuleEvent) -> tuple[PreparedRule, ...]:
    """The user's rules of that moment, made ready."""
    version = db.author.rules_version if db.author else store.get_version(db, user_id)
    if not version:
        return ()
    key = (user_id, version)
    with _lock:
        found = _kept.get(key)
    if found is None:
        rules = [engine.prepare(rule) for rule in store.find_running(db, user_id)]
        found = {one: tuple(rule for rule in rules if rule.moment == one) for one in RuleEvent}
        _keep(key, found)
    return found[moment]


def _keep(key: tuple[int, int], rules: _ByMoment) -> None:
    with _lock:
        for outdated in [one for one in _kept if one[0] == key[0]]:
            del _kept[outdated]
        _kept[key] = rules
        while len(_kept) > _KEPT_MAX:
            _kept.popitem(last=False)


def _request_names(names: Iterable[Name]) -> LookupRequest:
    folds: dict[str, set[str]] = {}
    for kind, name in names:
        folds.setdefault(kind, set()).add(name)
    return LookupRequest(
        account_folds=folds.get("accounts", set()),
        category_folds=folds.get("categories", set()),
        budget_folds=folds.get("budgets", set()),
        tag_folds=folds.get("tags", set()),
        bill_folds=folds.get("bills", set()),
    )


def _request_references(entries: Sequence[Entry]) -> LookupRequest:
    splits = [split for entry in entries for split in entry.splits]
    return LookupRequest(
        account_ids={party.id for split in splits for party in (split.source, split.destination)},
        category_ids={split.category_id for split in splits if split.category_id},
        budget_ids={split.budget_id for split in splits if split.budget_id},
        tag_ids={tag_id for entry in entries for tag_id in entry.tag_ids},
        piggy_bank_ids={entry.piggy_bank_id for entry in entries if entry.piggy_bank_id},
    )


def _draft(entry: Entry, known: Lookup) -> TransactionDraft:
    return TransactionDraft(
        type=entry.type,
        on=entry.on,
        description=entry.description,
        splits=tuple(
            SplitDraft(
                source=known.accounts[split.source.id],
                destination=known.accounts[split.destination.id],
                amount=split.amount,
                foreign=split.foreign,
                description=split.description,
                reconciled=split.reconciled,
                category=split.category_id,
                budget=split.budget_id,
                refund=split.refund,
            )
            for split in entry.splits
        ),
        notes=entry.notes,
        internal_reference=entry.internal_reference,
        dates=entry.dates,
        tags=tuple(known.tags[tag_id] for tag_id in entry.tag_ids),
        bill_id=entry.bill_id,
        piggy_bank_id=entry.piggy_bank_id,
    )
