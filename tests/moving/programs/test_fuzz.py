"""Damaged files: cut anywhere, bytes changed, lines doubled; they end in a sentence, or in books that hold.

The short form runs with every test run, the long one with `make fuzz`.
"""

import random
import time
from collections.abc import Callable
from io import BytesIO
from types import ModuleType

import pytest

from farthing.moving.findings import Unreadable
from farthing.moving.programs.actual import reader as actual
from farthing.moving.programs.beancount import reader as beancount
from farthing.moving.programs.gnucash import reader as gnucash
from farthing.moving.programs.journal import reader as journal
from farthing.moving.programs.sheets import lunch_money, mint, ynab

from ...length import examples
from . import actual_builder, gnucash_builder, journal_traits, sheet_samples, test_beancount
from .prover import prove

READERS = {
    "actual": actual,
    "beancount": beancount,
    "gnucash": gnucash,
    "journal": journal,
    "lunch money": lunch_money,
    "mint": mint,
    "ynab": ynab,
}
ENTRIES = [entry for trait in gnucash_builder.TRAITS.values() for entry in trait]
ROWS = [row for trait in actual_builder.TRAITS.values() for row in trait]
REGISTER = sheet_samples.register([row for trait in sheet_samples.TRAITS.values() for row in trait])
SAMPLES: dict[str, tuple[str, str, Callable[[], bytes]]] = {
    "journal": ("journal", "x.journal", lambda: "".join(journal_traits.HLEDGER.values()).encode()),
    "beancount": (
        "beancount",
        "x.beancount",
        lambda: (test_beancount.OPENS + "".join(test_beancount.TRAITS.values())).encode(),
    ),
    "gnucash xml": ("gnucash", "x.gnucash", lambda: gnucash_builder.xml(ENTRIES)),
    "gnucash gzip": ("gnucash", "x.gnucash", lambda: gnucash_builder.xml(ENTRIES, packed=True)),
    "gnucash sqlite": ("gnucash", "x.gnucash", lambda: gnucash_builder.sqlite(ENTRIES)),
    "actual": ("actual", "x.zip", lambda: actual_builder.archive(actual_builder.database(ROWS))),
    "ynab": ("ynab", "Register.csv", lambda: REGISTER.encode()),
    "ynab utf-16": ("ynab", "Register.csv", lambda: REGISTER.lstrip("\ufeff").encode("utf-16")),
    "ynab zip": ("ynab", "y.zip", lambda: sheet_samples.zipped(Register=REGISTER)),
    "mint": ("mint", "transactions.csv", lambda: sheet_samples.MINT.encode()),
    "lunch money": ("lunch money", "lm.csv", lambda: sheet_samples.LUNCH.encode()),
}
SLOW = ("gnucash sqlite", "actual")
PIECES = [b"\0", b"\xff", b'"', b"(", b"{", b"@", b"=", b"-", b"1e9", b"99999999999999999999", b"\n", b" ", b";", b","]
PIECES += [b"<!DOCTYPE a>", b"\xfe\xff", b"0000-00-00", b"2024-02-30", b"%s", b"\t", b"EUR", b"/0", b":", b"[", b"*"]


@pytest.mark.parametrize("sample", SAMPLES)
def test_exactly_one_reader_claims_a_file(sample: str) -> None:
    name, filename, content = SAMPLES[sample]
    head = content()[:65536]

    assert [one for one, reader in READERS.items() if reader.looks_like(head, filename)] == [name]


@pytest.mark.parametrize("sample", SAMPLES)
def test_fuzzed_files_end_in_a_sentence_or_in_books_that_hold(sample: str) -> None:
    name, filename, content = SAMPLES[sample]
    whole = content()
    draw = random.Random(sample)
    for _ in range(examples(60 if sample in SLOW else 900)):
        read_damaged(READERS[name], filename, damage(whole, draw))


@pytest.mark.parametrize("sample", SAMPLES)
def test_files_that_are_cut_anywhere_end_in_a_sentence_or_in_books_that_hold(sample: str) -> None:
    name, filename, content = SAMPLES[sample]
    whole = content()
    for number in range(pieces := examples(36 if sample in SLOW else 240)):
        read_damaged(READERS[name], filename, whole[: len(whole) * number // pieces])


def read_damaged(reader: ModuleType, filename: str, content: bytes) -> None:
    started = time.process_time()
    reader.looks_like(content[:65536], filename)
    try:
        books = reader.read({filename: BytesIO(content)})
    except Unreadable as refused:
        sentence = str(refused)
    else:
        sentence = "."
        prove(books)
    assert sentence.endswith(".")
    assert time.process_time() - started < 10


def damage(content: bytes, draw: random.Random) -> bytes:
    found = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 5, 20))):
        at = draw.randrange(len(found) + 1)
        kind = draw.randrange(4)
        if kind == 0 and at < len(found):
            found[at] = draw.randrange(256)
        elif kind == 1:
            found[at:at] = draw.choice(PIECES)
        elif kind == 2:
            del found[at : at + draw.choice((1, 3, 30))]
        else:
            start = draw.randrange(len(found) + 1)
            found[at:at] = found[start : start + draw.choice((5, 50, 500))]
    return bytes(found)
