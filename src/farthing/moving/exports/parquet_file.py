"""Writes transactions as one Parquet file with a row for each split; needs the extra `analysis`."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import BinaryIO

from farthing.kernel.money import PLACES_MAX, as_text

from .rows import TransactionRow, transaction_rows
from .snapshot import Snapshot

_ROWS = 10_000
_DIGITS = 38


def write(snapshot: Snapshot, out: BinaryIO) -> Iterator[int]:
    """Writes the file, and yields how many rows have been written so far. Amounts are decimals, days are dates."""
    import pyarrow
    from pyarrow import parquet

    text, whole, money = pyarrow.string(), pyarrow.int64(), pyarrow.decimal128(_DIGITS, PLACES_MAX)
    types = {
        "split_id": whole, "transaction_id": whole, "date": pyarrow.date32(), "type": text, "description": text,
        "split_description": text, "amount": money, "currency": text, "foreign_amount": money,
        "foreign_currency": text, "source_id": whole, "source": text, "source_type": text, "destination_id": whole,
        "destination": text, "destination_type": text, "category": text, "parent_category": text, "budget": text,
        "bill": text, "tags": text, "reconciled": pyarrow.bool_(), "refund": pyarrow.bool_(), "notes": text,
        "internal_reference": text, "created_at": text, "updated_at": text,
    }  # fmt: skip
    schema = pyarrow.schema(list(types.items()))
    rows = (_values(row) for row, _, _ in transaction_rows(snapshot))
    done = 0
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        while batch := list(islice(rows, _ROWS)):
            writer.write_table(pyarrow.Table.from_pylist(batch, schema=schema))
            done += len(batch)
            yield done


def _values(row: TransactionRow) -> dict[str, object]:
    plain = {name: getattr(row, name) for name in row.__struct_fields__}
    foreign = None
    if row.foreign_units is not None and row.foreign_places is not None:
        foreign = Decimal(as_text(row.foreign_units, row.foreign_places))
    amounts = {"amount": Decimal(as_text(row.units, row.places)), "foreign_amount": foreign}
    return plain | {"date": date.fromisoformat(row.date), **amounts}
