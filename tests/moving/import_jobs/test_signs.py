"""Do amounts keep their signs, whatever was imported before, for whichever account?"""

import pytest

from .making import a_csv, a_job, an_account, balance, imported, shown

HEADER = "When,What,How much"
COLUMNS = {"date": "When", "description": "What", "amount": "How much"}
CARD = {"account_role": "ccAsset", "cc_type": "monthlyFull", "cc_monthly_payment_date": "2024-01-01"}


def a_file(*rows, header=HEADER):
    return a_csv(*rows, header=header)


def asked(job):
    return [question["field"] for question in job["detected"]["questions"]]


def test_the_mapping_of_an_earlier_file_serves_the_same_account_again(me, world):
    account_id = an_account(me)
    mapping = {"columns": COLUMNS, "invert": True}
    imported(world, me, a_file("2024-05-01,Coffee,2.50", "2024-05-02,Tea,1"), account_id=account_id, mapping=mapping)

    job = a_job(me, a_file("2024-06-01,Tea,1.50", "2024-06-02,Cake,3"), account_id=account_id)["attributes"]

    assert (job["state"], job["mapping"]["invert"], asked(job)) == ("ready", True, [])
    assert "used again" in job["findings"][0]["message"]


def test_signs_and_account_of_one_account_never_serve_another(me, world):
    """Its columns do."""
    card, checking, savings = an_account(me, "Card"), an_account(me, "Checking"), an_account(me, "Savings")
    mapping = {"columns": COLUMNS, "invert": True}
    imported(world, me, a_file("2024-05-01,Coffee,2.50", "2024-05-02,Tea,1"), account_id=card, mapping=mapping)

    imported(world, me, a_file("2024-05-01,Coffee,-4", "2024-05-02,Wage,10"), account_id=checking)
    imported(world, me, a_file("2024-05-03,Interest,7", "2024-05-04,Interest,8"), account_id=savings)
    nobodys = a_job(me, a_file("2024-06-03,Interest,7", "2024-06-04,Interest,8"))
    imported(world, me, a_file("2024-05-05,Coffee,1", "2024-05-06,Tea,2"), account_id=card)

    assert [balance(me, one) for one in (card, checking, savings)] == [-6.5, 6, 15]
    assert (shown(me, nobodys)["state"], shown(me, nobodys)["account_id"]) == ("uploaded", None)
    assert shown(me, nobodys)["mapping"]["columns"] == COLUMNS


def test_an_account_that_is_chosen_later_brings_its_own_signs(me, world):
    card, checking = an_account(me, "Card"), an_account(me, "Checking")
    mapping = {"columns": COLUMNS, "invert": True}
    imported(world, me, a_file("2024-05-01,Coffee,2.50", "2024-05-02,Tea,1"), account_id=card, mapping=mapping)
    job = a_job(me, a_file("2024-06-01,Coffee,2.50", "2024-06-02,Tea,1"))

    inverted = []
    for account_id in (card, checking, card):
        chosen = me.put(f"/import_jobs/{job['id']}", {"account_id": account_id}).json()["data"]["attributes"]
        inverted.append(chosen["mapping"]["invert"])
    said = me.put(f"/import_jobs/{job['id']}", {"mapping": {"columns": COLUMNS, "invert": False}})
    kept = me.put(f"/import_jobs/{job['id']}", {"account_id": card}).json()["data"]["attributes"]

    assert inverted == [True, False, True]
    assert said.json()["data"]["attributes"]["mapping"]["invert"] is False
    assert kept["mapping"]["invert"] is False


def test_an_answer_alone_keeps_the_columns_of_the_earlier_import(me, world):
    first, second = an_account(me, "First"), an_account(me, "Second")
    mapping = {"columns": {**COLUMNS, "description": 3}}
    header = f"{HEADER},Said"
    rows = [a_file("2024-05-01,x,2.50,Coffee", "2024-05-02,y,1,Tea", header=header)] * 2
    imported(world, me, rows[0], account_id=first, mapping=mapping)
    job = a_job(me, rows[1], account_id=second)

    answered = me.put(f"/import_jobs/{job['id']}", {"mapping": {"invert": True}}).json()["data"]["attributes"]

    assert (answered["state"], asked(answered)) == ("ready", [])
    assert (answered["mapping"]["columns"]["description"], answered["mapping"]["invert"]) == (3, True)


def test_what_a_date_was_for_another_account_is_proposed_and_asked(me, world):
    first, second = an_account(me, "First"), an_account(me, "Second")
    imported(world, me, a_csv("05/31/2024,Shop,One,-1", "05/30/2024,Shop,Two,-2"), account_id=first)

    job = a_job(me, a_csv("01/02/2024,Shop,One,-1", "03/04/2024,Shop,Two,-2"), account_id=second)["attributes"]

    assert (job["mapping"]["date_order"], asked(job)) == ("mdy", ["date_order"])
    assert job["detected"]["questions"][0]["choices"][0] == "mdy"


def test_tables_without_a_header_are_alike_only_for_the_same_account(me, world):
    first, second = an_account(me, "First"), an_account(me, "Second")
    other = a_csv("-1.00,Shop,2024-05-01", "-2.00,Baker,2024-05-02", header="-3.00,Butcher,2024-04-30")
    imported(world, me, a_csv("2024-05-01,Shop,-1.00", header="2024-04-30,Shop,-3.00"), account_id=first)

    imported(world, me, other, account_id=second)

    assert balance(me, second) == -6


@pytest.mark.parametrize("card", [{**CARD}, {"account_role": "defaultAsset"}])
def test_a_credit_card_spends_what_is_positive_unless_its_file_says_otherwise(me, card):
    is_card = "cc_type" in card
    account_id = an_account(me, "Card", **card)

    mostly_positive = a_job(me, a_file("2024-05-01,Coffee,2.50", "2024-05-02,Tea,1"), account_id=account_id)
    mostly_negative = a_job(me, a_file("2024-05-01,Coffee,-2.50", "2024-05-02,Tea,-1"), account_id=account_id)
    marked = a_job(me, a_csv("2024-05-01,Coffee,2.50,D", "2024-05-02,Tea,1,C", header="Date,Text,Amount,D/C"),
                   account_id=account_id)  # fmt: skip

    assert [one["attributes"]["mapping"]["invert"] for one in (mostly_positive, mostly_negative, marked)] == [
        is_card, False, False,
    ]  # fmt: skip
    assert asked(mostly_positive["attributes"]) == ["invert"]
