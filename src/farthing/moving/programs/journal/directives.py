"""Reads the directives of a journal. Those without effect in Farthing are only counted."""

from collections import Counter

from ...findings import shorten
from ..common.includes import SourceLine, Sources
from ..common.raw import Nature
from .amounts import AmountText, BadAmount, Styles, parse_amount_text

# Types of accounts by letter and by word.
_LETTERS = {"a": Nature.ASSET, "l": Nature.LIABILITY, "e": Nature.EQUITY, "r": Nature.REVENUE, "x": Nature.EXPENSE}
_LETTERS |= {"v": Nature.CONVERSION}
_TYPES = {"c": Nature.ASSET, "cash": Nature.ASSET, **_LETTERS, **{nature.value: nature for nature in _LETTERS.values()}}
_COUNTED = {"P": "market prices (P)", "C": "commodity conversions (C)", **dict.fromkeys("ioIObh", "time clock lines")}
_SILENT = frozenset({"payee", "tag", "N", "end tag"})
ALIASES_MAX = 1_000


class Directives:
    """Holds the settings that the directives above a line have made."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.year: int | None = None
        self.decimal_marks: dict[str, str] = {}
        self.default: AmountText | None = None
        self.bucket = self._commodity = ""
        self.styles = Styles()
        self.types: dict[str, Nature] = {}
        self.declared: list[str] = []
        self.counts: Counter[str] = Counter()
        self.aliases: list[tuple[str, str]] = []
        self.applied: list[str] = []

    def take(self, line: SourceLine) -> None:
        """Applies a directive. Its indented lines are then passed to `take_part`."""
        text = line.text.split(";")[0].rstrip()
        text = text[1:] if text[:1] in ("!", "@") else text
        word, _, rest = text.partition(" ")
        self._commodity = ""
        if word[:1] == "Y" and word[1:].isdigit():
            word, rest = "Y", word[1:]
        if word in _COUNTED:
            self.counts[_COUNTED[word]] += 1
        elif handler := _HANDLED.get(word):
            handler(self, rest.strip(), line)
        elif word not in _SILENT:
            self.sources.finding(f"“{shorten(text)}” is not imported.", line)

    def take_part(self, line: SourceLine) -> None:
        word, _, rest = line.text.strip().partition(" ")
        if word == "format" and self._commodity:
            self._declare(rest, line)

    def account(self, name: str) -> str:
        """Returns the full name of an account, with the prefix of `apply account` and with aliases replaced."""
        full = ":".join([*self.applied, name])
        for old, new in reversed(self.aliases):
            if full == old or full.startswith(old + ":"):
                full = new + full[len(old) :]
        return full

    def _declare_account(self, rest: str, line: SourceLine) -> None:
        name = self.account(rest.split("  ")[0].split("\t")[0].strip())
        self.declared.append(name)
        _, _, comment = line.text.partition(";")
        for part in comment.split(","):
            key, _, value = part.strip().partition(":")
            nature = _TYPES.get(value.strip().lower())
            if key == "type" and nature:
                self.types[name] = nature
        old_type = rest.split("  ")[-1].strip()
        if "  " in rest and old_type in ("A", "L", "E", "R", "X", "C", "V"):
            self.types[name] = _TYPES[old_type.lower()]

    def _declare_commodity(self, rest: str, line: SourceLine) -> None:
        self._commodity = rest.strip('"') or " "
        if any(letter.isdigit() for letter in rest):
            self._declare(rest, line)

    def _declare(self, text: str, line: SourceLine, what: str = "format of a commodity") -> AmountText | None:
        try:
            amount = parse_amount_text(text)
        except BadAmount:
            self.sources.finding(f"“{shorten(text)}” is no {what}.", line, "commodity")
            return None
        self.styles.declare(amount)
        return amount

    def _default(self, rest: str, line: SourceLine) -> None:
        self.default = self._declare(rest, line, "default commodity") or self.default

    def _year(self, rest: str, line: SourceLine) -> None:
        if rest.isascii() and rest.isdigit() and len(rest) == 4:
            self.year = int(rest)
        else:
            self.sources.finding(f"“{shorten(rest)}” is no year.", line, "year")

    def _decimal_mark(self, rest: str, line: SourceLine) -> None:
        if rest in (".", ","):
            self.decimal_marks[line.file] = rest
        else:
            self.sources.finding(f"“{shorten(rest)}” is not a decimal mark; it must be . or ,", line, "decimal-mark")

    def _alias(self, rest: str, line: SourceLine) -> None:
        old, sign, new = rest.partition("=")
        if rest.startswith("/") or not sign or len(self.aliases) >= ALIASES_MAX:
            message = f"The alias “{shorten(rest)}” is not applied: only plain names are, at most {ALIASES_MAX}."
            self.sources.finding(message, line, "alias")
        else:
            self.aliases.append((old.strip(), new.strip()))

    def _apply(self, rest: str, line: SourceLine) -> None:
        what, _, value = rest.partition(" ")
        if what == "account" and value.strip() and len(self.applied) < 20:
            self.applied.append(value.strip())
        elif what == "year":
            self._year(value.strip(), line)
        else:
            self.sources.finding(f"“apply {shorten(rest)}” is not imported.", line)

    def _end(self, rest: str, _: SourceLine) -> None:
        if rest == "aliases":
            self.aliases.clear()
        elif rest in ("apply account", "apply") and self.applied:
            self.applied.pop()

    def _bucket(self, rest: str, _: SourceLine) -> None:
        self.bucket = self.account(rest)


_HANDLED = {
    "account": Directives._declare_account,
    "commodity": Directives._declare_commodity,
    "D": Directives._default,
    "Y": Directives._year,
    "year": Directives._year,
    "decimal-mark": Directives._decimal_mark,
    "alias": Directives._alias,
    "apply": Directives._apply,
    "end": Directives._end,
    "bucket": Directives._bucket,
    "A": Directives._bucket,
}
