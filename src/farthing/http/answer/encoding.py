"""Compresses answers for clients that accept it."""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from gzip import compress as gzip_compress

from msgspec import structs

from ..request.cookies import OUR_PAGES
from .reply import Reply

if sys.version_info >= (3, 14):
    from compression.zstd import compress as zstd_compress
else:
    from backports.zstd import compress as zstd_compress

# Below this, headers and packets weigh more than what is saved.
BYTES_MIN = 1024
# The lowest levels: higher ones save a few per cent more, and gzip's take twice the time.
_LEVEL = 1
# Many times what browsers send; the rest is ignored.
_ACCEPTED_CHARACTERS_MAX = 1024
_VARIES = (b"vary", b"Accept-Encoding")
_COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "zstd": lambda body: zstd_compress(body, _LEVEL),
    "gzip": lambda body: gzip_compress(body, _LEVEL, mtime=0),
}
_OFFERED = tuple(_COMPRESS)


def compress(reply: Reply, asked: Mapping[bytes, bytes], *, may: bool = True) -> Reply:
    """`asked` are the headers of the request. The ETag stays: it names the books, not the bytes.

    Not for answers that hold a secret: next to what a caller made us repeat, their length would give it away.
    """
    if not may:
        return reply
    if reply.status == 304:
        return structs.replace(reply, headers=[*reply.headers, _VARIES])
    if len(reply.body) <= BYTES_MIN:
        return reply
    encoding = choose_encoding(asked.get(b"accept-encoding", b""), _OFFERED)
    # Another site's page could choose what an answer repeats, and learn from its compressed length whether the answer
    # contains it already.
    if not encoding or asked.get(b"sec-fetch-site", b"none") not in OUR_PAGES:
        return structs.replace(reply, headers=[*reply.headers, _VARIES])
    body = _COMPRESS[encoding](reply.body)
    headers = [one for one in reply.headers if one[0] != b"content-length"]
    headers += [(b"content-length", b"%d" % len(body)), (b"content-encoding", encoding.encode()), _VARIES]
    return structs.replace(reply, headers=headers, body=body)


@lru_cache(maxsize=256)
def choose_encoding(header: bytes, offered: Sequence[str]) -> str:
    """The one that the client prefers, the first offered among equals; empty for none."""
    weights = dict(map(_read_weight, header[:_ACCEPTED_CHARACTERS_MAX].decode("latin-1").lower().split(",")))
    anything, least = weights.get("*", 0.0), weights.get("identity", 0.0)
    accepted = [one for one in offered if weights.get(one, anything) > 0 and weights.get(one, anything) >= least]
    return max(accepted, key=lambda one: weights.get(one, anything), default="")


def _read_weight(part: str) -> tuple[str, float]:
    """`gzip;q=0.5`. What is no number counts as zero."""
    name, _, parameter = part.partition(";")
    mark, _, text = parameter.partition("=")
    if not parameter.strip():
        return name.strip(), 1.0
    try:
        weight = float(text) if mark.strip() == "q" else 0.0
    except ValueError:
        weight = 0.0
    return name.strip(), weight if 0 <= weight <= 1 else 0.0
