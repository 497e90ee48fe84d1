"""A record first, then its content: what is seen when, and what may be said of a file."""

import hashlib
from datetime import timedelta

import pytest

from .making import (
    NOT_FOUND,
    a_bill,
    a_transaction,
    attached,
    body,
    download,
    errors,
    listed,
    promised,
    refused,
    shown,
    upload,
    uploaded,
)

AT = "2024-05-15T12:00:00+00:00"
REQUIRED = {name: [f"The {name.replace('_', ' ')} field is required."] for name in ("filename", "model", "model_id")}


def test_a_new_record_says_where_its_content_goes(me):
    bill_id = a_bill(me)

    answer = me.post(
        "/attachments", {"filename": "invoice.pdf", "model": "Service\\Models\\Bill", "model_id": bill_id}
    ).json()

    made = answer["data"]
    at = f"http://farthing.example/api/v1/attachments/{made['id']}"
    assert made["attributes"] == {
        "updated_at": AT,
        "created_at": AT,
        "attachable_type": "Service\\Models\\Bill",
        "attachable_id": int(bill_id),
        "md5": "",
        "filename": "invoice.pdf",
        "download_uri": f"{at}/download",
        "upload_uri": f"{at}/upload",
        "title": None,
        "notes": None,
        "mime": "",
        "size": 0,
    }
    assert made["type"] == "attachments"
    assert made["links"] == {"0": {"rel": "self", "uri": f"/attachment/{made['id']}"}, "self": at}


def test_until_its_content_is_uploaded_an_attachment_is_not_there(me):
    attachment_id = promised(me)["id"]

    assert listed(me) == []
    for path in (f"/attachments/{attachment_id}", f"/attachments/{attachment_id}/download"):
        answer = me.get(path)
        assert (answer.status_code, answer.json()) == (404, NOT_FOUND)

    uploaded(me, attachment_id, b"here it is")

    assert listed(me) == [attachment_id]
    assert shown(me, attachment_id)["size"] == 10
    assert download(me, attachment_id).content == b"here it is"


def test_an_upload_sets_hash_kind_and_size(world, me):
    attachment_id = promised(me, title="May", notes="from the scanner")["id"]
    content = b"date,amount\n2024-05-01,12.50\n"
    world.time.now += timedelta(minutes=5)

    uploaded(me, attachment_id, content)

    one = shown(me, attachment_id)
    assert one["md5"] == hashlib.md5(content).hexdigest()
    assert (one["size"], one["mime"]) == (len(content), "text/plain")
    assert (one["created_at"], one["updated_at"]) == (AT, "2024-05-15T12:05:00+00:00")
    assert (one["title"], one["notes"], one["filename"]) == ("May", "from the scanner", "invoice.pdf")


def test_a_second_upload_replaces_the_first(me):
    attachment_id = attached(me, b"%PDF-1.4 first")
    assert shown(me, attachment_id)["mime"] == "application/pdf"

    uploaded(me, attachment_id, b"second")

    assert download(me, attachment_id).content == b"second"
    one = shown(me, attachment_id)
    assert (one["mime"], one["size"], one["md5"]) == ("text/plain", 6, hashlib.md5(b"second").hexdigest())


def test_a_record_without_content_may_be_changed_and_deleted(me):
    attachment_id = promised(me, title="May")["id"]

    answer = me.put(f"/attachments/{attachment_id}", {"filename": "june.pdf", "title": "June"})

    assert answer.json()["data"]["attributes"]["filename"] == "june.pdf"
    assert me.delete(f"/attachments/{attachment_id}").status_code == 204
    assert upload(me, attachment_id, b"too late").status_code == 404


def test_what_is_deleted_is_gone(me):
    attachment_id = attached(me)

    answer = me.delete(f"/attachments/{attachment_id}")

    assert (answer.status_code, answer.content) == (204, b"")
    assert listed(me) == []
    for method, path in (("GET", ""), ("GET", "/download"), ("PUT", ""), ("DELETE", ""), ("POST", "/upload")):
        answer = me.request(method, f"/attachments/{attachment_id}{path}")
        assert (answer.status_code, answer.json()) == (404, NOT_FOUND)


# What a file may belong to


@pytest.mark.parametrize("name", ["Bill", "Service\\Models\\Bill", "AnyBrand\\Models\\Bill", " Bill "])
def test_a_bill_goes_by_its_short_and_its_full_name(me, name):
    assert promised(me, model=name, model_id=a_bill(me))["attributes"]["attachable_type"] == "Service\\Models\\Bill"


@pytest.mark.parametrize(
    "name",
    ["TransactionJournal", "Transaction", "Service\\Models\\TransactionJournal", "AnyBrand\\Models\\Transaction"],
)
def test_a_file_of_a_transaction_takes_the_journal_id(me, name):
    journal_id = a_transaction(me)["journal_id"]

    made = promised(me, model=name, model_id=journal_id)["attributes"]

    assert (made["attachable_type"], made["attachable_id"]) == ("Service\\Models\\TransactionJournal", journal_id)


@pytest.mark.any_database
@pytest.mark.parametrize(
    "name", ["bill", "Recurrence", "Service\\Bill", "Models\\Bill", "Bill\\", "\\Models\\Bill", "x" * 999]
)
def test_other_models_are_refused(me, name):
    words = ["Account", "Bill", "Budget", "Category", "ImportJob", "PiggyBank", "Tag", "TransactionJournal"]
    known = (f"Service\\Models\\{known}" for known in words)

    sentence = f"The selected model is invalid: it must be one of {', '.join(known)}."
    assert refused(me, model=name, model_id=1) == {"model": [sentence]}


@pytest.mark.parametrize("model", ["Bill", "TransactionJournal", "ImportJob", "Service\\Models\\ImportJob"])
@pytest.mark.parametrize("model_id", [999_999_999, 2**63 - 1])
def test_a_file_belongs_to_something_that_is_there(me, model, model_id):
    assert refused(me, model=model, model_id=model_id) == {"model_id": ["The selected model id is invalid."]}


def test_a_file_cannot_belong_to_what_is_somebody_elses(me, someone_else):
    for model, model_id in (("Bill", a_bill(someone_else)), ("Transaction", a_transaction(someone_else)["journal_id"])):
        assert refused(me, model=model, model_id=model_id) == {"model_id": ["The selected model id is invalid."]}


def test_everything_that_is_wrong_is_said_at_once(me):
    assert errors(me.post("/attachments", {})) == REQUIRED
    assert errors(me.post("/attachments", {"filename": "", "model": None, "model_id": " "})) == REQUIRED
    wrong = refused(me, filename="x" * 256, model="Bill", model_id=999_999, title="x" * 256, notes="x" * 65_001)
    assert wrong.keys() == {"filename", "model_id", "title", "notes"}
    assert refused(me, model_id="abc").keys() == {"model", "model_id"}


@pytest.mark.parametrize("encoding", ["json", "data", "multipart"])
def test_a_record_is_made_in_every_encoding(me, encoding):
    fields = body(me, title="May", notes="a note")
    if encoding == "multipart":
        answer = me.request("POST", "/attachments", files={name: (None, text) for name, text in fields.items()})
    else:
        answer = me.request("POST", "/attachments", **{encoding: fields})

    made = answer.json()["data"]["attributes"]
    assert (made["filename"], made["title"], made["notes"], made["size"]) == ("invoice.pdf", "May", "a note", 0)


# Changing


def test_a_change_blanks_what_it_leaves_out_but_keeps_name_place_and_content(me):
    attachment_id = attached(me, b"content", title="May", notes="a note")
    before = shown(me, attachment_id)

    answer = me.put(f"/attachments/{attachment_id}", {})

    assert answer.status_code == 200
    assert shown(me, attachment_id) == answer.json()["data"]["attributes"] == before | {"title": None, "notes": None}
    assert download(me, attachment_id).content == b"content"


def test_a_change_may_rename(me):
    attachment_id = attached(me)

    me.put(f"/attachments/{attachment_id}", {"filename": "june.pdf", "title": "June", "notes": "new"})

    one = shown(me, attachment_id)
    assert (one["filename"], one["title"], one["notes"]) == ("june.pdf", "June", "new")


def test_model_and_id_together_move_an_attachment(me):
    attachment_id = attached(me)
    journal_id = a_transaction(me)["journal_id"]

    me.put(f"/attachments/{attachment_id}", {"model": "TransactionJournal", "model_id": journal_id})

    one = shown(me, attachment_id)
    assert (one["attachable_type"], one["attachable_id"]) == ("Service\\Models\\TransactionJournal", journal_id)


@pytest.mark.parametrize("alone", ["model", "model_id"])
def test_a_model_or_an_id_alone_moves_nothing(me, alone):
    attachment_id = attached(me)
    before = shown(me, attachment_id)
    other = {"model": "TransactionJournal", "model_id": a_transaction(me)["journal_id"]}

    assert me.put(f"/attachments/{attachment_id}", {alone: other[alone]}).status_code == 200
    assert shown(me, attachment_id) == before


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"model": "Bill", "model_id": 999_999}, {"model_id"}),
        ({"model": "ImportJob", "model_id": 1}, {"model_id"}),
        ({"model": "Recurrence", "model_id": 1}, {"model"}),
        ({"filename": "x" * 256, "model": "Nonsense", "model_id": "abc"}, {"filename", "model", "model_id"}),
    ],
)
def test_a_change_that_is_wrong_changes_nothing(me, fields, wrong):
    attachment_id = attached(me, title="May")
    before = shown(me, attachment_id)

    assert errors(me.put(f"/attachments/{attachment_id}", fields)).keys() == wrong
    assert shown(me, attachment_id) == before


# Lists and related objects


def test_the_list_is_paged_by_id(me):
    ids = [attached(me) for _ in range(3)]
    promised(me)

    answer = me.get("/attachments", limit=2).json()

    assert [one["id"] for one in answer["data"]] == ids[:2]
    assert answer["meta"]["pagination"] == {
        "total": 3, "count": 2, "per_page": 2, "current_page": 1, "total_pages": 2,
    }  # fmt: skip
    assert listed(me, limit=2, page=2) == ids[2:]
    assert me.get("/attachments").json()["links"]["self"] == "http://farthing.example/api/v1/attachments?&page=1"


def test_user_and_note_come_along_everywhere(me):
    made = me.post("/attachments", body(me, notes="from the *scanner*")).json()
    attachment_id = made["data"]["id"]
    uploaded(me, attachment_id, b"content")
    lonely = attached(me)
    changed = me.put(f"/attachments/{lonely}", {}).json()

    one, several = me.get(f"/attachments/{attachment_id}").json(), me.get("/attachments").json()

    at = "http://farthing.example/api/v1"
    note = {
        "type": "notes",
        "id": attachment_id,
        "attributes": {
            "updated_at": AT,
            "created_at": AT,
            "title": None,
            "text": "from the *scanner*",
            "markdown": "<p>from the <em>scanner</em></p>\n",
        },
        "links": {"0": {"rel": "self", "uri": f"/notes/{attachment_id}"}, "self": f"{at}/notes/{attachment_id}"},
    }
    for answer in (made, one, several):
        assert [thing["type"] for thing in answer["included"]] == ["users", "notes"]
        assert answer["included"][1] == note
    assert [thing["type"] for thing in changed["included"]] == ["users"]
    relations = [thing["relationships"] for thing in several["data"]]
    assert relations[0]["notes"] == {
        "links": {
            "self": f"{at}/attachments/{attachment_id}/relationships/notes",
            "related": f"{at}/attachments/{attachment_id}/notes",
        },
        "data": [{"type": "notes", "id": attachment_id}],
    }
    assert relations[1]["notes"]["data"] == []
    assert relations[0]["user"]["data"] == {"type": "users", "id": str(me.user.id)}


@pytest.mark.parametrize(
    ("text", "shown_as"),
    [
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n"),
        ("# Title\n\n- one", "<h1>Title</h1>\n<ul>\n<li>one</li>\n</ul>\n"),
    ],
)
def test_html_in_a_note_is_only_text(me, text, shown_as):
    note = me.post("/attachments", body(me, notes=text)).json()["included"][1]

    assert (note["attributes"]["text"], note["attributes"]["markdown"]) == (text, shown_as)


def test_the_address_in_the_singular_leads_there_too(me):
    attachment_id = attached(me, b"content")

    assert me.get(f"/attachment/{attachment_id}").json() == me.get(f"/attachments/{attachment_id}").json()
    assert me.get(f"/attachment/{attachment_id}/download").content == b"content"


def test_addresses_in_answers_follow_the_public_address(me):
    me.headers = {"Host": "money.example"}

    assert promised(me)["attributes"]["upload_uri"].startswith("http://money.example/api/v1/attachments/")
