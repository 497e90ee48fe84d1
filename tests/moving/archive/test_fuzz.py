"""Archives that were cut or scrambled: refused with a sentence, or right after all; never anything else."""

import io
import random

import pytest

from farthing.kernel.money import Currency
from farthing.moving.archive import reading
from farthing.moving.archive.layout import KINDS
from farthing.moving.findings import Unreadable

from ...length import examples
from .making import archive, packed

__all__ = ["archive"]


@pytest.mark.any_database
def test_an_archive_cut_or_scrambled_anywhere_is_refused_or_right(books, archive, tmp_path):
    whole, draw = packed(archive), random.Random(4)
    for _ in range(examples(300)):
        content = bytearray(whole[: draw.randrange(len(whole))]) if draw.random() < 0.3 else bytearray(whole)
        for _ in range(draw.choice((1, 1, 5))):
            if content:
                content[draw.randrange(len(content))] = draw.randrange(256)
        _try(content)
    for _ in range(examples(600)):
        name = draw.choice([kind.file for kind in KINDS if archive[kind.file]])
        text = bytearray(archive[name])
        text[draw.randrange(len(text))] = draw.choice(b'"{}[],:0-9a \n\0\xff')
        _try(packed({**archive, name: bytes(text)}))


def _try(content: bytes | bytearray) -> None:
    """Reads all of it, without a database: nothing but Unreadable may be raised."""
    known = {code: Currency(number, code, code, code, 2) for number, code in enumerate(("EUR", "USD"))}
    try:
        archive = reading.open_archive(io.BytesIO(content))
        reading.check(archive, known)
        for sha256 in archive.contents:
            list(archive.pieces(sha256))
    except Unreadable:
        pass
