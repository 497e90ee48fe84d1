"""Taking over the books of another program: everything that they have, with a proof, and back."""

import io
import re
import zipfile
from pathlib import Path

import pytest

from farthing.care.doctor import examine_user

from ..programs.test_fuzz import SAMPLES
from .making import (
    a_csv,
    a_job,
    an_account,
    an_owner,
    counts,
    imported,
    outcomes,
    post_job,
    preview,
    run,
    shown,
    transactions,
)

SAMPLE = Path(__file__).parents[1] / "firefly" / "sample"
LISTS = (
    "accounts", "transactions", "bills", "budgets", "categories", "tags", "piggy_banks", "rules", "rule_groups",
    "recurrences", "available_budgets", "attachments",
)  # fmt: skip


@pytest.fixture
def me(world):
    return an_owner(world)


@pytest.fixture
def firefly(me, world):
    job = a_job(me, (SAMPLE / "api.zip").read_bytes(), "firefly.zip")
    assert (job["attributes"]["state"], job["attributes"]["format"]) == ("ready", "firefly-iii")
    return job, run(world, me, job)


def examined(world, client):
    """What the doctor finds in the books of one user: looking at everybody in the shared world takes long."""
    with world.books.reading() as db:
        return list(examine_user(db, client.user.id))


def totals(client):
    return {name: client.get(f"/{name}", type="all").json()["meta"]["pagination"]["total"] for name in LISTS}


def test_everything_of_a_running_firefly_iii_comes_over(me, world, firefly):
    _, done = firefly

    assert (done["state"], counts(done)) == ("done", (304, 304, 0, 0, 0)), done["findings"]
    report = done["report"]
    assert {kind: of for kind, of in report["counts"].items() if of["source"] != of["here"]} == {}
    # The books hold 10.005 EUR once, which no account of ours can.
    assert {(one["account"], abs(float(one["difference"]))) for one in report["differences"]} == {
        ("Checking", 0.005),
        ("Kiosk", 0.005),
    }
    assert {row for one in report["differences"] for row in one["rows"]} == {185}
    assert report["balances_compared"] - report["balances_equal"] == len(report["differences"])
    assert len(report["files"][0]["sha256"]) == 64
    assert examined(world, me) == []


def test_taken_over_again_only_what_is_new_comes(me, world, firefly):
    """And what came before is proved as well."""
    before, report = totals(me), firefly[1]["report"]

    again = run(world, me, a_job(me, (SAMPLE / "api.zip").read_bytes(), "firefly.zip"))

    assert counts(again) == (304, 0, 304, 0, 0)
    proof = ("balances_compared", "balances_equal", "differences", "balances")
    assert {name: again["report"][name] for name in proof} == {name: report[name] for name in proof}
    for kind in ("transactions", "accounts"):
        assert again["report"]["counts"][kind] == report["counts"][kind]
    # The archive itself.
    assert totals(me) == before | {"attachments": before["attachments"] + 1}


BUN = "2024-05-03 * Baker\n  Expenses:Food  1.50 EUR\n  Assets:Cash\n\n"
TEA = "2024-05-01 Kiosk\n  Expenses:Food  2.00 EUR\n  Assets:Cash\n\n"
JAM = "2024-05-02 Grocer\n  Expenses:Food  3.00 EUR\n  Assets:Cash\n\n"
OPENED = "2024-01-01 open Expenses:Food\n2024-01-01 open Assets:Cash\n\n"


@pytest.mark.any_database
@pytest.mark.parametrize("filename", ["all.journal", "all.beancount"])
def test_transactions_without_ids_are_known_by_what_they_say_not_by_their_place(me, world, filename):
    def take_over(*entries):
        text = "".join(entries)
        if filename == "all.beancount":
            text = OPENED + re.sub(r"^(2024-05-0\d) (?:\* )?(\w+)$", r'\1 * "\2"', text, flags=re.MULTILINE)
        done = run(world, me, a_job(me, text.encode(), filename))
        assert done["report"]["balances_compared"] == done["report"]["balances_equal"] > 0
        return counts(done)

    assert take_over(BUN, BUN) == (2, 2, 0, 0, 0)
    assert take_over(TEA) == (1, 1, 0, 0, 0)  # another file, which begins with another
    assert take_over(TEA, JAM, BUN, BUN, BUN) == (5, 2, 3, 0, 0)  # the same, gone on with


def test_rule_groups_made_since_move_up_when_a_takeover_is_undone(me, firefly):
    response = me.post("/rule_groups", {"title": "Mine", "active": True})
    group = response.json()["data"]
    assert (response.status_code, group["attributes"]["order"] > 1) == (200, True)

    assert me.post(f"/import_jobs/{firefly[0]['id']}/undo").status_code == 200

    assert [one["attributes"]["order"] for one in me.get("/rule_groups").json()["data"]] == [1]


def test_a_takeover_can_be_undone(me, world, firefly):
    job, _ = firefly

    answer = me.post(f"/import_jobs/{job['id']}/undo")

    assert answer.status_code == 200, answer.text
    assert shown(me, job)["state"] == "undone"
    left = totals(me)
    assert {name for name, total in left.items() if total} == {"accounts", "attachments"}
    assert left["attachments"] == 1  # the archive itself
    names = {one["attributes"]["name"] for one in me.get("/accounts", type="all").json()["data"]}
    assert names == {"Cash account"}


ON_BOTH = ("journal", "actual")


@pytest.mark.parametrize("sample", [
    sample if sample in ON_BOTH else pytest.param(sample, marks=pytest.mark.any_database) for sample in sorted(SAMPLES)
])  # fmt: skip
def test_the_books_of_every_program_are_taken_over_with_equal_balances(me, world, sample):
    """Everything that each reader knows, in one file."""
    name, filename, content = SAMPLES[sample]
    job = a_job(me, content(), filename)
    rows = preview(me, job)
    assert transactions(me) == []
    assert job["attributes"]["format"] == {"journal": "hledger", "lunch money": "lunch-money"}.get(name, name)

    done = run(world, me, job)

    assert done["state"] == "done", done["findings"]
    assert set(outcomes(rows)) == {"new"}
    assert all(one["type"] for row in rows for one in row["transactions"])
    assert sum(len(row["transactions"]) for row in rows) == min(50, done["counts"]["read"])
    assert set(outcomes(preview(me, job))) == {"duplicate"}
    assert done["report"]["differences"] == []
    assert done["report"]["balances_compared"] > 0
    assert done["counts"]["rejected"] == 0, [one for one in done["findings"] if one["rejected"]]
    assert examined(world, me) == []
    assert me.post(f"/import_jobs/{job['id']}/undo").status_code == 200
    assert totals(me) | {"attachments": 0} == dict.fromkeys(LISTS, 0) | {"accounts": 1}


def test_what_another_farthing_exported_is_brought_into_empty_books(me, someone_else, world):
    account = an_account(someone_else)
    imported(world, someone_else, a_csv("2024-05-02,Grocer,Shopping,-52.10"), account_id=account)
    archive = someone_else.get("/export", format="json").content

    job = a_job(me, archive, "books.zip")
    done = run(world, me, job)

    assert (job["attributes"]["format"], done["state"]) == ("farthing", "done"), done["findings"]
    assert [(one["description"], one["amount"]) for one in transactions(me)] == [("Shopping", -52.10)]
    [checking] = [one["id"] for one in me.get("/accounts", type="asset").json()["data"]]
    same = a_job(me, a_csv("2024-05-02,Grocer,Shopping,-52.10"), account_id=checking)
    assert outcomes(preview(me, same)) == ["duplicate"]
    again = run(world, me, a_job(me, archive, "books.zip"))
    assert again["state"] == "failed"
    assert "only be loaded into empty books" in again["findings"][0]["message"]
    assert me.post(f"/import_jobs/{job['id']}/undo").status_code == 200
    assert transactions(me) == []
    assert shown(me, job)["state"] == "undone"


def test_our_own_csv_export_comes_back_with_equal_balances(me, someone_else, world):
    """Also with cells that a spreadsheet would take for formulas."""
    checking = an_account(someone_else, "=Checking")
    savings = an_account(someone_else, "+Savings")
    odd = a_csv(
        "2024-05-02,-Grocer,=SUM(A1),-52.10", "2024-05-03,@Employer,'=quoted,2500.00", "2024-05-04,,To savings,-100"
    )
    imported(world, someone_else, odd, account_id=checking)
    imported(world, someone_else, a_csv("2024-05-05,,From checking,100"), account_id=savings)
    table = someone_else.get("/export", format="csv").content

    done = imported(world, me, table, filename="transactions.csv")

    assert (done["format"], done["state"]) == ("firefly-iii", "done"), done["findings"]
    assert done["report"]["differences"] == []
    names = ("date", "type", "description", "amount", "source_name", "destination_name")
    assert [[one[name] for name in names] for one in transactions(me)] == [
        [one[name] for name in names] for one in transactions(someone_else)
    ]


def test_decisions_about_single_rows_are_refused_for_the_books_of_another_program(me):
    _, name, write = SAMPLES["beancount"]
    content = write()
    job = a_job(me, content, name)
    rows = {"rows": {"3": "skip"}}

    answers = [
        post_job(me, content, name, options=rows),
        me.put(f"/import_jobs/{job['id']}", {"options": rows}),
        me.post(f"/import_jobs/{job['id']}/preview", rows),
        me.post(f"/import_jobs/{job['id']}/run", rows),
    ]

    assert [answer.status_code for answer in answers] == [422] * 4
    assert [next(iter(answer.json()["errors"])) for answer in answers] == ["options.rows"] * 2 + ["rows"] * 2
    later = me.post("/import_jobs", {"options": rows}).json()["data"]
    uploaded = me.request("POST", f"/import_jobs/{later['id']}/upload", files={"file": (name, content)}).json()["data"]
    assert uploaded["attributes"]["state"] == "uploaded"
    assert "are imported as a whole" in uploaded["attributes"]["findings"][0]["message"]


@pytest.mark.any_database
@pytest.mark.parametrize(("current", "held"), [("1000000", "target"), ("-5", "nothing")])
def test_a_piggy_bank_holds_at_least_nothing_and_at_most_its_target(me, world, current, held):
    job = a_job(me, _with_piggy_banks_of(current), "firefly.zip")

    assert run(world, me, job)["state"] == "done"

    for bank in me.get("/piggy_banks").json()["data"]:
        told = bank["attributes"]
        most = told["target_amount"] or 1_000_000  # one has no target
        assert told["current_amount"] == (most if held == "target" else 0)
    assert examined(world, me) == []


def _with_piggy_banks_of(current):
    changed = io.BytesIO()
    with zipfile.ZipFile(SAMPLE / "api.zip") as sample, zipfile.ZipFile(changed, "w") as target:
        for name in sample.namelist():
            content = sample.read(name)
            if name.startswith("api/piggy-banks/"):
                content = re.sub(rb'("current_amount": ?)"[^"]*"', rb'\1"%b"' % current.encode(), content)
            target.writestr(name, content)
    return changed.getvalue()
