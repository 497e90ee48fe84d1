"""What goes with an account: what is said beforehand is what is gone afterwards."""

from ..attachments.making import attached
from ..bills.making import paid, stored
from ..recurrences.making import a_recurrence
from ..recurrences.making import stored as stored_recurrence
from ..transactions.making import count_rows, posted, transfer, withdrawal
from .making import asset, made


def dependents(client, account_id):
    response = client.get(f"/accounts/{account_id}/dependents")
    assert response.status_code == 200, response.text
    return response.json()["data"]


NOTHING = {"transactions": 0, "attachments": 0, "piggy_banks": 0, "recurrences": 0, "bill_payments": 0}


def test_nothing(me):
    assert dependents(me, made(me, asset())) == NOTHING


def test_it_says_what_goes(world, me):
    going = made(me, asset(name="Going", opening_balance="5", opening_balance_date="2024-01-01"))
    staying = made(me, asset(name="Staying"))
    stored(me)
    paid(me, going)
    paid(me, staying, "2024-04-01")
    posted(me, transfer(staying, going))
    posted(me, withdrawal(staying))
    me.post("/piggy_banks", {"name": "Bicycle", "account_id": going, "target_amount": "600"})
    me.post("/piggy_banks", {"name": "Boat", "account_id": staying, "target_amount": "600"})
    stored_recurrence(me, a_recurrence(going))
    stored_recurrence(me, a_recurrence(staying))
    transaction = me.get(f"/accounts/{going}/transactions").json()["data"][0]["attributes"]["journal_id"]
    attached(me, b"a receipt", model="TransactionJournal", model_id=transaction)
    tables = {"splits": "transactions", "attachments": "attachments", "piggy_banks": "piggy_banks",
              "recurrences": "recurrences"}  # fmt: skip
    before = {table: count_rows(world, me, table) for table in tables}

    said = dependents(me, going)

    assert said == {"transactions": 3, "attachments": 1, "piggy_banks": 1, "recurrences": 1, "bill_payments": 1}
    assert me.delete(f"/accounts/{going}").status_code == 204
    for table, name in tables.items():
        assert before[table] - count_rows(world, me, table) == said[name], table
