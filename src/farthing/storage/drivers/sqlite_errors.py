"""Translates errors of SQLite into ours."""

import errno
import os
from pathlib import Path

import apsw

from farthing.kernel.errors import Damaged, DiskFull, Locked, ReadOnly, Unavailable

from ..unit import Clash, Overflow

_NOT_STORABLE = 3091  # SQLITE_CONSTRAINT_DATATYPE: 64 bits overflowed, and a STRICT column refused the float
_NOT_ALLOWED = (errno.EROFS, errno.EPERM, errno.EACCES)
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def translate(error: apsw.Error, connection: apsw.Connection | None, file: str = "") -> Exception:
    """Returns one of our errors; an error that is none of these is a bug, and is returned as it is.

    `file` is the file that was written, if it is not the connection's own. A damaged file is always the connection's.
    """
    match error:
        case apsw.ConstraintError() if getattr(error, "extendedresult", 0) == _NOT_STORABLE:
            return Overflow(str(error))
        case apsw.ConstraintError():
            return Clash(str(error))
        case apsw.BusyError() | apsw.LockedError():
            return Locked(str(error))
        case apsw.CorruptError() | apsw.NotADBError():
            return Damaged(f"The database file {connection.filename if connection else file} is damaged: {error}.")
        case apsw.NoMemError():
            return Unavailable("There was too little memory for the database.")
        case (
            apsw.FullError() | apsw.IOError() | apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError()
        ):  # fmt: skip
            reason, own = (connection.system_errno, connection.filename) if connection else (0, "")
            return translate_disk_error(error, reason, file or own)
    return error


def translate_disk_error(error: apsw.Error, reason: int, file: str) -> Unavailable:
    """SQLite does not say which file it is, and it may be a copy on another disk.

    `reason` is the last error number of the operating system. For other kinds of errors it may belong to an older one.
    """
    has_reason = isinstance(error, apsw.IOError | apsw.CantOpenError)
    if isinstance(error, apsw.FullError) or (has_reason and reason in _NO_ROOM):
        return DiskFull(f"There is no room on the disk of {file}.")
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError) or (has_reason and reason in _NOT_ALLOWED):
        return ReadOnly(f"The database cannot be written to: {error} {file}")
    if isinstance(error, apsw.CantOpenError) and _is_write_protected(Path(file).parent):
        # SQLite looked for the journal last, so the system only reports that there is none.
        return ReadOnly(f"The database cannot be opened: SQLite writes beside {file}, where nothing can be written.")
    return Unavailable(f"The database cannot be used just now: {error} {file}")


def _is_write_protected(folder: Path) -> bool:
    return folder.is_dir() and not os.access(folder, os.W_OK)
