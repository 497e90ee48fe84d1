"""Reads the CSV export by the names of its columns, and renames the fields of its objects to those of the API."""

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from ....findings import Unreadable, shorten
from ....formulas import unmark_formula
from .items import Group, Remarks, SourceItem, item_of, journal_of
from .source_files import SourceFile

COLUMNS_MAX = 500
# The columns that identify each kind of file. Transactions come first, because they also have columns of other kinds.
KINDS = {
    "transactions": {"journal_id", "source_name"},
    "accounts": {"account_id", "type"},
    "bills": {"bill_id", "repeat_freq"},
    "budgets": {"budget_id", "name"},
    "categories": {"category_id", "name"},
    "piggy-banks": {"piggy_bank_id", "target_amount"},
    "recurrences": {"recurrence_id", "row_contains"},
    "rules": {"rule_id", "row_contains"},
    "tags": {"tag_id", "tag"},
}


class FireflyCsvRow(Struct, frozen=True):
    line: int
    cells: Mapping[str, str]
    width: int


def kind_of_columns(columns: Iterable[str]) -> str | None:
    names = set(columns)
    return next((kind for kind, needed in KINDS.items() if needed <= names), None)


def _kind_of(file: SourceFile) -> str | None:
    try:
        return kind_of_columns(_columns(file))
    except Unreadable:  # such as a picture next to the export
        return None


class CsvExport:
    lacks_ids = True
    is_farthing = False

    def __init__(self, files: Mapping[str, SourceFile], remarks: Remarks) -> None:
        self.remarks = remarks
        self._files: dict[str, list[SourceFile]] = {}
        for name, file in files.items():
            if kind := _kind_of(file):
                self._files.setdefault(kind, []).append(file)
            else:
                remarks.add(f"The file {shorten(name)} is not from Firefly III; it is skipped.", rejects=True)
        if not self._files:
            raise Unreadable("No file has the columns of a Firefly III export, such as journal_id and source_name.")
        self._tags = frozenset(row.cells["tag"] for row in self._rows("tags"))
        self._many: Counter[str] | None = None

    def items(self, name: str, of: str | None = None) -> Iterator[SourceItem]:
        if name == "budget-limits-of":
            yield from (limit for limit in self._limits() if limit.values["budget_id"] == of)
        elif name in ("rules", "recurrences"):
            yield from self._composed(name)
        elif name == "rule-groups":
            first_rows = dict[str, FireflyCsvRow]()
            for row in self._rows("rules"):
                if row.cells.get("row_contains") == "rule":
                    first_rows.setdefault(row.cells.get("group_id") or "", row)
            for key, row in first_rows.items():
                yield item_of("rule-groups", key, {"title": row.cells.get("group_name")}, row.line, self.remarks)
        elif name in _ID_COLUMNS:
            yield from self._distinct(name)

    def groups(self) -> Iterator[Group]:
        """Yields each group as soon as its last row is read, because the rows of a group need not be adjacent."""
        left, held = self._survey().copy(), dict[str, list[FireflyCsvRow]]()
        journal_ids: set[str] = set()
        for row in self._rows("transactions"):
            key, journal = _group_id(row.cells), row.cells["journal_id"]
            left[key] -= 1
            journals = held.setdefault(key, [])
            if journal not in journal_ids and _is_whole(row.width, len(row.cells)):
                journals.append(row)
            journal_ids.add(journal)
            if not left[key] and (rows := held.pop(key)):
                of_group = (journal_of(_journal(of.cells, self._tags), of.line, self.remarks) for of in rows)
                yield Group(id=key, title=rows[0].cells.get("group_title") or None, journals=tuple(of_group))

    def content(self, attachment_id: str) -> str | None:  # noqa: ARG002
        """Returns None, because the export has no attachments."""
        return None

    def _survey(self) -> Counter[str]:
        """Counts the rows of each group, and reports skipped rows. Reads the files once."""
        if self._many is None:
            self._many = Counter()
            for file in self._files.get("transactions", ()):
                columns = _columns(file)
                for line, cells in _rows_of(file):
                    self._many[_group_id(dict(zip(columns, cells, strict=False)))] += 1
                    if not _is_whole(len(cells), len(columns)):
                        counts = f"{len(cells)} fields, the header {len(columns)}"
                        self.remarks.add(f"The row has {counts}: it is cut off or damaged.", row=line, rejects=True)
        return self._many

    def _rows(self, kind: str) -> Iterator[FireflyCsvRow]:
        for file in self._files.get(kind, ()):
            columns = _columns(file)
            for line, cells in _rows_of(file):
                width = len(cells)
                plain = [unmark_formula(cell) if cell[:1] == "'" else cell for cell in cells]
                plain += [""] * (len(columns) - width)
                yield FireflyCsvRow(line=line, cells=dict(zip(columns, plain, strict=False)), width=width)

    def _limits(self) -> Iterator[SourceItem]:
        for row in self._rows("budgets"):
            if row.cells.get("amount"):
                values = {**row.cells, "start": row.cells.get("start_date"), "end": row.cells.get("end_date")}
                yield item_of("budget-limits-of", f"line {row.line}", values, row.line, self.remarks)

    def _composed(self, kind: str) -> Iterator[SourceItem]:
        """Composes rules or recurrences from the rows of their parts, which contain the id of the whole."""
        id_column, whole = ("rule_id", "rule") if kind == "rules" else ("recurrence_id", "recurrence")
        by_id: dict[str, dict[str, Any]] = {}
        lines: dict[str, int] = {}
        for row in self._rows(kind):
            key, part = row.cells.get(id_column) or "", row.cells.get("row_contains") or ""
            values = by_id.setdefault(key, {})
            lines.setdefault(key, row.line)
            if part == whole:
                values.update(_WHOLES[whole](row.cells))
            elif part in _PARTS:
                name, translate = _PARTS[part]
                values.setdefault(name, []).append(translate(row.cells))
            else:
                message = f"The row contains '{shorten(part)}', which is unknown; it is skipped."
                self.remarks.add(message, row=row.line, field="row_contains", rejects=True)
        for key, values in by_id.items():
            yield item_of(kind, key, _with_event(values), lines[key], self.remarks)

    def _distinct(self, kind: str) -> Iterator[SourceItem]:
        ids: set[str] = set()
        for row in self._rows(kind):
            key = row.cells[_ID_COLUMNS[kind]] or f"line {row.line}"
            if key not in ids:
                ids.add(key)
                values = _filled(row.cells, _ACCOUNT_NAMES if kind == "accounts" else {})
                if "active" in row.cells and kind != "piggy-banks":
                    values["active"] = row.cells["active"]  # empty means no
                yield item_of(kind, key, values, row.line, self.remarks)


def _columns(file: SourceFile) -> list[str]:
    """Returns the names of the columns. If a name is repeated, the second column gets the suffix `_2`."""
    reader = csv.reader(file.lines())
    try:
        names = [name.strip().lower() for name in next(reader, [])]
    except csv.Error as error:
        raise Unreadable(f"The file {shorten(file.name)} is not CSV: {error}.") from error
    if len(names) > COLUMNS_MAX:
        raise Unreadable(f"The file {shorten(file.name)} has {len(names)} columns; Firefly III writes 50.")
    name_counts: Counter[str] = Counter()
    columns = []
    for name in names:
        name_counts[name] += 1
        columns.append(name if name_counts[name] == 1 else f"{name}_{name_counts[name]}")
    return columns


def _rows_of(file: SourceFile) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(file.lines())
    try:
        next(reader, None)
        line = reader.line_num + 1
        for cells in reader:
            if cells:
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        message = f"The file {shorten(file.name)} is not CSV from line {reader.line_num} on: {error}."
        raise Unreadable(message) from error


def _group_id(cells: Mapping[str, str]) -> str:
    return cells.get("group_id") or f"journal {cells.get('journal_id', '')}"


def _is_whole(width: int, columns: int) -> bool:
    """Tells whether a row has all fields. Version 6.0 writes one field fewer than its header has."""
    return width in (columns, columns - 1)


_ID_COLUMNS = {"accounts": "account_id", "bills": "bill_id", "budgets": "budget_id", "categories": "category_id"}
_ID_COLUMNS |= {"piggy-banks": "piggy_bank_id", "tags": "tag_id"}
# The API's names for columns that are named differently in the export.
_ACCOUNT_NAMES = {
    "role": "account_role",
    "number": "account_number",
    "cc_type": "credit_card_type",
    "cc_payment_date": "monthly_payment_date",
    "in_net_worth": "include_net_worth",
}
_JOURNAL_NAMES = {
    "journal_id": "transaction_journal_id",
    "category": "category_name",
    "budget": "budget_name",
    "bill": "bill_name",
    "subscription": "bill_name",
}


def _filled(cells: Mapping[str, str], names: Mapping[str, str]) -> dict[str, Any]:
    return {names.get(name, name): cell for name, cell in cells.items() if cell != ""}


def _journal(cells: Mapping[str, str], tags: frozenset[str]) -> dict[str, Any]:
    return {**_filled(cells, _JOURNAL_NAMES), "tags": split_tags(cells.get("tags") or "", tags)}


def split_tags(text: str, tag_names: frozenset[str]) -> list[str]:
    """Splits a list of tags at its commas. A tag may itself contain commas, so tags in `tag_names` are kept whole."""
    words = text.split(",") if text else []
    tags = []
    at = 0
    while at < len(words):
        ends = (end for end in range(min(len(words), at + 10), at, -1) if ",".join(words[at:end]) in tag_names)
        end = next(ends, at + 1)
        tags.append(",".join(words[at:end]))
        at = end
    return tags


def _pick(cells: Mapping[str, str], names: str, prefix: str = "") -> dict[str, Any]:
    return {name: cells.get(f"{prefix}{name}", "") for name in names.split()}


def _rule(cells: Mapping[str, str]) -> dict[str, Any]:
    names = "title description order active stop_processing strict"
    return {**_pick(cells, names), "rule_group_id": cells.get("group_id")}


def _rule_part(kind: str) -> Callable[[Mapping[str, str]], dict[str, Any]]:
    return lambda cells: _pick(cells, "type value order active stop_processing prohibited", f"{kind}_")


def _with_event(values: dict[str, Any]) -> dict[str, Any]:
    """Adds the event of a rule, which the export lists among the rule's triggers."""
    for trigger in values.get("triggers", ()):
        if trigger.get("type") == "user_action":
            return {**values, "trigger": trigger["value"]}
    return values


def _recurrence(cells: Mapping[str, str]) -> dict[str, Any]:
    names = "type title description first_date repeat_until latest_date apply_rules active"
    count = cells.get("repetitions") or "0"
    return {**_pick(cells, names), "nr_of_repetitions": None if count == "0" else count}


def _repetition(cells: Mapping[str, str]) -> dict[str, Any]:
    return {**_pick(cells, "moment skip weekend"), "type": cells.get("type_2") or cells.get("type")}


def _recurrence_transaction(cells: Mapping[str, str]) -> dict[str, Any]:
    """Translates a transaction, whose budget and piggy bank are ids, and whose category is an id or a name."""
    tags = [tag for tag in (cells.get("tags") or "").split(",") if tag]
    labels = {"category_name": cells.get("category"), "budget_id": cells.get("budget")}
    return {**_filled(cells, {}), **labels, "piggy_bank_id": cells.get("piggy_bank"), "tags": tags, "type": None}


_WHOLES: dict[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {"rule": _rule, "recurrence": _recurrence}
_PARTS: dict[str, tuple[str, Callable[[Mapping[str, str]], dict[str, Any]]]] = {
    "trigger": ("triggers", _rule_part("trigger")),
    "action": ("actions", _rule_part("action")),
    "repetition": ("repetitions", _repetition),
    "transaction": ("transactions", _recurrence_transaction),
}
