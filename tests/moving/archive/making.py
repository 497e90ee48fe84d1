"""A small archive, as its files, and how to pack it."""

import io
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from ..exports.making import exported

STORY = """
account Dollars asset USD
2024-05-01 deposit    Employer -> Checking  1000.00 EUR
2024-05-02 withdrawal Checking -> Groceries   12.50 EUR
           and        Checking -> Bakery       2.00 EUR
2024-05-03 transfer   Checking -> Dollars     10.00 EUR (11.00 USD)
"""
Members = dict[str, bytes]


@pytest.fixture
def archive(books) -> Members:
    books.keep(STORY)
    books.record("2024-05-04 withdrawal Checking -> Groceries 1.00 EUR", category="Food", tags=["weekly", "cheap"])
    with ZipFile(io.BytesIO(exported(books.database, books.user_id, "json"))) as file:
        return {name: file.read(name) for name in file.namelist()}


def packed(members: Members, packing: int = ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w", packing) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return out.getvalue()
