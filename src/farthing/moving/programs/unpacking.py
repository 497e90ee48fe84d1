"""Opens untrusted zip and gzip files, with limits on their size and compression."""

import gzip
import io
import zlib
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from ..findings import Unreadable
from ..zip_files import ZipFiles, ZipLimits

FILES_MAX = 2_000
UNPACKED_BYTES_MAX = 256 * 2**20
# Compressed text shrinks to a tenth, rarely to a fiftieth; a zip bomb to a thousandth. Small files may have any ratio.
RATIO_MAX = 200
RATIO_COUNTS_FROM_BYTES = 8 * 2**20
_CHUNK_BYTES = 2**18
_HEAD_BYTES = 4096


def is_zip(head: bytes) -> bool:
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_gzip(head: bytes) -> bool:
    return head.startswith(b"\x1f\x8b")


def gunzip_head(head: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(head, _HEAD_BYTES)
    except zlib.error:
        return b""


def open_files(files: Mapping[str, BinaryIO], bytes_max: int = UNPACKED_BYTES_MAX) -> dict[str, bytes]:
    """Reads all files by name, and unpacks zip archives one level deep. `bytes_max` limits all contents together."""
    contents: dict[str, bytes] = {}
    left = bytes_max
    for name, file in files.items():
        head = file.read(4)
        file.seek(0)
        unpacked = _unzip(file, name, left) if is_zip(head) else ((name, _whole(file, name, left)) for _ in (1,))
        for inner, content in unpacked:
            left -= len(content)
            contents[inner] = content
    return contents


def _unzip(file: BinaryIO, name: str, bytes_max: int) -> Iterator[tuple[str, bytes]]:
    packed = ZipFiles(file, name, ZipLimits(files=FILES_MAX, unpacked_bytes=bytes_max))
    return ((path, packed.read(path)) for path in packed.sizes)


def gunzip(file: BinaryIO, name: str) -> bytes:
    packed = file.seek(0, io.SEEK_END)
    file.seek(0)
    try:
        with gzip.GzipFile(fileobj=file) as opened:
            content = io.BytesIO()
            while chunk := opened.read(_CHUNK_BYTES):
                size = content.tell() + len(chunk)
                if size > UNPACKED_BYTES_MAX:
                    most = UNPACKED_BYTES_MAX >> 20
                    raise Unreadable(f"{name} unpacks to more than {most} MiB, the most that is read.")
                if size > RATIO_COUNTS_FROM_BYTES and size > packed * RATIO_MAX:
                    times = f"{RATIO_MAX} times its size"
                    raise Unreadable(f"{name} unpacks to more than {times}; such files are not read.")
                content.write(chunk)
            return content.getvalue()
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(f"{name} is a damaged gzip file.") from error


def _whole(file: BinaryIO, name: str, bytes_max: int) -> bytes:
    content = file.read(bytes_max + 1)
    if len(content) > bytes_max:
        raise Unreadable(f"{name} has more than {bytes_max >> 20} MiB, the most that is read.")
    return content
