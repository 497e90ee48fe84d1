"""Searches with operators, and the question of importers whether a transaction exists."""

import pytest

from farthing.overviews.search import find as search

from ..transactions.making import a_transaction, asset, made, posted, split, transfer, withdrawal


def data(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def found(client, query):
    return [group["id"] for group in data(client.v6.get("/search/transactions", query=query))]


def post_one(client, body):
    return str(posted(client, body)[0]["attributes"]["journal_id"])


def count(client, **query):
    answer = client.v6.get("/search/transactions/count", **query)
    assert answer.status_code == 200, answer.text
    return answer.json()["count"]


def test_a_split_that_matches_shows_its_whole_group(me):
    checking = made(me, asset())
    splits = [
        split(source_id=checking, amount="5", description="Bread", category_name="Food", destination_name="Market"),
        split(source_id=checking, amount="50", description="Rug", destination_name="Market"),
    ]
    group_id = post_one(me, a_transaction("withdrawal", *splits, description="Saturday"))
    post_one(me, withdrawal(checking, "7", description="Soap"))

    [shown] = data(me.v6.get("/search/transactions", query="category_is:food less:5"))

    assert (shown["id"], shown["type"]) == (group_id, "transactions")
    assert [one["description"] for one in shown["attributes"]["transactions"]] == ["Bread", "Rug"]
    assert found(me, "category_is:food more:50") == []  # each holds for another split
    assert found(me, "saturday -soap") == [group_id]
    assert found(me, 'account_is:"MARKET" date_on:2024-05-10') == [group_id]


def test_days_types_and_one_account_or_label_are_answered_like_a_list(me):
    checking = made(me, asset(name="Checking", opening_balance="5", opening_balance_date="2024-05-03"))
    said = {"source_id": checking, "destination_name": "Market", "category_name": "Food", "budget_name": "Home"}
    splits = [split(**said, description=text) for text in ("Part", "Other part")]
    for day in ("2024-05-01", "2024-05-04"):
        post_one(me, a_transaction("withdrawal", *splits, description="Whole", date=day, tags="sea"))
        post_one(me, withdrawal(checking, date=day))
        back = split(source_name="Market", destination_id=checking, refund=True)
        post_one(me, a_transaction("deposit", back, date=day))

    days = ("date_after:2024-05-03", "type:withdrawal date_before:2024-05-03", "type:transfer", "date_on:today")
    sides = ("account_is", "source_account_is", "destination_account_is")
    accounts = [f"{side}:{name}" for side in sides for name in ("Checking", "Market")]
    labels = ["category_is:food", "tag_is:sea type:withdrawal", "budget_is:home date_on:2024-05-04"]
    for span in (*days, *accounts, *labels, f"account_id:{checking} account_is:Market", "account_id:999999999"):
        lists = [me.v6.get("/search/transactions", query=query, limit=2).json() for query in (span, f"{span} exists:1")]
        assert lists[0]["data"] == lists[1]["data"], span
        assert lists[0]["meta"] == lists[1]["meta"], span
    assert len(found(me, "date_after:2024-05-03")) == 4
    assert found(me, "type:withdrawal type:deposit") == found(me, "date_after:2024-05-03 date_before:2024-05-02") == []


def test_what_clients_send(me):
    checking, savings = made(me, asset()), made(me, asset(name="Savings"))
    lunch = post_one(me, withdrawal(checking, "9.90", description="Lunch", date="2024-05-01", notes="with Ann"))
    moved = post_one(me, transfer(checking, savings, "100", date="2024-05-02", internal_reference="R-17"))
    meanings = {
        "type:withdrawal": [lunch],
        "type:transfer": [moved],
        f'account_id:"{savings},{checking}"': [moved, lunch],
        f"destination_account_id:{savings}": [moved],
        "notes_are:with\\ ann": [],
        'notes_are:"with ann"': [lunch],
        "internal_reference_is:r-17": [moved],
        "source_account_is:Checking -type:transfer": [lunch],
        "(type:withdrawal amount_is:9.9) -notes_contains:bob": [lunch],
        "date_after:2024-05-02": [moved],
        "date_before:2024-05-01": [lunch],
        "created_on:2024-05-15": [moved, lunch],
        "has_any_category:false has_no_bill:true": [moved, lunch],
        f"id:{lunch}": [lunch],
        "reconciled:true": [],
        'description_is:"lunch"': [lunch],
    }

    name = data(me.v6.get("/search/transactions", query=f"id:{lunch}"))[0]["attributes"]["transactions"][0][
        "source_name"
    ]
    for query, ids in meanings.items():
        assert found(me, query.replace("Checking", f'"{name}"')) == ids, query


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("colour:red", "colour"),
        ("Category_is:Food", "Category_is"),
        ("lunch https://x", "https"),
        ("date_after:soon", "date_after"),
        ("more:much", "more"),
        ("type:gift", "type"),
        ("currency_is:QQQ", "currency_is"),
        ("-(reconciled:perhaps)", "reconciled"),
        ("id:x", "id"),
        ("", "required"),
        ("()", "required"),
        ("x " * 21, "20 parts"),
        ("x" * 2001, "2000 characters"),
        ("description_contains:", "description_contains"),
        ('lunch category_is:" "', "category_is"),
        ('-external_id_is:""', "external_id_is"),
        ("account_nr_is:", "account_nr_is"),
        ('lunch "with ann', '"with ann'),
        ('notes_are:"', '"'),
        ("date_on:xxxx-xx-41 amount_is:1e30", "amount_is"),
    ],
)
def test_what_cannot_be_understood_is_named_and_never_an_empty_list(me, query, named):
    answer = me.v6.get("/search/transactions", query=query)

    assert answer.status_code == 422
    assert named in answer.json()["message"]
    assert list(answer.json()["errors"]) == ["query"]


def test_pages_of_a_search_keep_the_query(me):
    checking = made(me, asset())
    for number in range(3):
        post_one(me, withdrawal(checking, "1", description=f"Tea & cake {number}"))

    answer = me.v6.get("/search/transactions", query='"tea & cake"', limit=2).json()

    assert answer["meta"]["pagination"] == {
        "total": 3, "count": 2, "per_page": 2, "current_page": 1, "total_pages": 2
    }  # fmt: skip
    assert len(me.request("GET", answer["links"]["next"]).json()["data"]) == 1


def test_an_importer_hears_of_everything_that_exists(me, world, monkeypatch):
    monkeypatch.setattr(search, "LOOKED_AT_MAX", 10)
    monkeypatch.setattr(search, "_BATCH", 5)
    checking = made(me, asset())
    wanted = withdrawal(checking, "3", description="Coffee to go", notes="from abroad", internal_reference="17-b")
    entry_id = post_one(me, wanted | {"date": "2024-01-01"})
    for _ in range(30):
        post_one(me, withdrawal(checking, "3", description="Coffee", notes="go to"))
    with world.books.writing() as db:
        sql = "INSERT INTO entry_details (user_id, entry_id, external_id) VALUES (:user_id, :entry_id, 'X-1')"
        db.run(sql, user_id=me.user.id, entry_id=int(entry_id))

    for query in (
        'description_is:"coffee to go"',
        'notes_are:"from abroad"',
        "external_id_is:X-1",
    ):
        assert found(me, query) == [entry_id], query
    assert found(me, "external_id_is:x-1") == []
    assert found(me, "external_id_ends:-1 date_before:2024-01-01") == [entry_id]
    assert count(me, external_identifier="X-1") == 1
    assert count(me, external_identifier="X-1", description="Coffee") == 0
    assert count(me, internal_identifier="17-b", notes="from abroad") == 1
    assert count(me, description="Coffee") == 30
    assert count(me, description="Coffee to go", notes="from abroad") == 1
    assert count(me, description="coffee unheard of") == 0
    assert count(me, notes="—") == 0


def test_what_was_deleted_is_counted_on_request(me, world):
    checking = made(me, asset())
    splits = [split(source_id=checking, description=text) for text in ("Part", "Other part")]
    entry_id = post_one(
        me, a_transaction("withdrawal", *splits, description="Whole", notes="N", internal_reference="R")
    )
    with world.books.writing() as db:
        sql = "INSERT INTO entry_details (user_id, entry_id, external_id) VALUES (:user_id, :entry_id, 'E')"
        db.run(sql, user_id=me.user.id, entry_id=int(entry_id))
    texts = {"description": "Part", "notes": "N", "internal_identifier": "R", "external_identifier": "E"}
    assert count(me, **texts) == 1

    assert me.v6.delete(f"/transactions/{entry_id}").status_code == 204

    assert count(me, **texts) == 0
    assert count(me, **texts, include_deleted="true") == 1
    assert count(me, **{**texts, "notes": "M"}, include_deleted="true") == 0
    [change] = me.get("/changes", limit=1).json()["data"]
    me.post(f"/changes/{change['id']}/undo", {})
    assert count(me, **texts, include_deleted="true") == 1


def test_existence_needs_at_least_one_text(me):
    answer = me.v6.get("/search/transactions/count", include_deleted="true")

    assert answer.status_code == 422
    assert list(answer.json()["errors"]) == ["external_identifier"]


def test_accounts_are_found_by_parts_of_names_and_numbers(me):
    iban = "DE89370400440532013000"
    savings = str(made(me, asset(name="Café savings", iban=iban)))
    cash = str(made(me, asset(name="Cash at the cafe", account_number="00 42")))

    def accounts(query, **more):
        return [account["id"] for account in data(me.v6.get("/search/accounts", query=query, **more))]

    assert accounts("CAFE", field="all") == [savings, cash]
    assert accounts("cafe", field="name", type="asset") == [savings, cash]
    assert accounts("cafe", field="name", type="expense") == []
    assert accounts("cafe", field="iban") == []
    assert accounts("3704 0044", field="iban") == [savings]
    assert accounts("0042", field="number") == [cash]
    assert accounts(cash, field="id") == [cash]
    assert accounts("cafe", field="all", limit=1, page=2) == [cash]
    for query, named in (({"query": " "}, "query"), ({"query": "x", "field": "colour"}, "field")):
        answer = me.v6.get("/search/accounts", **query)
        assert (answer.status_code, list(answer.json()["errors"])) == (422, [named])
