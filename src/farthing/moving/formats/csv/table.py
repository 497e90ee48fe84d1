"""Splits the lines of a file into rows of cells, even if quotes are never closed."""

import csv
from collections import deque
from collections.abc import Iterator

RECORD_LINES_MAX = 40
LINE_CHARS_MAX = 200_000
COLUMNS_MAX = 500
# The csv module's default limit. We do not change it, because it applies to the whole process.
FIELD_CHARS_MAX = 131_072

NumberedLines = Iterator[tuple[int, str]]
# The line number of a record, and its cells. If a quote in the line is never closed, None takes the place of the cells.
Record = tuple[int, list[str] | None]


class _Endless(Exception):
    pass


class _Feed:
    """Passes lines to the csv module, and keeps the lines of the current record in case they have to be read again."""

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
        """Queues the kept lines to be read again, except the first one, and returns the number of that line."""
        self.again.extendleft(reversed(self.held[1:]))
        return self.held[0][0]


def records(lines: NumberedLines, *, delimiter: str, quote: str) -> Iterator[Record]:
    """Yields the records. If a quote is never closed, only its own line is lost, not the rest of the file."""
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
    """Tells whether a record of several lines is quoted correctly. If not, a stray quote has swallowed the next row."""
    lines = (line + "\n" for _, line in held)
    try:
        return len(list(csv.reader(lines, delimiter=delimiter, quotechar=quote, strict=True))) == 1
    except csv.Error:
        return False


def without_footer(lines: NumberedLines, footer: int, left_out: list[tuple[int, str]]) -> NumberedLines:
    """Yields all lines but blank ones and the last `footer` lines, which are appended to `left_out` at the end."""
    held: deque[tuple[int, str]] = deque()
    for line in lines:
        if line[1] and not line[1].isspace():
            held.append(line)
            if len(held) > footer:
                yield held.popleft()
    left_out.extend(held)
