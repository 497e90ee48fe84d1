"""What was on the account after each transaction? Asked for with the list of its transactions."""

from .making import asset, books_of, errors, exact, made

STORY = """
    2024-05-01 deposit    Employer -> Checking  1000.00 EUR
    2024-05-02 withdrawal Checking -> Grocer      12.50 EUR
    2024-05-02 transfer   Checking -> Savings    100.00 EUR
    2024-05-02 withdrawal Checking -> Grocer       7.50 EUR
    2024-06-01 deposit    Employer -> Checking  1000.00 EUR
"""


def running(client, account_id, **query):
    answer = exact(client.get(f"/accounts/{account_id}/transactions", balances=1, **query))
    return [str(answer["meta"]["balances"][one["id"]]) for one in answer["data"]]


def test_each_transaction_has_the_balance_after_it_on_every_page_and_of_every_type(world, me):
    books = books_of(world, me)
    books.keep(STORY)
    checking, savings = books.ids["Checking"].id, books.ids["Savings"].id
    whole = ["1880", "880", "887.5", "987.5", "1000"]

    assert running(me, checking) == whole
    assert [one for page in (1, 2, 3) for one in running(me, checking, limit=2, page=page)] == whole
    assert running(me, checking, type="deposit") == ["1880", "1000"]
    assert running(me, checking, start="2024-05-01", end="2024-05-02") == whole[1:]
    assert running(me, savings) == ["100"]
    assert running(me, books.ids["Grocer"].id) == ["20", "12.5"]
    assert "balances" not in me.get(f"/accounts/{checking}/transactions").json()["meta"]


def test_an_amount_in_another_currency_counts_as_what_the_account_was_charged(me):
    account_id = made(me, asset(opening_balance="50", opening_balance_date="2024-01-01", virtual_balance="5"))
    both = {"amount": "20", "currency_code": "USD", "foreign_amount": "18.50", "foreign_currency_code": "EUR"}
    two = [{"amount": "1", "currency_code": "EUR", "source_id": account_id, "description": text} for text in "ab"]
    for on, splits in (("2024-02-01", [{**both, "source_id": account_id}]), ("2024-03-01", two)):
        body = {"type": "withdrawal", "date": on, "description": "Trip", "transactions": splits}
        assert me.post("/transactions", body).status_code == 200

    assert running(me, account_id) == ["34.5", "35.5", "36.5", "55"]
    assert running(me, account_id, start="2030-01-01", end="2030-02-01") == []
    assert list(errors(me.get(f"/accounts/{account_id}/transactions", balances="perhaps"))) == ["balances"]
