"""Contents in either storage: named by their hash, kept whole or not at all; doctor sees what is wrong with them."""

import hashlib
import os
from datetime import timedelta

import pytest

from farthing.care.doctor import Contents, examine
from farthing.care.doctor.checks.contents import GRACE_S
from farthing.kernel.errors import ContentsUnavailable
from farthing.storage import blobs
from farthing.storage.blobs import Blobs, Content, DiskBlobs, Lost

from ..conftest import settings_for
from .conftest import open_cellar
from .making import attached, uploaded

TEXT = b"a text"
HASH = hashlib.sha256(TEXT).hexdigest()


@pytest.fixture
def settings(tmp_path, storage):
    return settings_for("sqlite:///unused", tmp_path, **storage)


@pytest.fixture
def shelf(settings):
    return blobs.connect(settings)


@pytest.fixture
def cellar(settings, request):
    """Of a shelf without a database."""
    return open_cellar(settings, request)


@pytest.fixture
def folder(tmp_path):
    """A shelf that is a folder."""
    return DiskBlobs(tmp_path / "attachments")


def kept(shelf: Blobs, content: bytes = TEXT, user_id: int = 7) -> Content:
    incoming = shelf.receive()
    incoming.write(content[:3])
    incoming.write(content[3:])
    incoming.keep(user_id)
    incoming.discard()
    return incoming.content()


def read(shelf: Blobs, content: Content, **stretch: int) -> bytes:
    reader = shelf.read(7, content.sha256, size=content.size, **stretch)
    pieces = []
    while piece := reader.read():
        pieces.append(piece)
    reader.close()
    return b"".join(pieces)


def test_a_content_is_named_by_its_hash(shelf, cellar):
    content = kept(shelf)

    assert content == Content(HASH, hashlib.md5(TEXT).hexdigest(), 6)
    assert cellar.names() in ([f"7/{HASH[:2]}/{HASH}"], [f"7/{HASH}"])
    assert read(shelf, content) == TEXT
    assert read(shelf, content, first=2, count=3) == b"tex"


def test_before_it_is_kept_nobody_sees_it_and_discarding_leaves_nothing(shelf, cellar):
    incoming = shelf.receive()
    incoming.write(TEXT)

    assert list(shelf.of_user(7)) == []
    incoming.discard()
    assert cellar.names() == []
    incoming.discard()  # twice does no harm


def test_the_same_content_again_heals_a_damaged_one(shelf, cellar):
    content = kept(shelf)
    [name] = cellar.names()
    cellar.write(name, b"other!")
    assert shelf.content(7, HASH) != content

    kept(shelf)

    assert shelf.content(7, HASH) == content
    assert cellar.names() == [name]


def test_who_reads_an_old_content_reads_it_to_its_end(shelf):
    content = kept(shelf)
    reader = shelf.read(7, content.sha256, size=content.size)

    kept(shelf)

    assert reader.read() == TEXT
    reader.close()


def test_a_content_of_somebody_else_is_not_there(shelf):
    content = kept(shelf)

    with pytest.raises(Lost):
        shelf.read(8, content.sha256, size=content.size)
    assert shelf.content(8, content.sha256) is None


def test_a_content_that_shrinks_while_it_is_read_is_lost(shelf, cellar):
    content = kept(shelf, b"x" * 2_500_000)
    reader = shelf.read(7, content.sha256, size=content.size)
    assert reader.read()
    [name] = cellar.names()
    cellar.write(name, b"x" * 1_200_000)  # it ends within the second piece

    assert reader.read()
    with pytest.raises(Lost):
        reader.read()
    reader.close()


def test_what_lies_in_memory_need_not_be_waited_for(folder, monkeypatch):
    content = kept(folder, bytes(range(256)) * 5_000)

    def pieces():
        reader = folder.read(7, content.sha256, size=content.size, first=100, count=1_000_000)
        while reader.has_more:
            yield reader.at_hand() or reader.read()
        assert not reader.read()
        reader.close()

    wanted = (bytes(range(256)) * 5_000)[100:1_000_100]
    assert b"".join(pieces()) == wanted
    monkeypatch.delattr(os, "preadv", raising=False)
    assert b"".join(pieces()) == wanted, "also where nobody can say whether it does"


def test_only_hashes_name_contents(shelf):
    with pytest.raises(AssertionError):
        shelf.read(7, "../../../etc/passwd", size=1)


def test_what_a_crash_left_behind_goes_a_day_later(folder, tmp_path):
    kept(folder)
    old, young = (tmp_path / "attachments" / "incoming" / name for name in ("old", "young"))
    for path in (old, young):
        path.write_bytes(TEXT)
    os.utime(old, (0, old.stat().st_mtime - 25 * 60 * 60))

    folder.receive().discard()

    assert not old.exists()
    assert young.exists()


def test_a_folder_that_cannot_be_used_is_told(tmp_path):
    (tmp_path / "attachments").write_text("in the way")

    with pytest.raises(ContentsUnavailable):
        DiskBlobs(tmp_path / "attachments").receive()


# Doctor


@pytest.fixture
def house(stored_world):
    """An owner, and what doctor says an hour and more after everything was uploaded."""
    me = stored_world.someone("ann@farthing.example")

    def findings(later=timedelta(seconds=2 * GRACE_S)):
        shelf = blobs.connect(stored_world.settings)
        newest = max((one.kept_at for one in shelf.of_user(me.user.id)), default=0.0)
        told = examine(stored_world.books, attached=Contents(shelf, newest + later.total_seconds()))
        return [one.sentence.removeprefix("ann@farthing.example: ") for one in told]

    return stored_world, me, findings


@pytest.fixture
def cellar_of_house(house, request):
    return open_cellar(house[0].settings, request)


def test_doctor_finds_nothing_where_nothing_is_wrong(house):
    _, me, findings = house
    attachment_id = attached(me, b"first")
    uploaded(me, attachment_id, b"second")
    me.delete(f"/attachments/{attachment_id}")
    attached(me, b"third")

    assert findings() == []


def test_doctor_misses_a_content(house, cellar_of_house):
    _, me, findings = house
    attachment_id = attached(me, TEXT)
    cellar_of_house.remove(*cellar_of_house.names())

    assert findings() == [f"attachment {attachment_id} 'invoice.pdf': its content is missing."]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (b"a tex", "its content has 5 bytes, but was recorded with 6"),
        (b"A text", "its content is damaged: it has the recorded size, but another hash"),
    ],
)
def test_doctor_sees_a_damaged_content_in_each_attachment_that_has_it(house, cellar_of_house, damage, sentence):
    _, me, findings = house
    ids = [attached(me, TEXT), attached(me, TEXT)]
    cellar_of_house.write(*cellar_of_house.names(), damage)

    assert findings() == [f"attachment {one} 'invoice.pdf': {sentence}." for one in ids]


def test_doctor_finds_contents_without_a_record_once_they_are_an_hour_old(house):
    world, me, findings = house
    content = kept(blobs.connect(world.settings), user_id=me.user.id)

    assert findings(later=timedelta(minutes=59)) == []
    assert findings() == [f"there is 1 content of 6 bytes without a record, such as {content.sha256}."]


def test_doctor_finds_what_is_left_of_a_user_who_is_gone(house):
    world, me, findings = house
    other = world.someone()
    attached(other, TEXT)
    attached(other, b"another")
    attached(me, b"mine")

    me.delete(f"/users/{other.user.id}")

    assert findings() == [f"there are 2 contents of 13 bytes of user {other.user.id}, who no longer exists."]
