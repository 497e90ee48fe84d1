"""Runs the import of an archive that another Farthing exported: one unit of work, into empty books."""

from typing import BinaryIO

from msgspec import Struct

from farthing.care.changes import store as changes
from farthing.care.changes import undo as undoing
from farthing.kernel.errors import Conflict
from farthing.storage.blobs import Blobs, Content
from farthing.storage.unit import Unit

from ..archive import bringing
from ..archive.bringing import Brought
from ..archive.reading import open_archive
from .model import ImportJob


class CheckedArchive(Struct, frozen=True):
    """The contents that lie on disk already, by their hash."""

    contents: dict[str, Content]


def check(db: Unit, blobs: Blobs, user_id: int, file: BinaryIO) -> CheckedArchive:
    """Without a lock. Raises Unreadable or Conflict."""
    with open_archive(file) as archive:
        bringing.examine(db, user_id, archive, _say_nothing)
        return CheckedArchive(bringing.store_contents(blobs, user_id, archive, _say_nothing))


def bring_in(db: Unit, user_id: int, file: BinaryIO, checked: CheckedArchive, now: str) -> Brought:
    with open_archive(file) as archive:
        return bringing.bring_in(db, user_id, archive, checked.contents, now, _say_nothing)


def take_back(db: Unit, user_id: int, job: ImportJob) -> None:
    """All of it was one change, which is undone; refused if something was changed since."""
    revision = (job.report or {}).get("revision")
    found = changes.list_of_revision(db, user_id, int(revision)) if revision else []
    if not found:
        raise Conflict("It can no longer be undone: the log of changes does not reach back so far.")
    undoing.undo(db, user_id, found[0])


def _say_nothing(_step: str) -> None:
    pass
