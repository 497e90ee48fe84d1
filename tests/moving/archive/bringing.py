"""Brings a whole archive into empty books at once; import jobs do the same step by step."""

from typing import BinaryIO

from farthing.identity import users
from farthing.moving.archive.bringing import Bringing, Brought, ask_check, refuse_contradictions, store_contents
from farthing.moving.archive.reading import check_file, open_archive
from farthing.storage.blobs import Blobs, Content
from farthing.storage.copying import Progress
from farthing.storage.unit import Database


def bring_archive(
    database: Database, blobs: Blobs, user_id: int, file: BinaryIO, now: str, progress: Progress
) -> Brought:
    """Raises Unreadable if the file is invalid, Conflict if the books are not empty; then nothing has changed."""
    archive = open_archive(file)
    with database.reading() as db:
        question = ask_check(db, user_id)
    list(check_file(question, [file]))
    stored: dict[str, Content] = {}
    list(store_contents(blobs, user_id, archive, stored))
    with database.writing() as db:
        users.take(db, user_id, token_id=None, now=now, doing="archive.bring")
        assert db.author is not None, "just taken"
        bringing = Bringing(user_id, archive, stored, progress)
        bringing.db = db
        for _ in bringing.steps(now):
            pass
        refuse_contradictions(db, user_id)
        return Brought(counts=bringing.counts, revision=db.author.revision)
