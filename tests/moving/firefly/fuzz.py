"""Damages the books of a Firefly III in many ways: `python -m tests.moving.firefly.fuzz --seconds 60`."""

import argparse
import io
import json
import random
import sys
import time
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any, BinaryIO
from zipfile import ZIP_STORED, ZipFile

from farthing.moving.findings import Unreadable
from farthing.moving.programs.firefly.read import looks_like, read

from .books import sample_api, sample_csv

TRANSACTIONS = 25
ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        10**30,
        1.5,
        -1e300,
        "",
        " ",
        "x",
        "\x00",
        "-",
        "=1",
        "1e99",
        "9" * 40,
        "0.00",
        "-12.5",
    ),
    *(
        "2026-02-30",
        "0000-00-00",
        "9999-12-31",
        "0001-01-01T00:00:00+00:00",
        "é" * 300,
        "a,b",
        [],
        [[]],
        ["x", 1, None],
    ),
    *({}, {"id": "1"}, [{}], {"data": {}}, "asset", "Loan", "transfer", "EUR", "1", "2", "26"),
)


@cache
def pages() -> dict[str, Any]:
    """The sample's pages, with a few transactions of every kind."""
    with ZipFile(sample_api()) as archive:
        found = {name: json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(".json")}
    first = found["api/transactions/page-1.json"]
    for number in range(2, 8):
        first["data"] += found.pop(f"api/transactions/page-{number}.json")["data"]
    first["data"] = [
        *(one for one in first["data"] if len(one["attributes"]["transactions"]) > 1),
        *first["data"][::30],
    ]
    return found


@cache
def tables() -> dict[str, bytes]:
    files = {name: file.read() for name, file in sample_csv().items()}
    name = next(name for name in files if "transactions" in name)
    files[name] = b"\n".join(files[name].split(b"\n")[: TRANSACTIONS * 2])
    return files


def damaged_pages(draw: random.Random) -> dict[str, BinaryIO]:
    """Fields with odd values, or without one; sometimes the bytes, too."""
    name = draw.choice(list(pages()))
    document = json.loads(json.dumps(pages()[name]))
    for _ in range(draw.randint(1, 4)):
        _damage(document, draw)
    archive = io.BytesIO()
    with ZipFile(archive, "w", ZIP_STORED) as into:
        for one in pages():
            content = json.dumps(document if one == name else pages()[one]).encode()
            into.writestr(one, _damage_bytes(content, draw) if one == name and draw.random() < 0.2 else content)
    return {"a.zip": archive}


def _damage(document: Any, draw: random.Random) -> None:
    at = document
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            return
        key = draw.choice(keys)
        if isinstance(at[key], dict | list) and draw.random() < 0.95:
            at = at[key]
            continue
        if isinstance(at, dict) and draw.random() < 0.2:
            del at[key]
        else:
            at[key] = deepcopy(draw.choice(ODD))
        return


def damaged_tables(draw: random.Random) -> dict[str, BinaryIO]:
    name = draw.choice(list(tables()))
    chosen = draw.sample(list(tables()), draw.randint(1, len(tables())))
    files = {one: tables()[one] for one in {*chosen, name}}
    lines = files[name].split(b"\n")
    if draw.random() < 0.5:
        line = draw.randrange(len(lines))
        cells = lines[line].split(b",")
        cells[draw.randrange(len(cells))] = str(draw.choice(ODD)).encode()
        lines[line] = b",".join(cells)
        files[name] = b"\n".join(lines)
    else:
        files[name] = _damage_bytes(files[name], draw)
    return {one: io.BytesIO(content) for one, content in files.items()}


def damaged_zip(draw: random.Random) -> dict[str, BinaryIO]:
    return {"a.zip": io.BytesIO(_damage_bytes(sample_api().getvalue(), draw))}


def _damage_bytes(content: bytes, draw: random.Random) -> bytes:
    changed = bytearray(content)
    if draw.random() < 0.3:
        return bytes(changed[: draw.randrange(len(changed) + 1)])
    for _ in range(draw.randint(1, 8)):
        at = draw.randrange(len(changed))
        changed[at : at + draw.choice((0, 1, 1, 1, 50))] = draw.choice(
            (b"", b"\x00", b'"', b",", b"\n", b"\xff", b"\r")
        )
    return bytes(changed)


WAYS: tuple[Callable[[random.Random], dict[str, BinaryIO]], ...] = (damaged_pages, damaged_tables, damaged_zip)


def examine(seed: int) -> bool:
    """Whether the damaged books could be read; anything but `Unreadable` is a bug, and passes through."""
    draw = random.Random(seed)
    files = WAYS[seed % len(WAYS)](draw)
    for name, file in files.items():
        looks_like(file.read(65536), name)
    try:
        books = read(files)
        for one in books.transactions:
            assert one.splits
            assert all(split.amount > 0 and split.source != split.destination for split in one.splits)
    except Unreadable:
        return False
    assert all(one.message for one in books.findings)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.moving.firefly.fuzz")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_args()
    until, seed, readable = time.monotonic() + chosen.seconds, chosen.seed, 0
    while time.monotonic() < until:
        try:
            readable += examine(seed)
        except Exception as error:
            error.add_note(f"firefly: seed {seed}")
            raise
        seed += 1
    sys.stdout.write(f"firefly: {seed - chosen.seed} damaged books from {chosen.seed} on, {readable} readable\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
