"""Contents go out as they came, whole or in part, and are never shown in place."""

import hashlib
import os
import re
from urllib.parse import unquote

import pytest

from farthing.books.attachments.model import disposition
from farthing.http.files.download import ByteRange, has_content, parse_range
from farthing.kernel.errors import WrongRange

from .making import attached, download, files, shown, uploaded

DIGITS = b"0123456789"
TAG = f'"{hashlib.sha256(DIGITS).hexdigest()}"'
# What each answer has of its own.
OWN = ("x-request-id", "date")


@pytest.fixture
def digits(me):
    return attached(me, DIGITS, filename="digits.txt")


def test_a_download_is_saved_never_shown(me, digits):
    answer = download(me, digits)

    assert (answer.status_code, answer.content) == (200, DIGITS)
    told = {name: answer.headers[name] for name in answer.headers if name not in ("x-request-id", "date")}
    assert told == {
        "content-type": "application/octet-stream",
        "content-length": "10",
        "content-disposition": 'attachment; filename="digits.txt"',
        "content-security-policy": "sandbox; default-src 'none'",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "content-description": "File Transfer",
        "content-transfer-encoding": "binary",
        "cache-control": "private, no-cache, must-revalidate",
        "expires": "0",
        "pragma": "public",
        "etag": TAG,
        "accept-ranges": "bytes",
    }


def test_head_tells_the_same_without_the_content(me, digits):
    head = me.request("HEAD", f"/attachments/{digits}/download", headers={"Range": "bytes=2-3"})

    assert (head.status_code, head.content) == (200, b"")
    whole = download(me, digits).headers
    assert {name: head.headers[name] for name in whole if name not in OWN} == {
        name: whole[name] for name in whole if name not in OWN
    }


def test_a_large_content_comes_out_as_it_went_in(me):
    content = bytes(range(256)) * 9000

    assert download(me, attached(me, content)).content == content


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_other_methods_are_told_what_is_allowed(me, digits, method):
    answer = me.request(method, f"/attachments/{digits}/download")

    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


# A part of it


@pytest.mark.parametrize(
    ("asked", "part", "told"),
    [
        ("bytes=0-0", b"0", "bytes 0-0/10"),
        ("bytes=2-5", b"2345", "bytes 2-5/10"),
        ("bytes=7-", b"789", "bytes 7-9/10"),
        ("bytes=-3", b"789", "bytes 7-9/10"),
        ("bytes=-100", DIGITS, "bytes 0-9/10"),
        ("bytes=5-100", b"56789", "bytes 5-9/10"),
    ],
)
def test_a_range_is_answered_with_that_part(me, digits, asked, part, told):
    answer = download(me, digits, Range=asked)

    assert (answer.status_code, answer.content) == (206, part)
    assert (answer.headers["content-range"], answer.headers["content-length"]) == (told, str(len(part)))
    assert answer.headers["etag"] == TAG


@pytest.mark.parametrize("asked", ["bytes=10-", "bytes=10-12", "bytes=-0", "bytes=999999999999-"])
def test_a_range_outside_is_416(me, digits, asked):
    answer = download(me, digits, Range=asked)

    assert (answer.status_code, answer.headers["content-range"]) == (416, "bytes */10")
    assert answer.json() == {
        "message": "The range lies outside the file, which has 10 bytes.",
        "exception": "RangeNotSatisfiableHttpException",
    }


@pytest.mark.parametrize(
    "asked", ["bytes=1-2,4-5", "bytes=5-2", "lines=1-2", "bytes", "bytes=a-b", "bytes=--1", "bytes=-"]
)
def test_what_is_no_single_range_gets_the_whole(me, digits, asked):
    answer = download(me, digits, Range=asked)

    assert (answer.status_code, answer.content) == (200, DIGITS)


@pytest.mark.parametrize(
    ("if_range", "status"), [(TAG, 206), ('"another"', 200), ("Wed, 15 May 2024 12:00:00 GMT", 200), (f"W/{TAG}", 200)]
)
def test_a_range_may_depend_on_the_content(me, digits, if_range, status):
    assert download(me, digits, Range="bytes=0-1", If_Range=if_range).status_code == status


def test_a_range_across_pieces_is_whole(me):
    content = hashlib.sha512(b"seed").digest() * 20_000
    attachment_id = attached(me, content)

    assert download(me, attachment_id, Range="bytes=200000-900000").content == content[200_000:900_001]


@pytest.mark.parametrize(
    ("asked", "size", "stretch"),
    [
        ("bytes=0-", 1, ByteRange(0, 1)),
        ("bytes = 0 - 1", 5, ByteRange(0, 2)),
        ("bytes=0-999999999999999999", 5, ByteRange(0, 5)),
        ("bytes=0-9999999999999999999999", 5, None),
        ("Bytes=0-1", 5, None),
    ],
)
def test_ranges_are_read_strictly(asked, size, stretch):
    assert parse_range(asked, size) == stretch


def test_nothing_is_in_a_range_that_begins_at_the_end():
    with pytest.raises(WrongRange):
        parse_range("bytes=5-5", 5)


# What is known already


@pytest.mark.parametrize("known", [TAG, f"W/{TAG}", f'"x", {TAG}', "*"])
def test_a_content_that_is_known_is_not_sent_again(me, digits, known):
    answer = download(me, digits, If_None_Match=known, Range="bytes=0-1")

    assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", TAG)


def test_a_new_content_has_a_new_tag(me, digits):
    uploaded(me, digits, b"other")

    answer = download(me, digits, If_None_Match=TAG)

    assert (answer.status_code, answer.content) == (200, b"other")


@pytest.mark.parametrize("sent", ["", "x", TAG.strip('"'), '"x"'])
def test_other_tags_are_not_this_one(sent):
    assert not has_content(sent, TAG)


# Names


NAMES = {
    "../../etc/passwd": ("passwd", "passwd"),
    "C:\\Users\\ann\\invoice.pdf": ("invoice.pdf", "invoice.pdf"),
    'say "hello".txt': ("say _hello_.txt", 'say "hello".txt'),
    "line\r\nSet-Cookie: a=b": ("line Set-Cookie_ a=b", "line Set-Cookie: a=b"),
    "Übersicht.pdf": ("_bersicht.pdf", "Übersicht.pdf"),
    "🧾 receipt.png": ("_ receipt.png", "🧾 receipt.png"),
    "100%.txt": ("100_.txt", "100%.txt"),
    "photo\u202egnp.exe": ("photo_gnp.exe", "photo_gnp.exe"),
    "tab\there": ("tab here", "tab here"),
    "..": ("attachment", "attachment"),
    "folder/": ("attachment", "attachment"),
    ".": ("attachment", "attachment"),
    ".bashrc": (".bashrc", ".bashrc"),
    "a;b=c, d": ("a;b=c, d", "a;b=c, d"),
    "n" * 255: ("n" * 255, "n" * 255),
    "é" * 255: ("_" * 255, "é" * 255),
}


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:30])
def test_no_name_becomes_a_path_or_a_header(world, me, name):
    plain, full = NAMES[name]
    attachment_id = attached(me, b"content of " + name.encode(), filename=name)

    answer = download(me, attachment_id)

    told = re.fullmatch(
        r"attachment; filename=\"([^\"\\\r\n]*)\"(?:; filename\*=UTF-8''([A-Za-z0-9._~%-]*))?",
        answer.headers["content-disposition"],
    )
    assert (told[1], unquote(told[2]) if told[2] else told[1]) == (plain, full)
    assert shown(me, attachment_id)["filename"] == re.sub(r"\s+", " ", name)
    assert files(world, me) == [hashlib.sha256(answer.content).hexdigest()]
    assert "set-cookie" not in answer.headers


def test_a_disposition_is_always_ascii():
    assert all(disposition(name).isascii() for name in NAMES)


# What is lost


def _damage(path, how):
    before = path.stat()
    if how == "missing":
        path.unlink()
    elif how == "replaced":
        path.rename(path.with_name("other"))
        path.write_bytes(b"soon lost")
    else:
        path.write_bytes(b"soon lost" if how == "changed" else b"soon")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("damage", ["missing", "shorter", "changed", "replaced"])
@pytest.mark.parametrize("is_known", [False, True], ids=["first", "after a good download"])
def test_a_content_that_is_lost_is_409(world, me, damage, is_known):
    attachment_id = attached(me, b"soon gone")
    if is_known:
        assert download(me, attachment_id).content == b"soon gone"
    [path] = (world.settings.data / "attachments" / str(me.user.id)).glob("*/*")
    _damage(path, damage)

    assert download(me, attachment_id, Range="bytes=0-3").status_code == 409
    assert me.request("HEAD", f"/attachments/{attachment_id}/download").status_code == 409
    answer = download(me, attachment_id)

    assert answer.status_code == 409
    assert "etag" not in answer.headers
    assert (
        answer.json()["message"]
        == "The content of this attachment is damaged or missing on this server. Upload it again."
    )

    uploaded(me, attachment_id, b"soon gone")
    assert download(me, attachment_id).content == b"soon gone"
