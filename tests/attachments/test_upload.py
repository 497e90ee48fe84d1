"""Contents come in as they are: any label, any size within the limit, whole or not at all."""

import hashlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from ..conftest import running
from .making import NOT_FOUND, attached, download, errors, files, incoming, promised, shown, upload, uploaded

EMPTY = {"file": ["The file is empty: send its content as the body."]}


@pytest.mark.parametrize(
    "media_type",
    [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=XX",
        "application/json",
        "text/plain; charset=latin-1",
        "nonsense",
        "",
    ],
)
def test_the_body_is_the_file_whatever_its_label(me, media_type):
    attachment_id = promised(me)["id"]
    content = b'--XX\r\nContent-Disposition: form-data; name="file"\r\n\r\na=b&c=%20{"\r\n--XX--\r\n'

    uploaded(me, attachment_id, content, media_type)

    assert download(me, attachment_id).content == content


def test_a_body_in_chunks_is_put_together(me):
    attachment_id = promised(me)["id"]
    chunks = [bytes([number]) * size for number, size in enumerate((1, 0, 300_000, 7, 262_144, 1_000_000))]

    uploaded(me, attachment_id, iter(chunks))

    content = b"".join(chunks)
    assert download(me, attachment_id).content == content
    assert shown(me, attachment_id)["md5"] == hashlib.md5(content).hexdigest()


@pytest.mark.parametrize("content", [b"", iter([]), iter([b"", b""])], ids=["nothing", "no chunks", "empty chunks"])
def test_an_empty_body_is_refused(me, content):
    attachment_id = promised(me)["id"]

    assert errors(upload(me, attachment_id, content)) == EMPTY
    assert me.get(f"/attachments/{attachment_id}").status_code == 404


def test_an_empty_body_keeps_the_old_content(me):
    attachment_id = attached(me, b"old")

    assert errors(upload(me, attachment_id, b"")) == EMPTY
    assert download(me, attachment_id).content == b"old"


def test_a_space_is_content(me):
    attachment_id = attached(me, b" ")

    assert shown(me, attachment_id)["size"] == 1


# The limit


@pytest.fixture
def small(new_database_url, tmp_path, check_answer):
    """A world where a content has at most 1000 bytes."""
    yield from running(new_database_url, tmp_path, check_answer, upload_bytes_max=1000)


@pytest.mark.parametrize("chunked", [False, True])
def test_over_the_limit_is_413_and_the_old_content_stays(small, chunked):
    me = small.someone()
    attachment_id = attached(me, b"x" * 1000)
    before = shown(me, attachment_id)

    answer = upload(me, attachment_id, iter([b"y" * 1001]) if chunked else b"y" * 1001)

    assert (answer.status_code, answer.json()) == (
        413,
        {"message": "The body may not be larger than 1000 bytes.", "exception": "PayloadTooLargeHttpException"},
    )
    assert download(me, attachment_id).content == b"x" * 1000
    assert shown(me, attachment_id) == before
    assert incoming(small) == []
    assert len(files(small, me)) == 1


def test_the_limit_of_other_bodies_is_not_that_of_uploads(new_database_url, tmp_path, check_answer):
    for world in running(new_database_url, tmp_path, check_answer, body_bytes_max=500):
        me = world.someone()
        attachment_id = attached(me, b"x" * 5000)

        assert shown(me, attachment_id)["size"] == 5000


# Who may


def test_nobody_uploads_to_what_is_somebody_elses(me, someone_else):
    attachment_id = attached(me, b"mine")

    answer = upload(someone_else, attachment_id, b"theirs")

    assert (answer.status_code, answer.json()) == (404, NOT_FOUND)
    assert download(me, attachment_id).content == b"mine"


def test_without_a_token_nothing_is_taken(world, me):
    attachment_id = promised(me)["id"]

    answer = world.http.post(f"/api/v1/attachments/{attachment_id}/upload", content=b"x" * 100_000)

    assert answer.status_code == 401
    assert (files(world, me), incoming(world)) == ([], [])


def test_an_unknown_attachment_is_404_also_for_an_empty_body(me):
    assert upload(me, "999999999", b"").status_code == 404


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_other_methods_are_told_what_is_allowed(me, method):
    answer = me.request(method, f"/attachments/{attached(me)}/upload")

    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


# What lies on disk


def test_equal_contents_of_one_user_are_stored_once(world, me, someone_else):
    first, second = attached(me, b"the same"), attached(me, b"the same")
    attached(someone_else, b"the same")

    assert files(world, me) == [hashlib.sha256(b"the same").hexdigest()]
    assert len(files(world, someone_else)) == 1

    me.delete(f"/attachments/{first}")
    assert download(me, second).content == b"the same"


def test_what_is_replaced_or_deleted_stays_on_disk_until_the_trash_is_emptied(world, me):
    attachment_id = attached(me, b"first")
    uploaded(me, attachment_id, b"second")
    me.delete(f"/attachments/{attachment_id}")

    assert len(files(world, me)) == 2
    with world.books.reading() as db:
        kept = db.all(
            "SELECT action, before FROM changes WHERE user_id = :id AND kind = 'attachments' ORDER BY id",
            id=me.user.id,
        )
    assert [action for action, _ in kept] == ["created", "changed", "changed", "removed"]
    assert [hashlib.sha256(text).hexdigest() in kept[place][1] for place, text in ((2, b"first"), (3, b"second"))] == [
        True,
        True,
    ]


def test_nobody_else_may_read_the_folder(world, me):
    attached(me)

    folder = world.settings.data / "attachments"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_uploads_of_one_attachment_at_once_leave_one_of_them_whole(me):
    attachment_id = promised(me)["id"]
    contents = [bytes([letter]) * 700_000 for letter in b"abcdefgh"]

    with ThreadPoolExecutor(8) as together:
        answers = list(together.map(lambda content: upload(me, attachment_id, content), contents))

    assert [answer.status_code for answer in answers] == [204] * 8
    content = download(me, attachment_id).content
    assert content in contents
    assert shown(me, attachment_id)["md5"] == hashlib.md5(content).hexdigest()


def test_a_disk_that_fails_is_503_and_the_old_content_stays(new_world):
    me = new_world.someone()
    attachment_id = attached(me, b"old")
    folder = new_world.settings.data / "attachments" / "incoming"
    folder.rmdir()
    folder.write_text("no folder any more")

    answer = upload(me, attachment_id, b"new")

    assert answer.status_code == 503
    assert answer.json()["message"] == "The contents of attachments cannot be read or written. Try again."
    assert answer.headers["retry-after"] == "5"
    assert download(me, attachment_id).content == b"old"
