"""Every format has what it can express: refunds, sub-categories, budgets that carry over, own rates, saved filters."""

import json
import sqlite3
from pathlib import Path
from zipfile import ZipFile

import pytest

from ...accounts.making import asset, made
from ...conftest import Client, World
from ...exchange_rates.making import a_rate
from ...labels.making import BUDGET, CATEGORY, a_label
from ...ledgers import balances_of_hledger, check_beancount, check_hledger
from ...transactions.making import a_transaction, posted, split
from .making import exported

_EACH_MONTH = {
    "auto_budget_type": "reset", "auto_budget_amount": "50", "auto_budget_period": "monthly",
    "auto_budget_currency_code": "EUR",
}  # fmt: skip


@pytest.fixture
def ann(world) -> Client:
    """Spent 12.50 on apples and got 4 back."""
    client: Client = world.someone()
    account = made(client, asset(name="Checking"))
    budget = a_label(client, BUDGET, "Fun: all, of it", carry="overspent", **_EACH_MONTH)
    food = a_label(client, CATEGORY, "Food")
    a_label(client, CATEGORY, "Apples", parent_id=food, budget_id=budget)
    labels = {"category_name": "Apples", "budget_id": budget}
    posted(client, a_transaction("withdrawal", split(source_id=account, destination_name="Shop", **labels)))
    back = split(source_name="Shop", destination_id=account, amount="4", refund=True, **labels)
    posted(client, a_transaction("deposit", back))
    a_rate(client, "GBP", "XBT", "2024-02-29", "0.0000123456")
    saved = [{"name": "Mine", "query": f"account_id={account}"}]
    assert client.put("/preferences/savedFilters", {"data": saved}).status_code == 200
    return client


def write(world: World, client: Client, word: str, folder: Path) -> Path:
    path = folder / word
    path.write_bytes(exported(world.books, client.user.id, word))
    return path


def test_a_database_has_them_as_columns_and_tables(world, ann, tmp_path):
    with sqlite3.connect(write(world, ann, "sqlite", tmp_path)) as file:
        asked = {
            "SELECT type, category, parent_category, refund FROM transactions ORDER BY split_id": [
                ("withdrawal", "Apples", "Food", 0),
                ("deposit", "Apples", "Food", 1),
            ],
            "SELECT name, parent, budget FROM categories": [
                ("Food", None, None),
                ("Apples", "Food", "Fun: all, of it"),
            ],
            "SELECT name, carry, auto_amount, auto_currency, auto_period FROM budgets": [
                ("Fun: all, of it", "overspent", "50.00", "EUR", "monthly")
            ],
            "SELECT from_currency, to_currency, rate FROM exchange_rates": [("GBP", "XBT", "0.0000123456")],
            "SELECT name FROM saved_filters": [("Mine",)],
            "SELECT category, month, units FROM spent_per_category_and_month": [("Apples", "2024-05", 850)],
            "SELECT budget, units FROM spent_per_budget_and_month": [("Fun: all, of it", 850)],
            "SELECT source FROM earned_per_source_and_month": [],
        }
        assert {query: file.execute(query).fetchall() for query in asked} == asked


@pytest.mark.any_database
def test_ledgers_have_them_as_tags_and_prices(world, ann, tmp_path):
    journal, beans = (write(world, ann, word, tmp_path) for word in ("hledger", "beancount"))

    assert (check_hledger(journal), check_beancount(beans)) == ("", "")
    assert balances_of_hledger(journal)["Assets:Checking", "EUR"] == "-8.50"
    for line in (
        "P 2024-02-29 GBP 0.0000123456 XBT",
        "; category Apples: parent: Food, budget: Fun: all; of it",
        "; budget Fun: all, of it: carry: overspent, automatic-limit: 50.00 EUR monthly",
        "    ; parent-category: Food",
        "    ; refund: yes",
    ):
        assert line in journal.read_text().splitlines()
    for line in (
        "2024-02-29 price GBP 0.0000123456 XBT",
        '2024-05-10 custom "farthing-category" "Apples"',
        '  parent: "Food"',
        '  budget: "Fun: all, of it"',
        '  carry: "overspent"',
        '  automatic-limit: "50.00 EUR monthly"',
        '    parent-category: "Food"',
        '    refund: "yes"',
    ):
        assert line in beans.read_text().splitlines()


@pytest.mark.any_database
def test_parquet_has_refunds_and_the_archive_everything(world, ann, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="!!! pyarrow is not installed: Parquet was not tested")
    rows = parquet.read_table(write(world, ann, "parquet", tmp_path)).to_pylist()
    with ZipFile(write(world, ann, "json", tmp_path)) as archive:
        lines = {name: archive.read(f"{name}.jsonl").splitlines() for name in ("budgets", "exchange_rates")}

    assert [(one["refund"], one["parent_category"]) for one in rows] == [(False, "Food"), (True, "Food")]
    assert [json.loads(line)["carry"] for line in lines["budgets"]] == ["overspent"]
    assert len(lines["exchange_rates"]) == 1
