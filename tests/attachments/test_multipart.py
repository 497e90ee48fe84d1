"""Record and content in one request: a multipart body with a part named `file`."""

import hashlib

import pytest

from ..conftest import running
from .making import a_bill, body, download, errors, files, incoming, listed, shown

FORM = {"Content-Type": "multipart/form-data; boundary=XX"}


def post(client, fields, *file):
    """`file` is what httpx takes for one: name, content, perhaps a type."""
    parts = {name: (None, str(text)) for name, text in fields.items()}
    return client.request("POST", "/attachments", files=parts | ({"file": file} if file else {}))


def part(name, content, filename=None):
    named = f'; filename="{filename}"' if filename is not None else ""
    return f'--XX\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n'.encode() + content + b"\r\n"


def raw(client, *parts):
    return client.request("POST", "/attachments", content=b"".join(parts) + b"--XX--\r\n", headers=FORM)


def test_a_file_that_comes_along_is_there_at_once(me):
    content = b"%PDF-1.4\n" + bytes(range(256)) * 3000

    answer = post(me, body(me, title="May", notes="a note"), "scan.pdf", content)

    made = answer.json()["data"]
    assert answer.status_code == 200
    assert made["attributes"]["md5"] == hashlib.md5(content).hexdigest()
    assert (made["attributes"]["size"], made["attributes"]["mime"]) == (len(content), "application/pdf")
    assert (made["attributes"]["filename"], made["attributes"]["title"]) == ("invoice.pdf", "May")
    assert listed(me) == [made["id"]]
    assert download(me, made["id"]).content == content


@pytest.mark.parametrize("given", [{}, {"filename": " "}])
def test_the_name_of_the_file_does_for_a_filename(me, given):
    fields = {name: text for name, text in body(me).items() if name != "filename"} | given

    made = post(me, fields, "quittung für Mai.pdf", b"content").json()["data"]["attributes"]

    assert made["filename"] == "quittung für Mai.pdf"


def test_the_file_may_come_before_the_fields_and_without_a_name(me):
    bill_id = a_bill(me).encode()

    answer = raw(
        me, part("file", b"first"), part("filename", b"a.txt"), part("model", b"Bill"), part("model_id", bill_id)
    )

    assert download(me, answer.json()["data"]["id"]).content == b"first"


def test_what_looks_like_a_boundary_is_content(me):
    content = b"\r\n--X\r\n--XY\r\n\r\n--" * 50_000

    answer = post(me, body(me), "tricky", content)

    assert download(me, answer.json()["data"]["id"]).content == content


def test_without_a_file_it_is_a_promise(me):
    made = post(me, body(me)).json()["data"]

    assert made["attributes"]["size"] == 0
    assert me.get(f"/attachments/{made['id']}").status_code == 404


def test_a_file_that_nobody_chose_is_none(me):
    fields = [part(name, str(text).encode()) for name, text in body(me).items()]

    answer = raw(me, *fields, part("file", b"", ""))

    assert answer.json()["data"]["attributes"]["size"] == 0


def test_everything_that_is_wrong_is_said_at_once_and_nothing_is_kept(world, me):
    answer = post(me, {"model": "Bill", "model_id": "999999"}, "empty.txt", b"")

    assert errors(answer) == {
        "file": ["The file is empty: send its content as the body."],
        "model_id": ["The selected model id is invalid."],
    }
    assert errors(post(me, {"model": "Bill"}, "x" * 300, b"content")).keys() == {"filename", "model_id"}
    assert (files(world, me), incoming(world), listed(me)) == ([], [], [])


def test_an_empty_body_lacks_everything(me):
    answer = me.request("POST", "/attachments", content=b"", headers=FORM)

    assert errors(answer).keys() == {"filename", "model", "model_id"}


@pytest.mark.any_database
@pytest.mark.parametrize(
    "content",
    [
        part("file", b"one", "a") + part("file", b"two", "b") + b"--XX--\r\n",
        part("file", b"one", "a"),
        b"--XX\r\n\r\nnameless\r\n--XX--\r\n",
        part("title", b"\xff\xfe") + b"--XX--\r\n",
        part("file", b"one", "a").replace(b"\r\n", b"\n"),
    ],
    ids=["two files", "cut off", "no name", "no UTF-8", "no lines"],
)
def test_a_body_that_cannot_be_read_is_400(world, me, content):
    answer = me.request("POST", "/attachments", content=content, headers=FORM)

    assert answer.status_code == 400
    assert (files(world, me), incoming(world)) == ([], [])


@pytest.mark.parametrize("media_type", ["multipart/form-data", "multipart/form-data; boundary=" + "x" * 300])
def test_a_body_needs_its_boundary(me, media_type):
    assert me.request("POST", "/attachments", content=b"x", headers={"Content-Type": media_type}).status_code == 400


def test_file_and_fields_have_limits_of_their_own(new_database_url, tmp_path, check_answer):
    limits = {"upload_bytes_max": 5000, "body_bytes_max": 2000, "form_fields_max": 10}
    for world in running(new_database_url, tmp_path, check_answer, **limits):
        me = world.someone()

        assert post(me, body(me), "fits", b"x" * 5000).status_code == 200
        assert post(me, body(me), "too long", b"x" * 5001).status_code == 413
        assert post(me, body(me), "far too long", b"x" * 9000).status_code == 413
        assert post(me, body(me, notes="n" * 2000), "fits", b"x").status_code == 413
        assert post(me, body(me) | dict.fromkeys("abcdefgh", "x"), "fits", b"x").status_code == 413
        assert (len(files(world, me)), incoming(world), len(listed(me))) == (1, [], 1)


def test_without_a_token_nothing_is_taken(world):
    answer = world.http.post("/api/v1/attachments", files={"file": ("a", b"x" * 100_000)})

    assert answer.status_code == 401
    assert incoming(world) == []


def test_a_file_on_put_is_left_out(me):
    made = post(me, body(me), "a.txt", b"content").json()["data"]["id"]

    answer = me.request("PUT", f"/attachments/{made}", files={"file": ("b.txt", b"other"), "title": (None, "May")})

    assert answer.json()["data"]["attributes"]["title"] == "May"
    assert shown(me, made)["filename"] == "invoice.pdf"
    assert download(me, made).content == b"content"
