"""Many rows in one call: every row arrives once and in order, and a clash is reported."""

import pytest

from farthing.storage.unit import Clash, Overflow


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


COUNT = """
INSERT INTO words (user_id, word, entries) VALUES (:user_id, :word, :times)
ON CONFLICT (user_id, word) DO UPDATE SET entries = words.entries + excluded.entries
"""


def test_rows_that_meet_are_added_up_in_one_call_or_two(world, me):
    odd = 'an "odd" \\ word, {with} ü'
    with world.books.writing() as db:
        db.many(COUNT, [(me.user.id, odd, 2), (me.user.id, "even", 1)])
        db.many(COUNT, [(me.user.id, odd, 3), (me.user.id, "even", 1), (me.user.id, odd, -1)])
        counted = db.all("SELECT word, entries FROM words WHERE user_id = :id ORDER BY word", id=me.user.id)
        db.run("DELETE FROM words WHERE user_id = :id", id=me.user.id)

    assert counted == [(odd, 4), ("even", 2)]
    for too_much in (2**63, 2**64):
        with pytest.raises(Overflow), world.books.writing() as db:
            add_both(db, [(me.user.id, odd, too_much), (me.user.id, "even", 1)])


def add_both(db, rows):
    db.many(COUNT, rows)
    db.flush()
