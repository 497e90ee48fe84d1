"""Reads Beancount files into raw entries."""

from collections.abc import Mapping
from typing import BinaryIO

from msgspec.structs import replace

from farthing.kernel.limits import NAME_MAX

from ...findings import Unreadable, shorten
from ...source_books import SourceBooks
from ..common.building import build
from ..common.includes import Sources
from ..common.raw import Nature, RawAccount, RawBooks, RawEntry, RawPosting, account_at, nature_of_path
from ..common.text import head_lines, parse_iso_date
from ..unpacking import is_zip, open_files
from .booking import BookedEntry, LotBooking
from .parsing import BeancountParser

PROGRAM = "Beancount"
_ROOTS = {
    "name_assets": Nature.ASSET,
    "name_liabilities": Nature.LIABILITY,
    "name_equity": Nature.EQUITY,
    "name_income": Nature.REVENUE,
    "name_expenses": Nature.EXPENSE,
}
_WORDS = frozenset("open close balance pad commodity price note document event query custom".split())  # noqa: SIM905


def looks_like(head: bytes, _filename: str) -> bool:
    if is_zip(head):
        return b".beancount" in head or b".bean\x00" in head
    if b"\0" in head[:1024] and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    return any(is_beancount(line) for line in head_lines(head, 5_000))


def is_beancount(line: str) -> bool:
    words = line.split(None, 2)
    if len(words) < 3:
        return False
    if words[0] in ("option", "plugin"):
        return words[1].startswith('"')
    if not parse_iso_date(words[0]):
        return False
    is_header = words[1] in ("*", "!", "txn") and words[2].startswith('"')
    return is_header or (words[1] in _WORDS and (":" in words[2] or '"' in words[2] or words[2][:1].isupper()))


def included_path(line: str) -> str | None:
    return line[len("include ") :].split(";")[0].strip().strip('"') if line.startswith("include ") else None


def read(files: Mapping[str, BinaryIO], *, currency: str | None = None) -> SourceBooks:
    sources = Sources(open_files(files), included_path)
    parser = BeancountParser(sources)
    parser.parse(sources.lines())
    if not parser.entries and not parser.accounts:
        raise Unreadable("The file has no directive, such as a line 2024-01-01 open Assets:Cash.")
    return build(_Translation(sources, parser, currency).books())


class _Translation:
    def __init__(self, sources: Sources, parser: BeancountParser, currency: str | None) -> None:
        self.sources, self.parser = sources, parser
        self.currency = parser.options.get("operating_currency") or currency or "EUR"
        self.roots = {parser.options[name]: nature for name, nature in _ROOTS.items() if name in parser.options}
        self.accounts: dict[str, RawAccount] = {}
        self.pending = 0

    def books(self) -> RawBooks:
        booking = LotBooking(self.sources, self.parser)
        booked = booking.book()
        for path, account in self.parser.accounts.items():
            self.accounts[path] = account_at(
                path,
                self._nature(path),
                commodity=account.currency,
                active=not account.closed,
                notes="\n".join(account.notes) or None,
            )
        entries = tuple(self._entry(entry) for entry in booked)
        paid = "postings carry a price or a cost; the amounts paid are imported, lots and gains are not."
        counts = [(number, f"{what} are not imported.") for what, number in self.parser.counts.items()]
        pending = (self.pending, "entries are marked with !; that mark is not kept.")
        self.sources.findings.add_counts([(booking.priced, paid), pending, *counts])
        return RawBooks(
            program=PROGRAM,
            accounts=tuple(self.accounts.values()),
            entries=entries,
            default_commodity=self.currency,
            findings=tuple(self.sources.findings),
        )

    def _entry(self, booked: BookedEntry) -> RawEntry:
        entry = booked.entry
        if entry is None:
            description, notes, tags = "Padding", [], []
        else:
            description = " | ".join(text for text in (entry.payee, entry.narration) if text)
            links = [f"Links: {', '.join(entry.links)}"] if entry.links else []
            comments = [f"{posting.account}: {posting.comment}" for posting in entry.postings if posting.comment]
            notes, tags = [*entry.notes, *links, *comments], entry.tags
            self.pending += entry.flag == "!"
        return RawEntry(
            on=booked.on,
            description=description.replace("\n", " "),
            postings=tuple(self._posting(posting) for posting in booked.postings),
            row=booked.row,
            notes="\n".join(notes) or None,
            tags=tuple(dict.fromkeys(tag[:NAME_MAX] for tag in tags if tag)),
        )

    def _posting(self, posting: RawPosting) -> RawPosting:
        if posting.account not in self.accounts:
            self.accounts[posting.account] = account_at(posting.account, self._nature(posting.account))
            message = f"The account “{shorten(posting.account)}” is used, but never opened."
            self.sources.finding(message, field="account")
        nature = self.accounts[posting.account].nature
        category = posting.account[:NAME_MAX] if nature in (Nature.EXPENSE, Nature.REVENUE) else None
        return replace(posting, category=category)

    def _nature(self, path: str) -> Nature:
        nature = self.roots.get(path.split(":")[0]) or nature_of_path(path)
        if nature is None:
            message = f"“{shorten(path)}” is not below any of the five roots; it becomes an asset."
            self.sources.finding(message, field="account")
        return nature or Nature.ASSET
