"""The same thing twice: by the bank's id, by what a row says, typed by hand before, and as two halves of a transfer."""

import pytest

from ...transactions.making import a_transaction as transaction
from ...transactions.making import deposit, posted_one, split, withdrawal
from .making import a_csv, a_job, an_account, balance, counts, imported, outcomes, preview, run, transactions

WITH_ID = "Date,Description,Amount,Transaction ID"
WITH_IBAN = "Date,Description,Amount,Counterparty IBAN"
SAVINGS_IBAN, CHECKING_IBAN = "NL20INGB0001234567", "NL91ABNA0417164300"


def ids(*rows):
    return a_csv(*rows, header=WITH_ID)


BY_ID = {"columns": {"date": 0, "description": 1, "amount": 2, "bank_id": 3}}


def test_the_banks_id_counts_together_with_the_amount_and_the_account(me, world):
    checking, savings = an_account(me), an_account(me, "Savings")
    first = ids("2024-05-01,Rent,-700,A1", "2024-05-01,Fee,-5,A1", "2024-05-02,Coffee,-2.50,A2")

    imported(world, me, first, account_id=checking)
    again = imported(world, me, ids("2024-05-03,Rent booked,-700,A1", "2024-05-04,New,-1,A9"), account_id=checking)
    elsewhere = imported(world, me, ids("2024-05-01,Rent,-700,A1"), account_id=savings)

    assert counts(again) == (2, 1, 1, 0, 0)
    assert counts(elsewhere) == (1, 1, 0, 0, 0)
    assert balance(me, checking) == -708.50


def test_a_bank_that_uses_an_id_again_next_month_loses_nothing(me, world):
    checking = an_account(me)
    imported(world, me, ids("2024-04-01,Rent,-700,1"), account_id=checking)

    job = imported(world, me, ids("2024-05-01,Rent,-700,1", "2024-05-01,Rent,-700,1"), account_id=checking)

    assert counts(job) == (2, 1, 1, 0, 0)


def test_what_was_deleted_on_purpose_comes_again_only_when_asked(me, world):
    checking = an_account(me)
    file = a_csv("2024-05-01,Shop,Mistake,-5")
    imported(world, me, file, account_id=checking)
    me.delete(f"/transactions/{transactions(me)[0]['id']}")

    left = imported(world, me, file, account_id=checking)
    again = imported(world, me, file, account_id=checking, options={"deleted": "again"})
    once_more = imported(world, me, file, account_id=checking)

    assert counts(left) == (1, 0, 1, 0, 0)
    assert "deleted" in left["findings"][0]["message"]
    assert counts(again) == (1, 1, 0, 0, 0)
    assert counts(once_more) == (1, 0, 1, 0, 0)
    assert len(transactions(me)) == 1


@pytest.mark.parametrize(("on", "amount", "offered"), [
    ("2024-05-14", "-12.50", True), ("2024-05-06", "-12.50", True), ("2024-05-15", "-12.50", False),
    ("2024-05-10", "-12.51", False), ("2024-05-10", "12.50", False),
])  # fmt: skip
def test_a_row_that_fits_a_transaction_typed_by_hand_is_offered_as_a_link(me, on, amount, offered):
    checking = an_account(me)
    typed = posted_one(me, withdrawal(checking, description="Groceries at the corner"))

    [row] = preview(me, a_job(me, a_csv(f"{on},Corner shop,Groceries,{amount}"), account_id=checking))

    assert row["outcome"] == "new"
    assert [link["transaction_id"] for link in row["links"]] == ([int(typed["id"])] if offered else [])
    if offered:
        assert row["links"][0]["score"] > 30
        assert "same amount" in row["links"][0]["reason"]


def test_a_sure_link_is_taken_when_asked_and_then_known(me, world):
    checking = an_account(me)
    posted_one(me, withdrawal(checking))
    file = a_csv("2024-05-11,Corner shop,Groceries,-12.50")

    job = imported(world, me, file, account_id=checking, options={"link": "sure"})

    assert counts(job) == (1, 0, 0, 1, 0)
    assert len(transactions(me)) == 1
    assert outcomes(preview(me, a_job(me, file, account_id=checking))) == ["duplicate"]


def test_an_ambiguous_link_is_not_taken_by_itself(me, world):
    checking = an_account(me)
    posted_one(me, withdrawal(checking))
    posted_one(me, withdrawal(checking, date="2024-05-12"))

    job = imported(world, me, a_csv("2024-05-11,Shop,Groceries,-12.50"), account_id=checking, options={"link": "sure"})

    assert counts(job) == (1, 1, 0, 0, 0)
    assert "may match transaction" in job["findings"][0]["message"]


def test_the_user_decides_about_single_rows(me, world):
    checking = an_account(me)
    typed = posted_one(me, withdrawal(checking))
    job = a_job(me, a_csv("2024-05-11,Shop,One,-12.50", "2024-05-11,Shop,Two,-1"), account_id=checking)

    me.put(f"/import_jobs/{job['id']}", {"options": {"rows": {"2": f"link:{typed['id']}", "3": "skip"}}})
    rows = preview(me, job)
    done = run(world, me, job)

    assert outcomes(rows) == ["linked", "skipped"]
    assert counts(done) == (2, 0, 0, 1, 1)
    assert len(transactions(me)) == 1


@pytest.mark.parametrize("typed", ["split", "reconciled"])
def test_a_split_of_a_larger_one_and_what_is_reconciled_are_never_offered(me, typed):
    checking = an_account(me)
    half = split(source_id=checking, destination_name="Grocer", description="half")
    body = transaction("withdrawal", half, {**half, "description": "other half"})
    if typed == "reconciled":
        body = transaction("withdrawal", split(source_id=checking, destination_name="Grocer", reconciled=True))
    assert me.post("/transactions", body).status_code == 200

    [row] = preview(me, a_job(me, a_csv("2024-05-10,Grocer,Groceries,-12.50"), account_id=checking))

    assert row["links"] == []


def test_a_row_that_equals_the_sum_of_a_typed_split_is_offered_the_whole(me, world):
    checking, savings = an_account(me), an_account(me, "Savings")
    half = split(source_id=checking, destination_name="Grocer", description="half")
    body = transaction("withdrawal", half, {**half, "amount": "7.50", "description": "other half"})
    typed = me.post("/transactions", body)
    assert typed.status_code == 200, typed.text
    file = a_csv("2024-05-11,Grocer,Groceries,-20.00")

    [row] = preview(me, a_job(me, file, account_id=checking))
    [stranger] = preview(me, a_job(me, a_csv("2024-05-11,Grocer,Groceries,20.00"), account_id=savings))
    job = imported(world, me, file, account_id=checking, options={"link": "sure"})

    assert (row["outcome"], len(row["links"]), stranger["links"]) == ("new", 1, [])
    assert "splits add up" in row["links"][0]["reason"]
    assert counts(job) == (1, 0, 0, 1, 0)
    assert outcomes(preview(me, a_job(me, file, account_id=checking))) == ["duplicate"]


def test_the_two_halves_of_a_transfer_become_one_also_a_week_later(me, world):
    checking, savings = an_account(me), an_account(me, "Savings")
    imported(world, me, a_csv("2024-05-01,,To savings,-100"), account_id=checking)
    job = a_job(me, a_csv("2024-05-03,,From checking,100"), account_id=savings)

    rows = preview(me, job)
    done = run(world, me, job)

    assert outcomes(rows) == ["paired"]
    assert counts(done) == (1, 0, 0, 1, 0)
    [only] = transactions(me)
    assert (only["type"], only["source_name"], only["destination_name"]) == ("Transfer", "Checking", "Savings")
    assert (balance(me, checking), balance(me, savings)) == (-100, 100)


def test_undoing_the_second_half_leaves_the_first_as_it_was(me, world):
    checking, savings = an_account(me), an_account(me, "Savings")
    imported(world, me, a_csv("2024-05-01,Bank,To savings,-100"), account_id=checking)
    before = transactions(me)
    job = a_job(me, a_csv("2024-05-03,Bank,From checking,100"), account_id=savings)
    run(world, me, job)

    me.post(f"/import_jobs/{job['id']}/undo")

    assert _without_stamps(transactions(me)) == _without_stamps(before)
    assert (balance(me, checking), balance(me, savings)) == (-100, 0)


def _without_stamps(found):
    return [{name: value for name, value in one.items() if name != "updated_at"} for one in found]


def test_a_pair_can_be_refused(me, world):
    checking, savings = an_account(me), an_account(me, "Savings")
    imported(world, me, a_csv("2024-05-01,,A coincidence,-100"), account_id=checking)
    job = a_job(me, a_csv("2024-05-03,,Another,100"), account_id=savings, options={"rows": {"2": "new"}})

    done = run(world, me, job)

    assert counts(done) == (1, 1, 0, 0, 0)
    assert [one["type"] for one in transactions(me)] == ["Withdrawal", "Deposit"]


def test_opposite_amounts_with_two_strangers_are_no_transfer(me, world):
    checking, savings = an_account(me), an_account(me, "Savings")
    imported(world, me, a_csv("2024-05-01,Grocer,Shopping,-100"), account_id=checking)

    [row] = preview(me, a_job(me, a_csv("2024-05-01,Employer,Bonus,100"), account_id=savings))

    assert row["outcome"] == "new"


def test_an_iban_of_ones_own_makes_a_transfer_at_once_and_its_other_half_is_known(me, world):
    checking, savings = an_account(me, iban=CHECKING_IBAN), an_account(me, "Savings", iban=SAVINGS_IBAN)
    first = a_csv(f"2024-05-01,Saving,-100,{SAVINGS_IBAN}", header=WITH_IBAN)
    second = a_csv(f"2024-05-02,Saving,100,{CHECKING_IBAN}", header=WITH_IBAN)

    one = imported(world, me, first, account_id=checking)
    other = imported(world, me, second, account_id=savings)

    assert (counts(one), counts(other)) == ((1, 1, 0, 0, 0), (1, 0, 0, 1, 0))
    assert [one["type"] for one in transactions(me)] == ["Transfer"]
    assert (balance(me, checking), balance(me, savings)) == (-100, 100)


def test_a_file_of_several_accounts_is_sorted_and_paired(me, world):
    checking, savings = an_account(me, iban=CHECKING_IBAN), an_account(me, "Savings", iban=SAVINGS_IBAN)
    file = a_csv(
        f"{CHECKING_IBAN},2024-05-01,To savings,-100",
        f"{CHECKING_IBAN},2024-05-02,Coffee,-2.50",
        f"{SAVINGS_IBAN},2024-05-02,From checking,100",
        header="Account,Date,Description,Amount",
    )

    job = a_job(me, file)
    rows = preview(me, job)
    done = run(world, me, job)

    assert outcomes(rows) == ["new", "new", "paired"]
    assert (done["state"], counts(done)) == ("done", (3, 2, 0, 1, 0))
    assert (balance(me, checking), balance(me, savings)) == (-102.50, 100)


def test_a_deposit_typed_by_hand_is_no_half_of_a_transfer(me, world):
    checking, savings = an_account(me), an_account(me, "Savings")
    posted_one(me, deposit(savings, amount="100", date="2024-05-01"))

    [row] = preview(me, a_job(me, a_csv("2024-05-01,,To savings,-100"), account_id=checking))

    assert (row["outcome"], row["links"]) == ("new", [])


def test_what_was_taken_over_is_offered_when_the_banks_file_comes(me, world):
    journal = b"2024-05-10 Groceries\n    Expenses:Food  12.50 EUR\n    Assets:Checking\n"
    imported(world, me, journal, filename="books.hledger")
    [checking] = [one["id"] for one in me.get("/accounts", type="asset").json()["data"]]

    [row] = preview(me, a_job(me, a_csv("2024-05-11,Grocer,Card,-12.50"), account_id=checking))

    assert (row["outcome"], len(row["links"])) == ("new", 1)


def test_the_accounts_of_a_qif_file_are_paired_by_their_names(me, world):
    checking, savings = an_account(me), an_account(me, "Savings")
    file = (
        "!Option:AutoSwitch\n!Account\nNChecking\nTBank\n^\n!Type:Bank\nD5/13/2024\nT-100.00\nPMoved\nL[Savings]\n^\n"
        "!Account\nNSavings\nTBank\n^\n!Type:Bank\nD5/13/2024\nT100.00\nPSomething else\nL[Checking]\n^\n"
    )

    done = imported(world, me, file.encode(), filename="books.qif")

    assert (done["state"], counts(done)) == ("done", (2, 1, 0, 1, 0)), done["findings"]
    assert (balance(me, checking), balance(me, savings)) == (-100, 100)


def test_a_running_balance_that_does_not_fit_is_a_finding(me, world):
    checking = an_account(me)
    file = a_csv(
        "2024-05-01,One,-10,90", "2024-05-02,Two,-10,80", "2024-05-03,Three,-10,75", header="Date,Text,Amount,Balance"
    )

    done = imported(world, me, file, account_id=checking)

    assert (done["state"], [one["row"] for one in done["findings"]]) == ("done", [4])


def test_two_rows_far_apart_in_a_file_that_fit_one_transaction_are_not_sure(me, world):
    """Though they are booked one after the other, in units of work of their own."""
    account_id = an_account(me)
    posted_one(me, withdrawal(account_id))
    others = [f"2024-05-10,Shop,Row {number},-{number}" for number in range(100, 160)]
    rows = ("2024-05-10,Market,One,-12.50", *others, "2024-05-11,Market,Two,-12.50")

    job = imported(world, me, a_csv(*rows), account_id=account_id, options={"link": "sure"})

    assert counts(job) == (62, 62, 0, 0, 0)


def test_a_bank_that_gives_all_rows_one_id_loses_none(me, world):
    checking = an_account(me)
    rows = ("2024-05-01,Bakery,-3,0", "2024-05-02,Bakery,-3,0", "2024-05-02,Kiosk,-3,0", "2024-05-02,Kiosk,-3,0")

    first, again, overlapping = (
        imported(world, me, ids(*some), account_id=checking, mapping=BY_ID) for some in (rows, rows, rows[1:])
    )

    assert [counts(job) for job in (first, again, overlapping)] == [
        (4, 3, 1, 0, 0),
        (4, 0, 4, 0, 0),
        (3, 0, 3, 0, 0),
    ]


def test_a_row_that_names_an_own_iban_is_no_transfer_if_the_user_says_so(me, world):
    checking = an_account(me, iban=CHECKING_IBAN)
    an_account(me, "Savings", iban=SAVINGS_IBAN)
    file = a_csv(f"2024-05-01,Saving,-100,{SAVINGS_IBAN}", header=WITH_IBAN)

    imported(world, me, file, account_id=checking, options={"rows": {"2": "new"}})

    assert [one["type"] for one in transactions(me)] == ["Withdrawal"]
