"""Many rows in one call: every row arrives once and in order, and a clash is reported."""

import pytest

from farthing.storage.unit import Clash


def test_both_databases_take_many_rows_and_say_what_clashes(world, me):
    sql = "INSERT INTO words (user_id, word, entries) VALUES (:user_id, :word, 1)"
    given = [{"user_id": me.user.id, "word": f"many {place}"} for place in range(123)]
    with world.books.writing() as db:
        db.many(sql, given)
        kept = db.all("SELECT word FROM words WHERE user_id = :id AND word LIKE 'many %' ORDER BY id", id=me.user.id)
        db.run("DELETE FROM words WHERE user_id = :id AND word LIKE 'many %'", id=me.user.id)

    assert [word for (word,) in kept] == [row["word"] for row in given]
    with pytest.raises(Clash), world.books.writing() as db:
        db.many(sql, given[:1] * 2)
