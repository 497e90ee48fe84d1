"""Reads the fields of a multipart body and at most one file. The file is passed on in pieces, as they arrive."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from farthing.kernel.errors import Malformed, TooLarge

from .brackets import nest

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

# How many parameters a part may have. The number is limited, because reading them takes quadratic time. Semicolons are
# counted instead of parameters, including those in file names.
_PARAMETERS_MAX = 50
# The library's warnings only repeat what our answers say, and strangers could fill the log with them.
logging.getLogger(MultipartParser.__module__).setLevel(logging.ERROR)


class FilePart:
    """Receives the part called `name`. `filename` is the name that the sender gave the file, if any."""

    def __init__(self, name: str, write: Callable[[bytes], None]) -> None:
        self.name = name
        self.write = write
        self.filename: str | None = None
        self.has_come = False


class Multipart:
    """Parses a body that arrives in pieces, and returns its fields at the end. Ignores every file except `file`."""

    def __init__(self, content_type: str, *, fields_max: int, bytes_max: int, file: FilePart | None = None) -> None:
        self._fields_max = fields_max
        self._bytes_max = bytes_max
        self._wanted = file
        self._parser = self._make_parser(_boundary(content_type))
        self._pairs: list[tuple[str, str]] = []
        self._count = self._size = 0
        self._ended = False

    def write(self, piece: bytes | bytearray) -> None:
        try:
            self._parser.write(bytes(piece))
        except FormParserError as error:
            raise _explain(error) from None

    def fields(self) -> dict[str, object]:
        if not self._ended:
            raise Malformed("The multipart body ends before its closing boundary.")
        return nest(self._pairs)

    def _make_parser(self, boundary: bytes) -> MultipartParser:
        try:
            return MultipartParser(boundary, self._callbacks())
        except FormParserError as error:
            raise _explain(error) from None

    def _on_part_begin(self) -> None:
        self._count += 1
        if self._count > self._fields_max:
            raise TooLarge(f"The body has more than {self._fields_max} fields.")
        self._options: dict[bytes, bytes] = {}
        self._data = bytearray()
        self._file: FilePart | None = None

    def _on_header_begin(self) -> None:
        self._header, self._header_value = b"", b""

    def _on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._header_value += data[start:end]

    def _on_header_end(self) -> None:
        if self._header.lower() == b"content-disposition":
            if self._header_value.count(b";") > _PARAMETERS_MAX:
                raise Malformed(f"A part of the multipart body has more than {_PARAMETERS_MAX} parameters.")
            _, self._options = parse_options_header(self._header_value)

    def _on_headers_finished(self) -> None:
        if self._wanted and self._options.get(b"name") == self._wanted.name.encode():
            if self._wanted.has_come:
                raise Malformed(f"The multipart body has more than one part named {self._wanted.name}.")
            self._file = self._wanted
            self._file.has_come = True
            self._file.filename = decode_text(self._options.get(b"filename", b"")) or None

    def _on_part_data(self, data: bytes, start: int, end: int) -> None:
        if self._file:
            self._file.write(data[start:end])
            return
        if b"filename" in self._options:
            return
        self._size += end - start
        if self._size > self._bytes_max:
            raise TooLarge(f"The fields of the body may not be larger than {self._bytes_max} bytes.")
        self._data += data[start:end]

    def _on_part_end(self) -> None:
        if self._file or b"filename" in self._options:
            return
        if b"name" not in self._options:
            raise Malformed("A part of the multipart body has no name.")
        self._pairs.append((decode_text(self._options[b"name"]), decode_text(bytes(self._data))))

    def _on_end(self) -> None:
        self._ended = True

    def _callbacks(self) -> "MultipartCallbacks":
        return {
            "on_part_begin": self._on_part_begin,
            "on_header_begin": self._on_header_begin,
            "on_header_field": self._on_header_field,
            "on_header_value": self._on_header_value,
            "on_header_end": self._on_header_end,
            "on_headers_finished": self._on_headers_finished,
            "on_part_data": self._on_part_data,
            "on_part_end": self._on_part_end,
            "on_end": self._on_end,
        }


def _boundary(content_type: str) -> bytes:
    _, options = parse_options_header(content_type.encode("latin-1", "replace"))
    boundary = options.get(b"boundary")
    if not boundary:
        raise Malformed("A multipart body needs its boundary in the Content-Type.")
    return boundary


def _explain(error: FormParserError) -> Malformed:
    return Malformed(f"The multipart body is malformed at byte {getattr(error, 'offset', 0)}.")


def decode_text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise Malformed("The form has a name or a value that is not valid UTF-8.") from None
