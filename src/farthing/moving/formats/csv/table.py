"""Splits the lines of a file into rows of cells, and survives quotes that are never closed."""

import csv
from collections import deque
from collections.abc import Iterator

RECORD_LINES_MAX = 40
LINE_CHARS_MAX = 200_000
COLUMNS_MAX = 500
# The csv module's own default, which holds for the whole process; we do not change it.
FIELD_CHARS_MAX = 131_072

NumberedLines = Iterator[tuple[int, str]]
# Its line in the file, and its cells; None for a line with a quote that is never closed.
Record = tuple[int, list[str] | None]


class _Endless(Exception):
    pass


class _Feed:
    """Gives lines to the csv module, and keeps those of the current record, in case they have to be read again."""

    def __init__(self, lines: NumberedLines) -> None:
        self.lines = lines
        self.again: deque[tuple[int, str]] = deque()
        self.held: list[tuple[int, str]] = []
        self.ended = False

    def __iter__(self) -> "_Feed":
        return self

    def __next__(self) -> str:
        held = self.held
        if len(held) >= RECORD_LINES_MAX:
            raise _Endless
        if self.again:
            line = self.again.popleft()
        else:
            try:
                line = next(self.lines)
            except StopIteration:
                self.ended = True
                raise
        held.append(line)
        return line[1] + "\n"

    def give_back_all_but_first(self) -> int:
        """Returns the number of the first line, which is not read again."""
        self.again.extendleft(reversed(self.held[1:]))
        return self.held[0][0]


def records(lines: NumberedLines, *, delimiter: str, quote: str) -> Iterator[Record]:
    """A quote that is never closed costs its own line only, not the rest of the file."""
    feed = _Feed(lines)
    reader = _reader(feed, delimiter, quote)
    while True:
        feed.held.clear()
        try:
            cells = next(reader)
            is_whole = not feed.ended and (len(feed.held) == 1 or _is_well_quoted(feed.held, delimiter, quote))
        except StopIteration:
            return
        except (csv.Error, _Endless):
            is_whole = False
        if is_whole:
            yield feed.held[0][0], cells
            continue
        yield feed.give_back_all_but_first(), None
        feed.ended = False
        reader = _reader(feed, delimiter, quote)


def _reader(lines: Iterator[str], delimiter: str, quote: str) -> Iterator[list[str]]:
    if not quote:
        return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    return csv.reader(lines, delimiter=delimiter, quotechar=quote)


def _is_well_quoted(held: list[tuple[int, str]], delimiter: str, quote: str) -> bool:
    """Tells whether quoted text of several lines is valid; otherwise a stray quote was closed by the next row's first
    one.
    """
    lines = (line + "\n" for _, line in held)
    try:
        return len(list(csv.reader(lines, delimiter=delimiter, quotechar=quote, strict=True))) == 1
    except csv.Error:
        return False


def without_footer(lines: NumberedLines, footer: int, left_out: list[tuple[int, str]]) -> NumberedLines:
    """Skips blank lines, and the last `footer` of the others, which it appends to `left_out` at the end."""
    held: deque[tuple[int, str]] = deque()
    for line in lines:
        if line[1] and not line[1].isspace():
            held.append(line)
            if len(held) > footer:
                yield held.popleft()
    left_out.extend(held)
