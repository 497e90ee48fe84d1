"""Which file is how: a template serves again without hiding what the next file says; several files of one job."""

import pytest

from .making import a_csv, a_job, an_account, counts, imported, outcomes, preview, run, transactions

ROWS = ("2024-05-01,Shop,Bread,-1.50", "2024-05-02,Shop,Cake,-2.50")


@pytest.mark.parametrize(
    "as_the_bank_writes_it_now",
    [
        lambda text: text.replace(",", "\t").encode(),
        lambda text: text.encode("utf-16"),
        lambda text: text.replace("Pie", "Crème").encode("windows-1252"),
        lambda text: ("Statement of May\n\n" + text).encode(),
    ],
    ids=["tabs", "utf-16", "windows-1252", "preamble"],
)
def test_a_template_does_not_hide_how_the_next_file_is_written(me, world, as_the_bank_writes_it_now):
    account_id = an_account(me)
    imported(world, me, a_csv(*ROWS), account_id=account_id)
    text = a_csv(*ROWS, "2024-05-03,Shop,Pie,-3.50").decode()

    job = imported(world, me, as_the_bank_writes_it_now(text), account_id=account_id)

    assert (job["state"], counts(job)) == ("done", (3, 1, 2, 0, 0))


def test_a_template_with_a_footer_costs_no_row_of_a_file_without_one(me, world):
    account_id = an_account(me)
    imported(world, me, a_csv(*ROWS, "Total,,,-4.00"), account_id=account_id)

    job = imported(world, me, a_csv("2024-06-01,Shop,Bread,-1.50", "2024-06-02,Shop,Cake,-2.50"), account_id=account_id)

    assert counts(job) == (2, 2, 0, 0, 0)


def test_what_the_user_chose_for_such_files_serves_again(me, world):
    account_id = an_account(me)
    header = "foo,bar,baz"
    job = a_job(me, a_csv("03/04/2024,Bread,1.50", header=header), account_id=account_id)
    chosen = {
        "date_order": "mdy",
        "invert": True,
        "columns": {"date": "foo", "amount": "baz", "description": "bar"},
    }
    assert me.put(f"/import_jobs/{job['id']}", {"mapping": chosen}).status_code == 200
    run(world, me, job)

    imported(world, me, a_csv("05/06/2024,Cake,2.50", header=header), account_id=account_id)

    assert [(one["date"], one["amount"]) for one in transactions(me)] == [("2024-03-04", -1.5), ("2024-05-06", -2.5)]


def test_a_file_without_rows_says_so(me, world):
    account_id = an_account(me)

    job = imported(world, me, a_csv(), account_id=account_id)

    assert (job["state"], counts(job)) == ("done", (0, 0, 0, 0, 0))
    assert [one["message"] for one in job["findings"]] == ["This file contains no rows to import."]


def test_a_column_that_names_own_accounts_in_all_rows_says_whose_they_are(me, world):
    an_account(me, "Giro")
    an_account(me, "Savings")
    rows = ("Giro,2024-05-01,To savings,-100", "Savings,2024-05-02,From giro,100", "Savings,2024-05-03,Interest,1")

    job = imported(world, me, a_csv(*rows, header="Account,Date,Description,Amount"))

    assert counts(job) == (3, 2, 0, 1, 0)
    assert [one["type"] for one in transactions(me)] == ["Transfer", "Deposit"]


def test_files_of_one_job_may_overlap(me, world):
    account_id = an_account(me)
    job = a_job(me, a_csv(*ROWS, ROWS[1]), account_id=account_id)
    more = a_csv(*ROWS[1:], ROWS[1], "2024-05-03,Shop,Pie,-3.50").replace(b",", b";")
    me.request("POST", f"/import_jobs/{job['id']}/upload", files={"file": ("june.csv", more)})

    rows = preview(me, job)
    done = run(world, me, job)

    assert outcomes(rows) == ["new"] * 3 + ["duplicate"] * 2 + ["new"]
    assert [row["row"] for row in rows] == [2, 3, 4, 6, 7, 8]
    assert counts(done) == (6, 4, 2, 0, 0)


def test_a_finding_of_a_further_file_names_the_file_and_its_row(me, world):
    account_id = an_account(me)
    job = a_job(me, a_csv(*ROWS), account_id=account_id)
    wrong = a_csv("2024-06-01,Shop,Right,-1", "2024-06-32,Shop,Wrong,-1")
    me.request("POST", f"/import_jobs/{job['id']}/upload", files={"file": ("june.csv", wrong)})

    done = run(world, me, job)

    assert (done["state"], transactions(me)) == ("failed", [])
    (finding,) = done["findings"]
    assert (finding["row"], finding["message"][:16]) == (6, "june.csv, row 3:")


def test_the_encoding_that_was_chosen_holds_for_a_further_file_too(me, world):
    account_id = an_account(me)
    texts = ("\u017d\u00edt", "\u0160koda")
    files = [
        a_csv(f"2024-05-0{day},Shop,{text},-1").decode().encode("windows-1250") for day, text in enumerate(texts, 1)
    ]
    job = a_job(me, files[0], account_id=account_id, mapping={"encoding": "windows-1250"})
    me.request("POST", f"/import_jobs/{job['id']}/upload", files={"file": ("june.csv", files[1])})

    run(world, me, job)

    assert sorted(one["description"] for one in transactions(me)) == sorted(texts)


def test_a_mapping_by_names_says_that_there_is_a_header(me, world):
    account_id = an_account(me)
    columns = {"date": "d1", "amount": "a1", "description": "t1"}

    imported(
        world,
        me,
        a_csv("2024-05-01,Bread,-1.50", header="d1,t1,a1"),
        account_id=account_id,
        mapping={"columns": columns},
    )

    assert [(one["description"], one["amount"]) for one in transactions(me)] == [("Bread", -1.5)]
