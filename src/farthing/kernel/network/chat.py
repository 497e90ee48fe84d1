"""Sends messages to chats and push services, in a child process that can only connect to allowed addresses.

The library for this is the extra `notify`. It makes its own connections, so `outgoing` cannot make them instead.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec

import msgspec
from msgspec import Struct

NOT_INSTALLED = "Chats and push services need the extra “notify”: install farthing[notify]."
_WORDS = (sys.executable, "-B", "-P", "-m", "farthing.kernel.network.chat_process")
# The child process needs these variables of ours, and must see none of our settings.
_KEPT = ("LANG", "PATH", "PYTHONPATH", "SSL_CERT_DIR", "SSL_CERT_FILE")
_STARTING_S, _MESSAGE_S = 30.0, 20.0
_TOO_LONG = "The other server takes too long to answer."


class ChatMessage(Struct, frozen=True):
    """Holds one message to one address. Without a title, the address is only checked."""

    url: str
    title: str = ""
    body: str = ""


class ChatTask(Struct, frozen=True):
    messages: Sequence[ChatMessage]
    allow_private: bool


@cache
def is_installed() -> bool:
    return find_spec("apprise") is not None


def send(messages: Sequence[ChatMessage], *, allow_private: bool) -> list[str | None]:
    """Sends messages, and returns for each one why it was not sent, or None if it was. No reason contains a URL."""
    task = msgspec.json.encode(ChatTask(messages=messages, allow_private=allow_private))
    limit_s = _STARTING_S + _MESSAGE_S * len(messages)
    try:
        done = subprocess.run(  # noqa: S603 -- our own module; addresses are only in its input
            _WORDS,
            input=task,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _KEPT if name in os.environ},
            timeout=limit_s,
            check=False,
        )
        printed, missing = done.stdout, "The message could not be sent."
    except subprocess.TimeoutExpired as error:
        printed, missing = error.stdout or b"", _TOO_LONG
    results = [msgspec.json.decode(line, type=str | None) for line in printed.splitlines()]
    return [*results, *[missing] * (len(messages) - len(results))]


def check(url: str, *, allow_private: bool) -> str | None:
    """Returns what is wrong with an address, or None. Sends nothing."""
    [problem] = send([ChatMessage(url)], allow_private=allow_private)
    return problem
