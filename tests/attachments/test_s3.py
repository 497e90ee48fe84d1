"""Attachments in S3: large ones in parts, links to it, and moves between it and a folder."""

import hashlib
import io
from contextlib import closing
from itertools import pairwise
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from zipfile import ZipFile

import obstore
import pytest

from farthing.books.attachments.sweep import GRACE_S
from farthing.care.backup import archive, restore
from farthing.care.backup.contents import copy_contents
from farthing.care.doctor import Contents, examine
from farthing.storage import blobs
from farthing.storage.drivers import open as database

from ..cli.conftest import Terminal
from ..conftest import running, settings_for
from .making import attached, promised, uploaded

MIB = 2**20
NOW = "2024-05-15T12:00:00+00:00"
# Three parts, the last one short, and no two pieces of a MiB alike.
LARGE = b"".join(hashlib.sha512(bytes([one])).digest() * (MIB // 64) for one in range(11)) + b"the end"


def silent(_step):
    pass


@pytest.fixture
def world(tmp_path, check_answer, s3_server):
    settings = s3_server.settings(s3_redirect=1)
    yield from running(f"sqlite:///{tmp_path / 'farthing.sqlite3'}", tmp_path, check_answer, **settings)


@pytest.fixture
def me(world):
    return world.someone("ann@farthing.example")


def download(me, attachment_id, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return me.request("GET", f"/attachments/{attachment_id}/download", headers=named, follow_redirects=False)


def through_us(me, attachment_id, content, **headers):
    """With `If-Range`: S3 has other tags than we, and could not tell whether it is the same content."""
    return download(me, attachment_id, If_Range=f'"{hashlib.sha256(content).hexdigest()}"', **headers)


def followed(response, **headers):
    assert response.status_code == 302, response.text
    with urlopen(Request(response.headers["location"], headers=headers), timeout=10) as answer:
        return answer.status, answer.headers, answer.read()


def test_a_large_content_comes_in_parts_and_goes_in_pieces(world, me, s3_server):
    store = s3_server.store(world.settings.storage)
    attachment_id = promised(me)["id"]

    uploaded(me, attachment_id, (LARGE[at : at + MIB] for at in range(0, len(LARGE), MIB)))

    [[stored]] = obstore.list(store)
    assert stored["path"] == f"{me.user.id}/{hashlib.sha256(LARGE).hexdigest()}"
    assert stored["e_tag"].endswith('-3"')
    assert through_us(me, attachment_id, LARGE).content == LARGE
    across = through_us(me, attachment_id, LARGE, Range=f"bytes={MIB - 3}-{2 * MIB + 1}")
    assert (across.status_code, across.content) == (206, LARGE[MIB - 3 : 2 * MIB + 2])
    head = me.request("HEAD", f"/attachments/{attachment_id}/download")
    assert (head.status_code, head.headers["content-length"], head.content) == (200, str(len(LARGE)), b"")
    later = Contents(blobs.connect(world.settings), stored["last_modified"].timestamp() + GRACE_S)
    assert list(examine(world.books, attached=later)) == []

    attached(me, LARGE)
    assert list(obstore.list(store)) == [[stored]], "the same content is not stored again"
    obstore.put(store, stored["path"], b"damaged")
    attached(me, LARGE)
    assert through_us(me, attachment_id, LARGE).content == LARGE, "but heals one that is damaged"


def test_a_program_is_sent_on_to_s3_for_a_minute(me):
    attachment_id = attached(me, b"a text", filename="Rechnung März.txt")

    response = download(me, attachment_id)
    status, headers, content = followed(response)

    assert (status, content) == (200, b"a text")
    assert response.headers["cache-control"] == "no-store"
    assert headers["content-type"] == "application/octet-stream"
    assert headers["content-disposition"] == through_us(me, attachment_id, b"a text").headers["content-disposition"]
    assert followed(response, Range="bytes=2-")[::2] == (206, b"text")
    link = response.headers["location"]
    assert "X-Amz-Expires=60" in link
    for wrong in (link.replace("Expires=60", "Expires=6000"), link.replace("Rechnung", "Virus")):
        with pytest.raises(HTTPError, match="403"):
            urlopen(wrong, timeout=10)


def test_whoever_has_the_content_or_asks_for_no_body_is_not_sent_on(me):
    attachment_id = attached(me, b"a text")
    tag = through_us(me, attachment_id, b"a text").headers["etag"]

    assert download(me, attachment_id, If_None_Match=tag).status_code == 304
    assert me.request("HEAD", f"/attachments/{attachment_id}/download").status_code == 200
    assert download(me, attachment_id, If_Range=tag, Range="bytes=0-0").content == b"a"


def test_a_content_that_was_changed_in_the_bucket_is_not_sent(world, me, s3_server):
    attachment_id = attached(me, b"a text")
    through_us(me, attachment_id, b"a text")
    key = f"{me.user.id}/{hashlib.sha256(b'a text').hexdigest()}"

    obstore.put(s3_server.store(world.settings.storage), key, b"a lost")

    for headers in ({}, {"Range": "bytes=0-1"}):
        assert download(me, attachment_id, If_Range='"none"', **headers).status_code == 409
    attached(me, b"a text")
    assert through_us(me, attachment_id, b"a text").content == b"a text"


def test_a_lost_content_is_no_link_either(world, me, s3_server):
    attachment_id = attached(me, b"a text")
    obstore.delete(s3_server.store(world.settings.storage), f"{me.user.id}/{hashlib.sha256(b'a text').hexdigest()}")

    assert download(me, attachment_id).status_code == 409


def test_an_export_has_the_contents(me):
    attached(me, b"a text")

    response = me.get("/export", format="json")

    with ZipFile(io.BytesIO(response.content)) as archived:
        assert b"a text" in [archived.read(name) for name in archived.namelist()]


def test_a_backup_carries_contents_from_s3_into_a_folder_and_back(world, me, s3_server, tmp_path):
    contents = [b"a text", LARGE[: 2 * MIB]]
    for content in contents:
        attached(me, content)
    path, source = tmp_path / "backup.zip", world.settings
    for name, values in (("folder", {}), ("bucket", s3_server.settings())):
        with closing(database.connect(source)) as books:
            archive.make(path, source, books, blobs.connect(source), NOW, silent)
        folder = tmp_path / name
        folder.mkdir()
        source = settings_for(f"sqlite:///{folder / 'farthing.sqlite3'}", folder, **values)
        with closing(database.connect(source)) as books:
            restore.restore(path, books, blobs.connect(source), silent)
            shelf = blobs.connect(source)
            newest = max(one.kept_at for one in shelf.of_user(me.user.id))
            assert list(examine(books, attached=Contents(shelf, newest + GRACE_S))) == []
        found = [shelf.content(me.user.id, hashlib.sha256(one).hexdigest()).size for one in contents]
        assert found == [6, 2 * MIB]
        path.unlink()


def test_farthing_copy_carries_contents_into_s3(tmp_path, s3_server):
    terminal = Terminal(tmp_path, f"sqlite:///{tmp_path / 'farthing.sqlite3'}")
    terminal.says("user", "create", "ann@example.org")
    source = settings_for("sqlite:///unused", tmp_path / "data")
    keep(blobs.connect(source), b"a text")
    values = s3_server.settings()
    storage = values.pop("storage")
    variables = {f"FARTHING_{name.upper()}": value for name, value in values.items()}

    done = terminal.run("copy", "--storage-to", storage, **variables)

    assert (done.returncode, done.stdout) == (0, f"Copied 1 content of attachments, 6 bytes, into {storage}.\n")
    [[stored]] = obstore.list(s3_server.store(storage))
    assert stored["path"] == f"7/{hashlib.sha256(b'a text').hexdigest()}"
    assert "FARTHING_STORAGE" in terminal.fails("copy", "--storage-to", storage)
    assert "already in use" in terminal.fails("copy", "--storage-to", str(source.contents_folder))
    assert "--storage-to is 'gs://x', but must be a folder" in terminal.fails("copy", "--storage-to", "gs://x")


def keep(shelf, content):
    incoming = shelf.receive()
    incoming.write(content)
    incoming.keep(7)
    incoming.discard()


def test_contents_are_copied_into_a_folder_and_back_with_what_was_set_aside(tmp_path, s3_server):
    first, second = (settings_for("sqlite:///unused", tmp_path, **s3_server.settings()) for _ in range(2))
    folder = settings_for("sqlite:///unused", tmp_path, storage=tmp_path / "contents")
    shelves = [blobs.connect(one) for one in (first, folder, second)]
    for content in (b"in its place", b"set aside", b"damaged"):
        keep(shelves[0], content)
    aside, damaged = (hashlib.sha256(one).hexdigest() for one in (b"set aside", b"damaged"))
    shelves[0].set_aside(7, aside, 1_700_000_000.0)
    obstore.put(s3_server.store(first.storage), f"7/{damaged}", b"DAMAGED")

    there, back = (copy_contents(one, other, silent) for one, other in pairwise(shelves))

    assert (there.copied, there.size, there.damaged) == (2, 21, [f"7/{damaged}"])
    assert (back.copied, back.damaged) == (2, [])
    assert [one.sha256 for one in shelves[2].of_user(7)] == [hashlib.sha256(b"in its place").hexdigest()]
    assert [(one.sha256, one.kept_at) for one in shelves[2].aside()] == [(aside, 1_700_000_000.0)]
    assert copy_contents(shelves[0], shelves[2], silent).copied == 1, "only what was set aside is copied again"
