"""Reads the lines of Beancount files into directives."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

from msgspec import Struct

from ...findings import Unreadable, shorten
from ..common.includes import SourceLine, Sources
from ..common.text import parse_iso_date
from .numbers import BadNumber, BeancountAmount, PostingAmount, evaluate, is_currency, parse_posting_amount

STRING_LINES_MAX = 200
POSTINGS_MAX = 10_000
PUSHED_MAX = 100
_COUNTED = frozenset({"price", "commodity", "event", "query", "custom", "document"})
_FLAGS = frozenset("*!&#?%PSTCURM")


class BeanPosting(Struct, frozen=True, kw_only=True):
    account: str
    amount: PostingAmount
    comment: str = ""


class BeanEntry(Struct, kw_only=True):
    line: SourceLine
    on: date
    flag: str
    payee: str
    narration: str
    tags: list[str]
    links: list[str]
    notes: list[str]
    postings: list[BeanPosting]
    broken: bool = False


class BeanBalance(Struct, frozen=True, kw_only=True):
    line: SourceLine
    on: date
    account: str
    amount: BeancountAmount
    tolerance: Decimal | None


class BeanPad(Struct, frozen=True, kw_only=True):
    line: SourceLine
    on: date
    account: str
    source: str


class BeanAccount(Struct, kw_only=True):
    currency: str | None = None
    closed: bool = False
    notes: list[str] = []


class BeancountParser:
    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.entries: list[BeanEntry] = []
        self.balances: list[BeanBalance] = []
        self.pads: list[BeanPad] = []
        self.accounts: dict[str, BeanAccount] = {}
        self.options: dict[str, str] = {}
        self.counts: Counter[str] = Counter()
        self._tags: list[str] = []
        self._entry: BeanEntry | None = None

    def parse(self, lines: Iterable[SourceLine]) -> None:
        for line in _logical(lines):
            text = line.text
            if not text.strip() or text.lstrip()[0] == ";":
                self._entry = self._entry if text[:1].isspace() else None
            elif text[0] in " \t":
                self._indented(line)
            else:
                self._entry = None
                words = tokens(line.text)
                on = parse_iso_date(words[0]) if words and words[0][:1].isdigit() else None
                if on and len(words) > 1:
                    self._dated(line, on, words[1], words[2:])
                elif words and words[0][:1].isdigit():
                    message = f"“{shorten(words[0])}” is not a date such as 2024-05-31."
                    self.sources.finding(message, line, "date", rejects=True)
                elif words:
                    self._undated(line, words)

    def _undated(self, line: SourceLine, words: list[str]) -> None:
        word = words[0]
        if word == "option" and len(words) >= 3:
            self.options.setdefault(words[1].strip('"'), words[2].strip('"'))
        elif word == "pushtag" and len(words) > 1:
            if len(self._tags) >= PUSHED_MAX:
                raise Unreadable(f"More than {PUSHED_MAX} tags are pushed at once.")
            self._tags.append(words[1].lstrip("#"))
        elif word == "poptag" and len(words) > 1 and words[1].lstrip("#") in self._tags:
            self._tags.remove(words[1].lstrip("#"))
        elif word in ("plugin", "pushmeta", "popmeta", "include", "option"):
            self.sources.finding(f"“{shorten(line.text)}” is not imported.", line)
        elif word[0].isalpha():
            self.sources.finding(f"“{shorten(line.text)}” is not understood and not imported.", line)

    def _dated(self, line: SourceLine, on: date, word: str, rest: list[str]) -> None:
        if word == "txn" or (len(word) == 1 and word in _FLAGS):
            self._header(line, on, word, rest)
        elif word in ("open", "close", "note") and rest:
            account = self.accounts.setdefault(rest[0], BeanAccount(notes=[]))
            if word == "open" and len(rest) > 1 and is_currency(rest[1].split(",")[0]):
                account.currency = rest[1].split(",")[0]
            elif word == "close":
                account.closed = True
            elif word == "note" and len(rest) > 1:
                account.notes.append(unquote(rest[1]))
        elif word == "balance":
            self._balance(line, on, rest)
        elif word == "pad" and len(rest) >= 2:
            self.pads.append(BeanPad(line=line, on=on, account=rest[0], source=rest[1]))
        elif word in _COUNTED:
            self.counts[f"directives “{word}”"] += 1
        else:
            self.sources.finding(f"“{shorten(line.text)}” is not understood and not imported.", line, rejects=True)

    def _header(self, line: SourceLine, on: date, flag: str, rest: list[str]) -> None:
        strings = [unquote(word) for word in rest if word.startswith('"')]
        payee, narration = (strings[0], strings[1]) if len(strings) > 1 else ("", strings[0] if strings else "")
        self._entry = BeanEntry(
            line=line,
            on=on,
            flag=flag,
            payee=payee,
            narration=narration,
            tags=[*self._tags, *(word[1:] for word in rest if word.startswith("#"))],
            links=[word[1:] for word in rest if word.startswith("^")],
            notes=[],
            postings=[],
        )
        self.entries.append(self._entry)

    def _balance(self, line: SourceLine, on: date, rest: list[str]) -> None:
        body = " ".join(rest[1:])
        tolerance = None
        try:
            number, _, after = body.partition("~")
            if after:
                words = after.split()
                tolerance, body = evaluate(" ".join(words[:-1])), f"{number} {words[-1]}"
            written = parse_posting_amount(body)
        except (BadNumber, IndexError):
            written = PostingAmount()
        if not rest or written.number is None:
            message = f"“{shorten(body)}” is not a balance such as 12.34 EUR."
            self.sources.finding(message, line, "balance", rejects=True)
            return
        amount = BeancountAmount(written.number, written.currency)
        self.balances.append(BeanBalance(line=line, on=on, account=rest[0], amount=amount, tolerance=tolerance))

    def _indented(self, line: SourceLine) -> None:
        entry, text = self._entry, line.text.strip()
        if entry is None:
            self.counts["lines of metadata"] += 1
            return
        words = tokens(text)
        if not words:
            return
        if len(words) > 1 and len(words[0]) == 1 and words[0] in _FLAGS:
            words = words[1:]
        if words[0].endswith(":") and words[0][0].islower():
            entry.notes.append(f"{words[0]} {' '.join(unquote(word) for word in words[1:])}".strip())
        elif words[0][0] in "#^":
            entry.tags += [word[1:] for word in words if word[0] == "#"]
            entry.links += [word[1:] for word in words if word[0] == "^"]
        else:
            self._posting(line, entry, words)

    def _posting(self, line: SourceLine, entry: BeanEntry, words: list[str]) -> None:
        body, comment = " ".join(words[1:]), line.text.partition(" ;")[2].strip()
        if len(entry.postings) >= POSTINGS_MAX or ":" not in words[0]:
            message = f"“{shorten(line.text.strip())}” is not a posting; the entry is skipped."
            self.sources.finding(message, line, rejects=True)
            entry.broken = True
            return
        try:
            amount = parse_posting_amount(body)
        except BadNumber:
            message = f"“{shorten(body)}” is not an amount such as 12.34 EUR. The entry is skipped."
            self.sources.finding(message, line, "amount", rejects=True)
            entry.broken = True
        else:
            entry.postings.append(BeanPosting(account=words[0], amount=amount, comment=comment))


def _logical(lines: Iterable[SourceLine]) -> Iterator[SourceLine]:
    """Joins lines if a string begins in one and ends in another."""
    start: SourceLine | None = None
    parts: list[str] = []
    for line in lines:
        if start is None and _is_open(line.text):
            start, parts = line, [line.text]
        elif start is None:
            yield line
        else:
            parts.append(line.text)
            if _quotes(line.text) % 2 or len(parts) > STRING_LINES_MAX:
                yield SourceLine(start.file, start.number, "\n".join(parts))
                start = None
    if start:
        yield SourceLine(start.file, start.number, "\n".join(parts))


def _is_open(text: str) -> bool:
    return '"' in text and text.lstrip()[:1] != ";" and _quotes(_without_comment(text)) % 2 == 1


def _quotes(text: str) -> int:
    return text.count('"') - text.count('\\"')


def _without_comment(text: str) -> str:
    in_string = False
    for index, letter in enumerate(text):
        if letter == '"' and text[index - 1 : index] != "\\":
            in_string = not in_string
        elif letter == ";" and not in_string:
            return text[:index]
    return text


def tokens(text: str) -> list[str]:
    """Splits a line into words and strings, up to a comment. Strings keep their quotes, which words do not have."""
    words: list[str] = []
    word: list[str] = []
    in_string = escaped = False
    for letter in text:
        if in_string:
            word.append(letter)
            in_string = letter != '"' or escaped
            escaped = letter == "\\" and not escaped
        elif letter == ";":
            break
        elif letter.isspace():
            if word:
                words.append("".join(word))
            word = []
        else:
            in_string = letter == '"'
            word.append(letter)
    return [*words, "".join(word)] if word else words


def unquote(word: str) -> str:
    inner = word[1:-1] if len(word) > 1 and word[0] == word[-1] == '"' else word.strip('"')
    return inner.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")
