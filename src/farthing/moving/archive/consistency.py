"""Checks the lines of an archive, each by itself and against the lines before it."""

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from msgspec import ValidationError, convert

from farthing.books.accounts.model import AccountGroup
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
_OWNERS = (
    "bill_id", "transaction_id", "import_job_id", "account_id", "budget_id", "category_id", "piggy_bank_id", "tag_id",
)  # fmt: skip
_UPLOAD = ("sha256", "md5", "mime", "size", "uploaded_at")


class KnownIds:
    """Holds the ids of one kind of object in ascending order, using eight bytes per id."""

    def __init__(self) -> None:
        self._ids = array("q")

    def add(self, number: int) -> None:
        if self._ids and number <= self._ids[-1]:
            raise Misfit(f"id: must be greater than the id in the line before, not {number}")
        self._ids.append(number)

    def place(self, number: int) -> int | None:
        at = bisect_left(self._ids, number)
        return at if at < len(self._ids) and self._ids[at] == number else None


class Checker:
    """Checks the lines of one archive in order. Remembers what later references, names and contents depend on."""

    def __init__(self, contents: frozenset[str]) -> None:
        self._contents = contents
        self._ids: dict[str, KnownIds] = {}
        self._taken: set[tuple[str, str, str]] = set()
        self._currency_of: dict[tuple[str, int], str] = {}
        self._shares: set[tuple[int, int]] = set()
        self._singles: set[str] = set()
        self._parents: set[int] = set()
        self._children: set[int] = set()

    def check(self, kind: ArchiveKind, values: Values) -> None:
        self._check_references(kind.fields, values)
        for part in kind.parts:
            for item in values[part.name]:
                self._check_references(part.fields, item)
        for name in kind.unique:
            self._check_unique(kind, name, values[name])
        if check := _CHECKS.get(kind.name):
            check(self, values)
        if "id" in values:
            self._ids.setdefault(kind.name, KnownIds()).add(values["id"])

    def finish(self) -> None:
        for kind in (Kind.CASH, Kind.EXCHANGE):
            _refuse_if(kind not in self._singles, f"there must be one {kind.value.lower()}")

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
        _refuse_if(key in self._taken, f"{name}: an earlier line has the same value")
        self._taken.add(key)

    def check_account(self, values: Values) -> None:
        self._currency_of["accounts", values["id"]] = values["currency"]
        if values["kind"] in (Kind.CASH, Kind.EXCHANGE):
            _refuse_if(values["kind"] in self._singles, f"kind: there must be only one {values['kind'].lower()}")
            self._singles.add(values["kind"])

    def check_sub_category(self, values: Values) -> None:
        child, parent = values["category_id"], values["parent_id"]
        _refuse_if(child in self._children, "category_id: an earlier line has the same value")
        self._children.add(child)
        self._parents.add(parent)
        is_both = parent in self._children or child in self._parents
        _refuse_if(is_both, "parent_id: a category with sub-categories may not be one itself")

    def check_piggy_bank(self, values: Values) -> None:
        account_ids = [values["account_id"], *(part["account_id"] for part in values["accounts"])]
        for account_id in account_ids:
            self._check_currency(values, "accounts", account_id, "account")
        _refuse_if(len(set(account_ids)) < len(account_ids), "accounts: no account may be listed twice")
        self._currency_of["piggy_banks", values["id"]] = values["currency"]
        self._shares.update((values["id"], account_id) for account_id in account_ids[1:])

    def check_event(self, values: Values) -> None:
        self._check_currency(values, "piggy_banks", values["piggy_bank_id"], "piggy bank")
        _refuse_if(not values["amount"], "amount: must not be zero")
        is_known = not values["account_id"] or (values["piggy_bank_id"], values["account_id"]) in self._shares
        _refuse_if(not is_known, "account_id: must be one of the further accounts of the piggy bank")

    def _check_currency(self, values: Values, kind: str, object_id: int, word: str) -> None:
        currency = self._currency_of[kind, object_id]
        _refuse_if(values["currency"] != currency, f"currency: must be {currency}, the currency of its {word}")

    def check_attachment(self, values: Values) -> None:
        owners, sha256 = sum(values[name] is not None for name in _OWNERS), values["sha256"]
        _refuse_if(owners != 1, f"bill_id: exactly one of {', '.join(_OWNERS)} must be set")
        is_whole = len({values[name] is None for name in _UPLOAD}) == 1
        _refuse_if(not is_whole, "sha256: sha256, md5, mime, size and uploaded_at must all be set, or none of them")
        _refuse_if(sha256 and sha256 not in self._contents, f"sha256: the archive has no attachments/{sha256}")


def _refuse_if(is_wrong: object, sentence: str) -> None:
    if is_wrong:
        raise Misfit(sentence)


def _check_currency(_checker: Checker, values: Values) -> None:
    _refuse_if(not _CODE.fullmatch(values["code"]), "code: must be three capital letters or digits")


def _check_range(_checker: Checker, values: Values) -> None:
    _refuse_if(values["start"] > values["end"], "end: must not be before start")


def _check_exchange_rate(_checker: Checker, values: Values) -> None:
    problem = find_rate_problem(rate := Decimal(values["rate"]))
    if not problem and write_rate(rate) != values["rate"]:
        problem = "must be written without needless zeros"
    _refuse_if(problem, f"rate: {problem}")
    is_same = values["from_currency"] == values["to_currency"]
    _refuse_if(is_same, "to_currency: must not be the same as from_currency")


def _check_bill(_checker: Checker, values: Values) -> None:
    _refuse_if(values["amount_min"] > values["amount_max"], "amount_max: must not be less than amount_min")


def _check_splits(values: Values) -> None:
    for number, split in enumerate(values["splits"]):
        is_half = (split["foreign_amount"] is None) != (split["foreign_currency"] is None)
        is_same = split["source_id"] == split["destination_id"]
        _refuse_if(is_same, f"splits[{number}]: source_id and destination_id must differ")
        _refuse_if(is_half, f"splits[{number}]: foreign_amount and foreign_currency must be set together")


def _check_transaction(_checker: Checker, values: Values) -> None:
    _check_splits(values)
    is_refund = any(split["refund"] for split in values["splits"])
    may_save = values["type"] == Type.TRANSFER or not values["piggy_bank_id"]
    _refuse_if(not may_save, "piggy_bank_id: only transfers may have one")
    _refuse_if(is_refund and values["type"] != Type.DEPOSIT, "splits: refund: only deposits may be refunds")
    _refuse_if(_has_twice(values["tags"], "tag_id"), "tags: no tag may be listed twice")


def _check_budget(_checker: Checker, values: Values) -> None:
    names = ("auto_amount", "auto_currency", "auto_period", "auto_next_on")
    is_half = len({values[name] is None for name in names}) > 1
    _refuse_if(is_half, f"auto_period: {', '.join(names)} must be given together, or not at all")
    releases = values["carry_releases"]
    _refuse_if(any(not release["amount"] for release in releases), "carry_releases: amounts must not be zero")
    _refuse_if(any(release["month"][8:] != "01" for release in releases), "carry_releases: months begin on the first")
    months = {(release["currency"], release["month"]) for release in releases}
    _refuse_if(len(months) < len(releases), "carry_releases: no month may be listed twice in a currency")


def _check_recurrence(_checker: Checker, values: Values) -> None:
    _check_splits(values)
    for number, value in enumerate(values["repetitions"]):
        problem = moment_problem(RepetitionType(value["type"]), value["moment"])
        _refuse_if(problem, f"repetitions[{number}]: moment: {problem}")
    _refuse_if(_has_twice(values["exceptions"], "planned_on"), "exceptions: no planned_on may be listed twice")


def _has_twice(parts: list[Values], name: str) -> bool:
    return len({part[name] for part in parts}) < len(parts)


def _check_rule(_checker: Checker, values: Values) -> None:
    for list_, specs in (("triggers", TRIGGERS), ("actions", ACTIONS)):
        for number, part in enumerate(values[list_]):
            spec = specs.get(part["name"])
            if spec is None:
                raise Misfit(f"{list_}[{number}]: name: is unknown to this version")
            problem = misfit(RulePart(name=part["name"], value=part["value"]), spec.takes)
            _refuse_if(problem, f"{list_}[{number}]: value: {problem}")


def _check_link(_checker: Checker, values: Values) -> None:
    is_one = (values["built_in"] is None) != (values["link_type_id"] is None)
    _refuse_if(not is_one, "link_type_id: a link has either a type or one that is built in")
    _refuse_if(values["inward_id"] == values["outward_id"], "outward_id: a transaction is not linked to itself")


def _check_preference(_checker: Checker, values: Values) -> None:
    """Checks a preference as the API does. Currencies and accounts in it are checked later, when it is stored."""
    name, data = values["name"], values["data"]
    if name not in preferences.NAMES:
        problem = preferences.find_free_problem(name, data)
        _refuse_if(problem, f"data: {problem}")
        return
    fits = _PREFERENCES.get(name, lambda _data: True)
    is_allowed = type(data) is type(preferences.defaults("UTC")[name]) and fits(data)
    _refuse_if(not is_allowed, f"data: is not a value that {name} may have")


def _are_account_ids(data: list[Any]) -> bool:
    return len(data) <= 10_000 and all(str(account_id).isascii() and str(account_id).isdigit() for account_id in data)


def _are_filters(data: list[Any]) -> bool:
    try:
        filters = convert(data, list[preferences.SavedFilter])
    except ValidationError:
        return False
    return preferences.find_filter_problem(filters) is None


def _are_cards(data: list[Any]) -> bool:
    try:
        cards = convert(data, list[preferences.DashboardCard])
    except ValidationError:
        return False
    return preferences.find_card_problem(cards) is None


_PREFERENCES: Mapping[str, Callable[[Any], bool]] = {
    "language": lambda language: preferences.language_meant(language) == language,
    "fiscalYearStart": preferences.is_month_and_day,
    "transaction_journal_optional_fields": lambda names: all(name in preferences.OPTIONAL_FIELDS for name in names),
    **dict.fromkeys(preferences.ACCOUNT_LISTS, _are_account_ids),
    preferences.GROUP_ORDER: lambda groups: all(group in list(AccountGroup) for group in groups),
    preferences.DASHBOARD_CARDS: _are_cards,
    "viewRange": lambda view_range: view_range in preferences.VIEW_RANGES,
    "listPageSize": lambda size: 1 <= size <= PAGE_SIZE_MAX,
    "timezone": preferences.is_time_zone,
    "recurrenceCatchUp": lambda catch_up: catch_up in preferences.CATCH_UPS,
    preferences.HOLIDAYS: lambda country: country == "" or place_meant(country) == country,
    preferences.SAVED_FILTERS: _are_filters,
}
_CHECKS: Mapping[str, Callable[[Checker, Values], None]] = {
    "currencies": _check_currency,
    "accounts": Checker.check_account,
    "sub_categories": Checker.check_sub_category,
    "budgets": _check_budget,
    "budget_limits": _check_range,
    "available_budgets": _check_range,
    "exchange_rates": _check_exchange_rate,
    "bills": _check_bill,
    "piggy_banks": Checker.check_piggy_bank,
    "recurrences": _check_recurrence,
    "transactions": _check_transaction,
    "piggy_bank_events": Checker.check_event,
    "import_jobs": lambda _checker, values: job_checks.check_job(values),
    "attachments": Checker.check_attachment,
    "transaction_links": _check_link,
    "import_rows": lambda _checker, values: job_checks.check_row(values),
    "rules": _check_rule,
    "preferences": _check_preference,
}
