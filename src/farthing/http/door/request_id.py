"""The id of a request, by which its answer and its line in the log are found."""

import re
from collections.abc import Mapping
from random import Random

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
# They only have to be distinct, not secret.
_random = Random()  # noqa: S311


def choose_request_id(headers: Mapping[bytes, bytes]) -> str:
    """The one that the client sent, if it is valid."""
    given = headers.get(b"x-request-id")
    if given and _REQUEST_ID.fullmatch(text := given.decode("latin-1")):
        return text
    return f"{_random.getrandbits(64):016x}"
