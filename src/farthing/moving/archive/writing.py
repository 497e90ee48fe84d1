"""Writes everything that one user has into one archive, from one snapshot.

farthing.json           the version of Farthing that wrote it, and the number of lines of each file
accounts.jsonl …        one object per line, ordered by id
attachments/3fa1…       the contents of attachments, each named by its SHA-256
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import msgspec

from farthing import __version__
from farthing.kernel.errors import Unavailable
from farthing.kernel.money import Currency, as_text
from farthing.kernel.text import pluralize
from farthing.storage.blobs import Blobs, Lost
from farthing.storage.copying import Progress
from farthing.storage.unit import Row, Unit

from .fields import ArchiveField, ArchiveKind, ArchivePart, FieldType
from .layout import CONTENTS, FORMAT, KINDS
from .manifest import MANIFEST, ArchiveManifest
from .renumbering import name_entries

_BATCH = 500
Currencies = Mapping[int, Currency]


def write(db: Unit, blobs: Blobs, user_id: int, made_at: str, out: BinaryIO, progress: Progress) -> ArchiveManifest:
    listed = db.structs(Currency, "SELECT id, code, name, symbol, places FROM currencies")
    currencies = {currency.id: currency for currency in listed}
    contents, missing = _find_contents(db, blobs, user_id)
    manifest = ArchiveManifest(
        format=FORMAT,
        version=__version__,
        made_at=made_at,
        counts={kind.name: int(db.value(f"SELECT COUNT(*) FROM {_source(kind)}", user_id=user_id)) for kind in KINDS},
        contents=len(contents),
        missing=missing,
    )
    with ZipFile(out, "w") as archive:
        archive.writestr(_member(MANIFEST), msgspec.json.format(msgspec.json.encode(manifest)))
        for kind in KINDS:
            with archive.open(_member(kind.file), "w", force_zip64=True) as file:
                for done, line in enumerate(_lines(db, kind, user_id, currencies), start=1):
                    file.write(line)
                    if done % _BATCH == 0:
                        progress(f"{kind.name}: {pluralize(done, 'line')}")
        for sha256, size in contents.items():
            progress(f"attachments: {sha256[:12]}")
            # Contents are stored uncompressed, because most are compressed already.
            try:
                with (
                    closing(blobs.read(user_id, sha256, size=size)) as reader,
                    archive.open(_member(f"{CONTENTS}/{sha256}", ZIP_STORED), "w", force_zip64=True) as file,
                ):
                    while reader.has_more:
                        file.write(reader.read())
            except Lost as error:
                raise Unavailable(f"The content {sha256} disappeared while it was exported.") from error
    return manifest


def _member(name: str, packing: int = ZIP_DEFLATED) -> ZipInfo:
    entry = ZipInfo(name)
    entry.compress_type = packing
    entry.external_attr = 0o600 << 16
    return entry


def _find_contents(db: Unit, blobs: Blobs, user_id: int) -> tuple[dict[str, int], list[str]]:
    """Returns the sizes of stored contents by hash, and the hashes of contents that are lost or damaged."""
    sql = """
    SELECT DISTINCT sha256, size FROM attachments
    WHERE user_id = :user_id AND sha256 IS NOT NULL ORDER BY sha256
    """
    rows = db.all(sql, user_id=user_id)
    sizes, missing = {}, []
    for sha256, size in rows:
        content = blobs.content(user_id, sha256)
        if content is None or content.sha256 != sha256:
            missing.append(sha256)
        else:
            sizes[sha256] = size
    return sizes, missing


def _source(kind: ArchiveKind) -> str:
    return f"{kind.source or f'{kind.table} t'} WHERE {kind.where}"


def _columns(fields: tuple[ArchiveField, ...]) -> str:
    return ", ".join(field.read or f"t.{field.stored_as}" for field in fields)


def _lines(db: Unit, kind: ArchiveKind, user_id: int, currencies: Currencies) -> Iterator[bytes]:
    rows = db.stream(f"SELECT {_columns(kind.fields)} FROM {_source(kind)} ORDER BY t.id", user_id=user_id)
    while batch := list(islice(rows, 1 if kind.is_large else _BATCH)):
        ids = [row[0] for row in batch] if kind.parts else []
        parts = {part.name: _load_parts(db, part, user_id, ids, currencies) for part in kind.parts}
        lines = [_show(kind.fields, row, currencies) for row in batch]
        for row, line in zip(batch, lines, strict=True):
            for name, of in parts.items():
                line[name] = of.get(row[0], [])
        if kind.name == "import_jobs":
            name_entries(db, user_id, lines)
        yield from (msgspec.json.encode(line) + b"\n" for line in lines)


def _load_parts(
    db: Unit, part: ArchivePart, user_id: int, ids: list[int], currencies: Currencies
) -> dict[int, list[Any]]:
    sql = f"""
    SELECT t.{part.parent}, {_columns(part.fields)} FROM {part.table} t
    WHERE t.user_id = :user_id AND t.{part.parent} IN :ids ORDER BY t.{part.parent}, t.{part.order}
    """
    groups = groupby(db.all(sql, user_id=user_id, ids=ids), key=itemgetter(0))
    return {parent: [_show_part(part, row[1:], currencies) for row in of] for parent, of in groups}


def _show_part(part: ArchivePart, row: Row, currencies: Currencies) -> Any:
    """Converts a row of a part. If the part has a single field, returns just the value of that field."""
    fields = _show(part.fields, row, currencies)
    return fields if len(part.fields) > 1 else fields.get(part.fields[0].name)


def _show(fields: tuple[ArchiveField, ...], row: Row, currencies: Currencies) -> dict[str, Any]:
    """Converts a row to fields, omitting fields without a value."""
    stored = dict(zip((field.name for field in fields), row, strict=True))
    return {
        field.name: _show_value(field, stored[field.name], stored, currencies)
        for field in fields
        if stored[field.name] is not None
    }


def _show_value(field: ArchiveField, value: Any, stored: Mapping[str, Any], currencies: Currencies) -> Any:
    match field.type:
        case FieldType.FLAG:
            return bool(value)
        case FieldType.CURRENCY:
            return currencies[value].code
        case FieldType.AMOUNT:
            return as_text(value, currencies[stored[field.currency]].places)
        case FieldType.CHOICE:
            return next(word for word, meant in field.words.items() if meant == value)
        case FieldType.WORDS | FieldType.VALUE | FieldType.DATA:
            return msgspec.json.decode(value)
    return value
