"""Doctor finds nothing in honest books, and everything that is planted in dishonest ones."""

from contextlib import closing

import pytest

from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.books.preferences.model import NAMES
from farthing.care.doctor import examine
from farthing.care.doctor.checks import indexes
from farthing.ledger.kinds import Kind

from .builders import AT, Books

STORY = """
account Dollars asset USD
2024-01-31 deposit    Employer -> Checking  2000.00 EUR
2024-05-02 withdrawal Checking -> Groceries   12.50 EUR
           and        Checking -> Bakery       2.00 EUR
2024-05-02 withdrawal Checking -> Groceries    7.50 EUR
2024-05-03 transfer   Checking -> Dollars     10.00 EUR (11.00 USD)
"""


@pytest.fixture
def told(books):
    """Books with a story in them."""
    books.keep(STORY)
    books.opened("Savings", "150", "2024-02-01")
    books.record("2024-05-04 withdrawal Checking -> Groceries 1 EUR", category="Food", tags=["weekly"])
    return books


@pytest.fixture
def new_books(new_database):
    """In a database that is thrown away, for damage that no user's leaving mends."""
    with new_database.writing() as db:
        return Books(new_database, user_lifecycle.add(db, "ann@farthing.example", "no password", "UTC", AT).id)


def sentences(books: Books) -> list[str]:
    return [finding.sentence.removeprefix("ann@farthing.example: ") for finding in books.findings()]


def test_honest_books_have_no_findings(told):
    story = "2024-06-01 withdrawal Checking -> Rent 800 EUR\n2023-01-01 deposit Luck -> Checking 5 EUR"
    first, last = told.keep(story)
    told.rewrite(first, "2024-05-30 withdrawal Checking -> Rent 790 EUR\nChecking -> Bakery 1 EUR")
    told.erase(last)
    told.opened("House", "-200000", "2020-01-01", Kind.MORTGAGE)

    assert told.findings() == []


def test_words_are_counted_right_however_many_texts_there_are(told, monkeypatch):
    monkeypatch.setattr(indexes, "_TEXTS_MAX", 2)

    assert told.findings() == []


def test_progress_says_what_is_examined(told):
    steps: list[str] = []

    assert list(examine(told.database, steps.append)) == []

    assert steps[0] == "the database itself"
    assert "balances of ann@farthing.example" in steps


DRIFTING_BALANCES = {
    "a day": (
        "UPDATE balances SET units = units + 1 WHERE account_id = :account AND period = '2024-05-02'",
        ["{}, on 2024-05-02: the stored balance is -21.99 EUR, but the transactions add up to -22.00 EUR."],
    ),
    "a month": (
        "UPDATE balances SET units = 7 WHERE account_id = :account AND period = '2024-05'",
        ["{}, in 2024-05: the stored balance is 0.07 EUR, but the transactions add up to -33.00 EUR."],
    ),
    "all time": (
        "UPDATE balances SET units = units - 100 WHERE account_id = :account AND grain = 'all'",
        [
            "{}, all time: the stored balance is 1966.00 EUR, but the transactions add up to 1967.00 EUR.",
            "all stored balances in EUR add up to -1.00 EUR, but the sum must be zero.",
        ],
    ),
    "a missing day": (
        "DELETE FROM balances WHERE account_id = :account AND grain = 'day' AND period = '2024-05-03'",
        ["{}, on 2024-05-03: the stored balance is 0.00 EUR, but the transactions add up to -10.00 EUR."],
    ),
    "a day too many, in yen": (
        "INSERT INTO balances VALUES (:user_id, :account, 16, 'day', '2023-01-01', 5, 0)",
        ["{}, on 2023-01-01: the stored balance is 5 JPY, but the transactions add up to 0 JPY."],
    ),
    "a reconciled part": (
        "UPDATE balances SET reconciled = 3 WHERE account_id = :account AND period = '2024-05'",
        ["{}, in 2024-05: the stored reconciled balance is 0.03 EUR, but the transactions add up to 0.00 EUR."],
    ),
    "a zero": ("INSERT INTO balances VALUES (:user_id, :account, 1, 'day', '2023-01-01', 0, 0)", []),
}


@pytest.mark.parametrize("what", DRIFTING_BALANCES)
def test_a_balance_that_drifted_is_told_with_account_day_and_both_figures(told, what):
    sql, expected = DRIFTING_BALANCES[what]
    account_id = told.ids["Checking"].id

    assert told.tamper(sql, account=account_id) == 1

    assert sentences(told) == [sentence.format(f"account {account_id} 'Checking'") for sentence in expected]


def test_a_finding_has_its_figures_as_numbers_too(told):
    account_id = told.ids["Checking"].id
    sql = "UPDATE balances SET units = 7 WHERE account_id = :account AND period = '2024-05'"

    told.tamper(sql, account=account_id)

    (finding,) = told.findings()
    assert (finding.rule, finding.user_id, finding.account_id) == ("balance", told.user_id, account_id)
    assert (finding.period, finding.stored, finding.true) == ("2024-05", 7, -3300)


def test_an_amount_changed_behind_our_back_shows_in_every_sum_it_is_in(told):
    told.tamper("UPDATE splits SET units = units + 1 WHERE on_day = '2024-01-31' AND user_id = :user_id")

    employer, checking = (f"account {told.ids[name].id} '{name}'" for name in ("Employer", "Checking"))
    found = sentences(told)
    for when in ("all time", "in 2024-01", "on 2024-01-31"):
        told_of_employer = "the stored balance is -2000.00 EUR, but the transactions add up to -2000.01 EUR."
        assert f"{employer}, {when}: {told_of_employer}" in found
        earned = "the stored sum is 2000.00 EUR, but the transactions add up to 2000.01 EUR."
        assert f"sum of type deposit, {when}: {earned}" in found
        assert any(one.startswith(f"net worth, {when}: the stored sum is ") for one in found)
        of_account = f"accounts: {told.ids['Employer'].id} 'Employer', type deposit in EUR, {when}"
        assert f"{of_account}: it stores 2000.00 EUR, but the transactions add up to 2000.01 EUR." in found
    arrived = "the stored balance is 2000.00 EUR, but the transactions add up to 2000.01 EUR."
    assert f"{checking}, on 2024-01-31: {arrived}" in found
    assert len(found) == 18


_NINE_SPLITS = "it stores 9 splits, but the transactions add up to 3 splits."
DRIFTING_COUNTS = {
    "entries of a day": (
        "UPDATE counts SET entries = 3 WHERE type = 1 AND period = '2024-05-02'",
        "entries of type withdrawal, on 2024-05-02: the stored count is 3, but there are 2.",
    ),
    "splits of a month": (
        "UPDATE counts SET splits = splits - 1 WHERE type = 1 AND period = '2024-05'",
        "splits of type withdrawal, in 2024-05: the stored count is 3, but there are 4.",
    ),
    "a missing type": (
        "UPDATE counts SET splits = 0 WHERE type = 4 AND grain = 'all'",
        "splits of type opening balance, all time: the stored count is 0, but there are 1.",
    ),
    "splits of an account": (
        "UPDATE sums_of_accounts SET splits = 9 WHERE label_id = :account AND type = 1 AND period = '2024-05-02'",
        f"accounts: {{}} 'Checking', type withdrawal in EUR, on 2024-05-02: {_NINE_SPLITS}",
    ),
}


@pytest.mark.parametrize("what", DRIFTING_COUNTS)
def test_a_count_that_drifted_is_told_with_day_and_both_figures(told, what):
    sql, expected = DRIFTING_COUNTS[what]
    account_id = told.ids["Checking"].id

    assert told.tamper(f"{sql} AND user_id = :user_id", **({"account": account_id} if ":account" in sql else {})) == 1

    assert sentences(told) == [expected.format(account_id)]


BROKEN_RULES = {
    "a split with another day": (
        "UPDATE splits SET on_day = '2024-05-09' WHERE id = {split} AND user_id = :user_id",
        "split {split} is a deposit of 2024-05-09, but belongs to the deposit {entry} of 2024-01-31.",
    ),
    "a split with another type": (
        "UPDATE splits SET type = 1 WHERE id = {split} AND user_id = :user_id",
        "split {split} is a withdrawal of 2024-01-31, but belongs to the deposit {entry} of 2024-01-31.",
    ),
    "an entry without splits": (
        "DELETE FROM splits WHERE id = {split} AND user_id = :user_id",
        "the deposit {entry} of 2024-01-31 has no split.",
    ),
    "a gap in the positions": (
        "UPDATE splits SET position = 4 WHERE id = {split} AND user_id = :user_id",
        "the deposit {entry} of 2024-01-31 has 1 splits, numbered 4 to 4 instead of 0 to 0.",
    ),
    "a day that does not exist": (
        "UPDATE entries SET on_day = '2023-02-29' WHERE id = {entry} AND user_id = :user_id",
        "1 entries are dated 2023-02-29, a day that does not exist.",
    ),
    "a foreign amount booked in the wrong account": (
        "UPDATE splits SET source_foreign = 1 WHERE on_day = '2024-05-03' AND user_id = :user_id",
        (
            "split {exchange} of 2024-05-03 is booked on account {checking} 'Checking' "
            "with its foreign amount instead of its amount."
        ),
    ),
    "a foreign amount not booked": (
        "UPDATE splits SET destination_foreign = 0 WHERE on_day = '2024-05-03' AND user_id = :user_id",
        (
            "split {exchange} of 2024-05-03 is booked on account {dollars} 'Dollars' "
            "with its amount instead of its foreign amount."
        ),
    ),
    "an opening that misses its helper": (
        "UPDATE accounts SET helps_id = NULL WHERE helps_id IS NOT NULL AND user_id = :user_id",
        (
            "the opening balance {opening} of 2024-02-01 opens account {savings} 'Savings', "
            "but is not an opening balance between an account and its helper."
        ),
    ),
    "an opening of nothing": (
        "UPDATE entries SET opening_account_id = NULL WHERE id = {opening} AND user_id = :user_id",
        (
            "the opening balance {opening} of 2024-02-01 opens no account, "
            "but is not an opening balance between an account and its helper."
        ),
    ),
    "no cash account": (
        "UPDATE accounts SET kind = 'Asset account' WHERE kind = 'Cash account' AND user_id = :user_id",
        "there must be exactly one cash account, but there are 0.",
    ),
    "two exchange accounts": (
        "UPDATE accounts SET kind = 'Exchange account' WHERE id = {savings} AND user_id = :user_id",
        "there must be exactly one exchange account, but there are 2.",
    ),
    "an unknown kind": (
        "UPDATE accounts SET kind = 'Piggy bank' WHERE id = {savings} AND user_id = :user_id",
        "1 accounts are of the unknown kind 'Piggy bank'.",
    ),
    "what a category was given": (
        "UPDATE sums_of_categories SET units = 5 WHERE grain = 'month' AND user_id = :user_id",
        (
            "categories: {food} 'Food', type withdrawal in EUR, in 2024-05: "
            "it stores 0.05 EUR, but the transactions add up to 1.00 EUR."
        ),
    ),
    "how often a tag is used": (
        "UPDATE sums_of_tags SET splits = 2 WHERE grain = 'day' AND user_id = :user_id",
        (
            "tags: {weekly} 'weekly', type withdrawal in EUR, on 2024-05-04: "
            "it stores 2 splits, but the transactions add up to 1 splits."
        ),
    ),
    "a tag on another day": (
        "UPDATE entry_tags SET on_day = '2024-05-05' WHERE user_id = :user_id",
        "tag {weekly} is stored with the date 2024-05-05, but belongs to the withdrawal {labelled} of 2024-05-04.",
    ),
    "what was spent": (
        "UPDATE flows SET units = 5 WHERE type = 1 AND period = '2024-05' AND user_id = :user_id",
        "sum of type withdrawal, in 2024-05: the stored sum is 0.05 EUR, but the transactions add up to 23.00 EUR.",
    ),
    "what a withdrawal amounts to": (
        "UPDATE payments SET units = 751 WHERE units = 750 AND user_id = :user_id",
        "entry {small} is indexed as a withdrawal of 7.51 EUR, but amounts to 7.50 EUR.",
    ),
    "a withdrawal that is not looked for": (
        "DELETE FROM payments WHERE units = 750 AND user_id = :user_id",
        "entry {small} is indexed as a withdrawal of nothing, but amounts to 7.50 EUR.",
    ),
    "a word counted twice": (
        "UPDATE words SET entries = 2 WHERE word = 'deposit' AND user_id = :user_id",
        "search finds 'deposit' in 1 entries and counts 2, but 1 contain the word.",
    ),
    "a word that stands there no more": (
        "UPDATE words SET word = 'gift' WHERE word = 'deposit' AND user_id = :user_id",
        "search finds 'gift' in 1 entries and counts 1, but 0 contain the word.",
    ),
    "a word with accents where there are none": (
        "UPDATE words SET plain = 'dépôt' WHERE word = 'deposit' AND user_id = :user_id",
        "search finds 'deposit' as 'dépôt', not as 'deposit'.",
    ),
    "a word that leads elsewhere": (
        """
        UPDATE mentions SET on_day = '2024-02-01' WHERE user_id = :user_id
            AND word_id IN (SELECT id FROM words WHERE word = 'deposit' AND user_id = :user_id)
        """,
        "search finds 'deposit' in the wrong entries, or on the wrong days.",
    ),
    "a missing preference": (
        "DELETE FROM preferences WHERE name = 'viewRange' AND user_id = :user_id",
        "the preference viewRange is missing.",
    ),
    "a name compared as something else": (
        "UPDATE accounts SET name = 'Ärger' WHERE id = {savings} AND user_id = :user_id",
        "accounts: row {savings}: the name 'Ärger' is compared as 'savings', not as 'ärger'.",
    ),
}


@pytest.mark.parametrize("what", BROKEN_RULES)
def test_a_broken_rule_is_told(told, what):
    sql, expected = BROKEN_RULES[what]
    ids = ids_in(told)

    assert told.tamper(sql.format(**ids)) == 1

    assert expected.format(**ids) in sentences(told)


def ids_in(books: Books) -> dict[str, int]:
    with books.database.reading() as db:
        of_day = "SELECT id FROM {} WHERE user_id = :user_id AND on_day = '{}'"
        found = {
            "entry": db.value(of_day.format("entries", "2024-01-31"), user_id=books.user_id),
            "split": db.value(of_day.format("splits", "2024-01-31"), user_id=books.user_id),
            "exchange": db.value(of_day.format("splits", "2024-05-03"), user_id=books.user_id),
            "small": db.value("SELECT entry_id FROM splits WHERE user_id = :id AND units = 750", id=books.user_id),
            "opening": db.value(of_day.format("entries", "2024-02-01"), user_id=books.user_id),
        }
        for table, name in (("categories", "Food"), ("tags", "weekly")):
            sql = f"SELECT id FROM {table} WHERE user_id = :id"
            found[name.lower()] = db.value(sql, id=books.user_id)
        found["labelled"] = db.value(of_day.format("entries", "2024-05-04"), user_id=books.user_id)
    return found | {name.lower(): party.id for name, party in books.ids.items()}


def test_every_preference_is_missed(told):
    told.tamper("DELETE FROM preferences WHERE user_id = :user_id")

    assert sentences(told) == [f"the preference {name} is missing." for name in NAMES]


def test_a_reference_that_leads_nowhere_is_told(told):
    without_fences(told, f"UPDATE splits SET source_id = 4711 WHERE id = {ids_in(told)['split']}")

    found = sentences(told)
    assert any(sentence.startswith("splits: ") and "refers to accounts" in sentence for sentence in found)
    assert (
        "account 4711 (there is none), on 2024-01-31: "
        "the stored balance is 0.00 EUR, but the transactions add up to -2000.00 EUR." in found
    )


def test_an_entry_of_nobody_is_told(new_books):
    new_books.keep(STORY)

    without_fences(new_books, "UPDATE entries SET user_id = 4711 WHERE on_day = '2024-01-31'")

    found = sentences(new_books)
    assert any(sentence.startswith("entries: ") and "refers to users" in sentence for sentence in found)
    assert any(sentence.startswith("splits: ") and "refers to entries" in sentence for sentence in found)


def without_fences(books: Books, sql: str) -> None:
    """Writes what the schema's references forbid."""
    if books.database.dialect == "postgresql":
        with books.database.writing() as db:
            db.run("SET LOCAL session_replication_role = replica")
            db.run(sql)
        return
    import apsw

    with closing(apsw.Connection(str(books.database.path))) as connection:
        connection.execute(sql)


def test_a_damaged_file_is_told(new_books):
    if new_books.database.dialect == "postgresql":
        pytest.skip("PostgreSQL looks after its own files")
    import apsw

    new_books.keep(STORY)
    with closing(apsw.Connection(str(new_books.database.path))) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON; UPDATE splits SET reconciled = 2")

    assert sentences(new_books)[0] == "The database file is damaged: CHECK constraint failed in splits"


def test_all_is_read_in_one_snapshot(told):
    """What is written while doctor reads does not look like drift."""
    examination = examine(told.database)
    told.tamper("UPDATE counts SET entries = 3 WHERE type = 1 AND period = '2024-05-02' AND user_id = :user_id")
    first = next(examination)

    told_meanwhile(told)

    assert [first.rule, *(finding.rule for finding in examination)] == ["count"]


def told_meanwhile(books: Books) -> None:
    """In another thread, for a SQLite connection belongs to one."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        pool.submit(books.keep, "2020-01-01 withdrawal Checking -> Groceries 1 EUR").result()
