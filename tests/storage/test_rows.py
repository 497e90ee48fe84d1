"""Many rows in one INSERT: the same rows, whatever their number, and other statements as before."""

import pytest

from farthing.storage.rows import parted, statements

SQL = "INSERT INTO words (user_id, word, entries) VALUES (:user_id, :word, 1) ON CONFLICT (word) DO NOTHING"


def rows(number):
    return [{"word": f"w{place}", "user_id": place} for place in range(number)]


@pytest.mark.parametrize(
    ("number", "sizes"), [(0, []), (1, [1]), (9, [9]), (10, [10]), (37, [10] * 3 + [7]), (212, [100, 100, 10, 2])]
)
def test_every_row_goes_in_once_and_in_order(number, sizes):
    made = list(statements(parted(SQL), rows(number)))

    assert [statement.count(b", 1)") for statement, _ in made] == sizes
    assert [value for _, given in made for value in given] == [
        value for row in rows(number) for value in (row["user_id"], row["word"])
    ]


def test_a_row_is_written_with_numbers_and_what_is_around_it_stays():
    [(statement, _)] = statements(parted(SQL), rows(2))

    head, tail = SQL.split("(:user_id, :word, 1)")
    assert statement.decode() == f"{head}($1, $2, 1), ($3, $4, 1){tail}"


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM words WHERE id = :id",
        "INSERT INTO words (id) SELECT :id FROM entries",
        "INSERT INTO words (id) VALUES (:id) ON CONFLICT (id) DO UPDATE SET entries = :entries",
    ],
)
def test_other_statements_are_left_alone(sql):
    assert parted(sql) is None


def test_both_databases_take_many_rows_and_say_what_clashes(world, me):
    from farthing.storage.unit import Clash

    sql = "INSERT INTO words (user_id, word, entries) VALUES (:user_id, :word, 1)"
    given = [{"user_id": me.user.id, "word": f"many {place}"} for place in range(123)]
    with world.books.writing() as db:
        db.many(sql, given)
        kept = db.all("SELECT word FROM words WHERE user_id = :id AND word LIKE 'many %' ORDER BY id", id=me.user.id)
        db.run("DELETE FROM words WHERE user_id = :id AND word LIKE 'many %'", id=me.user.id)

    assert [word for (word,) in kept] == [row["word"] for row in given]
    with pytest.raises(Clash), world.books.writing() as db:
        db.many(sql, given[:1] * 2)
