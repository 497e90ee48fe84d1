"""SQL is written once: parameters, lists and texts mean the same on both databases."""

import threading
from contextlib import suppress

import pytest

from farthing.storage.unit import for_postgres, for_sqlite

TRANSLATED = [
    ("WHERE id = :id", "WHERE id = :id", "WHERE id = $1", "id"),
    (
        "WHERE a = :a_1 AND b=:b OR c=:a_1",
        "WHERE a = :a_1 AND b=:b OR c=:a_1",
        "WHERE a = $1 AND b=$2 OR c=$1",
        "a_1 b",
    ),
    (
        "WHERE id IN :ids AND x",
        "WHERE id IN (SELECT value FROM json_each(:ids)) AND x",
        "WHERE id = ANY($1) AND x",
        "ids",
    ),
    ("WHERE id IN (:a, :b)", "WHERE id IN (:a, :b)", "WHERE id IN ($1, $2)", "a b"),
    ("SELECT ':no', ' IN :no'", "SELECT ':no', ' IN :no'", "SELECT ':no', ' IN :no'", ""),
    ("SELECT 'it''s :no', :yes", "SELECT 'it''s :no', :yes", "SELECT 'it''s :no', $1", "yes"),
    ("SELECT a::text", "SELECT a::text", "SELECT a::text", ""),
    ("SELECT 7 % 4", "SELECT 7 % 4", "SELECT 7 % 4", ""),
    ("WHERE a LIKE '50%'", "WHERE a LIKE '50%'", "WHERE a LIKE '50%'", ""),
    ("SELECT '12:30'", "SELECT '12:30'", "SELECT '12:30'", ""),
    ("\n    SELECT  1,\n        '  2\n'\n", "SELECT 1, '  2\n'", "SELECT 1, '  2\n'", ""),
]


@pytest.mark.parametrize(("ours", "sqlite", "postgresql", "names"), TRANSLATED)
def test_our_sql_in_the_words_of_each_database(ours, sqlite, postgresql, names):
    assert for_sqlite(ours) == sqlite
    assert for_postgres(ours) == (postgresql, tuple(names.split()))


def test_a_list_may_be_used_twice(quiet_database):
    sql = "SELECT COUNT(*) FROM currencies WHERE code IN :codes OR name IN :codes OR code IN :none"
    with quiet_database.reading() as db:
        assert db.value(sql, codes=["EUR", "US Dollar"], none=[]) == 2


def test_what_is_translated_means_the_same(quiet_database):
    with quiet_database.reading() as db:
        assert db.value("SELECT 7 % :n", n=4) == 3
        assert db.value("SELECT :a || ':no' || '%' || 'it''s'", a="x") == "x:no%it's"
        assert db.value("SELECT COUNT(*) FROM currencies WHERE name LIKE '%Dollar%' AND code <> :code", code="USD") > 5
        assert db.one("SELECT code FROM currencies WHERE id = :id", id=-1) is None
        assert db.value("SELECT code FROM currencies WHERE id = :id", id=-1) is None


LISTS = {
    "numbers": ("id", [1, 7, 16], {"EUR", "USD", "JPY"}),
    "texts": ("code", ["EUR", "USD", "it's", 'quo"ted', "naïve", "back\\slash", "{a,b}", "NULL", ""], {"EUR", "USD"}),
    "many": ("id", list(range(7, 100_000)), None),
    "nothing": ("id", [], set()),
}


@pytest.mark.parametrize("what", LISTS)
def test_a_list_is_one_parameter(quiet_database, what):
    column, values, expected = LISTS[what]

    with quiet_database.reading() as db:
        found = {code for (code,) in db.all(f"SELECT code FROM currencies WHERE {column} IN :values", values=values)}
        everything = {code for (code,) in db.all("SELECT code FROM currencies WHERE id >= 7")}

    assert found == (everything if expected is None else expected)


def test_texts_come_back_as_they_went(quiet_database):
    texts = ["Ärger", "a\u0308", "🦆 duck", "line\nbreak", "tab\t", "'; DROP TABLE users; --", "%s %(id)s :id", "\\x00"]
    with quiet_database.reading() as db:
        for text in texts:
            assert db.value("SELECT CAST(:text AS TEXT)", text=text) == text


@pytest.mark.parametrize("number", [0, 1, -1, 2**31, 2**32 - 1, -(2**33), 2**63 - 1, -(2**63)])
def test_whole_numbers_come_back_to_the_last_digit(quiet_database, number):
    with quiet_database.reading() as db:
        assert db.value("SELECT CAST(:number AS BIGINT)", number=number) == number
        high, low = db.all("SELECT :n >> 32, :n & 4294967295", n=number)[0]
        assert (int(high) << 32) + int(low) == number


def test_a_unit_of_work_that_raises_leaves_nothing(books):
    rename = "UPDATE accounts SET name = 'changed' WHERE user_id = :id"

    with suppress(RuntimeError), books.writing() as db:
        assert db.run_and_count(rename, id=books.user_id) > 0
        raise RuntimeError

    with books.database.reading() as db:
        assert db.value("SELECT COUNT(*) FROM accounts WHERE name = 'changed'") == 0
        assert db.value("SELECT revision FROM users WHERE id = :id", id=books.user_id) == 1


def test_a_savepoint_takes_back_only_what_was_done_inside_it(books):
    rename = "UPDATE accounts SET notes = :notes WHERE user_id = :id"
    with books.writing() as db:
        db.run(rename, notes="before", id=books.user_id)
        with suppress(RuntimeError), db.savepoint():
            db.run(rename, notes="inside", id=books.user_id)
            raise RuntimeError
        with db.savepoint():
            db.run("UPDATE accounts SET bic = 'kept' WHERE user_id = :id", id=books.user_id)

    with books.database.reading() as db:
        rows = db.all("SELECT DISTINCT notes, bic FROM accounts WHERE user_id = :id", id=books.user_id)
    assert rows == [("before", "kept")]


def test_a_reading_sees_one_moment(books):
    """Whatever others commit meanwhile."""
    sql = "SELECT COUNT(*) FROM accounts WHERE user_id = :id"
    with books.database.reading() as db:
        before = db.value(sql, id=books.user_id)
        other = threading.Thread(target=books.account, args=("Meanwhile",))
        other.start()
        other.join()
        assert db.value(sql, id=books.user_id) == before
        assert len(list(db.stream("SELECT id FROM accounts WHERE user_id = :id", id=books.user_id))) == before

    with books.database.reading() as db:
        assert db.value(sql, id=books.user_id) == before + 1


def test_a_stream_gives_every_row_once_and_leaves_room_for_questions(quiet_database):
    with quiet_database.reading() as db:
        seen = []
        for (currency_id,) in db.stream("SELECT id FROM currencies ORDER BY id"):
            seen.append(db.value("SELECT id FROM currencies WHERE id = :id", id=currency_id))
        assert seen == [one for (one,) in db.all("SELECT id FROM currencies ORDER BY id")]


def test_one_returning_row_for_each_row_given_in_order(books):
    rows = [{"user": books.user_id, "name": f"tag {n % 7}{n}"} for n in range(50)]
    with books.writing() as db:
        found = db.many_returning(
            """
            INSERT INTO tags (user_id, name, name_fold, created_at, updated_at)
            VALUES (:user, :name, :name, 'x', 'x') RETURNING name, id
            """,
            rows,
        )

    assert [name for name, _ in found] == [row["name"] for row in rows]
    assert [one for _, one in found] == sorted(one for _, one in found)
