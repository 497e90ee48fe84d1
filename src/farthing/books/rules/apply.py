"""Runs a user's rules on a new or changed transaction before it is booked, in the same unit of work.

Each process caches a user's prepared rules until their version changes. Every write reads the version together with
the user's row, so processes need not notify each other, and users without rules pay no extra cost.
"""

import logging
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock

from msgspec.structs import replace

from farthing.ledger.entry import Entry
from farthing.storage.unit import Unit

from ..attachments import store as attachments
from ..attachments.model import Model
from ..bookkeeping import record
from ..bookkeeping.lookup import join, look_up
from ..transactions import links
from ..transactions.links import EntryLinks
from ..transactions.model import Lookup, LookupRequest, SplitDraft, TransactionDraft
from . import engine, store
from .actions import Name
from .engine import PreparedRule, RuleOutcome, Surroundings
from .model import RuleEvent

_LOG = logging.getLogger("farthing.rules")
# Trying this many triggers and actions takes a few hundredths of a second. More are not tried while other writers wait.
LOCKED_CHECKS_MAX = 100_000
_CACHED_USERS_MAX = 200
_cache: OrderedDict[int, tuple[int, "_ByMoment"]] = OrderedDict()
_lock = Lock()
_ByMoment = dict[RuleEvent, tuple[PreparedRule, ...]]


def on_create(
    db: Unit, user_id: int, drafts: Sequence[TransactionDraft], lookup: Lookup
) -> tuple[list[TransactionDraft], Lookup]:
    """Returns the drafts as changed by the rules, and a lookup of everything that the drafts refer to."""
    rules = find_running(db, user_id, RuleEvent.STORE)
    if not rules:
        return list(drafts), lookup
    outcomes, lookup = decide(db, user_id, rules, [(draft, engine.ALONE) for draft in drafts], lookup)
    log_skipped(user_id, outcomes)
    return [outcome.draft for outcome in outcomes], lookup


def takes_long(db: Unit, user_id: int, drafts: int) -> bool:
    """Checks if running the rules on this many new transactions would keep other writers waiting."""
    return are_many(find_running(db, user_id, RuleEvent.STORE), drafts)


def are_many(rules: Iterable[PreparedRule], transactions: int) -> bool:
    """Checks if trying all rules on this many transactions would keep other writers waiting."""
    return transactions * sum(rule.size for rule in rules) > LOCKED_CHECKS_MAX


def on_change(
    db: Unit, user_id: int, entry_id: int, draft: TransactionDraft, lookup: Lookup, *, unlinks: bool
) -> tuple[TransactionDraft, Lookup]:
    """Runs the rules on a changed draft. `unlinks` says that the caller wants the transaction to pay no bill."""
    rules = find_running(db, user_id, RuleEvent.UPDATE)
    if not rules:
        return draft, lookup
    [around] = find_surroundings(db, user_id, rules, {entry_id: links.of_entry(db, user_id, entry_id)})
    around = replace(around, bill_decided=True, bill_id=None) if unlinks else around
    [outcome], lookup = decide(db, user_id, rules, [(draft, around)], lookup)
    log_skipped(user_id, [outcome])
    return outcome.draft, lookup


def on_entries(db: Unit, user_id: int, entries: Sequence[Entry], now: str) -> list[Entry]:
    if not entries or not find_running(db, user_id, RuleEvent.STORE):
        return list(entries)
    drafts, lookup = draft_entries(db, user_id, entries)
    ruled, lookup = on_create(db, user_id, drafts, lookup)
    maker = record.EntryMaker(db, user_id, lookup, now)
    return [
        entry if after == before else replace(maker.entry(after), recurrence_id=entry.recurrence_id)
        for entry, before, after in zip(entries, drafts, ruled, strict=True)
    ]


def draft_entries(db: Unit, user_id: int, entries: Sequence[Entry]) -> tuple[list[TransactionDraft], Lookup]:
    """Turns entries that are not booked yet into drafts. Also returns a lookup of everything that they refer to."""
    lookup = look_up(db, user_id, _request_references(entries))
    return [_draft(entry, lookup) for entry in entries], lookup


def decide(
    db: Unit,
    user_id: int,
    rules: Sequence[PreparedRule],
    cases: Sequence[tuple[TransactionDraft, Surroundings]],
    lookup: Lookup,
) -> tuple[list[RuleOutcome], Lookup]:
    """Runs the rules, looks up the accounts, budgets and bills that they name, and runs them again with the results.

    Repeats this while a run meets names that have not been looked up; one round is usually enough.
    """
    looked_up: frozenset[Name] = frozenset()
    outcomes = [engine.run(rules, draft, lookup, looked_up, around) for draft, around in cases]
    while True:
        unknown = frozenset(name for outcome in outcomes for name in outcome.unknown)
        names = unknown or frozenset(name for outcome in outcomes for name in outcome.made)
        if names:
            lookup = join(lookup, look_up(db, user_id, _request_names(names)))
        if not unknown:
            return outcomes, lookup
        looked_up |= unknown
        # If no names were unknown, another run would have the same outcome.
        outcomes = [
            engine.run(rules, draft, lookup, looked_up, around) if outcome.unknown else outcome
            for (draft, around), outcome in zip(cases, outcomes, strict=True)
        ]


def find_surroundings(
    db: Unit, user_id: int, rules: Iterable[PreparedRule], links_by_entry: Mapping[int, EntryLinks]
) -> list[Surroundings]:
    """Returns what rules may check about stored entries apart from their drafts, in order.

    Attachments are counted only if a rule asks for them.
    """
    counts_files = any(rule.asks_attachments for rule in rules)
    files = attachments.of_targets(db, user_id, Model.JOURNAL, list(links_by_entry)) if counts_files else {}
    return [
        Surroundings(
            len(files.get(entry_id, ())), entry_links.by_hand, entry_links.bill_id if entry_links.by_hand else None
        )
        for entry_id, entry_links in links_by_entry.items()
    ]


def log_skipped(user_id: int, outcomes: Iterable[RuleOutcome]) -> None:
    """Logs the actions that could not be applied; they do not stop the write."""
    for match in (match for outcome in outcomes for match in outcome.fired):
        facts = {"user_id": user_id, "rule_id": match.rule_id}
        for skipped in match.skipped:
            _LOG.warning("the rule “%s” could not %s", match.title, skipped, extra=facts)


def find_running(db: Unit, user_id: int, moment: RuleEvent) -> tuple[PreparedRule, ...]:
    """Returns the user's active rules for an event, prepared to run."""
    version = db.author.rules_version if db.author else store.get_version(db, user_id)
    if not version:
        return ()
    with _lock:
        cached_version, by_moment = _cache.get(user_id, (0, {}))
    if cached_version != version:
        rules = [engine.prepare(rule) for rule in store.find_running(db, user_id)]
        by_moment = {event: tuple(rule for rule in rules if rule.moment == event) for event in RuleEvent}
        with _lock:
            _cache.pop(user_id, None)
            _cache[user_id] = version, by_moment
            while len(_cache) > _CACHED_USERS_MAX:
                _cache.popitem(last=False)
    return by_moment[moment]


def _request_names(names: Iterable[Name]) -> LookupRequest:
    folds: dict[str, set[str]] = defaultdict(set)
    for kind, name in names:
        folds[kind].add(name)
    return LookupRequest(
        account_folds=folds["accounts"],
        category_folds=folds["categories"],
        budget_folds=folds["budgets"],
        tag_folds=folds["tags"],
        bill_folds=folds["bills"],
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


def _draft(entry: Entry, lookup: Lookup) -> TransactionDraft:
    return TransactionDraft(
        type=entry.type,
        on=entry.on,
        description=entry.description,
        splits=tuple(
            SplitDraft(
                source=lookup.accounts[split.source.id],
                destination=lookup.accounts[split.destination.id],
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
        tags=tuple(lookup.tags[tag_id] for tag_id in entry.tag_ids),
        bill_id=entry.bill_id,
        piggy_bank_id=entry.piggy_bank_id,
    )
