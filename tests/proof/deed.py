"""What is one write? A request, what it does to what its user sees, and the key by which it is done only once."""

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .effects import Effect

JSON = "application/json"
OCTETS = "application/octet-stream"
_BOUNDARY = "farthing-torture"
FORM = f"multipart/form-data; boundary={_BOUNDARY}"


@dataclass(frozen=True)
class Deed:
    """`body` makes it anew each time: files are not kept in memory."""

    what: str
    method: str
    path: str
    effect: Effect
    body: Callable[[], bytes] | None = None
    media_type: str = JSON
    key: str | None = None
    md5: str | None = None
    sha256: str | None = None


def as_json(body: Any) -> bytes:
    return b"" if body is None else json.dumps(body).encode()


def some_bytes(seed: int, size: int) -> bytes:
    return random.Random(seed).randbytes(size)


def as_form(fields: Mapping[str, str], filename: str, content: Callable[[], bytes]) -> bytes:
    parts = [
        f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{filename}"\r\n\r\n'
    return b"".join([*parts, head.encode(), content(), f"\r\n--{_BOUNDARY}--\r\n".encode()])
