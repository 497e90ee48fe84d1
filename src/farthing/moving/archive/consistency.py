"""Checks the lines of an archive, each by itself and against the lines before it."""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from msgspec import ValidationError, convert

from farthing.books.exchange_rates.model import find_rate_problem, write_rate
from farthing.books.preferences import model as preferences
from farthing.books.rules.model import ACTIONS, TRIGGERS, RulePart, misfit
from farthing.identity.user import PAGE_SIZE_MAX
from farthing.kernel.text import fold
from farthing.ledger.kinds import Kind, Type
from farthing.schedule.bank_holidays import place_meant
from farthing.schedule.repetition import RepetitionType, moment_problem

from . import job_checks
from .fields import ArchiveField, ArchiveKind, FieldType
from .values import Misfit, Values

_CODE = re.compile("[A-Z0-9]{3}")


class KnownIds:
    """Holds the ids of one kind, which ascend, in eight bytes each."""

    def __init__(self) -> None:
        self._ids = array("q")

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, number: int) -> None:
        if self._ids and number <= self._ids[-1]:
            raise Misfit(f"id: must be greater than that of the line before, not {number}")
        self._ids.append(number)

    def place(self, number: int) -> int | None:
        """Returns the index of an id, counted from zero."""
        at = bisect_left(self._ids, number)
        return at if at < len(self._ids) and self._ids[at] == number else None


class Checker:
    """Remembers what references, names and contents need; holds one archive's lines against it, in their order."""

    def __init__(self, contents: frozenset[str]) -> None:
        self._contents = contents
        self._ids: dict[str, KnownIds] = {}
        self._taken: set[tuple[str, str, str]] = set()
        self._currency_of: dict[tuple[str, int], str] = {}
        self._singles: set[str] = set()
        self._parents: set[int] = set()
        self._children: set[int] = set()

    def check(self, kind: ArchiveKind, values: Values) -> None:
        for fields, of in _groups(kind, values):
            self._check_references(fields, of)
        for name in kind.unique:
            self._check_unique(kind, name, values[name])
        rule = _RULES.get(kind.name)
        if rule:
            rule(self, values)
        if "id" in values:
            self._ids.setdefault(kind.name, KnownIds()).add(values["id"])

    def finish(self) -> None:
        for kind in (Kind.CASH, Kind.EXCHANGE):
            if kind.value not in self._singles:
                raise Misfit(f"there must be one {kind.value.lower()}")

    def _check_references(self, fields: tuple[ArchiveField, ...], values: Values) -> None:
        for field in fields:
            number = values[field.name]
            if field.type is FieldType.REFERENCE and number is not None:
                ids = self._ids.get(field.to)
                if ids is None or ids.place(number) is None:
                    raise Misfit(f"{field.name}: {number} is not in {field.to}.jsonl, or not before this line")

    def _check_unique(self, kind: ArchiveKind, name: str, value: str | None) -> None:
        if value is None:
            return
        key = (kind.name, name, fold(value) if name in ("name", "title") else value)
        if key in self._taken:
            raise Misfit(f"{name}: an earlier line has the same")
        self._taken.add(key)

    def check_account(self, values: Values) -> None:
        self._currency_of["accounts", values["id"]] = values["currency"]
        if values["kind"] in (Kind.CASH, Kind.EXCHANGE):
            if values["kind"] in self._singles:
                raise Misfit(f"kind: there must be only one {values['kind'].lower()}")
            self._singles.add(values["kind"])

    def check_sub_category(self, values: Values) -> None:
        child, parent = values["category_id"], values["parent_id"]
        if child in self._children:
            raise Misfit("category_id: an earlier line has the same")
        self._children.add(child)
        self._parents.add(parent)
        if parent in self._children or child in self._parents:
            raise Misfit("parent_id: a category with sub-categories may not be one itself")

    def check_piggy_bank(self, values: Values) -> None:
        currency = self._currency_of["accounts", values["account_id"]]
        if values["currency"] != currency:
            raise Misfit(f"currency: must be that of its account, {currency}")
        self._currency_of["piggy_banks", values["id"]] = currency

    def check_event(self, values: Values) -> None:
        currency = self._currency_of["piggy_banks", values["piggy_bank_id"]]
        if values["currency"] != currency:
            raise Misfit(f"currency: must be that of its piggy bank, {currency}")
        if not values["amount"]:
            raise Misfit("amount: must not be zero")

    def check_attachment(self, values: Values) -> None:
        if sum(values[name] is not None for name in ("bill_id", "transaction_id", "import_job_id")) != 1:
            raise Misfit("bill_id: it must have either a bill_id, a transaction_id or an import_job_id")
        if len({values[name] is None for name in ("sha256", "md5", "mime", "size", "uploaded_at")}) > 1:
            raise Misfit("sha256: sha256, md5, mime, size and uploaded_at must come together")
        if values["sha256"] and values["sha256"] not in self._contents:
            raise Misfit(f"sha256: the archive has no attachments/{values['sha256']}")

    def check_preference(self, values: Values) -> None:
        problem = find_preference_problem(values["name"], values["data"])
        if problem:
            raise Misfit(problem)


def _groups(kind: ArchiveKind, values: Values) -> Iterator[tuple[tuple[ArchiveField, ...], Values]]:
    yield kind.fields, values
    for part in kind.parts:
        for item in values[part.name]:
            yield part.fields, item


def _check_import_job(_checker: Checker, values: Values) -> None:
    job_checks.check_job(values)


def _check_import_row(_checker: Checker, values: Values) -> None:
    job_checks.check_row(values)


def _check_currency(_checker: Checker, values: Values) -> None:
    if not _CODE.fullmatch(values["code"]):
        raise Misfit("code: must be three capital letters or digits")


def _check_range(_checker: Checker, values: Values) -> None:
    if values["start"] > values["end"]:
        raise Misfit("end: must not be before start")


def _check_exchange_rate(_checker: Checker, values: Values) -> None:
    rate = Decimal(values["rate"])
    if (problem := find_rate_problem(rate)) or write_rate(rate) != values["rate"]:
        raise Misfit(f"rate: {problem or 'must be written without needless zeros'}")
    if values["from_currency"] == values["to_currency"]:
        raise Misfit("to_currency: must be another one than from_currency")


def _check_bill(_checker: Checker, values: Values) -> None:
    if values["amount_min"] >= values["amount_max"]:
        raise Misfit("amount_max: must be more than amount_min")


def _check_splits(_checker: Checker, values: Values) -> None:
    for number, split in enumerate(values["splits"]):
        if split["source_id"] == split["destination_id"]:
            raise Misfit(f"splits[{number}]: source_id and destination_id must differ")
        if (split["foreign_amount"] is None) != (split["foreign_currency"] is None):
            raise Misfit(f"splits[{number}]: foreign_amount and foreign_currency must come together")


def _check_transaction(checker: Checker, values: Values) -> None:
    _check_splits(checker, values)
    if values["piggy_bank_id"] and values["type"] != Type.TRANSFER:
        raise Misfit("piggy_bank_id: only transfers may have one")
    if any(split["refund"] for split in values["splits"]) and values["type"] != Type.DEPOSIT:
        raise Misfit("splits: refund: only deposits may be refunds")
    if len({tag["tag_id"] for tag in values["tags"]}) != len(values["tags"]):
        raise Misfit("tags: each may be named only once")


def _check_recurrence(checker: Checker, values: Values) -> None:
    _check_splits(checker, values)
    for number, value in enumerate(values["repetitions"]):
        problem = moment_problem(RepetitionType(value["type"]), value["moment"])
        if problem:
            raise Misfit(f"repetitions[{number}]: moment: {problem}")
    planned = [value["planned_on"] for value in values["exceptions"]]
    if len(set(planned)) != len(planned):
        raise Misfit("exceptions: each planned_on may be named only once")


def _check_rule(_checker: Checker, values: Values) -> None:
    for list_, specs in (("triggers", TRIGGERS), ("actions", ACTIONS)):
        for number, part in enumerate(values[list_]):
            spec = specs.get(part["name"])
            if spec is None:
                raise Misfit(f"{list_}[{number}]: name: is not one that this version knows")
            problem = misfit(RulePart(name=part["name"], value=part["value"]), spec.takes)
            if problem:
                raise Misfit(f"{list_}[{number}]: value: {problem}")


_RULES: Mapping[str, Any] = {
    "currencies": _check_currency,
    "accounts": Checker.check_account,
    "sub_categories": Checker.check_sub_category,
    "budget_limits": _check_range,
    "available_budgets": _check_range,
    "exchange_rates": _check_exchange_rate,
    "bills": _check_bill,
    "piggy_banks": Checker.check_piggy_bank,
    "recurrences": _check_recurrence,
    "transactions": _check_transaction,
    "piggy_bank_events": Checker.check_event,
    "import_jobs": _check_import_job,
    "attachments": Checker.check_attachment,
    "import_rows": _check_import_row,
    "rules": _check_rule,
    "preferences": Checker.check_preference,
}


def find_preference_problem(name: str, data: Any) -> str | None:
    """Checks a preference as the API does. Its currencies and accounts are checked when it is stored."""
    if name not in preferences.NAMES:
        return f"name: {name!r} is not a preference that this version knows"
    usual = preferences.defaults("UTC")[name]
    if type(data) is not type(usual) or not _fits(name, data):
        return f"data: is not a value that {name} may have"
    return None


def _fits(name: str, data: Any) -> bool:
    return _are_filters(data) if name == preferences.SAVED_FILTERS else bool(_is_allowed(name, data))


def _is_allowed(name: str, data: Any) -> Any:
    match name:
        case "language":
            return preferences.language_meant(data) == data
        case "fiscalYearStart":
            return preferences.is_month_and_day(data)
        case "transaction_journal_optional_fields":
            return all(word in preferences.OPTIONAL_FIELDS for word in data)
        case "frontPageAccounts":
            return len(data) <= 10_000 and all(
                str(account_id).isascii() and str(account_id).isdigit() for account_id in data
            )
        case "viewRange":
            return data in preferences.VIEW_RANGES
        case "listPageSize":
            return 1 <= data <= PAGE_SIZE_MAX
        case "timezone":
            return preferences.is_time_zone(data)
        case "recurrenceCatchUp":
            return data in preferences.CATCH_UPS
        case preferences.HOLIDAYS:
            return data == "" or place_meant(data) == data
    return True


def _are_filters(data: list[Any]) -> bool:
    try:
        filters = convert(data, list[preferences.SavedFilter])
    except ValidationError:
        return False
    return preferences.find_filter_problem(filters) is None
