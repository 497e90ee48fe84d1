"""Loads a whole archive into empty books at once; import jobs do the same step by step."""

from collections.abc import Mapping
from typing import BinaryIO

from msgspec import Struct

from farthing.identity import users
from farthing.moving.archive.loading import ArchiveLoader, ask_check, refuse_contradictions, store_contents
from farthing.moving.archive.reading import check_file, open_archive
from farthing.storage.blobs import Blobs, Content
from farthing.storage.unit import Database


class LoadedArchive(Struct, frozen=True):
    """How many lines of each kind, and the revision that undoes it."""

    counts: Mapping[str, int]
    revision: int


def load_archive(database: Database, blobs: Blobs, user_id: int, file: BinaryIO, now: str) -> LoadedArchive:
    """Raises Unreadable if the file is invalid, Conflict if the books are not empty; then nothing has changed."""
    archive = open_archive(file)
    with database.reading() as db:
        question = ask_check(db, user_id)
    list(check_file(question, [file]))
    stored: dict[str, Content] = {}
    list(store_contents(blobs, user_id, archive, stored))
    with database.writing() as db:
        users.take(db, user_id, token_id=None, now=now, doing="archive.load")
        assert db.author is not None, "just taken"
        loader = ArchiveLoader(user_id, archive, stored)
        loader.db = db
        for _ in loader.steps(now):
            pass
        refuse_contradictions(db, user_id)
        return LoadedArchive(counts=loader.counts, revision=db.author.revision)
