"""From a bank's CSV file to transactions: upload, preview, run, undo."""

import pytest

from .making import a_csv, a_job, an_account, balance, counts, imported, outcomes, preview, run, shown, transactions

MAY = a_csv(
    "2024-05-02,Grocer,Weekly shopping,-52.10",
    "2024-05-03,Employer,Salary May,2500.00",
    "2024-05-04,Café,Coffee,-2.50",
    "2024-05-04,Café,Coffee,-2.50",
)


def test_a_file_is_examined_when_it_arrives(me):
    account_id = an_account(me)

    job = a_job(me, MAY, account_id=account_id)["attributes"]

    assert (job["state"], job["format"], job["account_id"]) == ("ready", "csv", int(account_id))
    assert job["mapping"]["columns"] == {
        "date": "Date",
        "payee": "Payee",
        "description": "Description",
        "amount": "Amount",
    }
    assert [file["filename"] for file in job["files"]] == ["statement.csv"]


def test_without_an_account_it_says_what_is_missing(me):
    job = a_job(me, MAY)

    assert job["attributes"]["state"] == "uploaded"
    assert [finding["field"] for finding in job["attributes"]["findings"]] == ["account_id"]
    answer = me.post(f"/import_jobs/{job['id']}/run")
    assert answer.status_code == 409
    assert "account_id" in answer.json()["message"]


def test_rows_become_transactions(me, world):
    account_id = an_account(me)

    job = imported(world, me, MAY, account_id=account_id)

    assert (job["state"], job["progress"], counts(job)) == ("done", 100, (4, 4, 0, 0, 0))
    booked = transactions(me)
    assert [(one["date"], one["type"], one["description"], one["amount"]) for one in booked] == [
        ("2024-05-02", "Withdrawal", "Weekly shopping", -52.10),
        ("2024-05-03", "Deposit", "Salary May", 2500),
        ("2024-05-04", "Withdrawal", "Coffee", -2.50),
        ("2024-05-04", "Withdrawal", "Coffee", -2.50),
    ]
    assert booked[0]["destination_name"] == "Grocer"
    assert booked[1]["source_name"] == "Employer"
    assert balance(me, account_id) == 2442.90
    assert job["made"] == {"accounts": 3}


def test_a_preview_shows_every_row_and_stores_nothing(me):
    account_id = an_account(me)
    job = a_job(me, MAY, account_id=account_id)

    rows = preview(me, job)

    assert outcomes(rows) == ["new"] * 4
    assert rows[0]["transactions"][0]["splits"][0]["destination_name"] == "Grocer"
    assert transactions(me) == []


def test_an_overlapping_file_adds_only_what_is_new(me, world):
    account_id = an_account(me)
    imported(world, me, MAY, account_id=account_id)
    june = MAY + b"2024-05-04,Caf\xc3\xa9,Coffee,-2.50\n2024-06-01,Grocer,Weekly shopping,-10\n"

    job = a_job(me, june, account_id=account_id)
    rows = preview(me, job)
    done = run(world, me, job)

    assert outcomes(rows) == ["duplicate"] * 4 + ["new"] * 2
    assert counts(done) == (6, 2, 4, 0, 0)
    assert {row["transaction"]["transaction_id"] for row in rows[:4]} <= {int(one["id"]) for one in transactions(me)}
    assert len(transactions(me)) == 6


def test_undo_takes_back_exactly_what_the_job_made(me, world):
    account_id = an_account(me)
    imported(world, me, a_csv("2024-04-01,Grocer,Before,-1"), account_id=account_id)
    before = transactions(me)
    job = a_job(me, MAY, account_id=account_id)
    run(world, me, job)

    answer = me.post(f"/import_jobs/{job['id']}/undo")

    assert answer.status_code == 200
    assert shown(me, job)["state"] == "undone"
    assert transactions(me) == before
    names = {one["attributes"]["name"] for one in me.get("/accounts", type="expense").json()["data"]}
    assert names == {"Grocer"}
    assert balance(me, account_id) == -1


def test_an_undo_can_be_undone(me, world):
    account_id = an_account(me)
    job = a_job(me, MAY, account_id=account_id)
    run(world, me, job)
    booked = transactions(me)
    undone = me.post(f"/import_jobs/{job['id']}/undo")

    answer = me.post(f"/changes/{_change_of(me, undone)}/undo")

    assert answer.status_code == 200, answer.text
    assert transactions(me) == booked
    assert shown(me, job)["state"] == "done"
    assert outcomes(preview(me, a_job(me, MAY, account_id=account_id))) == ["duplicate"] * 4


def _change_of(client, answer):
    revision = int(answer.headers["farthing-revision"])
    changes = client.get("/changes").json()["data"]
    return next(one["id"] for one in changes if one["attributes"]["revision"] == revision)


AMBIGUOUS = a_csv("01/02/2024,Shop,One,-1", "03/04/2024,Shop,Two,-2")


def questions(job):
    return [one["field"] for one in job["detected"]["questions"]]


def test_an_open_question_stays_open_until_it_is_answered_and_is_not_asked_again(me, world):
    account_id = an_account(me)
    job = a_job(me, AMBIGUOUS)

    chosen = me.put(f"/import_jobs/{job['id']}", {"account_id": account_id}).json()["data"]["attributes"]
    answered = me.put(f"/import_jobs/{job['id']}", {"mapping": {"date_order": "dmy"}}).json()["data"]["attributes"]
    run(world, me, job)

    assert [questions(one) for one in (job["attributes"], chosen, answered)] == [["date_order"], ["date_order"], []]
    assert [one["date"] for one in transactions(me)] == ["2024-02-01", "2024-04-03"]
    assert questions(a_job(me, AMBIGUOUS, account_id=account_id)["attributes"]) == []


def test_a_mapping_that_lacks_something_is_kept_and_one_that_is_wrong_is_refused(me):
    job = a_job(me, MAY, account_id=an_account(me))

    lacking = me.put(f"/import_jobs/{job['id']}", {"mapping": {"columns": {"description": "Description"}}})
    wrong = me.put(f"/import_jobs/{job['id']}", {"mapping": {"columns": {"date": "Nowhere"}, "delimiter": "x"}})

    assert (lacking.status_code, lacking.json()["data"]["attributes"]["state"]) == (200, "uploaded")
    assert wrong.status_code == 422
    assert {"mapping.columns.date", "mapping.delimiter"} <= wrong.json()["errors"].keys()


@pytest.mark.any_database
def test_a_file_in_any_unicode_with_any_line_ends_is_examined(me):
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"):
        for end in ("\r", "\n", "\r\n"):
            text = MAY.decode().replace("\n", end)
            job = a_job(me, text.encode(encoding))["attributes"]

            assert (job["format"], len(job["detected"]["rows"])) == ("csv", 4), (encoding, end)
