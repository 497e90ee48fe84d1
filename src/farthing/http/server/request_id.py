"""Chooses the id of a request, which is in its answer and in its line in the log."""

import re
from collections.abc import Mapping
from random import Random

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
# The ids only have to be distinct, not secret.
_random = Random()  # noqa: S311


def choose_request_id(headers: Mapping[bytes, bytes]) -> str:
    """Takes the id that the client sent, if it is valid."""
    sent = headers.get(b"x-request-id")
    if sent and _REQUEST_ID.fullmatch(text := sent.decode("latin-1")):
        return text
    return f"{_random.getrandbits(64):016x}"
