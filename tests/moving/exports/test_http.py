"""GET /export: what it takes, what it refuses, and that the server is not held up by it."""

import csv
import io
import sys
from zipfile import ZipFile

import pytest

from ...accounts.making import asset, made
from ...transactions.making import posted, withdrawal


def rows(response):
    assert response.status_code == 200, response.text
    return list(csv.DictReader(io.StringIO(response.text, newline="")))


@pytest.mark.any_database
def test_an_export_is_a_file_to_keep(me):
    account = made(me, asset(name="=Checking"))
    posted(me, withdrawal(account, description="-5 discount", notes="+1\n@2"))

    response = me.get("/export", format="csv")

    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.headers["content-disposition"] == 'attachment; filename="farthing-2024-05-15.csv"'
    [row] = rows(response)
    shown = {"source_name": "'=Checking", "description": "'-5 discount", "notes": "'+1\n@2", "amount": "-12.5"}
    assert {name: row[name] for name in shown} == shown
    assert row["date"] == "2024-05-10T00:00:00+00:00"
    assert row["type"] == "Withdrawal"
    assert (row["source_type"], row["destination_type"]) == ("Asset account", "Expense account")


@pytest.mark.any_database
def test_the_archive_of_an_empty_user_is_whole(me):
    response = me.get("/export", format="json")

    with ZipFile(io.BytesIO(response.content)) as archive:
        assert archive.testzip() is None
        assert archive.namelist()[0] == "farthing.json"
        assert archive.read("transactions.jsonl") == b""


def test_range_and_accounts_choose_whole_transactions(me):
    one, other = made(me, asset()), made(me, asset(name="Other"))
    for account, day in ((one, "1990-01-01"), (one, "2024-05-01"), (other, "2024-05-02"), (one, "2030-12-31")):
        posted(me, withdrawal(account, date=day))

    def days(**query):
        return [row["date"][:10] for row in rows(me.get("/export", format="csv", **query))]

    assert days() == ["1990-01-01", "2024-05-01", "2024-05-02", "2030-12-31"]
    assert days(start="1980-01-01", end="2024-05-01") == ["1990-01-01", "2024-05-01"]  # the range may be of any length
    assert days(**{"start": "2024-05-01", "accounts[]": [one, "999"][:1]}) == ["2024-05-01", "2030-12-31"]
    assert days(**{"end": "2024-12-31", "accounts[]": [one, other]}) == ["1990-01-01", "2024-05-01", "2024-05-02"]


def test_everybody_exports_their_own(me, someone_else):
    account = made(me, asset())
    posted(me, withdrawal(account))

    assert rows(someone_else.get("/export", format="csv")) == []
    refused = someone_else.get("/export", format="csv", accounts=account)
    assert refused.status_code == 422
    assert refused.json()["errors"].keys() == {"accounts"}


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ({}, {"format"}),
        ({"format": ""}, {"format"}),
        ({"format": "CSV"}, {"format"}),
        ({"format": "xlsx", "start": "yesterday", "end": "2024-02-30"}, {"format", "start", "end"}),
        ({"format": "csv", "start": "2024-05-02", "end": "2024-05-01"}, {"start", "end"}),
        ({"format": "csv", "accounts": "1,x"}, {"accounts"}),
        ({"format": "csv", "accounts[0]": "-1"}, {"accounts[0]"}),
        ({"format": "csv", "accounts[]": "999999999999"}, {"accounts"}),
        ({"format": "csv", "accounts": ",".join(map(str, range(1, 1200)))}, {"accounts"}),
        ({"format": "csv", "accounts[]": ["1"] * 50 + [str(one) for one in range(95)]}, {"accounts"}),
        ({"format": "json", "start": "2024-05-02", "accounts": "1"}, {"start", "accounts"}),
    ],
)
def test_what_is_wrong_is_named(me, query, fields):
    response = me.get("/export", **query)

    assert response.status_code == 422
    assert response.json()["errors"].keys() == fields


@pytest.mark.any_database
def test_without_pyarrow_parquet_is_refused_with_a_remedy(me, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr("farthing.moving.exports.model.find_spec", lambda name: None)

    response = me.get("/export", format="parquet")

    assert response.status_code == 422
    assert "farthing[analysis]" in response.json()["errors"]["format"][0]


@pytest.mark.any_database
def test_a_head_makes_nothing(me):
    response = me.request("HEAD", "/export", params={"format": "csv"})

    assert (response.status_code, response.content) == (200, b"")
