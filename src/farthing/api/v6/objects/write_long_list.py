"""Writes one long list for the server, in a separate process: `python -m farthing.api.v6.objects.write_long_list`.

Reads the task from standard input, and writes the answer to standard output. If it fails, writes a sentence to standard
error and exits with an error code.
"""

import os
import sys
from contextlib import closing, suppress
from typing import Any, BinaryIO

import msgspec

from farthing.books.transactions import groups
from farthing.http.answer.document import Page, encode
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Call
from farthing.identity.user import ApiVersion
from farthing.kernel.errors import EXIT_FULL, FarthingError, is_full
from farthing.moving.exports.task import load_settings
from farthing.storage.drivers import open as database
from farthing.storage.unit import Unit

from .groups import make_groups
from .long_lists import LongList

# The number of groups in memory at once.
_BATCH = 500
# Gives the server priority, so that it keeps answering quickly.
_NICENESS = 10


def main() -> int:
    with suppress(AttributeError, OSError):  # not supported on every system
        os.nice(_NICENESS)
    task = msgspec.json.decode(sys.stdin.buffer.read(), type=LongList)
    try:
        with (
            closing(database.open_current(load_settings(task.settings), serve=True)) as books,
            books.reading() as db,
        ):
            write(db, task, sys.stdout.buffer)
            sys.stdout.buffer.flush()
    except (FarthingError, OSError) as error:
        sys.stderr.write(str(error))
        return EXIT_FULL if is_full(error) else 1
    return 0


def write(db: Unit, task: LongList, out: BinaryIO) -> None:
    """Writes the page that the task asks for. All of it comes from one snapshot."""
    call, book = _make_call(db, task), task.book or task.owner_book
    assert book is not None, "a list has a book"
    at, total, count = read_page_request(call), groups.total(db, book, task.days), 0
    out.write(b'{"data":[')
    while batch := groups.page(db, book, task.days, limit=min(_BATCH, at.size - count), offset=at.offset + count):
        out.write(b"," if count else b"")
        out.write(encode(make_groups(call, batch))[1:-1])
        count += len(batch)
    rest: Page[Any] = page(call, task.path, [], total, {"type": call.query.get("type", "")})
    rest.meta.pagination.count = count
    out.write(b"]," + encode({"meta": rest.meta, "links": rest.links})[1:])


def _make_call(db: Unit, task: LongList) -> Call:
    return Call(
        db=db,
        caller=task.caller,
        user_id=task.caller.id,
        now=task.now,
        today=task.today,
        base=task.base,
        path={},
        query=task.query,
        settings=load_settings(task.settings),
        api_version=ApiVersion.V6,
    )


if __name__ == "__main__":
    sys.exit(main())
