"""Lists, detects and reads the formats of import jobs. Readers are loaded when needed: few requests need one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import msgspec
from msgspec import Struct, structs

from farthing.ledger.kinds import ASSETS, LIABILITIES, LIABILITY_WORDS, Kind

from ..findings import Finding, Unreadable
from ..formats.text import FALLBACK
from ..source_books import SourceAccount, SourceBooks, SourceTransaction
from ..statements import NO_ACCOUNT, FileStart, StatementPart, StatementParts
from .model import ImportJob

if TYPE_CHECKING:
    from ..formats.csv.detect import Detection

HEAD_BYTES = 64 * 1024
CSV = "csv"
OWN_ARCHIVE = "farthing"
# Bank formats, in the order in which a file is tested for them.
_READERS = {
    "ofx": "farthing.moving.formats.ofx.reader",
    "qif": "farthing.moving.formats.qif.reader",
    "camt": "farthing.moving.formats.camt.reader",
    "mt940": "farthing.moving.formats.mt940.reader",
    CSV: "farthing.moving.formats.csv.detect",
}
# Other programs. A file is tested for these before bank formats, because it may look like a bank's file.
_PROGRAMS = {
    "firefly-iii": "farthing.moving.programs.firefly.read",
    "actual": "farthing.moving.programs.actual.reader",
    "gnucash": "farthing.moving.programs.gnucash.reader",
    "ynab": "farthing.moving.programs.sheets.ynab",
    "mint": "farthing.moving.programs.sheets.mint",
    "lunch-money": "farthing.moving.programs.sheets.lunch_money",
    "beancount": "farthing.moving.programs.beancount.reader",
    "hledger": "farthing.moving.programs.journal.reader",
}
PROGRAMS = tuple(_PROGRAMS)
# An archive that another installation of Farthing exported.
_OWN = {OWN_ARCHIVE: "farthing.moving.archive.manifest"}
FORMATS = (*_READERS, *PROGRAMS, *_OWN)
# The kinds that the user may assign to accounts if the other program does not store kinds.
ACCOUNT_KINDS = {"asset": Kind.ASSET, **LIABILITY_WORDS}


class NamedFile(Struct, frozen=True):
    name: str
    file: BinaryIO


def name_files(names: Sequence[str], files: Sequence[BinaryIO]) -> list[NamedFile]:
    return [NamedFile(name=name, file=file) for name, file in zip(names, files, strict=True)]


def detect_format(files: Sequence[NamedFile]) -> str | None:
    """Detects the format of the first file; CSV comes last, because any text may look like it."""
    first = files[0]
    first.file.seek(0)
    head = first.file.read(HEAD_BYTES)
    for name, module in (_OWN | _PROGRAMS | _READERS).items():
        looks_like = cast(Callable[[bytes, str], bool], import_module(module).looks_like)
        if looks_like(head, first.name):
            return name
    return None


def detect_csv(file: BinaryIO, mapping: Mapping[str, Any] | None) -> "Detection":
    from ..formats.csv.detect import detect

    return detect(file, mapping)


def read_statements(job: ImportJob, files: Sequence[NamedFile]) -> Iterator[StatementPart | FileStart]:
    for number, file in enumerate(files):
        if len(files) > 1:
            yield FileStart(file.name)
        file.file.seek(0)
        yield from read_file(job.format or "", file.file, _fit_mapping(job, files[0], file) if number else job.mapping)


def read_file(format_: str, file: BinaryIO, mapping: Mapping[str, Any]) -> StatementParts:
    """Reads a file. Adds findings where its balances do not match its rows."""
    from ..formats.statement_check import check

    return check(read_csv(file, mapping) if format_ == CSV else read_bank_file(format_, file, mapping))


# Settings that are detected in each file; all other settings of the first file apply to all files.
_OF_EACH_FILE = ("encoding", "delimiter", "quote", "header", "preamble", "footer")


def _fit_mapping(job: ImportJob, first: NamedFile, file: NamedFile) -> Mapping[str, Any]:
    """Adapts the mapping of the first file to a further file. Drops the signs if that file is of another account."""
    if job.format != CSV:
        return job.mapping
    chosen = {name: value for name, value in job.mapping.items() if name not in _OF_EACH_FILE}
    if "invert" not in (job.given or {}) and _are_of_others(first, file, chosen):
        del chosen["invert"]
    detection = detect_csv(file.file, chosen)
    encoding = str(job.mapping["encoding"])
    if detection.layout.encoding == FALLBACK and not encoding.upper().startswith("UTF"):
        detection = detect_csv(file.file, {**chosen, "encoding": encoding})  # the file does not reveal its encoding
    if detection.problems:
        difference = "differ from those of the first file. Import it separately."
        raise Unreadable(f"The columns of “{file.name[:80]}” {difference}")
    file.file.seek(0)
    return cast(Mapping[str, Any], msgspec.to_builtins(detection.layout))


def _are_of_others(first: NamedFile, file: NamedFile, chosen: Mapping[str, Any]) -> bool:
    account = detect_csv(file.file, chosen).account
    return account != NO_ACCOUNT and account != detect_csv(first.file, chosen).account


def read_csv(file: BinaryIO, mapping: Mapping[str, Any]) -> StatementParts:
    from ..formats.csv.layout import CsvLayout
    from ..formats.csv.read import read

    return read(file, msgspec.convert(mapping, CsvLayout))


def read_bank_file(format_: str, file: BinaryIO, mapping: Mapping[str, Any]) -> StatementParts:
    """Reads a bank file. The mapping may set what the format leaves open: the encoding and, in QIF, the date order."""
    if format_ not in _READERS or format_ == CSV:
        raise Unreadable(f"There is no format “{format_[:40]}”. The known formats are {', '.join(FORMATS)}.")
    read = cast(Callable[..., StatementParts], import_module(_READERS[format_]).read)
    order = {"date_order": mapping["date_order"]} if format_ == "qif" and mapping.get("date_order") else {}
    return read(file, mapping.get("encoding"), **order)


def read_books(job: ImportJob, files: Mapping[str, BinaryIO], currency: str) -> SourceBooks:
    """Reads the books of another program. `currency` applies to amounts without a currency."""
    read = cast(Callable[..., SourceBooks], import_module(_PROGRAMS[job.format or ""]).read)
    books = read(files, currency=currency)
    return _give_kinds(books, job.options.kinds) if job.options.kinds else books


def _give_kinds(books: SourceBooks, kinds: Mapping[str, str]) -> SourceBooks:
    """Sets the kinds of the user's own accounts, by account name. An unknown name stops the import with a finding."""
    own = {account.name for account in books.accounts if _is_own(account)}
    unknown = [
        Finding(field="options.kinds", message=f"The books have no account “{name[:80]}” of your own.", rejects=True)
        for name, kind in kinds.items()
        if name not in own or kind not in ACCOUNT_KINDS
    ]
    accounts = tuple(
        structs.replace(account, kind=ACCOUNT_KINDS[kinds[account.name]])
        if _is_own(account) and kinds.get(account.name) in ACCOUNT_KINDS
        else account
        for account in books.accounts
    )
    return structs.replace(books, accounts=accounts, findings=(*books.findings, *unknown))


def _is_own(account: SourceAccount) -> bool:
    return account.kind in ASSETS | LIABILITIES


class RunQuestion(Struct, frozen=True, kw_only=True):
    """Describes what a run reads. `currency` applies to amounts without a currency."""

    job: ImportJob
    names: tuple[str, ...]
    currency: str = ""


def yield_statements(question: RunQuestion, files: Sequence[BinaryIO]) -> Iterator[StatementPart | FileStart]:
    """Yields the parts of all files; runs in a separate process, as `yield_books` does."""
    yield from read_statements(question.job, name_files(question.names, files))


def yield_books(question: RunQuestion, files: Sequence[BinaryIO]) -> Iterator[SourceBooks | SourceTransaction]:
    """Yields the books without their transactions, then the transactions."""
    books = read_books(question.job, dict(zip(question.names, files, strict=True)), question.currency)
    yield structs.replace(books, transactions=())
    yield from books.transactions
