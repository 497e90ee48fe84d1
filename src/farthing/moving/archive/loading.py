"""Loads an archive into the empty books of a user, with the original creation and change times.

Stored sums, words, payments and everything else that depends on the rows is computed here, never read from the file.
At the end, the books are examined for contradictions.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec

from farthing.books.attachments import contents
from farthing.books.currencies import store as currencies
from farthing.books.currencies.model import CurrencyDraft
from farthing.books.preferences.model import ACCOUNT_LISTS, CURRENCY, DASHBOARD_CARDS, NOTICES, SAVED_FILTERS
from farthing.books.recurrences import store as recurrences
from farthing.books.rules import store as rules
from farthing.books.transactions import bulk
from farthing.care.doctor import examine_user
from farthing.kernel.errors import Conflict, OverQuota
from farthing.kernel.money import Currency
from farthing.ledger.kinds import Kind
from farthing.storage import quotas
from farthing.storage.blobs import Blobs, Content
from farthing.storage.unit import Clash, Overflow, Unit

from ..findings import Unreadable
from ..import_jobs import store as import_jobs
from . import inserting, renumbering
from .fields import ArchiveField, ArchiveKind, ArchivePart, FieldType
from .layout import BY_NAME, KINDS
from .reading import CheckQuestion, OpenArchive, read_own_currencies
from .renumbering import IdMap
from .values import Values

# The number of lines that are stored at once: few, so that a unit of work is short.
_BATCH = 50
_SINGLE = (Kind.CASH.value, Kind.EXCHANGE.value)
# Books are not empty if the user has a row in any of these tables.
_EMPTY = (
    "categories", "budgets", "tags", "bills", "available_budgets", "exchange_rates", "piggy_banks", "recurrences",
    "entries", "rule_groups", "object_groups", "link_types",
)  # fmt: skip


def ask_check(db: Unit, user_id: int) -> CheckQuestion:
    """Returns what the check of the archive needs from the database. Raises Conflict if the books are not empty."""
    _refuse_not_empty(db, user_id)
    return CheckQuestion(currencies=currencies.all_coded(db))


def refuse_too_large(db: Unit, user_id: int, archive: OpenArchive) -> None:
    """Refuses an archive, before unpacking it, if its attachments (some may be stored already) exceed the quota."""
    quota = quotas.find(db, user_id)
    most = quota.content_bytes_max if quota else None
    if most is not None and archive.contents_bytes > most:
        sizes = f"{archive.contents_bytes} bytes; your quota for them is {most}"
        raise OverQuota(f"The attachments of this archive have {sizes}.")


def store_contents(blobs: Blobs, user_id: int, archive: OpenArchive, stored: dict[str, Content]) -> Iterator[None]:
    """Stores attachment contents one by one, before anything refers to them. If this fails, a later clean-up removes
    those already stored.
    """
    for sha256 in sorted(archive.contents):
        stored[sha256] = inserting.store_content(blobs, user_id, archive, sha256)
        yield


def refuse_contradictions(db: Unit, user_id: int) -> None:
    for finding in examine_user(db, user_id):
        raise Unreadable(f"The archive contradicts itself, so nothing was stored: {finding.sentence}")


def _refuse_not_empty(db: Unit, user_id: int) -> None:
    for table in _EMPTY:
        if db.value(f"SELECT 1 FROM {table} WHERE user_id = :user_id LIMIT 1", user_id=user_id):
            raise Conflict(f"An archive can only be loaded into empty books, but these already contain {table}.")
    others = "SELECT 1 FROM accounts WHERE user_id = :user_id AND NOT kind IN :single LIMIT 1"
    if db.value(others, user_id=user_id, single=list(_SINGLE)):
        raise Conflict("An archive can only be loaded into empty books, but these already contain accounts.")


class ArchiveLoader:
    """Stores all kinds of objects in the order of the layout, step by step. Each step uses the unit of work in `db`."""

    db: Unit

    def __init__(self, user_id: int, archive: OpenArchive, stored: Mapping[str, Content]) -> None:
        """Takes an archive that has been checked, and whose attachment contents are `stored` already."""
        self.counts: dict[str, int] = {}
        self._user_id, self._archive, self._stored_contents = user_id, archive, stored
        self._ids: dict[str, IdMap] = {kind.name: IdMap() for kind in KINDS}
        self._currencies: dict[str, Currency] = {}
        self._held: dict[tuple[int, int | None], int] = {}
        # The file ids of import jobs, as they are in the archive, by the new id of the job.
        self._files_of: dict[int, list[int]] = {}

    def steps(self, now: str) -> Iterator[None]:
        """Stores the archive in small steps. Raises Unreadable, Conflict or OverQuota; the caller must then undo."""
        try:
            for _ in self._steps(now):
                self.db.flush()
                yield
            self.db.flush()
        except (Clash, Overflow) as error:
            raise Unreadable(f"The archive contradicts itself, so nothing was stored: {error}") from error

    def _steps(self, now: str) -> Iterator[None]:
        _refuse_not_empty(self.db, self._user_id)
        self._make_currencies(read_own_currencies(self._archive, currencies.all_coded(self.db)), now)
        for content in self._stored_contents.values():
            contents.reserve(self.db, self._user_id, content, now)
            yield
        for kind in KINDS:
            if kind.name != "currencies":
                yield from self._store_kind(kind)
        # The files of import jobs come last, as jobs and attachments refer to each other; 0 is a missing file.
        for job_id, files in self._files_of.items():
            file_ids = [self._find_new("attachments", old) or 0 for old in files]
            import_jobs.set_files(self.db, self._user_id, job_id, file_ids)
            yield
        self._fill_piggy_banks()
        # The firings tell how often each recurrence has fired and when it is due again.
        self.db.run(_COUNT_FIRINGS, user_id=self._user_id)
        sql = "SELECT id FROM recurrences WHERE user_id = :user_id ORDER BY id"
        ids = [recurrence_id for (recurrence_id,) in self.db.all(sql, user_id=self._user_id)]
        recurrences.set_due(self.db, self._user_id, ids)
        rules.touch(self.db, self._user_id)

    def _make_currencies(self, own: Mapping[str, Currency], now: str) -> None:
        if own:
            currencies.claim(self.db)
        for values in self._archive.rows(BY_NAME["currencies"], {}):
            if values["code"] in own:
                new = own[values["code"]]
                draft = CurrencyDraft(code=new.code, name=new.name, symbol=new.symbol, places=new.places)
                currencies.add(self.db, currencies.make_unique(self.db, draft), now, brought_by=self._user_id)
                stamps = {name: values[name] for name in ("created_at", "updated_at")}
                currencies.set_stamps(self.db, new.code, **stamps)
        self._currencies = currencies.all_coded(self.db)

    def _store_kind(self, kind: ArchiveKind) -> Iterator[None]:
        rows = self._archive.rows(kind, self._currencies)
        store = _STORES.get(kind.name, ArchiveLoader._store_batch)
        self.counts[kind.name] = 0
        while batch := list(islice(rows, 1 if kind.is_large else _BATCH)):
            store(self, kind, batch)
            self.counts[kind.name] += len(batch)
            yield

    def _store_batch(self, kind: ArchiveKind, batch: list[Values]) -> list[int]:
        lines = [self._row(kind.name, kind.fields, line) for line in batch]
        ids = inserting.insert(self.db, self._user_id, kind.table, lines)
        for values, new in zip(batch, ids, strict=True):
            self._ids[kind.name].add(values["id"], new)
        for part in kind.parts:
            rows = [
                self._part_row(part, new, index, item)
                for values, new in zip(batch, ids, strict=True)
                for index, item in enumerate(values[part.name], part.first)
            ]
            inserting.insert(self.db, self._user_id, part.table, rows)
        return ids

    def _row(self, name: str, fields: tuple[ArchiveField, ...], values: Values) -> dict[str, Any]:
        row = {
            field.stored_as: self._stored(field, values[field.name])
            for field in fields
            if field.type is not FieldType.ID and field.is_stored
        }
        return row | inserting.derive(name, values)

    def _stored(self, field: ArchiveField, value: Any) -> Any:
        if value is None:
            return None
        match field.type:
            case FieldType.REFERENCE:
                return self._ids[field.to][value]
            case FieldType.CURRENCY:
                return self._currencies[value].id
            case FieldType.WORDS | FieldType.VALUE | FieldType.DATA:
                return msgspec.json.encode(value).decode()
        return value

    def _part_row(self, part: ArchivePart, parent: int, index: int, item: Values) -> dict[str, Any]:
        row = {part.parent: parent, **self._row(part.table, part.fields, item)}
        if part.order in ("place", "position"):
            row[part.order] = index
        return row

    def _store_accounts(self, kind: ArchiveKind, batch: list[Values]) -> None:
        """Stores accounts one by one, because helper accounts refer to earlier accounts. Accounts that every user has
        from the start are updated instead.
        """
        for values in batch:
            if values["kind"] in _SINGLE:
                row = self._row(kind.name, kind.fields, values)
                sql = "SELECT id FROM accounts WHERE user_id = :user_id AND kind = :kind"
                new = int(self.db.value(sql, user_id=self._user_id, kind=values["kind"]))
                inserting.replace(self.db, self._user_id, kind.table, new, row)
                self._ids[kind.name].add(values["id"], new)
            else:
                self._store_batch(kind, [values])

    def _store_sub_categories(self, _kind: ArchiveKind, batch: list[Values]) -> None:
        """Sets parents after all categories are stored, because a parent may follow its sub-category in the file."""
        for values in batch:
            own, parent = (self._ids["categories"][values[name]] for name in ("category_id", "parent_id"))
            inserting.replace(self.db, self._user_id, "categories", own, {"parent_id": parent})

    def _store_transactions(self, kind: ArchiveKind, batch: list[Values]) -> None:
        ids = bulk.add_rows(self.db, self._user_id, [self._entry_rows(kind, values) for values in batch])
        for values, new in zip(batch, ids, strict=True):
            self._ids[kind.name].add(values["id"], new)

    def _entry_rows(self, kind: ArchiveKind, values: Values) -> bulk.EntryRows:
        parts = {
            part.name: [self._row(part.table, part.fields, item) for item in values[part.name]] for part in kind.parts
        }
        return bulk.EntryRows(entry=self._row(kind.name, kind.fields, values), **parts)

    def _store_events(self, kind: ArchiveKind, batch: list[Values]) -> None:
        self._store_batch(kind, batch)
        for values in batch:
            key = (values["piggy_bank_id"], values["account_id"])
            self._held[key] = self._held.get(key, 0) + values["amount"]

    def _store_attachments(self, kind: ArchiveKind, batch: list[Values]) -> None:
        for values in batch:
            content = self._stored_contents.get(values["sha256"])
            if content and (content.md5, content.size) != (values["md5"], values["size"]):
                which = f"md5 and size of attachment {values['id']}"
                raise Unreadable(f"{kind.file}: {which} do not match its content.")
        self._number_splits(batch)
        self._store_batch(kind, batch)

    def _store_links(self, kind: ArchiveKind, batch: list[Values]) -> None:
        for side in ("inward", "outward"):
            self._number_splits(batch, f"{side}_id", f"{side}_split")
        self._store_batch(kind, batch)

    def _number_splits(self, batch: list[Values], of: str = "transaction_id", field: str = "split") -> None:
        """Replaces the position of a split in a transaction by the id of the split."""
        entry_ids = {values["id"]: self._find_new("transactions", values[of] or 0) for values in batch}
        sql = "SELECT entry_id, position, id FROM splits WHERE user_id = :user_id AND entry_id IN :ids"
        rows = self.db.all(sql, user_id=self._user_id, ids=sorted(filter(None, entry_ids.values())))
        split_ids = {(entry_id, position): split_id for entry_id, position, split_id in rows}
        for values in batch:
            values[field] = split_ids.get((entry_ids[values["id"]], values[field]))

    def _store_preferences(self, kind: ArchiveKind, batch: list[Values]) -> None:
        for values in batch:
            if values["name"] in ACCOUNT_LISTS:
                values["data"] = [self._find_account(value) for value in values["data"]]
            if values["name"] == NOTICES:
                lines = values["data"].get("lines", {})
                values["data"]["lines"] = {str(self._find_account(value)): line for value, line in lines.items()}
            if values["name"] in (SAVED_FILTERS, DASHBOARD_CARDS):
                for value in values["data"]:
                    if value.get("query"):
                        value["query"] = renumbering.renumber_filter(value["query"], self._find_new)
            row = self._row(kind.name, kind.fields, values)
            sql = "SELECT id FROM preferences WHERE user_id = :user_id AND name = :name"
            known_id = self.db.value(sql, user_id=self._user_id, name=values["name"])
            if values["name"] == CURRENCY and values["data"] not in self._currencies:
                raise Unreadable(f"{kind.file}: {CURRENCY}: {values['data'][:80]!r} is not a currency.")
            if known_id is None:
                [known_id] = inserting.insert(self.db, self._user_id, kind.table, [row])
            else:
                del row["name"]
                inserting.replace(self.db, self._user_id, kind.table, int(known_id), row)
            self._ids[kind.name].add(values["id"], known_id)

    def _find_new(self, name: str, old: int) -> int | None:
        ids = self._ids.get(_ARCHIVE_NAMES.get(name, name))
        return ids.get(old) if ids else None

    def _store_import_jobs(self, kind: ArchiveKind, batch: list[Values]) -> None:
        for values in batch:
            files, values["file_ids"] = values["file_ids"], []
            renumbering.renumber_job(self.db, self._user_id, values, self._find_new)
            [new] = self._store_batch(kind, [values])
            if files:
                self._files_of[new] = files

    def _store_renumbered(self, kind: ArchiveKind, batch: list[Values]) -> None:
        for values in batch:
            _RENUMBER[kind.name](values, self._find_new)
        self._store_batch(kind, batch)

    def _find_account(self, old: str | int) -> str | int:
        """Maps an old account id to the new id, of the same type (text or number). Unknown ids are kept."""
        new = self._ids["accounts"].get(int(old)) if len(str(old)) <= 18 else None
        return type(old)(new) if new else old

    def _fill_piggy_banks(self) -> None:
        for old in {piggy_bank_id for piggy_bank_id, _ in self._held}:
            mine = {"user_id": self._user_id, "id": self._ids["piggy_banks"][old]}
            target = self.db.value("SELECT target_units FROM piggy_banks WHERE user_id = :user_id AND id = :id", **mine)
            held = {account_id: units for (of, account_id), units in self._held.items() if of == old}
            if min(held.values()) < 0 or sum(held.values()) > target:
                sentence = f"piggy bank {old} would contain less than 0 or more than its target."
                raise Unreadable(f"piggy_bank_events.jsonl: {sentence}")
            statement = "UPDATE piggy_banks SET current_units = :units WHERE user_id = :user_id AND id = :id"
            self.db.run(statement, units=sum(held.values()), **mine)
            for account_id, units in held.items():
                if account_id:
                    share = {"account_id": self._ids["accounts"][account_id], "units": units, **mine}
                    self.db.run(_FILL_SHARE, **share)


_FILL_SHARE = """
UPDATE piggy_bank_shares SET units = :units
WHERE user_id = :user_id AND piggy_bank_id = :id AND account_id = :account_id
"""
_COUNT_FIRINGS = """
UPDATE recurrences SET
    fired = (SELECT COUNT(*) FROM firings f WHERE f.user_id = recurrences.user_id AND f.recurrence_id = recurrences.id),
    latest_on = (
        SELECT MAX(f.landed_on) FROM firings f
        WHERE f.user_id = recurrences.user_id AND f.recurrence_id = recurrences.id
    )
WHERE user_id = :user_id
"""
# The archive's names of tables that have other names.
_ARCHIVE_NAMES = {"entry_links": "transaction_links"}
_RENUMBER = {"import_rows": renumbering.renumber_row, "import_objects": renumbering.renumber_object}
_STORES: Mapping[str, Callable[[ArchiveLoader, ArchiveKind, list[Values]], object]] = {
    "accounts": ArchiveLoader._store_accounts,
    "sub_categories": ArchiveLoader._store_sub_categories,
    "transactions": ArchiveLoader._store_transactions,
    "piggy_bank_events": ArchiveLoader._store_events,
    "import_jobs": ArchiveLoader._store_import_jobs,
    "attachments": ArchiveLoader._store_attachments,
    "transaction_links": ArchiveLoader._store_links,
    "import_rows": ArchiveLoader._store_renumbered,
    "import_objects": ArchiveLoader._store_renumbered,
    "preferences": ArchiveLoader._store_preferences,
}
