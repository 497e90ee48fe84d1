"""Defines what can be requested of an export: format, range and accounts."""

from datetime import date
from enum import StrEnum
from importlib.util import find_spec

from msgspec import Struct

from farthing.kernel.errors import Problem


class ExportFormat(StrEnum):
    JSON = "json"
    CSV = "csv"
    HLEDGER = "hledger"
    BEANCOUNT = "beancount"
    SQLITE = "sqlite"
    PARQUET = "parquet"


class Noun(StrEnum):
    """Names what a CSV file of version 6 contains. The words are those of the addresses."""

    ACCOUNTS = "accounts"
    BILLS = "bills"
    BUDGETS = "budgets"
    CATEGORIES = "categories"
    PIGGY_BANKS = "piggy-banks"
    RECURRING = "recurring"
    RULES = "rules"
    SUBSCRIPTIONS = "subscriptions"
    TAGS = "tags"
    TRANSACTIONS = "transactions"


class FileKind(Struct, frozen=True):
    ending: str
    media_type: str


FILES = {
    ExportFormat.JSON: FileKind("zip", "application/zip"),
    ExportFormat.CSV: FileKind("csv", "text/csv; charset=utf-8"),
    ExportFormat.HLEDGER: FileKind("journal", "text/plain; charset=utf-8"),
    ExportFormat.BEANCOUNT: FileKind("beancount", "text/plain; charset=utf-8"),
    ExportFormat.SQLITE: FileKind("sqlite3", "application/vnd.sqlite3"),
    ExportFormat.PARQUET: FileKind("parquet", "application/vnd.apache.parquet"),
}
FIRST_DAY, LAST_DAY = date.min.isoformat(), date.max.isoformat()


class ExportRequest(Struct, frozen=True, kw_only=True):
    """`start` and `end` are dates; either may be omitted. Without `account_ids`, all accounts are exported. `today` is
    the date in the user's time zone, `made_at` the time at which the export was requested.

    `noun` is what a CSV file of version 6 contains, in which `primary_code` is the user's primary currency; `converts`
    tells if amounts are converted into it.
    """

    user_id: int
    format: ExportFormat
    today: str
    made_at: str
    start: str | None = None
    end: str | None = None
    account_ids: tuple[int, ...] = ()
    noun: Noun | None = None
    primary_code: str = ""
    converts: bool = False

    @property
    def first(self) -> str:
        return self.start or FIRST_DAY

    @property
    def last(self) -> str:
        return self.end or LAST_DAY

    @property
    def filename(self) -> str:
        name = f"{self.today}-{self.noun}" if self.noun else self.today
        return f"farthing-{name}.{FILES[self.format].ending}"


_ARROW_MISSING = "Parquet needs the extra `analysis` on the server: pip install 'farthing[analysis]'."
_WHOLE = "The json format always contains everything, so it accepts no {name}. Omit {name}, or choose another format."


def find_problems(format_: ExportFormat, is_set_by_name: dict[str, bool]) -> list[Problem]:
    """Finds problems with a request. `is_set_by_name` tells for each filter, as the caller names it, if it is set."""
    if format_ is ExportFormat.PARQUET and find_spec("pyarrow") is None:
        return [Problem("format", _ARROW_MISSING)]
    if format_ is ExportFormat.JSON:
        return [Problem(name, _WHOLE.format(name=name)) for name, is_given in is_set_by_name.items() if is_given]
    return []
