"""Decodes text files of banks in constant memory, and splits them into lines of bounded length."""

import codecs
import io
import re
from collections.abc import Iterator
from typing import BinaryIO, TextIO

from ..findings import Unreadable

LINE_CHARS_MAX = 1_000_000
# The encoding of text that is not UTF-8, unless the user chooses another one.
FALLBACK = "windows-1252"
_CHUNK_BYTES = 2**16
_HEAD_BYTES = 4096
_MARKS = {codecs.BOM_UTF8: "UTF-8", codecs.BOM_UTF16_LE: "UTF-16-LE", codecs.BOM_UTF16_BE: "UTF-16-BE"}
# Control characters that text does not contain. White space and the end-of-file mark of DOS are allowed.
_CONTROL = re.compile("[\x00-\x08\x0e-\x19\x1b-\x1f\x7f]")
# Encodings that a user may choose. Python's other codecs are not for text, or take quadratic time (punycode).
_CHOICES = re.compile(
    r"utf-8|utf-16(-[lb]e)?|ascii|cp\d{3,4}|iso8859-\d{1,2}|mac-\w+|koi8-\w"
    r"|shift_jis(x0213)?|euc_(jp|kr)|gbk|gb2312|gb18030|big5(hkscs)?"
)


class BorrowedText(io.TextIOWrapper):
    """Reads text without closing the underlying file, which belongs to its opener."""

    def close(self) -> None:
        pass


def decode(file: BinaryIO, encoding: str | None = None, *, framing: str = "") -> tuple[TextIO, str]:
    """Returns the file as text, with its line ends unchanged, and the name of its encoding. The encoding is the user's
    choice, else that of the byte-order mark, else UTF-16 if many bytes are zero, else UTF-8, else windows-1252. To
    verify it, the (seekable) file is read once to its end. Control characters are refused, except those in `framing`.
    """
    file.seek(0)
    head = file.read(_HEAD_BYTES)
    mark = next((mark for mark in _MARKS if head.startswith(mark)), b"")
    names = [_choose(encoding, mark)] if encoding else _guess(head, mark)
    for name in names:
        start = len(mark) if mark and _MARKS[mark] == name else 0
        try:
            _check(file, start, name, framing)
        except UnicodeError:
            continue
        file.seek(start)
        return BorrowedText(file, encoding=name, newline=""), name
    raise Unreadable(f"Some of this file is not valid {' or '.join(names)} text. Choose its encoding.")


def _guess(head: bytes, mark: bytes) -> list[str]:
    if mark:
        return [_MARKS[mark]]
    zeros_even, zeros_odd = head[::2].count(0), head[1::2].count(0)
    if max(zeros_even, zeros_odd) > len(head) // 5:
        return ["UTF-16-LE" if zeros_odd > zeros_even else "UTF-16-BE"]
    return ["UTF-8", FALLBACK]


def _choose(encoding: str, mark: bytes) -> str:
    name = "utf-8" if encoding.lower() == "utf-8-sig" else encoding
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError, UnicodeError):
        codec = ""
    if not _CHOICES.fullmatch(codec):
        raise Unreadable(f"“{encoding[:80]}” is not a supported encoding. UTF-8 and windows-1252 are, for example.")
    if codec == "utf-16":
        return _MARKS.get(mark, "UTF-16-LE") if mark != codecs.BOM_UTF8 else "UTF-16-LE"
    return codec.upper() if codec.startswith("utf") else name


def _check(file: BinaryIO, start: int, name: str, framing: str) -> None:
    """Raises UnicodeError for bytes that are not of this encoding."""
    decoder = codecs.getincrementaldecoder(name)("strict")
    line = 1
    file.seek(start)
    while chunk := file.read(_CHUNK_BYTES):
        text = decoder.decode(chunk)
        for match in _CONTROL.finditer(text):
            if match[0] not in framing:
                line += text.count("\n", 0, match.start())
                raise Unreadable(
                    f"Line {line} contains the control character U+{ord(match[0]):04X}, so this is not a text file. "
                    f"(The file was read as {name}.)"
                )
        line += text.count("\n")
    decoder.decode(b"", final=True)


def lines(text: TextIO, longest: int = LINE_CHARS_MAX) -> Iterator[tuple[int, str]]:
    """Yields every line with its number, without its line end; a DOS end-of-file mark ends the text."""
    number = 0
    while line := text.readline(longest + 1):
        number += 1
        if len(line) > longest:
            raise Unreadable(f"Line {number} is longer than {longest} characters. Is this the right file?")
        if line.startswith("\x1a"):
            return
        yield number, line.rstrip("\r\n")
