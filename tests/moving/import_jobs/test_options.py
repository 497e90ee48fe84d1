"""What a job tells and is told: decisions in a form, amounts in another currency."""

from .making import a_csv, a_job, an_account, counts, imported, post_job, run


def test_decisions_about_rows_may_come_in_a_form(me, world):
    account_id = an_account(me)
    job = a_job(me, a_csv("2024-05-01,Shop,One,-1", "2024-05-02,Shop,Two,-2"), account_id=account_id)

    answer = me.request("PUT", f"/import_jobs/{job['id']}", data={"options[rows][3]": "skip"})

    assert answer.json()["data"]["attributes"]["options"]["rows"] == {"3": "skip"}
    assert counts(run(world, me, job)) == (2, 1, 0, 0, 1)


def test_an_amount_in_another_currency_than_the_accounts_is_remarked_once(me, world):
    account_id = an_account(me)
    rows = ("2024-05-01,Shop,One,-1,USD", "2024-05-02,Shop,Two,-2,USD", "2024-05-03,Shop,Three,-3,EUR")

    job = imported(world, me, a_csv(*rows, header="Date,Payee,Description,Amount,Currency"), account_id=account_id)

    assert (job["state"], counts(job)) == ("done", (3, 3, 0, 0, 0))
    assert [(one["row"], one["field"]) for one in job["findings"]] == [(2, "currency")]
    assert "USD" in job["findings"][0]["message"]


def test_a_row_that_cannot_be_linked_as_asked_is_left_out_and_said(me, world):
    account_id = an_account(me)
    job = a_job(me, a_csv("2024-05-01,Shop,One,-1"), account_id=account_id)

    done = run(world, me, job, rows={"2": "link:999"})

    assert counts(done) == (1, 0, 0, 0, 1)
    assert [(one["row"], "transaction 999" in one["message"]) for one in done["findings"]] == [(2, True)]


def test_accounts_of_a_program_that_does_not_tell_their_kinds_get_those_that_are_said(me, world):
    mint = (
        b"Date,Description,Original Description,Amount,Transaction Type,Category,Account Name,Labels,Notes\n"
        b"1/31/2024,Shop,SHOP,10.00,debit,Food,Visa,,\n1/30/2024,Shop,SHOP,5.00,debit,Food,Cash,,\n"
    )
    kinds = {"Visa": "credit card"}

    wrong = post_job(me, mint, options={"kinds": {"Visa": "card"}})
    unknown = imported(world, me, mint, options={"kinds": {"Amex": "credit card"}})
    done = run(world, me, a_job(me, mint, options={"kinds": kinds}))

    assert list(wrong.json()["errors"]) == ["options.kinds.Visa"]
    assert (unknown["state"], "no account “Amex”" in unknown["findings"][-1]["message"]) == ("failed", True)
    assert (done["state"], done["options"]["kinds"]) == ("done", kinds)
    shown = {one["attributes"]["name"]: one["attributes"]["type"] for one in me.get("/accounts").json()["data"]}
    assert (shown["Visa"], shown["Cash"]) == ("Credit card", "Asset account")
