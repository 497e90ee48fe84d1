"""Books with money on several days, accounts and currencies, for charts to show."""

from random import Random
from typing import Any

from ..accounts.making import asset, exact, liability, made
from ..conftest import Client
from ..transactions.making import deposit, posted, split, transfer, withdrawal


def some_books(client: Client, seed: int = 1) -> dict[str, str]:
    """The ids of its accounts by name: two in euros, one in dollars, a loan, and one that does not count."""
    random = Random(seed)
    ids = {
        "Checking": made(client, asset(opening_balance="100", opening_balance_date="2023-01-05", virtual_balance="7")),
        "Savings": made(client, asset(name="Savings")),
        "Dollars": made(client, asset(name="Dollars", currency_code="USD")),
        "Loan": made(client, liability(name="Loan", liability_start_date="2023-02-28")),
        "Secret": made(client, asset(name="Secret", include_net_worth=False)),
    }
    for _ in range(60):
        on = f"202{random.choice('344')}-{random.randint(1, 12):02}-{random.choice(['01', '15', '28'])}"
        posted(client, _anything(random, list(ids.values()), ids["Dollars"]) | {"date": on})
    return ids


def _anything(random: Random, ids: list[str], dollars: str) -> dict[str, Any]:
    one, other = random.sample(ids, 2)
    amount = f"{random.randint(1, 900)}.{random.randint(0, 99):02}"
    kind = random.choice([withdrawal, deposit, transfer])
    body: dict[str, Any] = kind(one, other, amount) if kind is transfer else kind(one, amount)
    if dollars in (one, other):
        # Booked in dollars on that account, and sometimes only in euros: then it holds both.
        more = {"foreign_amount": "11.11", "foreign_currency_code": "USD"} if random.random() < 0.7 else {}
        body["transactions"] = [split(**{**body["transactions"][0], **more})]
    return body


def asked(client: Client, path: str, **query: Any) -> Any:
    response = client.get(path, **query)
    assert response.status_code == 200, response.text
    return exact(response)
