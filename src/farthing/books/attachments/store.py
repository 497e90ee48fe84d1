"""Stores the records of attachments; their contents are in `storage/blobs`."""

from collections import defaultdict
from collections.abc import Collection, Set

import msgspec
from msgspec import structs

from farthing.storage.change_log import changes
from farthing.storage.change_log.records import Records, find_id, find_ids
from farthing.storage.unit import Unit

from .model import Attachment, AttachmentDraft, AttachmentTarget, Model, UploadedFile

# The tables and columns behind the models.
TABLES = {
    Model.ACCOUNT: "accounts",
    Model.BILL: "bills",
    Model.BUDGET: "budgets",
    Model.CATEGORY: "categories",
    Model.IMPORT_JOB: "import_jobs",
    Model.JOURNAL: "entries",
    Model.PIGGY_BANK: "piggy_banks",
    Model.TAG: "tags",
}
_COLUMNS = {
    Model.ACCOUNT: "account_id",
    Model.BILL: "bill_id",
    Model.BUDGET: "budget_id",
    Model.CATEGORY: "category_id",
    Model.IMPORT_JOB: "import_job_id",
    Model.JOURNAL: "entry_id",
    Model.PIGGY_BANK: "piggy_bank_id",
    Model.TAG: "tag_id",
}
_MODEL = " ".join(f"WHEN {column} IS NOT NULL THEN '{model.value}'" for model, column in _COLUMNS.items())
_ATTACHMENT = f"""
SELECT id, CASE {_MODEL} END AS "target.model", COALESCE({", ".join(_COLUMNS.values())}) AS "target.id",
    filename, title, notes, sha256, md5, mime, size, split_id, created_at, updated_at
FROM attachments
"""


def _complete(draft: AttachmentDraft) -> dict[str, int | None]:
    return {column: draft.target.id if draft.target.model == model else None for model, column in _COLUMNS.items()}


_ATTACHMENTS = Records[Attachment, AttachmentDraft](
    Attachment, "attachments", _ATTACHMENT, elsewhere=["target"], complete=_complete
)
get, add, change, remove = _ATTACHMENTS.get, _ATTACHMENTS.add, _ATTACHMENTS.change, _ATTACHMENTS.remove
get_some = _ATTACHMENTS.get_some


def page(
    db: Unit, user_id: int, *, limit: int, offset: int, of: AttachmentTarget | None = None, imports: bool = True
) -> tuple[int, list[Attachment]]:
    """Lists the attachments that have content: all of the user's, or those of one object.

    `imports` tells whether imported files are also listed.
    """
    where = "uploaded_at IS NOT NULL" + (f" AND {_COLUMNS[of.model]} = :target_id" if of else "")
    where += "" if imports else " AND import_job_id IS NULL"
    return _ATTACHMENTS.page(db, user_id, where, limit=limit, offset=offset, **({"target_id": of.id} if of else {}))


def of_targets(db: Unit, user_id: int, model: Model, ids: list[int]) -> dict[int, list[Attachment]]:
    """Returns the attachments that have content, keyed by the id of the object that they belong to, with one query."""
    where = f"{_COLUMNS[model]} IN :ids AND uploaded_at IS NOT NULL"
    by_target: dict[int, list[Attachment]] = defaultdict(list)
    for attachment in _ATTACHMENTS.find(db, user_id, where, ids=sorted(set(ids))):
        by_target[attachment.target.id].append(attachment)
    return by_target


def find_having(db: Unit, user_id: int, model: Model, ids: list[int]) -> set[int]:
    """Finds which of the given objects have attachments with content."""
    column = _COLUMNS[model]
    having = f"user_id = :user_id AND {column} IN :ids AND uploaded_at IS NOT NULL"
    return set(find_ids(db, f"SELECT DISTINCT {column} FROM attachments WHERE {having}", user_id=user_id, ids=ids))


def counts_of_bills(db: Unit, user_id: int, bill_ids: list[int]) -> dict[int, int]:
    """Counts the attachments with content for each bill, with one query.

    Bills without attachments are not in the result.
    """
    sql = """
        SELECT bill_id, COUNT(*) FROM attachments
        WHERE user_id = :user_id AND bill_id IN :ids AND uploaded_at IS NOT NULL GROUP BY bill_id
    """
    rows = db.all(sql, user_id=user_id, ids=bill_ids)
    return {bill_id: int(count) for bill_id, count in rows}


def all_contents(db: Unit) -> set[tuple[int, str]]:
    """Returns the users and the hashes of all contents to which attachments refer."""
    rows = db.stream("SELECT DISTINCT user_id, sha256 FROM attachments WHERE sha256 IS NOT NULL")
    return {(user_id, sha256) for user_id, sha256 in rows}


def logged_contents(db: Unit, user_ids: Set[int]) -> set[tuple[int, str]]:
    """Returns the users and the hashes of all contents that these users may restore by an undo."""
    if not user_ids:
        return set()
    sql = """
        SELECT user_id, before FROM changes
        WHERE user_id IN :user_ids AND kind = 'attachments' AND before IS NOT NULL
    """
    rows = db.stream(sql, user_ids=sorted(user_ids))
    named = ((user_id, msgspec.json.decode(before, type=_Image).sha256) for user_id, before in rows)
    return {(user_id, sha256) for user_id, sha256 in named if sha256}


class _Image(msgspec.Struct):
    """Reads the hash of the content from an attachment's row in the change log."""

    sha256: str | None = None


def find_entry(db: Unit, user_id: int, split_id: int) -> int | None:
    """Finds the entry to which a split belongs."""
    return find_id(
        db, "SELECT entry_id FROM splits WHERE user_id = :user_id AND id = :id", user_id=user_id, id=split_id
    )


def load_splits(db: Unit, user_id: int, attachments: Collection[Attachment]) -> dict[int, int]:
    """Maps each attachment of a transaction to the split for which it was sent or, without that split, the first."""
    entry_ids = sorted({each.target.id for each in attachments if each.target.model == Model.JOURNAL})
    sql = "SELECT entry_id, position, id FROM splits WHERE user_id = :user_id AND entry_id IN :ids"
    rows = db.all(sql, user_id=user_id, ids=entry_ids) if entry_ids else []
    entry_of = {split_id: entry_id for entry_id, _, split_id in rows}
    first = {entry_id: split_id for entry_id, position, split_id in rows if position == 0}
    return {
        each.id: each.split_id
        if each.split_id and entry_of.get(each.split_id) == each.target.id
        else first[each.target.id]
        for each in attachments
        if each.target.model == Model.JOURNAL
    }


def move(db: Unit, user_id: int, model: Model, target_id: int, *, into_id: int) -> None:
    """Moves all attachments of an object to another object of the same kind."""
    column = _COLUMNS[model]
    changes.update(db, "attachments", user_id, f"{column} = :target_id", {column: into_id}, target_id=target_id)


def exists(db: Unit, user_id: int, target: AttachmentTarget) -> bool:
    statement = f"SELECT 1 FROM {TABLES[target.model]} WHERE user_id = :user_id AND id = :id"
    return bool(db.value(statement, user_id=user_id, id=target.id))


def record_upload(db: Unit, user_id: int, attachment_id: int, upload: UploadedFile, now: str) -> None:
    """Records an upload. Its content must already be stored."""
    values = {**structs.asdict(upload), "uploaded_at": now}
    changes.update(db, "attachments", user_id, "id = :id", values, now=now, id=attachment_id)


def remove_of(db: Unit, user_id: int, model: Model, ids: list[int]) -> None:
    """Removes the attachments of these objects. Their contents stay stored as long as the change log refers to them."""
    changes.delete(db, "attachments", user_id, f"{_COLUMNS[model]} IN :ids", ids=ids)
