"""Maps the ids of an archive to new ids, including the ids inside saved filters and import jobs."""

from array import array
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from farthing.kernel.text import parse_id
from farthing.storage.unit import Unit

from .consistency import KnownIds
from .values import Values

# Returns the new id of an object, given its kind and its old id; None if there is none.
FindNew = Callable[[str, int], int | None]
_FILTERED = {
    "account_id": "accounts",
    "category_id": "categories",
    "budget_id": "budgets",
    "tag_id": "tags",
    "bill_id": "bills",
}
_OWN_ARCHIVE = "farthing"
_LINK = "link:"


class IdMap:
    """Maps the ascending ids of the archive to their new ids, using sixteen bytes per id."""

    def __init__(self) -> None:
        self._old = KnownIds()
        self._new = array("q")

    def add(self, old: int, new: int) -> None:
        self._old.add(old)
        self._new.append(new)

    def __getitem__(self, old: int) -> int:
        index = self._old.place(old)
        assert index is not None, "references were checked"
        return self._new[index]

    def get(self, old: int) -> int | None:
        index = self._old.place(old)
        return None if index is None else self._new[index]


def renumber_filter(query: str, find: FindNew) -> str:
    """Renumbers the ids in a saved filter, which is a query string. Unknown ids are kept."""
    return urlencode([(name, _renumber_value(name, value, find)) for name, value in parse_qsl(query)])


def _renumber_value(name: str, value: str, find: FindNew) -> str:
    old = parse_id(value) if name in _FILTERED else None
    return value if old is None else str(find(_FILTERED[name], old) or old)


def name_entries(db: Unit, user_id: int, jobs: Iterable[dict[str, Any]]) -> None:
    """Replaces split ids with entry ids in the decisions about rows, because an archive has no ids of splits."""
    for job in jobs:
        _change_links(job["options"], lambda split_id: _find_entry(db, user_id, split_id))


def renumber_job(db: Unit, user_id: int, values: Values, find: FindNew) -> None:
    """Renumbers all ids in an import job, except for its files, which are set later. 0 means a missing object."""

    def find_split(entry_id: int) -> int | None:
        new = find("transactions", entry_id)
        return new and _find_split(db, user_id, new)

    _change_links(values["options"], find_split)
    report = values["report"]
    if report is None:
        return
    if values["format"] == _OWN_ARCHIVE:
        report.pop("revision", None)  # belongs to the change log of another installation
    for part in (*report.get("differences", ()), *report.get("moved_openings", ())):
        part["account_id"] = find("accounts", part["account_id"]) or 0


def _change_links(options: dict[str, Any], find: Callable[[int], int | None]) -> None:
    rows: Mapping[str, str] = options.get("rows", {})
    if any(decision.startswith(_LINK) for decision in rows.values()):
        options["rows"] = {row: _change_link(decision, find) for row, decision in rows.items()}


def _change_link(decision: str, find: Callable[[int], int | None]) -> str:
    old = parse_id(decision.removeprefix(_LINK)) if decision.startswith(_LINK) else None
    return decision if old is None else f"{_LINK}{find(old) or 0}"


def _find_entry(db: Unit, user_id: int, split_id: int) -> int | None:
    sql = "SELECT entry_id FROM splits WHERE user_id = :user_id AND id = :id"
    entry_id: int | None = db.value(sql, user_id=user_id, id=split_id)
    return entry_id


def _find_split(db: Unit, user_id: int, entry_id: int) -> int | None:
    sql = "SELECT id FROM splits WHERE user_id = :user_id AND entry_id = :id AND position = 0"
    split_id: int | None = db.value(sql, user_id=user_id, id=entry_id)
    return split_id


def renumber_object(values: Values, find: FindNew) -> None:
    """Renumbers the record of an object that an import created, including its key if the key contains the id."""
    old = values["target_id"]
    new = find(values["kind"], old) or 0
    if values["source_key"] == f"#{old}":
        values["source_key"] = f"#{new or f'gone {old}'}"
    values["target_id"] = new


def renumber_row(values: Values, find: FindNew) -> None:
    before = values["before"]
    if before:
        before["account_id"] = find("accounts", before["account_id"]) or 0
