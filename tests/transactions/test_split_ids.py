"""Splits that stay in a transaction keep their ids, wherever they move, and whatever is undone and redone."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from farthing.books.bookkeeping import record
from farthing.books.transactions import lines
from farthing.care.changes import store
from farthing.care.changes.compare import compare
from farthing.care.changes.undo import undo
from farthing.kernel.money import Money
from farthing.storage.schema import TABLES

from ..builders import AT, EUR
from ..length import examples

STORY = "2024-05-01 withdrawal Checking -> Bakery 1.00 EUR"
# Each number chooses a stored split by its place; a place that is not there, or is chosen already, makes a new split.
_edit = st.lists(
    st.tuples(st.integers(0, 7), st.integers(1, 99), st.sampled_from(["Food", None])), min_size=1, max_size=6
)


class Group:
    """A transaction that is edited again and again."""

    def __init__(self, books, food):
        self.books, self.food = books, food
        [self.id] = books.keep(STORY)
        [self.split] = self.books.entries[self.id].splits

    def read(self):
        """The splits by place, and every row of the transaction."""
        with self.books.database.reading() as db:
            return {
                table: db.all(
                    f"SELECT {', '.join(sorted(set(TABLES[table]) - {'updated_at'}))} FROM {table}"
                    f" WHERE user_id = :user_id AND {column} = :id ORDER BY id",
                    user_id=self.books.user_id,
                    id=self.id,
                )
                for table, column in (("entries", "id"), ("splits", "entry_id"))
            }

    def ids(self):
        with self.books.database.reading() as db:
            return [line.id for line in lines.of_entries(db, self.books.user_id, [self.id])]

    def edit(self, db, wanted):
        """Wants places, amounts and categories. Returns the ids that the splits must have, None for new ones."""
        stored = [line.id for line in lines.of_entries(db, self.books.user_id, [self.id])]
        splits, ids = [], []
        for place, units, category in wanted:
            split_id = stored[place] if place < len(stored) and stored[place] not in ids else None
            ids.append(split_id)
            category_id = self.food if category else None
            splits.append(replace(self.split, amount=Money(units, EUR), category_id=category_id))
        entry = replace(self.books.entries[self.id], splits=tuple(splits))
        kept = {split_id: place for place, split_id in enumerate(ids) if split_id}
        record.rewrite(db, self.books.user_id, self.id, entry, AT, kept=kept)
        return ids

    def undo_last(self, skip=0):
        with self.books.writing() as db:
            _, [_, *done] = store.page(db, self.books.user_id, limit=2 + skip, offset=0)
            undo(db, self.books.user_id, done[skip])

    def assert_honest(self):
        assert self.books.findings() == []


@pytest.fixture
def food(books):
    return books.label("categories", "Food")


@pytest.fixture
def group(books, food):
    return Group(books, food)


@settings(
    max_examples=examples(36), phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(edits=st.lists(st.lists(_edit, min_size=1, max_size=2), min_size=1, max_size=4))
def test_whatever_is_edited_undone_and_redone(books, food, edits):
    """Also if one change edits the transaction twice."""
    group = Group(books, food)
    states = [group.read()]
    for of_change in edits:
        with group.books.writing() as db:
            for wanted in of_change:
                ids = group.edit(db, wanted)
        assert all(now == before for now, before in zip(group.ids(), ids, strict=True) if before)
        states.append(group.read())
    group.assert_honest()

    for step in range(len(edits)):
        group.undo_last(skip=2 * step)
        assert group.read() == states[-2 - step]
    group.assert_honest()
    for step in range(len(edits)):
        group.undo_last(skip=2 * step)
        assert group.read() == states[1 + step]
    group.assert_honest()


def test_a_swap_changes_nothing_else_and_what_changed_is_shown_by_place(group):
    with group.books.writing() as db:
        group.edit(db, [(0, 100, None), (9, 200, None), (9, 300, None)])
    first, second, third = group.ids()

    with group.books.writing() as db:
        assert db.author is not None
        group.edit(db, [(2, 300, None), (9, 400, None), (0, 100, None)])
        revision = db.author.revision

    [newest, new, oldest] = group.ids()
    assert (newest, oldest) == (third, first)
    assert new > third
    with group.books.database.reading() as db:
        [change] = compare(db, group.books.user_id, revision)
    assert [
        (field.part, field.name, field.before, field.after) for field in change.fields if field.name == "amount"
    ] == [(2, "amount", "2.00 EUR", "4.00 EUR")]
    group.undo_last()
    assert group.ids() == [first, second, third]


def test_a_new_split_at_the_former_place_of_one_that_moved_is_shown_too(group):
    with group.books.writing() as db:
        assert db.author is not None
        group.edit(db, [(9, 700, None), (0, 100, None)])
        revision = db.author.revision

    with group.books.database.reading() as db:
        [change] = compare(db, group.books.user_id, revision)

    amounts = [(field.before, field.after) for field in change.fields if field.name == "amount"]
    assert amounts == [(None, "7.00 EUR")]


def test_only_splits_of_the_transaction_can_stay(group):
    with pytest.raises(AssertionError), group.books.writing() as db:
        record.rewrite(db, group.books.user_id, group.id, group.books.entries[group.id], AT, kept={2**40: 0})
