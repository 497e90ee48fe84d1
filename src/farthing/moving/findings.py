"""Defines what a reader reports about a file in addition to its contents."""

from collections.abc import Iterable

from msgspec import Struct

from farthing.kernel.text import in_one_line

_SHOWN_LETTERS_MAX = 80


class Finding(Struct, frozen=True, kw_only=True):
    """One sentence for the person who imports the file. `row` is the number of the line in a text editor, or the number
    of the record if the file is not text. It is None if the finding is about the whole file. `field` is the column or
    element. With `rejects`, the row is not imported.
    """

    message: str
    row: int | None = None
    field: str | None = None
    rejects: bool = False


class Findings(list[Finding]):
    def add(self, message: str, row: int | None = None, field: str | None = None, *, rejects: bool = False) -> None:
        self.append(Finding(message=message, row=row, field=field, rejects=rejects))

    def add_counts(self, counts: Iterable[tuple[int, str]]) -> None:
        """Adds a finding for each number above zero. The message is the number followed by the sentence."""
        for number, sentence in counts:
            if number:
                self.add(f"{number} {sentence}")


class Unreadable(ValueError):
    """Refuses the file as a whole. The message is a sentence that says why, and what would be correct."""


def shorten(value: object) -> str:
    """Shortens a value for a sentence: puts it on one line and cuts long text."""
    return in_one_line(str(value).replace("\0", "␀"), _SHOWN_LETTERS_MAX)
