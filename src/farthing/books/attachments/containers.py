"""Finds the exact type of zip archives and compound files, such as office files and e-books, from their contents.

Limits how much is read, because an archive may declare any size.
"""

import os
import re
import struct
import zlib
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

ZIP = "application/zip"
COMPOUND = "application/x-ole-storage"
_END_BYTES = 22
_COMMENT_BYTES_MAX = 65_535
_DIRECTORY_BYTES_MAX = 512 * 1024
_MEMBER_BYTES_MAX = 256 * 1024
_MIMETYPE = re.compile(r"application/[a-z0-9][a-z0-9.+-]{1,120}")
_OFFICE = re.compile(
    rb'ContentType="(application/vnd\.openxmlformats-officedocument\.(?:wordprocessingml|spreadsheetml|presentationml)'
    rb'\.(?:document|sheet|presentation|template|slideshow))\.main\+xml"'
)
_OFFICE_WITH_MACROS = re.compile(
    rb'ContentType="(application/vnd\.ms-(?:word|excel|powerpoint)\.\w{1,20}\.macroEnabled)\.main\+xml"'
)


def in_zip(file: BinaryIO) -> str:
    """Finds the type in a member of the archive.

    OpenDocument and EPUB files state their type in a separate member; Office files list the types of their parts.
    """
    try:
        if not _directory_is_small(file):
            return ZIP
        with ZipFile(file) as archive:
            named = _member(archive, "mimetype").decode("ascii", "replace").strip()
            if _MIMETYPE.fullmatch(named):
                return named
            parts = _member(archive, "[Content_Types].xml")
    except (BadZipFile, OSError, ValueError, RuntimeError, zlib.error, struct.error, EOFError):
        return ZIP
    if office_type := _OFFICE_WITH_MACROS.search(parts):
        return f"{office_type[1].decode()}.12"
    office_type = _OFFICE.search(parts)
    return office_type[1].decode() if office_type else ZIP


def _directory_is_small(file: BinaryIO) -> bool:
    """Tells whether the directory at the end of the archive is small. ZipFile loads the whole directory into memory."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END_BYTES - _COMMENT_BYTES_MAX - _END_BYTES))
    tail = file.read()
    ends = [end.start() for end in re.finditer(rb"PK\x05\x06", tail) if end.start() + _END_BYTES <= len(tail)]
    # If there are several end records, ZipFile may use any. Archives in the 64-bit format are refused, because they
    # state the size of their directory elsewhere.
    sizes = [struct.unpack_from("<L", tail, at + 12)[0] for at in ends]
    return bool(sizes) and max(sizes) <= _DIRECTORY_BYTES_MAX and b"PK\x06\x07" not in tail


def _member(archive: ZipFile, name: str) -> bytes:
    """Reads the beginning of a member.

    Supports only the two compression methods that documents use, because other methods may need gigabytes of memory.
    """
    member_info = archive.NameToInfo.get(name)
    if member_info is None or member_info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return b""
    with archive.open(name) as member:
        return member.read(_MEMBER_BYTES_MAX)


# Sectors have 512 or 4096 bytes.
_SECTOR_SHIFTS = (9, 12)
_ENTRY_BYTES = 128
_ENTRIES_MAX = 4096
_END_OF_CHAIN = 0xFFFFFFFA
_STREAMS = {
    "WordDocument": "application/msword",
    "Workbook": "application/vnd.ms-excel",
    "Book": "application/vnd.ms-excel",
    "PowerPoint Document": "application/vnd.ms-powerpoint",
    "__properties_version1.0": "application/vnd.ms-outlook",
}


def in_compound_file(file: BinaryIO) -> str:
    """Finds the type of an old office file.

    Such a file is a small file system, and the names of its streams show its type.
    """
    try:
        names = set(_names_in_compound_file(file))
    except struct.error:
        return COMPOUND
    return next((mime for name, mime in _STREAMS.items() if name in names), COMPOUND)


def _names_in_compound_file(file: BinaryIO) -> list[str]:
    header = _at(file, 0, 512)
    (shift,) = struct.unpack_from("<H", header, 30)
    (sector,) = struct.unpack_from("<L", header, 48)
    fat_sectors = struct.unpack_from("<109L", header, 76)
    if shift not in _SECTOR_SHIFTS:
        return []
    size = 1 << shift
    names: list[str] = []
    for _ in range(_ENTRIES_MAX * _ENTRY_BYTES // size):
        if sector >= _END_OF_CHAIN:
            break
        names += _names_in_sector(_at(file, (sector + 1) * size, size))
        fat_index, index = divmod(sector, size // 4)
        if fat_index >= len(fat_sectors):
            break
        (sector,) = struct.unpack_from("<L", _at(file, (fat_sectors[fat_index] + 1) * size, size), index * 4)
    return names


def _names_in_sector(sector: bytes) -> list[str]:
    names = []
    for at in range(0, len(sector) - _ENTRY_BYTES + 1, _ENTRY_BYTES):
        (length,) = struct.unpack_from("<H", sector, at + 64)
        if 2 <= length <= 64:
            names.append(sector[at : at + length - 2].decode("utf-16-le", "replace"))
    return names


def _at(file: BinaryIO, offset: int, count: int) -> bytes:
    file.seek(offset)
    return file.read(count)
