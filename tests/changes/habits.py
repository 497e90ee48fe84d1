"""What a household of chance also does, more rarely: files, imports, rates, debts, and what changes much at once."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from ..accounts.making import card, expense, liability, revenue
from ..attachments.making import upload
from ..moving.import_jobs.making import HEADER, a_csv, post_job
from ..rules.making import a_rule
from .household import TEXTS, Household

MAY = {"start": "2024-05-01", "end": "2024-05-31"}


def list_acts(house: Household) -> list[Callable[[], Any]]:
    acts = (
        attach, attach, change_attachment, remove_attachment, add_rate, change_rate, remove_rate, change_limit,
        change_available, remove_available, copy_limits, owe, change_debt, change_payee, change_payee, earn,
        restore_day, fire_one, run_rules, run_rules, change_matching, remove_matching, remove_many, pay_bill,
        give_back, reconcile_some, import_statement, undo_import, name_in_rule, name_in_rule, default_currency,
        pay_with_piggy_bank, fill_piggy_bank,
    )  # fmt: skip
    return [partial(act, house) for act in acts]


# Files


def attach(house: Household) -> None:
    model, path = house.chance.choice((("Bill", "/bills"), ("TransactionJournal", "/transactions")))
    thing = house.choose(path)
    model_id = thing["attributes"].get("journal_id", thing["id"])
    body = {"filename": "receipt.txt", "model": model, "model_id": model_id}
    made = house.send("POST", "/attachments", body)
    if made.status_code == 200 and house.chance.random() < 0.8:
        house.note(upload(house.me, made.json()["data"]["id"], b"a receipt", "text/plain"))


def change_attachment(house: Household) -> None:
    body = {"filename": "invoice.txt", **house.maybe(title=house.choose_name(), notes="Paid")}
    house.send("PUT", house.choose_address("/attachments"), body)


def remove_attachment(house: Household) -> None:
    house.send("DELETE", house.choose_address("/attachments"))


def import_statement(house: Household) -> None:
    rows = [
        f"2024-05-{house.chance.randint(1, 14):02},Shop,{house.chance.choice(TEXTS)},-{house.chance.choice((10, 800))}"
        for _ in range(3)
    ]
    job = post_job(house.me, a_csv(*rows, header=HEADER), account_id=house.choose_own())
    house.note(job)
    if job.status_code == 200:
        house.send("POST", f"/import_jobs/{job.json()['data']['id']}/run")


def undo_import(house: Household) -> None:
    house.send("POST", f"{house.choose_address('/import_jobs')}/undo")


# Rates and limits


def _rate(house: Household) -> dict[str, Any]:
    return {"from": "USD", "to": "EUR", "date": f"2024-05-{house.chance.randint(1, 5):02}", "rate": "0.92"}


def add_rate(house: Household) -> None:
    house.send("POST", "/exchange_rates", _rate(house))


def change_rate(house: Household) -> None:
    house.send("PUT", house.choose_address("/exchange_rates"), _rate(house))


def remove_rate(house: Household) -> None:
    house.send("DELETE", house.choose_address("/exchange_rates"))


def change_limit(house: Household) -> None:
    start, end = house.chance.choice((("01", "31"), ("20", "31"), ("01", "15")))
    limit = house.choose("/budget_limits", start="2024-01-01", end="2024-12-31")
    days = {"start_date": f"2024-05-{start}", "end_date": f"2024-05-{end}"}
    body = {"budget_id": house.choose("/budgets")["id"], "amount": "70", **days}
    house.send("PUT", f"/budget_limits/{limit['id']}", body | house.maybe(currency_code="USD"))


def change_available(house: Household) -> None:
    days = {"start_date": "2024-05-01", "end_date": "2024-05-31"}
    body = {"amount": "70", "currency_code": house.chance.choice(("EUR", "USD")), **days}
    house.send("PUT", house.choose_address("/available_budgets"), body)


def remove_available(house: Household) -> None:
    house.send("DELETE", house.choose_address("/available_budgets"))


def copy_limits(house: Household) -> None:
    months = house.chance.sample(("2024-04", "2024-05", "2024-06"), 2)
    house.send("POST", "/budgets/copy_limits", {"from": months[0], "to": months[1]})


def default_currency(house: Household) -> None:
    house.send("POST", f"/currencies/{house.chance.choice(('EUR', 'USD'))}/default")


# Accounts


def owe(house: Household) -> None:
    kind = house.chance.choice((liability, card))
    house.send("POST", "/accounts", kind(name=house.choose_name()))


def change_debt(house: Household) -> None:
    more = house.maybe(liability_amount="200", currency_code="USD", active=False)
    kept = house.choose("/accounts", type="liability")
    house.send("PUT", f"/accounts/{kept['id']}", liability(name=house.choose_name(), **more))


def change_payee(house: Household) -> None:
    kind, a_payee = house.chance.choice((("expense", expense), ("revenue", revenue)))
    kept = house.choose("/accounts", type=kind)
    more = house.maybe(currency_code="USD", active=False, account_number="123")
    house.send("PUT", f"/accounts/{kept['id']}", a_payee(name=house.choose_name(), **more))


def earn(house: Household) -> None:
    house.send("POST", "/accounts", revenue(name=house.choose_name()))


def reconcile_some(house: Household) -> None:
    account = house.choose_own()
    ids = [one["id"] for one in house.list_all(f"/accounts/{account}/transactions")[:2]]
    body = {"date": "2024-05-14", "statement_balance": "90", "transactions": ids, "book_difference": True}
    house.send("POST", f"/accounts/{account}/reconcile", body)


def fill_piggy_bank(house: Household) -> None:
    kept = house.choose("/piggy_banks")
    body = {**kept["attributes"], "current_amount": house.chance.choice(("0", "7", "30"))}
    house.send("PUT", f"/piggy_banks/{kept['id']}", {name: value for name, value in body.items() if value is not None})


# Transactions


def pay_bill(house: Household) -> None:
    _change(house, "withdrawal", bill_id=house.choose("/bills")["id"])


def pay_with_piggy_bank(house: Household) -> None:
    _change(house, "transfer", piggy_bank_id=house.choose("/piggy_banks")["id"])


def _change(house: Household, kind: str, **fields: str) -> None:
    kept = house.choose("/transactions", type=kind)
    house.send("PUT", f"/transactions/{kept['id']}", house.make_transaction(kind) | fields)


def give_back(house: Household) -> None:
    body = house.make_transaction("deposit")
    refunds = [one | {"refund": True, "budget_name": house.choose_name()} for one in body["transactions"]]
    house.send("POST", "/transactions", body | {"transactions": refunds})


def change_matching(house: Household) -> None:
    labels = house.maybe(category_name=house.choose_name(), add_tags=house.choose_name(), budget_name="")
    house.send("PUT", "/transactions/matching", labels or {"remove_tags": house.choose_name()}, query="bread")


def remove_matching(house: Household) -> None:
    matching = {"query": "bicycle"}
    count = house.me.get("/transactions/matching", **matching).json()["data"]["matching"]
    house.send("DELETE", "/transactions/matching", expected=count, **matching)


def remove_many(house: Household) -> None:
    ids = ",".join(str(house.choose("/transactions")["id"]) for _ in range(3))
    house.send("DELETE", "/transactions/bulk", ids=ids)


# What happens by itself


def restore_day(house: Household) -> None:
    day = (house.world.time.now + timedelta(house.chance.randint(-1, 5))).date()
    house.send("DELETE", f"{house.choose_address('/recurrences')}/occurrences/{day}")


def fire_one(house: Household) -> None:
    day = (house.world.time.now + timedelta(house.chance.randint(-3, 3))).date()
    house.send("POST", f"{house.choose_address('/recurrences')}/trigger", date=str(day))


def run_rules(house: Household) -> None:
    path = house.chance.choice(("/rules", "/rule_groups"))
    house.send("POST", f"{house.choose_address(path)}/trigger", **MAY)


def name_in_rule(house: Household) -> None:
    """Names in triggers, in several actions, and those of currencies."""
    triggers = house.chance.choice((
        [("category_is", house.choose_name()), ("tag_is", house.choose_name())],
        [("to_account_is", house.choose_name())], [("budget_is", house.choose_name())],
        [("currency_is", "USD"), ("description_contains", "bread")], [("from_account_is", house.choose_name())],
    ))  # fmt: skip
    actions = [("add_tag", house.choose_name()), ("append_notes", "seen"), ("set_category", house.choose_name())]
    group = house.choose("/rule_groups")["id"]
    body = a_rule(group, triggers=triggers, actions=actions[: house.chance.randint(1, 3)], title=house.choose_name())
    house.send(*house.chance.choice((("POST", "/rules"), ("PUT", house.choose_address("/rules")))), body)
