"""What the schema itself makes impossible: another user's things, a used id, a floating amount."""

import pytest

from farthing.storage.schema import TABLES
from farthing.storage.unit import Clash, Unit

from ..builders import AT, Books, somebodys_books


@pytest.fixture
def neighbour(quiet_database, books):
    """Somebody else in the same database."""
    with somebodys_books(quiet_database, "bob@farthing.example") as other:
        other.keep("2024-05-01 withdrawal Wallet -> Market 5 EUR")
        yield other


@pytest.fixture
def mine(books) -> Books:
    books.keep("2024-05-01 withdrawal Checking -> Groceries 5 EUR")
    return books


SPLIT = """
INSERT INTO splits (user_id, entry_id, position, type, on_day, source_id, destination_id, units, currency_id)
VALUES (:user_id, :entry_id, 7, 1, '2024-05-01', :source_id, :destination_id, 500, 1)
"""
ENTRY = """
INSERT INTO entries (user_id, type, on_day, description, opening_account_id, created_at, updated_at)
VALUES (:user_id, 4, '2024-05-01', 'x', :opening_account_id, :now, :now)
"""
HELPER = "UPDATE accounts SET helps_id = :helps_id WHERE user_id = :user_id AND id = :id"
BALANCE = "INSERT INTO balances VALUES (:user_id, :account_id, 1, 'all', '', 5, 0)"


def ids_of(books: Books) -> tuple[int, int, int]:
    """An entry, and the two accounts that it touches."""
    (entry,) = books.entries
    return entry, *(party.id for party in books.ids.values())


def test_a_split_between_own_accounts_is_fine(mine):
    entry, source, destination = ids_of(mine)

    assert mine.tamper(SPLIT, entry_id=entry, source_id=source, destination_id=destination) == 1


@pytest.mark.parametrize("side", ["entry_id", "source_id", "destination_id"])
def test_a_split_cannot_refer_to_somebody_elses_things(mine, neighbour, side):
    names = ("entry_id", "source_id", "destination_id")
    own, others = dict(zip(names, ids_of(mine), strict=True)), dict(zip(names, ids_of(neighbour), strict=True))

    with pytest.raises(Clash):
        mine.tamper(SPLIT, **(own | {side: others[side]}))


def test_an_entry_cannot_open_somebody_elses_account(mine, neighbour):
    with pytest.raises(Clash):
        mine.tamper(ENTRY, opening_account_id=ids_of(neighbour)[1], now=AT)


def test_a_helper_cannot_help_somebody_elses_account(mine, neighbour):
    with pytest.raises(Clash):
        mine.tamper(HELPER, id=ids_of(mine)[1], helps_id=ids_of(neighbour)[1])


def test_a_balance_cannot_be_kept_for_somebody_elses_account(mine, neighbour):
    with pytest.raises(Clash):
        mine.tamper(BALANCE, account_id=ids_of(neighbour)[1])


def test_every_reference_between_users_things_names_the_user(quiet_database):
    """Also those of tables that come later."""
    with quiet_database.reading() as db:
        found = list(references(db))
        # SQLite cannot add a reference of two columns to a table; tests/categories holds that these are one's own.
        added = {
            ("categories", "parent_id"), ("categories", "budget_id"), ("bills", "object_group_id"),
            ("piggy_banks", "object_group_id"), ("piggy_bank_events", "account_id"),
        } if db.dialect == "sqlite" else set()  # fmt: skip
    # An app may be for everybody; tests/apps holds who may use which. Some types of links are built in.
    added |= {("tokens", "app_id"), ("app_codes", "app_id"), ("entry_links", "built_in")}
    between = [(table, columns, parent) for table, columns, parent in found if "user_id" in TABLES[parent]]

    assert between
    assert {(table, *columns) for table, columns, _ in between if "user_id" not in columns} == added


def test_everything_of_a_user_names_the_user(quiet_database):
    shared = {"users", "currencies", "published_rates", "house", "lineage", "migrations", "checkups", "push_keys"}
    shared |= {"sign_in_attempts", "password_requests"}

    assert {table for table, columns in TABLES.items() if "user_id" not in columns} == shared


def references(db: Unit):
    if db.dialect == "postgresql":
        from farthing.storage.drivers.catalog import FOREIGN_KEYS

        for table, parent, columns, _ in db.all(FOREIGN_KEYS):
            yield table, columns, parent
        return
    for table in TABLES:
        keys: dict[int, tuple[str, list[str]]] = {}
        for key, _, parent, column, *_ in db.all(f"PRAGMA foreign_key_list({table})"):
            keys.setdefault(key, (parent, []))[1].append(column)
        for parent, columns in keys.values():
            yield table, columns, parent


def test_the_id_of_what_was_deleted_never_comes_back(mine):
    (entry,) = mine.entries
    (split,) = split_ids(mine)
    account = mine.account("Last")

    mine.erase(entry)
    mine.tamper("DELETE FROM accounts WHERE user_id = :user_id AND id = :id", id=account)
    again = mine.record("2024-05-01 withdrawal Checking -> Groceries 5 EUR")

    assert again > entry
    assert split_ids(mine)[0] > split
    assert mine.account("New") > account


def split_ids(books: Books) -> list[int]:
    with books.database.reading() as db:
        return [one for (one,) in db.all("SELECT id FROM splits WHERE user_id = :id ORDER BY id", id=books.user_id)]


def test_ids_of_every_table_are_given_out_once(quiet_database):
    with quiet_database.reading() as db:
        if db.dialect == "sqlite":
            rows = db.all("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
        else:
            rows = db.all(
                """
                SELECT table_name FROM information_schema.columns
                WHERE table_schema = current_schema() AND column_name = 'id' AND is_identity = 'YES'
                """
            )

    assert {name for (name,) in rows} == {table for table, columns in TABLES.items() if "id" in columns}


@pytest.mark.parametrize(
    "broken",
    [
        "units = 0",
        "units = -5",
        "foreign_units = 5",
        "source_foreign = 1",
        "destination_id = source_id",
        "user_id = NULL",
    ],
)
def test_a_split_that_makes_no_sense_cannot_be_kept(mine, broken):
    with pytest.raises(Clash):
        mine.tamper(f"UPDATE splits SET {broken} WHERE user_id = :user_id")
