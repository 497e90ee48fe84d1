"""A small household that has used everything once, made through the API: what every later version must carry on."""

from datetime import timedelta
from typing import Any

from farthing.books.accounts import store as accounts
from farthing.identity import users
from farthing.kernel.clock import stamp
from farthing.ledger.kinds import Kind

from ..accounts.making import asset, card, expense, liability, made, revenue
from ..apps.app import registered
from ..builders import an_account_draft
from ..conftest import Client, World
from ..moving.import_jobs.making import a_csv, a_job, imported
from ..recurrences.making import a_recurrence, a_repetition, a_split, fired
from ..sessions.browser import signed_in
from ..transactions.making import a_transaction, posted, split

UNUSUAL = 'It\'s "quoted", 100 % true: {a} \\ back\nsecond line, Ünïcödé 🦆'


def moved_in(world: World) -> None:
    ann, bob = world.someone("Ann@Example.org"), world.someone("bob@example.org")
    ids = _accounts(ann)
    _settings(ann)
    _labelled(ann, ids)
    _exchanged(ann, ids)
    _planned(ann, ids)
    _saved(ann, ids)
    _repeated(ann, ids)
    _attached(ann)
    _imported(world, ann, ids)
    _legacy_kinds(world, ann)
    _let_in(world, ann)
    world.time.now += timedelta(days=1)
    _changed(ann, ids)
    world.time.now += timedelta(days=30)
    assert fired(ann, "2024-06-15")
    _ruled(ann)
    _linked(ann)
    _hooked(bob)
    wallet = made(bob, asset(name="Wallet", opening_balance="20.05", opening_balance_date="2023-12-31"))
    posted(bob, a_transaction("withdrawal", split(source_id=wallet, destination_name="Kiosk", amount="1.10")))


def _let_in(world: World, ann: Client) -> None:
    """An app has its tokens, and a code for more."""
    app = registered(signed_in(world, ann.user), confidential=True)
    app.renew(app.get_tokens()["refresh_token"])
    app.come_back()


def _accounts(ann: Client) -> dict[str, str]:
    bodies = {
        "checking": asset(iban="NL91ABNA0417164300", bic="ABNANL2A", opening_balance="1234.56",
            opening_balance_date="2024-01-01", notes=UNUSUAL),
        "savings": asset(name="Savings", account_role="savingAsset", virtual_balance="-50.5", account_number="12 34"),
        "shared": asset(name="Shared", account_role="sharedAsset", active=False, include_net_worth=False,
            opening_balance="-3", opening_balance_date="2024-02-29"),
        "dollars": asset(name="Dollars", currency_code="USD"),
        "yen": asset(name="Yen", currency_code="JPY", opening_balance="1500", opening_balance_date="2024-03-01"),
        "card": card(),
        "grocer": expense(),
        "employer": revenue(),
        "loan": liability(),
        "debt": liability(name="Debt to Eve", liability_type="debt", interest="0", interest_period="daily"),
        "mortgage": liability(name="House", liability_type="mortgage", liability_amount="250000.00"),
        "credit": liability(name="Credit card debt", liability_type="credit card", interest_period="monthly"),
    }  # fmt: skip
    return {name: made(ann, body) for name, body in bodies.items()}


def _settings(ann: Client) -> None:
    _done(ann.put("/preferences/listPageSize", {"data": 20}))
    _done(ann.put("/preferences/timezone", {"data": "Europe/Amsterdam"}))
    _done(ann.put("/preferences/frontPageAccounts", {"data": [1, 2]}))
    cards = [{"card": "bills", "shown": False}, {"card": "report", "name": "Food", "report": "spending"}]
    _done(ann.put("/preferences/dashboardCards", {"data": cards}))
    rate = {"from": "USD", "to": "EUR", "date": "2024-05-02", "rate": "0.93000000000000000001"}
    _done(ann.post("/exchange_rates", rate))
    _done(ann.post("/currencies", {"code": "FRT", "name": "Farthing", "symbol": "f", "decimal_places": 12}))


def _labelled(ann: Client, ids: dict[str, str]) -> None:
    bought = split(source_id=ids["checking"], destination_id=ids["grocer"], amount="12.50", category_name="Food")
    posted(ann, a_transaction(
        "withdrawal", {**bought, "description": "Bread", "budget_name": "Daily"},
        {**bought, "description": "Milk", "amount": "2", "reconciled": True},
        description=UNUSUAL, notes="Weekly shopping", tags="food, weekly", internal_reference="R-1",
        book_date="2024-05-11", invoice_date="2024-05-01",
    ))  # fmt: skip
    posted(
        ann, a_transaction("deposit", split(destination_id=ids["checking"], source_id=ids["employer"], amount="2000"))
    )
    posted(ann, a_transaction("withdrawal", split(source_id=ids["card"], amount="5"), description="to nobody"))
    reconciled = {"date": "2024-05-12", "statement_balance": "1300", "book_difference": True}
    _done(ann.post(f"/accounts/{ids['checking']}/reconcile", reconciled))


def _exchanged(ann: Client, ids: dict[str, str]) -> None:
    foreign = {"foreign_amount": "11.00", "foreign_currency_code": "USD"}
    abroad = split(source_id=ids["checking"], amount="10", **foreign)
    posted(ann, a_transaction("transfer", {**abroad, "destination_id": ids["dollars"]}, date="2024-04-30"))
    posted(ann, a_transaction("withdrawal", {**abroad, "destination_name": "Diner"}, date="2025-01-01"))
    posted(ann, a_transaction("transfer", split(source_id=ids["yen"], destination_id=ids["savings"], amount="3")))


def _planned(ann: Client, ids: dict[str, str]) -> None:
    _done(ann.post("/bills", {
        "name": "Rent", "match": "rent,landlord", "amount_min": "700", "amount_max": "900", "date": "2024-01-31",
        "repeat_freq": "monthly", "skip": 0, "automatch": 1, "active": 1, "currency_code": "EUR", "notes": UNUSUAL,
    }))  # fmt: skip
    paid = split(source_id=ids["checking"], destination_name="Landlord", amount="800")
    posted(ann, a_transaction("withdrawal", paid, description="Rent of May"))
    _done(ann.post("/available_budgets", {
        "transaction_currency_id": 1, "amount": "500.50", "start_date": "2024-05-01", "end_date": "2024-05-31",
    }))  # fmt: skip

    _done(ann.post("/categories", {"name": "Unused", "colour": "teal", "icon": "basket"}))
    _done(ann.post("/tags", {"tag": "summer"}))
    budget = _made(ann.post("/budgets", {
        "name": "Holidays", "active": 1, "auto_budget_type": "rollover", "auto_budget_amount": "50",
        "auto_budget_period": "monthly",
    }))  # fmt: skip
    bread = _made(ann.post("/categories", {"name": "Bread", "budget_id": budget}))
    parent = _made(ann.post("/categories", {"name": "Younger than its child"}))
    _done(ann.put(f"/categories/{bread}", {"name": "Bread", "parent_id": parent}))
    limit = {"amount": "300", "currency_code": "EUR", "start": "2024-07-01", "end": "2024-07-31"}
    _done(ann.post(f"/budgets/{budget}/limits", limit))
    _done(ann.post("/budgets/move_money", {"from": budget, "amount": "20", "month": "2024-08"}))


def _saved(ann: Client, ids: dict[str, str]) -> None:
    accounts = [{"account_id": ids["savings"]}, {"account_id": ids["checking"], "current_amount": "5"}]
    piggy = _made(ann.post("/piggy_banks", {"name": "Bicycle", "accounts": accounts, "target_amount": "900"}))
    into = split(source_id=ids["checking"], destination_id=ids["savings"], amount="40")
    posted(ann, a_transaction("transfer", into, description="for the bicycle", piggy_bank_id=piggy))


def _repeated(ann: Client, ids: dict[str, str]) -> None:
    saved = a_split(ids["checking"], destination_id=ids["dollars"], foreign_amount="30", foreign_currency_code="USD")
    del saved["destination_name"]
    body = a_recurrence(ids["checking"], type="transfer", title=UNUSUAL[:50], tags="monthly", transactions=[saved])
    repetitions = [a_repetition(), a_repetition("yearly", "2000-02-29", weekend=3) | {"holidays": True}]
    kept = _made(ann.post("/recurrences", {**body, "repetitions": repetitions, "nr_of_repetitions": 12}))
    for day, change in {"2024-06-01": {"date": "2024-06-05"}, "2024-07-01": {"skip": True}}.items():
        _done(ann.put(f"/recurrences/{kept}/occurrences/{day}", change))
    _done(ann.put("/preferences/holidayCountry", {"data": "NL"}))
    _done(ann.post("/recurrences", a_recurrence(ids["checking"], active=False, repeat_until="2025-01-01")))


def _ruled(ann: Client) -> None:
    group = _made(ann.post("/rule_groups", {"title": "Tidy", "description": UNUSUAL, "active": True}))
    does = {
        "rule_triggers": [{"name": "notes_are", "value": UNUSUAL}, {"name": "has_no_tag", "stop_processing": True}],
        "rule_actions": [{"name": "link_to_bill", "value": "Rent"}, {"name": "clear_category"}],
    }
    flags = {"trigger": "update-journal", "strict": True, "stop_processing": True, "active": True}
    _done(ann.post("/rules", {"title": "Odd", "rule_group_id": group, **flags, **does}))


def _linked(ann: Client) -> None:
    """Transactions that are linked, and what only version 6 of the API makes."""
    kind = _made(ann.v6.post("/link-types", {"name": "Gift", "inward": "was given for", "outward": "gives"}))
    first, second, third = (one["id"] for one in ann.get("/transactions", limit=3).json()["data"])
    for type_id, outward in ((kind, second), ("2", third)):
        body = {"link_type_id": type_id, "inward_id": first, "outward_id": outward, "notes": UNUSUAL}
        _done(ann.v6.post("/transaction-links", body))
    group = _made(ann.v6.post("/rule-groups", {"title": "By hand"}))
    triggers = [{"type": "description_is", "value": "x", "prohibited": True}, {"type": "no_notes", "active": False}]
    body = {"title": "Tidy", "rule_group_id": group, "trigger": "manual-activation", "triggers": triggers}
    _done(ann.v6.post("/rules", {**body, "actions": [{"type": "add_tag", "value": "x", "active": False}]}))
    details = {
        "external_id": "E-1",
        "external_url": "https://bank.example/1",
        "sepa_cc": "CC",
        "sepa_batch_id": UNUSUAL,
    }
    place = {"latitude": "52.37", "longitude": "4.9", "zoom_level": 9}
    [newest, *_] = ann.v6.get("/transactions", limit=1).json()["data"]
    _done(ann.v6.put(f"/transactions/{newest['id']}", {"transactions": [{**details, **place}]}))
    period = {"date": "2024-06-01", "repeat_freq": "monthly", "end_date": "2030-01-01", "object_group_title": "Home"}
    _done(ann.v6.post("/bills", {"name": "Energy", "amount_min": "80", "amount_max": "80", **period}))


def _hooked(bob: Client) -> None:
    """A webhook. It is switched off, so that nothing is sent anywhere."""
    does = {"triggers": ["ANY"], "responses": ["RELEVANT"], "deliveries": ["JSON"], "active": False}
    _done(bob.v6.post("/webhooks", {"title": UNUSUAL[:50], "url": "https://hooks.example.org/", **does}))


def _attached(ann: Client) -> None:
    """One with content and one that still waits for it."""
    for filename in ("contract.txt", "later.pdf"):
        body = {"filename": filename, "title": UNUSUAL, "notes": "signed", "model": "Bill", "model_id": 1}
        last = _made(ann.post("/attachments", body))
        if filename == "contract.txt":
            sent = ann.request("POST", f"/attachments/{last}/upload", content=b"The rent is 800.")
            assert sent.status_code == 204, sent.text


def _imported(world: World, ann: Client, ids: dict[str, str]) -> None:
    rows = ("2024-05-02,Bakery,Weekly bread,-52.10", "2024-05-03,Employer,Salary,2500")
    imported(world, ann, a_csv(*rows), account_id=ids["checking"])
    a_job(ann, a_csv(*rows), account_id=ids["savings"])


def _legacy_kinds(world: World, ann: Client) -> None:
    """Kinds that cannot be made over HTTP, but may have come from elsewhere."""
    with world.books.writing() as db:
        users.take(db, ann.user.id, token_id=None, now=stamp(world.time.now), doing="internal")
        for kind in (Kind.DEFAULT, Kind.BENEFICIARY, Kind.IMPORT):
            accounts.add(db, ann.user.id, an_account_draft(kind=kind, name=kind.value), stamp(world.time.now))


def _changed(ann: Client, ids: dict[str, str]) -> None:
    """Something moved, something renamed, something gone."""
    [first] = posted(ann, a_transaction("withdrawal", split(source_id=ids["checking"], destination_name="Gone")))
    [second] = posted(ann, a_transaction("withdrawal", split(source_id=ids["checking"], destination_name="Moved")))
    moved = split(source_id=ids["checking"], destination_name="Moved", amount="1.23", description="part")
    _done(ann.put(f"/transactions/{second['id']}", a_transaction("withdrawal", moved, moved, date="2023-11-11")))
    assert ann.delete(f"/transactions/{first['id']}").status_code == 204
    _done(ann.put(f"/accounts/{ids['dollars']}", asset(name="US Dollars", currency_code="USD")))
    assert ann.delete(f"/accounts/{ids['debt']}").status_code == 204


def _done(response: Any) -> None:
    assert response.status_code == 200, response.text


def _made(response: Any) -> str:
    _done(response)
    return str(response.json()["data"]["id"])
