"""Untrusted zip and gzip files: everything has a limit, no name leads out."""

import gzip
import zipfile
from io import BytesIO

import pytest

from farthing.moving.findings import Unreadable
from farthing.moving.programs.unpacking import FILES_MAX, gunzip, open_files

from .prover import files


def zipped(*members: tuple[str, bytes]) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in members:
            opened.writestr(name, content)
    return packed.getvalue()


def test_files_are_given_by_name_and_folders_are_not() -> None:
    content = zipped(("a.txt", b"1"), ("folder/", b""), ("folder/b.txt", b"2"))

    assert open_files(files(x__zip=content, y__txt=b"3")) == {"a.txt": b"1", "folder/b.txt": b"2", "y.txt": b"3"}


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (zipped(("bomb", bytes(40 * 2**20))), "times its size"),
        (zipped(("../../etc/passwd", b"")), "outside"),
        (zipped(("/etc/passwd", b"")), "outside"),
        (zipped(("C:\\x", b"")), "outside"),
        (zipped(("n" * 300, b"")), "too long"),
        (zipped(*((f"{number}", b"") for number in range(FILES_MAX + 1))), "at most"),
        (zipped(("a", b"1" * 100))[:-30], "damaged"),
        (b"PK\x03\x04" + b"\0" * 50, "damaged"),
    ],
)
def test_hostile_archives_are_refused(content: bytes, word: str) -> None:
    with pytest.raises(Unreadable, match=word):
        open_files(files(x__zip=content))


def test_all_files_together_have_a_limit() -> None:
    content = zipped(("a", b"x" * 900), ("b", b"y" * 900))

    with pytest.raises(Unreadable, match="largest size allowed"):
        open_files(files(x__zip=content), bytes_max=1000)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_one_name_for_two_files_is_refused() -> None:
    with pytest.raises(Unreadable, match="two files"):
        open_files(files(x__zip=zipped(("a", b"1"), ("a", b"2"))))


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (gzip.compress(bytes(40 * 2**20), mtime=0), "times its size"),
        (gzip.compress(b"abc", mtime=0)[:-4], "damaged"),
        (b"\x1f\x8bx", "damaged"),
    ],
)
def test_hostile_gzip_files_are_refused(content: bytes, word: str) -> None:
    with pytest.raises(Unreadable, match=word):
        gunzip(BytesIO(content), "x.gz")
