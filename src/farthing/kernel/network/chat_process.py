"""Runs as the child process that sends to chats: reads a task, and writes one line for each message.

The library has a hundred services, each with connections of its own, and some read files that an address names. So an
audit hook of the interpreter refuses every connection to an address that is not allowed, every file outside of the
installed code, and every further process.
"""

import logging
import mimetypes
import os
import sys
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import msgspec

from .chat import ChatMessage, ChatTask
from .outgoing import is_allowed

_SENDING = frozenset(("socket.connect", "socket.sendto", "socket.sendmsg"))
_STARTING = frozenset(("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty"))
_READING = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_TIME_ZONES = ("/usr/share/zoneinfo", "/etc/localtime", "/etc/timezone")


class _Refused(PermissionError):
    pass


class Guard:
    """Refuses what a message has no reason to do. `why` says what it last refused in the network."""

    def __init__(self, *, allow_private: bool) -> None:
        self.why: str | None = None
        self._allow_private = allow_private
        self._readable = tuple(os.path.realpath(path) for path in (*sys.path, sys.prefix, sys.base_prefix) if path)

    def watch(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _SENDING:
            self._refuse_private(arguments[-1])
        elif event in _STARTING:
            raise _Refused(event)
        elif event == "open":
            self._refuse_file(*arguments)

    def _refuse_private(self, to: object) -> None:
        try:
            address = ip_address(str(to[0])) if isinstance(to, tuple) else None
        except ValueError:
            address = None
        if address is None or not is_allowed(address, allow_private=self._allow_private):
            self.why = "It leads to a private or reserved address, to which Farthing does not connect."
            raise _Refused(self.why)

    def _refuse_file(self, path: object, _mode: object, flags: object) -> None:
        if isinstance(path, int):
            return
        place = os.path.realpath(os.fsdecode(path))  # type: ignore[arg-type]
        inside = any(Path(place).is_relative_to(folder) for folder in (*self._readable, *_TIME_ZONES))
        if not inside or (isinstance(flags, int) and flags & ~_READING):
            raise _Refused(place)


def work(task: ChatTask, write: Callable[[str | None], object]) -> None:
    import apprise

    logging.disable(logging.CRITICAL)  # its messages contain addresses
    mimetypes.init()
    apprise.Apprise.instantiate("json://localhost")  # loads all services, before files are refused
    guard = Guard(allow_private=task.allow_private)
    sys.addaudithook(guard.watch)
    for message in task.messages:
        guard.why = None
        write(_send(apprise, message, guard, allow_private=task.allow_private))


def _send(apprise: Any, message: ChatMessage, guard: Guard, *, allow_private: bool) -> str | None:
    try:
        service = apprise.Apprise.instantiate(message.url, suppress_exceptions=True)
        if service is None:
            return "This is not an address of a service that Farthing knows, or something in it is missing."
        if problem := _find_problem(service, allow_private=allow_private):
            return problem
        if not message.title or service.notify(title=message.title, body=message.body):
            return None
    except Exception as error:  # services are the library's code, and may fail in any way
        return guard.why or f"The message could not be sent ({type(error).__name__})."
    return guard.why or "The service did not accept the message."


def _find_problem(service: Any, *, allow_private: bool) -> str | None:
    """Refuses services that do not use HTTPS. Where private addresses are allowed, plain HTTP is allowed, too."""
    if not hasattr(sys.modules[type(service).__module__], "requests"):
        return "This service does not use HTTPS."
    if allow_private:
        return None
    if service.protocol and not service.secure:
        names = service.secure_protocol
        name = names if isinstance(names, str) else next(iter(names or ()), None)
        return f"The address must begin with {name}://, so that it uses HTTPS." if name else "It does not use HTTPS."
    return None if service.verify_certificate else "Certificates must be verified: remove verify from the address."


def main() -> None:
    output = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever a service prints is no result
    task = msgspec.json.decode(sys.stdin.buffer.read(), type=ChatTask)
    work(task, lambda problem: output.write(msgspec.json.encode(problem) + b"\n"))


if __name__ == "__main__":
    main()
