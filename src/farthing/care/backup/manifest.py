"""Defines the manifest of a backup. It is untrusted, so each name, hash and number has a strict format."""

from typing import Annotated

from msgspec import Meta, Struct

FORMAT = 2
MANIFEST = "manifest.json"
DATABASE = "farthing.sqlite3"
SETTINGS = "settings.env"
CONTENTS = "attachments"

_CONTENT = rf"{CONTENTS}/[1-9][0-9]{{0,17}}/[0-9a-f]{{64}}"
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Size = Annotated[int, Meta(ge=0, le=2**50)]
Word = Annotated[str, Meta(pattern=r"^[0-9A-Za-z_.:+-]{1,100}\Z")]
CurrencyCode = Annotated[str, Meta(pattern=r"^[^\x00-\x1f\x7f-\x9f]{1,255}\Z")]
ContentName = Annotated[str, Meta(pattern=rf"^{_CONTENT}\Z")]
FileName = Annotated[str, Meta(pattern=rf"^(farthing\.sqlite3|settings\.env|{_CONTENT})\Z")]


class File(Struct, frozen=True):
    sha256: Hash
    size: Size


class PackedTable(Struct, frozen=True):
    """Describes a table, like `TableDigest`, but is untrusted.

    `digest` is None since format 2, in which the hash of the database file replaces it.
    """

    rows: Size
    digest: Hash | None = None


class BackupManifest(Struct, frozen=True):
    """Describes a backup. `missing` names the contents of attachments that could not be read when it was made."""

    format: Annotated[int, Meta(ge=1)]
    version: Word
    migration: Word
    made_at: Word
    tables: dict[Word, PackedTable]
    balances: dict[CurrencyCode, int]
    files: dict[FileName, File]
    missing: list[ContentName]
