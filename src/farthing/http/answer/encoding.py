"""Compresses answers for clients that accept compressed answers."""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from gzip import compress as gzip_compress

from msgspec import structs

from ..request.visitor import OUR_PAGES
from .reply import Reply

if sys.version_info >= (3, 14):
    from compression.zstd import compress as zstd_compress
else:
    from backports.zstd import compress as zstd_compress

# Below this size, compression saves less than headers and packets take up anyway.
BYTES_MIN = 1024
# The lowest level. Higher levels save only a few per cent more, and gzip takes twice the time.
_LEVEL = 1
# Browsers send far less. Anything beyond this length is ignored.
_ACCEPTED_CHARACTERS_MAX = 1024
_VARY = (b"vary", b"Accept-Encoding")
_COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "zstd": lambda body: zstd_compress(body, _LEVEL),
    "gzip": lambda body: gzip_compress(body, _LEVEL, mtime=0),
}
_OFFERED = tuple(_COMPRESS)


def compress(reply: Reply, headers: Mapping[bytes, bytes], *, may: bool = True) -> Reply:
    """Compresses an answer if the headers of its request allow that.

    The ETag stays the same, because it identifies the state of the books and not the bytes that are sent. `may` must be
    false for answers that contain a secret. If such an answer also contained text chosen by the caller, its compressed
    length would reveal the secret.
    """
    if not may:
        return reply
    if reply.status == 304:
        return structs.replace(reply, headers=[*reply.headers, _VARY])
    if len(reply.body) <= BYTES_MIN:
        return reply
    encoding = choose_encoding(headers.get(b"accept-encoding", b""), _OFFERED)
    # A page of another site could choose a text that the answer repeats, and learn from the compressed length whether
    # the answer contains the same text elsewhere.
    if not encoding or headers.get(b"sec-fetch-site", b"none") not in OUR_PAGES:
        return structs.replace(reply, headers=[*reply.headers, _VARY])
    body = _COMPRESS[encoding](reply.body)
    sent = [header for header in reply.headers if header[0] != b"content-length"]
    sent += [(b"content-length", b"%d" % len(body)), (b"content-encoding", encoding.encode()), _VARY]
    return structs.replace(reply, headers=sent, body=body)


@lru_cache(maxsize=256)
def choose_encoding(header: bytes, offered: Sequence[str]) -> str:
    """Returns the offered encoding that the client prefers, or an empty text if the client accepts none of them.

    If the client prefers several of them equally, the first one is chosen.
    """
    weights = dict(map(_read_weight, header[:_ACCEPTED_CHARACTERS_MAX].decode("latin-1").lower().split(",")))
    anything, least = weights.get("*", 0.0), weights.get("identity", 0.0)
    accepted = [name for name in offered if weights.get(name, anything) > 0 and weights.get(name, anything) >= least]
    return max(accepted, key=lambda name: weights.get(name, anything), default="")


def _read_weight(part: str) -> tuple[str, float]:
    """Reads the name of an encoding and its weight, as in `gzip;q=0.5`. An invalid weight is read as zero."""
    name, _, parameter = part.partition(";")
    key, _, text = parameter.partition("=")
    if not parameter.strip():
        return name.strip(), 1.0
    try:
        weight = float(text) if key.strip() == "q" else 0.0
    except ValueError:
        weight = 0.0
    return name.strip(), weight if 0 <= weight <= 1 else 0.0
