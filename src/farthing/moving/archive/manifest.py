"""What an archive says about itself. It may come from a stranger, so every name, hash and number has its form."""

from typing import Annotated

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0, le=2**40)]
Word = Annotated[str, Meta(pattern=r"^[0-9A-Za-z_.:+-]{1,100}\Z")]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


class Manifest(Struct, frozen=True, kw_only=True):
    """`counts` are lines by kind; `missing` are the contents that could not be read when the archive was made."""

    format: Annotated[int, Meta(ge=1)]
    version: Word
    made_at: Word
    counts: dict[Word, Count]
    contents: Count
    missing: list[Hash]
