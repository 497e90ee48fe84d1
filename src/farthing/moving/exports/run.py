"""Writes an export of any format, from one snapshot, piece by piece."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import BinaryIO

from farthing.care.backup import scratch
from farthing.kernel.text import pluralize
from farthing.storage.blobs import PIECE_BYTES, Blobs
from farthing.storage.copying import Progress
from farthing.storage.unit import Database

from ..archive import writing
from . import beancount, firefly_csv, firefly_tables, hledger, parquet_file, sqlite_file
from .model import ExportFormat, ExportRequest, Noun
from .snapshot import BATCH, Snapshot, take

_TEXTS: dict[ExportFormat, Callable[[Snapshot], Iterator[str]]] = {
    ExportFormat.CSV: firefly_csv.write,
    ExportFormat.HLEDGER: hledger.write,
    ExportFormat.BEANCOUNT: beancount.write,
}


def run(database: Database, blobs: Blobs, request: ExportRequest, out: BinaryIO, progress: Progress) -> None:
    with database.reading() as db:
        if request.format is ExportFormat.JSON:
            writing.write(db, blobs, request.user_id, request.made_at, out, progress)
            return
        snapshot = take(db, request)
        if request.format is ExportFormat.PARQUET:
            _follow(parquet_file.write(snapshot, out), progress)
        elif request.format is ExportFormat.SQLITE:
            with scratch.temporary() as folder:
                path = folder / "export.sqlite3"
                _follow(sqlite_file.write(snapshot, path), progress)
                with path.open("rb") as file:
                    while piece := file.read(PIECE_BYTES):
                        out.write(piece)
        else:
            is_table = request.noun not in (None, Noun.TRANSACTIONS)
            write, done = firefly_tables.write if is_table else _TEXTS[request.format], 0
            pieces = write(snapshot)
            while batch := list(islice(pieces, BATCH)):
                out.write("".join(batch).encode())
                done += len(batch)
                progress(pluralize(done, "transaction"))


def _follow(steps: Iterator[int], progress: Progress) -> None:
    for done in steps:
        progress(pluralize(done, "split"))
