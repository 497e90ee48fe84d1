"""Untrusted zip files: what is encrypted, endless or ambiguous is refused before anything is unpacked."""

import io
import struct
import zipfile

import pytest

from farthing.moving.findings import Unreadable
from farthing.moving.zip_files import ZipFiles, ZipLimits

LIMITS = ZipLimits(files=10, unpacked_bytes=10_000, contents_bytes=2000)


def zipped(**members: bytes) -> bytearray:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in members.items():
            opened.writestr(name.replace("__", "/"), content)
    return bytearray(packed.getvalue())


def refused(content: bytes) -> str:
    with pytest.raises(Unreadable) as caught:
        read_all(content)
    return str(caught.value)


def read_all(content: bytes) -> dict[str, bytes]:
    opened = ZipFiles(io.BytesIO(content), "it", LIMITS)
    return {name: opened.read(name) for name in opened.sizes}


@pytest.mark.parametrize("bit", [0x1, 0x40, 0x2000])
def test_what_is_encrypted_in_any_way_is_refused_though_only_one_file_is(bit: int) -> None:
    content = zipped(a=b"1", b=b"2")
    entry = content.rindex(b"PK\x01\x02")
    struct.pack_into("<H", content, entry + 8, bit)

    assert refused(content) == "b in it is encrypted or uses an unsupported compression. Use a plain zip file."


def test_contents_that_are_too_long_are_refused_wherever_the_end_is_hidden() -> None:
    content = zipped(a=b"1")
    end = content.rindex(b"PK\x05\x06")
    struct.pack_into("<I", content, end + 12, 2**30)

    assert refused(content) == "it holds too many files."
    assert refused(bytes(content) + zipped(b=b"2")) == "it holds too many files."
    large = b"PK\x06\x06" + bytes(36) + (2**40).to_bytes(8, "little") + bytes(8)
    assert refused(large + zipped(a=b"1")) == "it holds too many files."


def test_what_a_mac_adds_is_passed_over_and_windows_paths_are_paths() -> None:
    content = zipped(**{"__MACOSX__._a": b"x", "b__._a": b"x", ".DS_Store": b"x", "b\\a": b"1"})

    assert read_all(content) == {"b/a": b"1"}


def test_damage_inside_of_a_file_is_noticed_when_it_is_read() -> None:
    content = zipped(a=bytes(range(200)))
    content[60] ^= 0xFF

    assert refused(content) == "a in it is damaged."
