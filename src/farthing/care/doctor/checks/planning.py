"""Checks values that are stored with bills, recurrences, piggy banks and webhooks, but can be computed."""

from collections.abc import Iterator

import msgspec

from farthing.books.bills.model import longest_word, words_key
from farthing.books.recurrences import exceptions, store
from farthing.books.webhooks import store as stored_webhooks
from farthing.books.webhooks.model import wait_bits
from farthing.ledger.kinds import Type
from farthing.storage.grains import HALVES, join_halves
from farthing.storage.unit import Unit

from .basics.finding import DoctorFinding, Person, name_type
from .sums import AmountFormatter


def bills(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    rows = db.stream(
        "SELECT id, name, words, words_key, longest_word FROM bills WHERE user_id = :user_id ORDER BY id",
        user_id=person.id,
    )
    for bill_id, name, words, *stored in rows:
        meant = tuple(msgspec.json.decode(words))
        if stored != [words_key(meant, name), longest_word(meant)]:
            quoted = ", ".join(f"'{word}'" for word in meant)
            yield person.finding("bill", f"bill {bill_id} '{name}' is not indexed by its words {quoted}.")
    rows = db.stream(
        """
        SELECT id, type, on_day, bill_id FROM entries
        WHERE user_id = :user_id AND bill_id IS NOT NULL AND type <> :withdrawal ORDER BY id
        """,
        user_id=person.id,
        withdrawal=int(Type.WITHDRAWAL),
    )
    for entry_id, type_, on, bill_id in rows:
        sentence = f"the {name_type(type_)} {entry_id} of {on} pays bill {bill_id}, but only withdrawals pay bills."
        yield person.finding("bill", sentence, period=on)


def entry_links(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    """Checks that the splits of links, if they exist, belong to the linked transactions."""
    for side in ("from", "to"):
        rows = db.stream(
            f"""
            SELECT l.id, l.{side}_split_id, l.{side}_entry_id FROM entry_links l
            JOIN splits s ON s.user_id = l.user_id AND s.id = l.{side}_split_id AND s.entry_id <> l.{side}_entry_id
            WHERE l.user_id = :user_id ORDER BY l.id
            """,
            user_id=person.id,
        )
        for link_id, split_id, entry_id in rows:
            sentence = f"link {link_id} names split {split_id}, which does not belong to transaction {entry_id}."
            yield person.finding("link", sentence)


_FIRINGS = """
SELECT r.id, r.fired, r.latest_on, r.due_on, COUNT(f.id), MAX(f.landed_on)
FROM recurrences r LEFT JOIN firings f ON f.user_id = r.user_id AND f.recurrence_id = r.id
WHERE r.user_id = :user_id GROUP BY r.id, r.fired, r.latest_on, r.due_on ORDER BY r.id
"""


def recurrences(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    _, planned = store.page(db, person.id, limit=_EVERY, offset=0)
    by_id = {recurrence.id: recurrence for recurrence in planned}
    for recurrence_id, fired, latest_on, due_on, made, latest in db.all(_FIRINGS, user_id=person.id):
        recurrence = by_id[recurrence_id]
        name = f"the recurrence {recurrence.id} '{recurrence.title}'"
        if fired != made:
            yield person.finding("recurrence", f"{name} has fired {made} times, not {fired}.", stored=fired, true=made)
        if latest_on != latest:
            yield person.finding("recurrence", f"{name} fired last on {latest}, not on {latest_on}.")
        day = recurrence.agenda.next_day() if recurrence.active else None
        if due_on != (day.isoformat() if day else None):
            yield person.finding("recurrence", f"{name} is due on {day}, but stored as due on {due_on}.")
        for by_hand in exceptions.find_pending(db, person.id, [recurrence.id]):
            if not recurrence.plan.plans(by_hand.planned_on):
                sentence = f"{name} has a manual change for {by_hand.planned_on}, which is not a planned day."
                yield person.finding("recurrence", sentence, period=str(by_hand.planned_on))
    yield from _unlisted(db, person)


_EVERY = 2**31


def _unlisted(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    """Finds transactions of a recurrence that are not listed among its firings."""
    rows = db.stream(
        """
        SELECT id, on_day, recurrence_id FROM entries WHERE user_id = :user_id AND recurrence_id IS NOT NULL
        EXCEPT
        SELECT e.id, e.on_day, f.recurrence_id FROM firings f
        JOIN entries e ON e.user_id = f.user_id AND e.id = f.entry_id WHERE f.user_id = :user_id
        ORDER BY 1
        """,
        user_id=person.id,
    )
    for entry_id, on, recurrence_id in rows:
        sentence = f"transaction {entry_id} of {on} was created by recurrence {recurrence_id}, which does not list it."
        yield person.finding("recurrence", sentence, period=on)


_SAVED = f"""
SELECT p.id, p.name, v.share_id, a.name, a.currency_id, v.units, {HALVES.format(column="e.units")}
FROM piggy_banks p
JOIN piggy_bank_accounts v ON v.user_id = p.user_id AND v.piggy_bank_id = p.id
JOIN accounts a ON a.user_id = v.user_id AND a.id = v.account_id
LEFT JOIN piggy_bank_events e ON e.user_id = p.user_id AND e.piggy_bank_id = p.id
    AND COALESCE(e.account_id, p.account_id) = v.account_id
WHERE p.user_id = :user_id GROUP BY p.id, p.name, v.share_id, a.name, a.currency_id, v.units ORDER BY p.id, v.share_id
"""
_STRAY = """
SELECT e.id, e.piggy_bank_id, e.account_id FROM piggy_bank_events e
WHERE e.user_id = :user_id AND e.account_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM piggy_bank_shares s
    WHERE s.user_id = e.user_id AND s.piggy_bank_id = e.piggy_bank_id AND s.account_id = e.account_id
) ORDER BY e.id
"""
_ASTRAY = """
SELECT v.id, v.entry_id FROM piggy_bank_events v
JOIN entries e ON e.user_id = v.user_id AND e.id = v.entry_id
WHERE v.user_id = :user_id AND (e.piggy_bank_id IS NULL OR e.piggy_bank_id <> v.piggy_bank_id) ORDER BY v.id
"""


def piggy_banks(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    formatter = AmountFormatter(db)
    for bank_id, name, share_id, account, currency_id, stored, high, low in db.stream(_SAVED, user_id=person.id):
        true, where = join_halves(high, low), f" in '{account}'" if share_id else ""
        if stored != true or stored < 0:
            yield person.finding(
                "piggy bank",
                f"piggy bank {bank_id} '{name}': it stores {formatter.show(stored, currency_id)}{where}, "
                f"but its events{where} add up to {formatter.show(true, currency_id)}.",
                stored=stored,
                true=true,
            )
    for event_id, bank_id, account_id in db.stream(_STRAY, user_id=person.id):
        sentence = f"event {event_id} is about account {account_id}, which is not one of piggy bank {bank_id}."
        yield person.finding("piggy bank", sentence)
    for event_id, entry_id in db.stream(_ASTRAY, user_id=person.id):
        yield person.finding(
            "piggy bank", f"event {event_id} belongs to transaction {entry_id}, which has another piggy bank, or none."
        )


def webhooks(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    """Checks which events the user's active webhooks wait for: without these bits, no messages are written."""
    stored = int(db.value("SELECT hooks FROM users WHERE id = :user_id", user_id=person.id))
    true = 0
    for webhook in stored_webhooks.all_of(db, person.id, "active = 1"):
        true |= wait_bits(webhook.triggers)
    if stored != true:
        sentence = f"the events for which webhooks wait are stored as {stored}, but should be {true}."
        yield person.finding("webhook", sentence, stored=stored, true=true)
    for webhook_id, title in db.stream(_STUCK, user_id=person.id):
        sentence = f"webhook {webhook_id} '{title}' is active, but does not follow the books: save it again."
        yield person.finding("webhook", sentence)


# Without its progress, or ahead of the books, a webhook of version 1 finds no changes.
_STUCK = """
SELECT w.id, w.title FROM webhooks w JOIN users u ON u.id = w.user_id
LEFT JOIN webhook_progress p ON p.user_id = w.user_id AND p.webhook_id = w.id
WHERE w.user_id = :user_id AND w.active = 1 AND w.api_version = 'v1'
    AND (p.webhook_id IS NULL OR p.seen_revision > u.revision) ORDER BY w.id
"""
