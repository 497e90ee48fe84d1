"""Reads searches with operators into terms and groups, character by character, and writes them down again."""

from collections.abc import Sequence

from msgspec import Struct

CHARACTERS_MAX = 2000
TOKENS_MAX = 20
_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class TooLong(ValueError):
    """The search has too many characters or parts."""


class NotClosed(ValueError):
    """A quotation mark is not closed. The message is the text from there on."""


class Term(Struct, frozen=True):
    """Holds an operator with its value, or a text without an operator: then `name` is empty."""

    value: str
    name: str = ""
    negated: bool = False


class Group(Struct, frozen=True):
    """Holds parts that must all fit or, if `negated`, must not all fit."""

    parts: tuple["Term | Group", ...]
    negated: bool = False


def parse(text: str) -> Group:
    """Reads a search. A bracket that is not closed ends with the text."""
    if len(text) > CHARACTERS_MAX:
        raise TooLong
    return _Reader(text).read()


class _Reader:
    """Reads one text from left to right. `_open` holds the parts of all groups that are not closed yet."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._tokens = 0
        self._open: list[tuple[bool, list[Term | Group]]] = [(False, [])]

    def read(self) -> Group:
        while self._at < len(self._text):
            letter = self._text[self._at]
            if letter.isspace():
                self._at += 1
            elif letter == ")" and len(self._open) > 1:
                self._at += 1
                self._close()
            else:
                self._read_token()
        while len(self._open) > 1:
            self._close()
        return Group(tuple(self._open[0][1]))

    def _close(self) -> None:
        negated, parts = self._open.pop()
        if parts:
            self._open[-1][1].append(Group(tuple(parts), negated=negated))

    def _read_token(self) -> None:
        self._tokens += 1
        if self._tokens > TOKENS_MAX:
            raise TooLong
        following = self._text[self._at + 1 : self._at + 2]
        negated = self._text[self._at] == "-" and bool(following) and not following.isspace()
        self._at += negated
        if self._text[self._at] == "(":
            self._at += 1
            self._open.append((negated, []))
            return
        name = self._read_name()
        value = self._read_value()
        self._open[-1][1].append(Term(value, name, negated))

    def _read_name(self) -> str:
        """Reads the letters before a colon. Returns nothing, and stays where it is, if there is no such name."""
        end = self._at
        while end < len(self._text) and self._text[end] in _NAME_CHARACTERS:
            end += 1
        if end == self._at or self._text[end : end + 1] != ":":
            return ""
        name = self._text[self._at : end]
        self._at = end + 1
        return name

    def _read_value(self) -> str:
        if self._text[self._at : self._at + 1] == '"':
            return self._read_quoted()
        start = self._at
        while self._at < len(self._text) and not self._text[self._at].isspace():
            if self._text[self._at] == ")" and len(self._open) > 1:
                break
            self._at += 1
        return self._text[start : self._at]

    def _read_quoted(self) -> str:
        letters: list[str] = []
        self._at += 1
        while self._at < len(self._text):
            letter = self._text[self._at]
            self._at += 1
            if letter == '"':
                return "".join(letters)
            if letter == "\\" and self._text[self._at : self._at + 1] in ('"', "\\"):
                letter = self._text[self._at]
                self._at += 1
            letters.append(letter)
        raise NotClosed("".join(['"', *letters]))


def write(group: Group) -> str:
    """Writes a search so that `parse` reads the same again."""
    return _write_parts(group.parts)


def _write_parts(parts: Sequence[Term | Group]) -> str:
    return " ".join(_write_part(part) for part in parts)


def _write_part(part: Term | Group) -> str:
    minus = "-" if part.negated else ""
    if isinstance(part, Group):
        return f"{minus}({_write_parts(part.parts)})"
    escaped = part.value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{minus}{part.name}{":" if part.name else ""}"{escaped}"'
