"""Reads journals of hledger and ledger into raw entries."""

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import pairwise
from typing import BinaryIO

from msgspec.structs import replace

from farthing.kernel.limits import NAME_MAX

from ...findings import Unreadable, shorten
from ...formats.values import make_date
from ...source_books import SourceBooks
from ..beancount.reader import is_beancount
from ..common.building import build
from ..common.includes import Sources
from ..common.raw import Nature, RawAccount, RawBooks, RawEntry, RawPosting, account_at, nature_of_path
from ..common.text import date_numbers, head_lines
from ..unpacking import is_zip, open_files
from .parsing import JournalEntry, JournalParser, JournalPosting
from .resolving import Resolver

PROGRAM = "hledger"
VIRTUAL = "Virtual postings"
TRANSIT = "Transfers in transit"
_TECHNICAL = {TRANSIT: Nature.ASSET, VIRTUAL: Nature.EQUITY}
_ENDINGS = (".journal", ".hledger", ".ledger", ".ldg", ".j")


def looks_like(head: bytes, filename: str) -> bool:
    """Recognizes a line that begins with a date, followed by an indented line with an account."""
    if is_zip(head):
        return any(ending.encode() in head for ending in _ENDINGS[:3])
    if b"\0" in head[:1024] and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    lines = head_lines(head, 5_000)
    if any(map(is_beancount, lines)):
        return False
    is_journal = any(_is_header(line) and _is_posting(next_line) for line, next_line in pairwise(lines))
    return is_journal or (filename.lower().endswith(_ENDINGS) and any(_is_header(line) for line in lines))


def _is_header(line: str) -> bool:
    numbers = date_numbers(line.split(" ")[0].split("=")[0]) if line[:1].isdigit() else None
    return numbers is not None and len(numbers) in (2, 3) and "," not in line.split(" ")[0] and "\t" not in line[:11]


def _is_posting(line: str) -> bool:
    return line[:1] in (" ", "\t") and (line.strip()[:1] in ";([*!" or line.strip()[:1].isalpha())


def included_path(line: str) -> str | None:
    for word in ("include ", "!include ", "@include "):
        if line.startswith(word):
            return line[len(word) :].split(" ;")[0].strip()
    return None


def read(files: Mapping[str, BinaryIO], *, currency: str | None = None) -> SourceBooks:
    """Reads the books. `currency` is used for amounts without a commodity."""
    sources = Sources(open_files(files), included_path)
    parser = JournalParser(sources)
    parser.parse(sources.lines())
    if not parser.entries:
        raise Unreadable("The file has no transaction, such as a line “2024-05-31 Baker” with postings below it.")
    return build(_Translation(sources, parser, currency or "EUR").books())


Resolved = tuple[JournalPosting, RawPosting]


class _Translation:
    def __init__(self, sources: Sources, parser: JournalParser, currency: str) -> None:
        self.sources, self.parser, self.currency = sources, parser, currency
        self.resolver = Resolver(sources, parser.directives.styles)
        self.accounts: dict[str, RawAccount] = {}
        self.odd_dates = self.pending = 0

    def books(self) -> RawBooks:
        directives = self.parser.directives
        for name in directives.declared:
            self._account(name)
        ordered = sorted((entry for entry in self.parser.entries if not entry.broken), key=lambda entry: entry.on)
        self.parser.entries = []
        ordered.reverse()
        entries: list[RawEntry] = []
        while ordered:  # entries are removed when they are done: otherwise a large journal would be in memory twice
            entries += self._entries(ordered.pop())
        paid = "postings carry a price or a lot; the amounts paid are imported, lots and gains are not."
        counts = (
            (self.resolver.priced, paid),
            (self.odd_dates, f"postings have a date of their own; between the two dates the money is on “{TRANSIT}”."),
            (self.pending, "entries are marked as pending (!); that mark is not kept."),
            *((number, f"{what} are not imported.") for what, number in directives.counts.items()),
        )
        self.sources.findings.add_counts(counts)
        return RawBooks(
            program=PROGRAM,
            accounts=tuple(self.accounts.values()),
            entries=tuple(entries),
            default_commodity=self.currency,
            findings=tuple(self.sources.findings),
        )

    def _entries(self, entry: JournalEntry) -> Iterator[RawEntry]:
        resolved = self.resolver.resolve(entry)
        if resolved is None:
            return
        if len(resolved) == 1 and self.parser.directives.bucket and not resolved[0][0].virtual:
            posting, raw = resolved[0]
            bucket = replace(raw, account=self.parser.directives.bucket, quantity=-raw.quantity)
            resolved.append((posting, bucket))
        for virtual in (("",), ("[", "(")):
            part = [(posting, raw) for posting, raw in resolved if posting.virtual in virtual]
            if part:
                yield from self._on_their_days(entry, part)

    def _on_their_days(self, entry: JournalEntry, part: list[Resolved]) -> Iterator[RawEntry]:
        """Yields an entry, and a further entry for each posting that has a day of its own. Between these days, the
        amount is in an account for money in transit.
        """
        days = [find_day(posting.comment, entry.on) or entry.on for posting, _ in part]
        on_its_day = [
            (posting, raw if day == entry.on else replace(raw, account=self._technical(TRANSIT)))
            for day, (posting, raw) in zip(days, part, strict=True)
        ]
        yield self._entry(entry, on_its_day)
        for day, (posting, raw) in zip(days, part, strict=True):
            if day != entry.on:
                self.odd_dates += 1
                plain = replace(raw, weight=None, weight_commodity=None)
                back = replace(plain, account=self._technical(TRANSIT), quantity=-raw.quantity)
                yield replace(self._entry(entry, [(posting, plain), (posting, back)]), on=day, dates={})

    def _entry(self, entry: JournalEntry, part: list[Resolved]) -> RawEntry:
        postings = [self._posting(entry, posting, raw) for posting, raw in part]
        postings += [
            replace(raw, account=self._technical(VIRTUAL), quantity=-raw.quantity, weight=None, weight_commodity=None)
            for (posting, _), raw in zip(part, postings, strict=True)
            if posting.virtual == "("
        ]
        texts = [*entry.comments, *(f"{posting.account}: {posting.comment}" for posting, _ in part if posting.comment)]
        self.pending += entry.status == "!"
        comments = [*entry.comments, *(posting.comment for posting, _ in part)]
        return RawEntry(
            on=entry.on,
            description=entry.description,
            postings=tuple(postings),
            row=entry.line.number,
            notes="\n".join(dict.fromkeys(texts)) or None,
            reference=entry.code[:NAME_MAX] or None,
            tags=tuple(dict.fromkeys(tag for comment in comments for tag in find_tags(comment))),
            dates={"book": entry.second_on} if entry.second_on else {},
        )

    def _posting(self, entry: JournalEntry, posting: JournalPosting, raw: RawPosting) -> RawPosting:
        nature = self._account(raw.account).nature
        return replace(
            raw,
            commodity=raw.commodity or self.currency,
            weight_commodity=raw.weight_commodity if raw.weight_commodity != "" else self.currency,
            category=raw.account[:NAME_MAX] if nature in (Nature.EXPENSE, Nature.REVENUE) else None,
            description=posting.comment or None,
            reconciled=(posting.status or entry.status) == "*",
        )

    def _technical(self, name: str) -> str:
        self.accounts.setdefault(name, account_at(name, _TECHNICAL[name]))
        return name

    def _account(self, path: str) -> RawAccount:
        account = self.accounts.get(path)
        if account is None:
            account = self.accounts[path] = account_at(path, self._nature(path))
        return account

    def _nature(self, path: str) -> Nature:
        """Returns the nature declared for the account or one above it, otherwise that of its root."""
        types = self.parser.directives.types
        names = path.split(":")
        for length in range(len(names), 0, -1):
            if nature := types.get(":".join(names[:length])):
                return nature
        nature = nature_of_path(path)
        if nature is None:
            message = f"“{shorten(path)}” is not below a root such as assets or expenses; it becomes an asset account."
            self.sources.finding(message, field="account")
        return nature or Nature.ASSET


def find_day(comment: str, near: date) -> date | None:
    """Finds the date in the comment of a posting: `date:2024-05-31`, `date:5/31` or `[2024-05-31]`."""
    text = next((tag[5:].split(" ")[0] for tag in find_tags(comment) if tag.startswith("date:")), "")
    if comment.startswith("[") and "]" in comment:
        text = comment[1:].partition("]")[0].partition("=")[0]
    numbers = date_numbers(text)
    if numbers and len(numbers) in (2, 3):
        return make_date(*numbers) if len(numbers) == 3 else make_date(near.year, *numbers)
    return None


def find_tags(comment: str) -> Iterator[str]:
    """Finds the tags in a comment: `name:` and `name:value` up to a comma (hledger), or `:one:two:` (ledger)."""
    for part in comment.split(","):
        words = part.split()
        for index, word in enumerate(words):
            if len(word) > 2 and word.startswith(":") and word.endswith(":"):
                yield from (name[:NAME_MAX] for name in word.split(":") if name)
                continue
            name, colon, value = word.partition(":")
            if colon and name and not value.startswith("//"):
                rest = " ".join([value, *words[index + 1 :]]).strip()
                yield (f"{name}:{rest}" if rest else name)[:NAME_MAX]
                break
