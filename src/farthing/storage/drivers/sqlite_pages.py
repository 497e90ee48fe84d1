"""Copies the pages of one SQLite file into another, which may be in use."""

from collections.abc import Callable
from contextlib import closing

import apsw

from ..unit import Unit
from .sqlite import SqliteDatabase
from .sqlite_errors import translate
from .sqlite_lineage import draw

# So many are copied between two signs of progress.
_AT_ONCE = 10_000


def take_over(
    target: SqliteDatabase, source: SqliteDatabase, refuse: Callable[[Unit], None], progress: Callable[[str], None]
) -> None:
    """Replaces everything by what is in the source, in one unit of work.

    `refuse` raises if what is there must stay; from then on nobody else can write.
    """
    with target.reading():
        pass  # refuses a file that has been replaced
    connection = target.connection()
    try:
        draw(connection)  # the pages bring a header of their own, so the log must not begin with it
        with connection.backup("main", source.connection(), "main") as pages:
            pages.step(1)  # takes the lock
            with closing(SqliteDatabase(target.path)) as beside, beside.reading() as db:
                refuse(db)
            while not pages.done:
                progress(f"pages: {pages.page_count - pages.remaining} of {pages.page_count}")
                pages.step(_AT_ONCE)
    except apsw.Error as error:
        raise translate(error, connection, str(target.path)) from error
