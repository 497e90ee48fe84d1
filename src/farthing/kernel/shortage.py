"""How a full disk shows itself: the errors of the system, and the exit code of our processes."""

import errno

from .errors import DiskFull, FarthingError

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
# Of a process that works for the server, to which it says so.
EXIT_FULL = 28


def is_full(error: BaseException) -> bool:
    return isinstance(error, DiskFull) or (isinstance(error, OSError) and error.errno in NO_ROOM)


def exit_code(error: FarthingError | OSError) -> int:
    return EXIT_FULL if is_full(error) else 1
