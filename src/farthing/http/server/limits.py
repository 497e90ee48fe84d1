"""Defines how much a client may send before it is known, how long it may take, and how many clients are allowed."""

from msgspec import Struct, structs

# Kept free for everything else that a server process opens: database, log, files.
RESERVED_DESCRIPTORS = 64
# Enough for every connection that we allow; no more is requested.
WANTED_DESCRIPTORS = 4096


class ConnectionLimits(Struct, frozen=True, kw_only=True):
    """Limits one server process. The last `spare_connections` only answer health checks, and 503 to all else."""

    head_bytes_max: int = 64 * 1024
    head_fields_max: int = 100
    head_s: float = 10.0
    # Longer than proxies usually keep unused connections (nginx: 60 s), so that the proxy closes them first.
    keep_alive_s: float = 150.0
    unread_s: float = 60.0
    # How long a refused client that makes no progress may linger.
    linger_s: float = 5.0
    look_every_s: float = 1.0
    # How long a connection that is made while the server stops has for its request.
    last_request_s: float = 1.0
    connections_max: int = 1000
    spare_connections: int = 16
    # How many connections are accepted in one turn of the event loop.
    accepts_max: int = 64


def fit_limits(descriptors: int, reserved: int, limits: ConnectionLimits) -> ConnectionLimits:
    """Reduces the limits to what this many file descriptors allow, so that accepting a connection never fails.

    A connection may have a file open as well. A connection that has to make room is closed within three turns of the
    event loop, and in each of them new ones are accepted.
    """
    free = max(descriptors - reserved, 64)
    accepts = min(limits.accepts_max, free // 8)
    connections = min(limits.connections_max, (free - 3 * accepts) // 2)
    spare = min(limits.spare_connections, connections // 4)
    return structs.replace(limits, accepts_max=accepts, connections_max=connections, spare_connections=spare)
