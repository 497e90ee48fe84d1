"""Reads the lines of a journal into entries; directives change how the lines below them are read."""

import re
from collections.abc import Iterable
from datetime import date

from msgspec import Struct, structs

from ...findings import shorten
from ...formats.values import make_date
from ..common.includes import SourceLine, Sources
from ..common.text import date_numbers
from .amounts import AmountExpression, BadAmount, parse_expression
from .directives import Directives


class JournalPosting(Struct, frozen=True, kw_only=True):
    """Holds a posting. `virtual` is ( if it needs no balance, and [ if it must balance with other virtual postings."""

    line: SourceLine
    account: str
    expression: AmountExpression
    virtual: str = ""
    status: str = ""
    comment: str = ""
    file_mark: str | None = None


class JournalEntry(Struct, kw_only=True):
    line: SourceLine
    on: date
    second_on: date | None
    status: str
    code: str
    description: str
    comments: list[str]
    postings: list[JournalPosting]
    broken: bool = False


POSTINGS_MAX = 10_000
_COMMENTS = (";", "#", "*", "%", "|")
_BLOCKS = {"comment": "end comment", "test": "end test"}
_GAP = re.compile("  |\t")


class JournalParser:
    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.directives = Directives(sources)
        self.entries: list[JournalEntry] = []
        self._entry: JournalEntry | None = None
        self._in_directive = False
        self._block = self._file = ""

    def parse(self, lines: Iterable[SourceLine]) -> None:
        for line in lines:
            if self._block:
                self._block = "" if line.text.strip() in (self._block, "end") else self._block
            else:
                text = line.text
                if line.file != self._file:
                    self._entry, self._file = None, line.file
                if not text.strip():
                    self._entry = None
                elif text[0] in " \t":
                    self._indented(line)
                else:
                    self._entry, self._in_directive = None, False
                    self._top(line)

    def _top(self, line: SourceLine) -> None:
        text = line.text
        if text[0].isdigit():
            self._header(line)
        elif text.strip() in _BLOCKS:
            self._block = _BLOCKS[text.strip()]
        elif text[0] in "~=":
            kind = "periodic" if text[0] == "~" else "automated"
            self.sources.finding(f"The {kind} rule “{shorten(text)}” is not imported.", line)
        elif text[0] not in _COMMENTS:
            self._in_directive = True
            self.directives.take(line)

    def _indented(self, line: SourceLine) -> None:
        text = line.text.strip()
        if self._entry:
            if text[0] in ";#":
                self._entry.comments.append(text[1:].strip())
            elif len(self._entry.postings) >= POSTINGS_MAX:
                self._break(f"The entry has more than {POSTINGS_MAX} postings.", line)
            else:
                self._posting(text, line, self._entry)
        elif self._in_directive:
            self.directives.take_part(line)

    def _break(self, message: str, line: SourceLine, field: str | None = None) -> None:
        """Drops the whole entry, because it would be wrong without this line."""
        self.sources.finding(f"{message} The entry is skipped.", line, field, rejects=True)
        if self._entry:
            self._entry.broken = True

    def _header(self, line: SourceLine) -> None:
        text, _, comment = line.text.partition(";")
        word, _, rest = text.partition(" ")
        first, _, second = word.partition("=")
        on = self._day(first, None)
        if on is None:
            message = f"“{shorten(word)}” is not a date such as 2024-05-31. The entry is skipped."
            self.sources.finding(message, line, "date", rejects=True)
        status, code, description = _status(rest.strip())
        self._entry = JournalEntry(
            line=SourceLine(line.file, line.number, ""),
            on=on or date.max,
            second_on=self._day(second, on) if second else None,
            status=status,
            code=code,
            description=description,
            comments=[comment.strip()] if comment.strip() else [],
            postings=[],
            broken=on is None,
        )
        self.entries.append(self._entry)

    def _day(self, text: str, near: date | None) -> date | None:
        numbers = date_numbers(text)
        if numbers and len(numbers) == 3:
            return make_date(*numbers)
        year = near.year if near else self.directives.year
        return make_date(year, *numbers) if numbers and len(numbers) == 2 and year else None

    def _posting(self, text: str, line: SourceLine, entry: JournalEntry) -> None:
        body, _, comment = text.partition(";")
        status = body[0] if body[:2] in ("* ", "! ", "*\t", "!\t") else ""
        # Two spaces or a tab end the account.
        name, *rest = _GAP.split(body[1:].strip() if status else body.strip(), maxsplit=1)
        name, amount = name.strip(), "".join(rest).strip()
        virtual = name[0] if name[:1] + name[-1:] in ("()", "[]") else ""
        account = (name[1:-1] if virtual else name).strip()
        try:
            expression = self._with_default(parse_expression(amount))
        except BadAmount:
            self._break(f"“{shorten(amount)}” is not an amount such as 12.34 EUR.", line, "amount")
            return
        entry.postings.append(
            JournalPosting(
                line=SourceLine(line.file, line.number, ""),
                account=self.directives.account(account),
                expression=expression,
                virtual=virtual,
                status=status,
                comment=comment.strip(),
                file_mark=self.directives.decimal_marks.get(line.file),
            )
        )
        for part in (expression.amount, expression.cost, expression.lot, expression.assertion):
            if part:
                self.directives.styles.see(part)

    def _with_default(self, expression: AmountExpression) -> AmountExpression:
        default = self.directives.default
        if default is None:
            return expression
        amounts = {name: getattr(expression, name) for name in ("amount", "cost", "lot", "assertion")}
        bare = {name: amount for name, amount in amounts.items() if amount and not amount.commodity}
        with_default = {name: structs.replace(amount, commodity=default.commodity) for name, amount in bare.items()}
        return structs.replace(expression, **with_default)


def _status(text: str) -> tuple[str, str, str]:
    status = text[0] if text[:1] in ("*", "!") else ""
    text = text[1:].strip() if status else text
    code = ""
    if text.startswith("(") and ")" in text:
        code, _, text = text[1:].partition(")")
    return status, code.strip(), text.strip()
