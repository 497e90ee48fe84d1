"""Finds the events that webhooks of version 1 wait for, behind a cursor over the log of changes."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

from msgspec import Struct

from farthing.api.v1.serializers import accounts as account_listing
from farthing.api.v1.serializers import transactions as listing
from farthing.api.v1.upcoming.routes import show_item
from farthing.books.accounts import store as accounts
from farthing.books.bills.model import PaymentState
from farthing.books.budget_limits import store as limits
from farthing.books.preferences import store as preferences
from farthing.books.recurrences import store as recurrences
from farthing.books.transactions import lines
from farthing.books.transactions.model import Line
from farthing.books.webhooks import following
from farthing.books.webhooks.following import Follower, HookEvent, LoggedChange
from farthing.books.webhooks.model import Event
from farthing.care.changes import object_names
from farthing.identity import audit
from farthing.kernel.clock import shift, stamp, today_in
from farthing.kernel.shown import number
from farthing.ledger.kinds import Kind
from farthing.moving.import_jobs import store as imports
from farthing.overviews.upcoming import gather
from farthing.storage.unit import Unit

# How many rows of the log one unit of work reads, and after which time a webhook looks even if nothing has changed.
ROWS_AT_ONCE = 1000
_LOOK_AFTER = timedelta(hours=1)
_A_DAY, _REMEMBERED = timedelta(days=1), timedelta(days=400)
# What has happened is found this much later at most, such as after the server was off.
_FOUND_FOR = timedelta(days=60)
_NEW_DEVICES_MAX = 20
_OBJECTS = {"entries": ("transaction", "transactions"), "accounts": ("account", "accounts")}
_ACTIONS = {"created": "created", "changed": "updated", "removed": "deleted"}


class ObjectChange(Struct, frozen=True):
    """Describes what one revision did to a transaction or an account."""

    table: str
    object_id: int
    action: str
    revision: int
    at: str
    bill_id: int | None


def follow(db: Unit, follower: Follower, now: datetime) -> bool:
    """Writes the messages of a webhook about what it has not seen. Returns whether there may be more at once."""
    rows = following.read_changes(db, follower, most=ROWS_AT_ONCE + 1)
    more = len(rows) > ROWS_AT_ONCE
    if more:
        rows = _leave_last_revision(rows[:ROWS_AT_ONCE])
    last = rows[-1] if rows else None
    moved = following.move_on(
        db,
        follower,
        seen_revision=follower.seen_revision if more else follower.revision,
        seen_change=last.id if last else follower.seen_change,
        look_at=stamp(now if more else now + _LOOK_AFTER),
    )
    if moved:
        changed = _list_object_changes(following.drop_parts(db, follower.user_id, rows))
        zone = str(preferences.values(db, follower.user_id, ["timezone"])["timezone"])
        events = [*_tell_changes(db, follower, changed, today_in(zone, now))]
        events += () if more else _tell_state(db, follower, zone, now)
        following.tell(db, follower, [event for event in events if event.type in follower.triggers], stamp(now))
    return moved and more


def _leave_last_revision(rows: list[LoggedChange]) -> list[LoggedChange]:
    """Leaves the last revision for the next time, because more of its rows may follow, unless it is the only one."""
    end = len(rows)
    while end and rows[end - 1].revision == rows[-1].revision:
        end -= 1
    return rows[:end] or rows


def _list_object_changes(rows: Sequence[LoggedChange]) -> list[ObjectChange]:
    """Lists what each revision did to each object. What a revision both created and removed is omitted."""
    found: dict[tuple[int, str, int], list[LoggedChange]] = defaultdict(list)
    for row in rows:
        table = row.kind if row.kind in _OBJECTS else "entries"
        object_id = row.object_id if row.kind in _OBJECTS else row.owner_id
        if object_id is not None:
            found[row.revision, table, object_id].append(row)
    changed = []
    for (revision, table, object_id), of_object in found.items():
        actions = {row.action for row in of_object if row.kind == table} or {"changed"}
        if {"created", "removed"} <= actions:
            continue
        action = next(action for action in ("created", "removed", "changed") if action in actions)
        first = of_object[0]
        changed.append(ObjectChange(table, object_id, action, revision, first.at, first.bill_id))
    return changed


def _tell_changes(db: Unit, follower: Follower, changed: Sequence[ObjectChange], today: date) -> Iterator[HookEvent]:
    if not changed:
        return
    shown = _Objects.read(db, follower.user_id, changed, today)
    for change in changed:
        data = shown.show(change)
        if data is None:
            continue
        word, _ = _OBJECTS[change.table]
        yield HookEvent(type=f"{word}.{_ACTIONS[change.action]}", at=change.at, data=data)
        if change.table == "entries" and change.action != "removed":
            yield from shown.tell_links(change, data)


class _Objects(Struct, frozen=True):
    """Holds the objects that a batch of changes touched, in their newest state."""

    names: Mapping[tuple[str, int], str]
    kinds: Mapping[int, str]
    of_entries: Mapping[int, list[Line]]
    accounts: Mapping[int, object]

    @staticmethod
    def read(db: Unit, user_id: int, changed: Sequence[ObjectChange], today: date) -> "_Objects":
        ids = {table: sorted({one.object_id for one in changed if one.table == table}) for table in _OBJECTS}
        of_entries = defaultdict(list)
        for line in lines.of_entries(db, user_id, ids["entries"]):
            of_entries[line.entry_id].append(line)
        stored = accounts.get_some(db, user_id, ids["accounts"])
        later = accounts.sum_booked_after(db, user_id, [account.id for account in stored], today)
        return _Objects(
            names=object_names.find_names(db, user_id, {(one.table, one.object_id) for one in changed}),
            kinds={account.id: account.kind for account in stored},
            of_entries=of_entries,
            accounts={account.id: account_listing.show(account, later[account.id], today) for account in stored},
        )

    def show(self, change: ObjectChange) -> dict[str, object] | None:
        """Shows the object. One that has been removed since then has only its id and its last name."""
        _, kind = _OBJECTS[change.table]
        data: dict[str, object] = {"type": kind, "id": str(change.object_id), "revision": change.revision}
        if name := self.names.get((change.table, change.object_id)):
            data["name"] = name
        if change.table == "accounts" and change.object_id in self.accounts:
            if self.kinds[change.object_id] == Kind.EXCHANGE:
                return None
            data["attributes"] = self.accounts[change.object_id]
        if of_entry := self.of_entries.get(change.object_id) if change.table == "entries" else None:
            splits = [
                {"type": "transactions", "id": str(line.id), "attributes": listing.show(line)} for line in of_entry
            ]
            data["transactions"] = splits
        return data

    def tell_links(self, change: ObjectChange, data: dict[str, object]) -> Iterator[HookEvent]:
        """Tells of a bill that the transaction newly pays, and of the recurrence that has just booked it."""
        of_entry = self.of_entries.get(change.object_id)
        if not of_entry:
            return
        entry = of_entry[0].entry
        if entry.bill and (change.action == "created" or change.bill_id != entry.bill.id):
            bill = {"type": "bills", "id": str(entry.bill.id), "name": entry.bill.name, "transaction": data}
            yield HookEvent(type=Event.BILL_PAID, at=change.at, data=bill)
        if entry.recurrence_id and change.action == "created":
            recurrence = {"type": "recurrences", "id": str(entry.recurrence_id), "transaction": data}
            yield HookEvent(type=Event.RECURRENCE_FIRED, at=change.at, data=recurrence)


def _tell_state(db: Unit, follower: Follower, zone: str, now: datetime) -> Iterator[HookEvent]:
    """Tells of what holds now. Each event has an occasion, so that nobody is told twice."""
    today, wanted = today_in(zone, now), set(follower.triggers)
    if wanted & {Event.BILL_DUE, Event.BILL_OVERDUE}:
        yield from _tell_bills(db, follower, today, today_in(zone, datetime.fromisoformat(follower.started_at)), now)
    if Event.BUDGET_SPENT in wanted:
        yield from _tell_budgets(db, follower, today, now)
    if Event.RECURRENCE_FAILED in wanted:
        yield from _tell_failures(db, follower, today, now)
    if Event.IMPORT_FINISHED in wanted:
        yield from _tell_imports(db, follower, today, now)
    if Event.SIGN_IN_NEW_DEVICE in wanted:
        yield from _tell_sign_ins(db, follower, today, now)


def _tell_bills(db: Unit, follower: Follower, today: date, started_on: date, now: datetime) -> Iterator[HookEvent]:
    """Tells of bills that are due today, or that became overdue since the webhook was made."""
    since = max(started_on - _A_DAY, today - _FOUND_FOR)
    items, _ = gather.find_between(db, follower.user_id, since, today, today)
    for item in items:
        if item.kind != "bill" or item.state not in (PaymentState.DUE, PaymentState.OVERDUE):
            continue
        type_ = Event.BILL_DUE if item.state == PaymentState.DUE else Event.BILL_OVERDUE
        occasion = f"{type_}:{item.id}:{item.on}"
        data = {"type": "bills", "id": str(item.id), "name": item.name, "attributes": show_item(item)}
        yield HookEvent(type=type_, at=stamp(now), data=data, occasion=occasion, forget_on=item.on + _REMEMBERED)


def _tell_budgets(db: Unit, follower: Follower, today: date, now: datetime) -> Iterator[HookEvent]:
    current = limits.list_current(db, follower.user_id, today)
    if not current:
        return
    spent = limits.sum_spent(db, follower.user_id, current)
    names = object_names.find_names(db, follower.user_id, {("budgets", limit.budget_id) for limit in current})
    for limit in current:
        places = limit.currency.places
        for percentage in follower.budget_percentages:
            if spent[limit.id] * 100 < limit.units * percentage:
                continue
            yield HookEvent(
                type=Event.BUDGET_SPENT,
                at=stamp(now),
                data={
                    "type": "budgets",
                    "id": str(limit.budget_id),
                    "name": names.get(("budgets", limit.budget_id)),
                    "budget_limit_id": str(limit.id),
                    "start": limit.start_on,
                    "end": limit.end_on,
                    "currency_code": limit.currency.code,
                    "amount": number(limit.units, places),
                    "spent": number(spent[limit.id], places),
                    "percentage": percentage,
                },
                occasion=f"{Event.BUDGET_SPENT}:{limit.id}:{limit.start_on}:{percentage}",
                forget_on=date.fromisoformat(limit.end_on) + _A_DAY,
            )


def _tell_failures(db: Unit, follower: Follower, today: date, now: datetime) -> Iterator[HookEvent]:
    for recurrence_id, title, due_on, failure in recurrences.list_failing(db, follower.user_id):
        data = {"type": "recurrences", "id": str(recurrence_id), "name": title, "date": due_on, "failure": failure}
        occasion = f"{Event.RECURRENCE_FAILED}:{recurrence_id}:{due_on}"
        yield HookEvent(
            type=Event.RECURRENCE_FAILED, at=stamp(now), data=data, occasion=occasion, forget_on=today + _REMEMBERED
        )


def _tell_imports(db: Unit, follower: Follower, today: date, now: datetime) -> Iterator[HookEvent]:
    for ended in imports.list_ended(db, follower.user_id, max(follower.started_at, shift(stamp(now), -_FOUND_FOR))):
        data = {"type": "import_jobs", "id": str(ended.id), "state": ended.state, "rows_new": ended.rows_new}
        occasion = f"{Event.IMPORT_FINISHED}:{ended.id}:{ended.finished_at}"
        yield HookEvent(
            type=Event.IMPORT_FINISHED,
            at=ended.finished_at,
            data=data,
            occasion=occasion,
            forget_on=today + _REMEMBERED,
        )


def _tell_sign_ins(db: Unit, follower: Follower, today: date, now: datetime) -> Iterator[HookEvent]:
    since = max(follower.started_at, shift(stamp(now), -_FOUND_FOR))
    notes = audit.list_new_devices(db, follower.user_id, since, besides_at="", limit=_NEW_DEVICES_MAX)
    for note in reversed(notes):
        data = {"type": "audit", "id": str(note.id), "device": note.device, "address": note.address}
        occasion = f"{Event.SIGN_IN_NEW_DEVICE}:{note.id}"
        yield HookEvent(
            type=Event.SIGN_IN_NEW_DEVICE, at=note.at, data=data, occasion=occasion, forget_on=today + _REMEMBERED
        )
