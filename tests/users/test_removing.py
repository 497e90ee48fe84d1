"""A deleted user leaves nothing behind, and nobody deletes themselves."""

import pytest

from farthing.identity import users as store
from farthing.kernel.errors import Unauthenticated
from farthing.storage.schema import TABLES

from ..accounts.making import asset, books_of, liability, made
from ..conftest import Client, World
from .people import an_owner


def rows_of(world: World, user_id: int) -> dict[str, int]:
    owned = [table for table, columns in TABLES.items() if "user_id" in columns]
    with world.books.reading() as db:
        counts = {table: db.value(f"SELECT COUNT(*) FROM {table} WHERE user_id = :id", id=user_id) for table in owned}
    return {table: count for table, count in counts.items() if count}


def test_everything_of_a_user_goes_with_them(owner: Client, plain: Client, world: World) -> None:
    made(plain, asset(name="Opened", opening_balance="10", opening_balance_date="2024-01-01"))
    made(plain, liability())
    books_of(world, plain).keep("2024-05-01 withdrawal Checking -> Groceries 12.50 EUR")
    assert rows_of(world, plain.user.id)

    answer = owner.delete(f"/users/{plain.user.id}")

    assert (answer.status_code, answer.content) == (204, b"")
    assert rows_of(world, plain.user.id) == {}
    assert owner.get(f"/users/{plain.user.id}").status_code == 404
    assert plain.get("/about/user").status_code == 401


def test_the_address_of_a_deleted_user_is_free_again(owner: Client, plain: Client) -> None:
    owner.delete(f"/users/{plain.user.id}")

    answer = owner.post("/users", {"email": plain.user.email, "blocked": False})

    assert answer.status_code == 200
    assert int(answer.json()["data"]["id"]) > plain.user.id


def test_others_keep_what_they_have(owner: Client, plain: Client, someone_else: Client, world: World) -> None:
    before = rows_of(world, someone_else.user.id)

    owner.delete(f"/users/{plain.user.id}")

    assert rows_of(world, someone_else.user.id) == before


def test_an_owner_cannot_delete_themselves(owner: Client) -> None:
    answer = owner.delete(f"/users/{owner.user.id}")

    assert answer.status_code == 422
    assert answer.json()["errors"] == {"id": ["You cannot delete yourself."]}


def test_an_owner_may_delete_another(new_world: World) -> None:
    first, second = new_world.someone(), an_owner(new_world)

    assert second.delete(f"/users/{first.user.id}").status_code == 204


def test_deleting_users_is_for_the_owner(plain: Client, owner: Client) -> None:
    assert plain.delete(f"/users/{plain.user.id}").status_code == 403
    assert plain.delete(f"/users/{owner.user.id}").status_code == 404


def test_a_write_that_waited_for_a_user_now_gone_is_nobodys(plain: Client, owner: Client, world: World) -> None:
    owner.delete(f"/users/{plain.user.id}")

    with pytest.raises(Unauthenticated), world.books.writing() as db:
        store.take(db, plain.user.id, token_id=None, now="2024-05-15T12:00:00+00:00", doing="test")


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_two_owners_who_change_users_at_once_do_not_wait_for_each_other(world: World, method: str) -> None:
    if world.books.dialect == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    first, second = an_owner(world), an_owner(world)

    with world.books.writing() as db:
        store.take(db, first.user.id, token_id=None, now="2024-05-15T12:00:00+00:00", doing="test")
        assert store.claim(db)
        answer = second.request(method, f"/users/{first.user.id}", json={})

    assert answer.status_code == 409
    assert answer.json()["message"] == "Another owner is changing users right now. Try again."
