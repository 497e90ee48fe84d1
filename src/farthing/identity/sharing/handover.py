"""Hands books over to another person: their owner and that person swap places.

The rows of books never change their user id. Instead, the two people exchange their ids, with everything that belongs
to a person, such as addresses, passwords, sessions and tokens.
"""

from farthing.storage import installation, tables
from farthing.storage.unit import Unit

from ..user import Share
from . import members
from .members import Member

# Data of the person, not of the books.
_COLUMNS = ("email", "email_fold", "password_hash", "role", "blocked", "blocked_code")
_TABLES = (
    "tokens", "sessions", "devices", "sign_in_links", "factors", "recovery_codes", "passkey_challenges", "identities",
    "audit", "apps", "password_links", "notice_addresses",
)  # fmt: skip
# Tables whose column `by_id` says who did something.
_SAYING_WHO = ("revisions", "jobs", "audit")
# A user with rows in any of these tables, or with more accounts than a new user gets, uses their own books.
_IN_USE = ("entries", "members", "budgets", "categories", "tags", "bills", "recurrences", "piggy_banks", "rules")
_FIRST_ACCOUNTS = 2


def is_empty(db: Unit, user_id: int) -> bool:
    used = " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE user_id = :id)" for table in _IN_USE)
    accounts = "(SELECT COUNT(*) FROM accounts WHERE user_id = :id)"
    return not db.value(f"SELECT {used} OR {accounts} > {_FIRST_ACCOUNTS}", id=user_id)


def hold(db: Unit, owner_id: int, other_id: int) -> None:
    """Locks both people. Call this before the invitation is used, so that a second handover of the same books waits.

    The people are locked in a fixed order, to avoid deadlocks.
    """
    for user_id in sorted((owner_id, other_id)):
        db.run("UPDATE users SET revision = revision + 1 WHERE id = :id", id=user_id)


def hand_over(db: Unit, owner_id: int, other_id: int, now: str) -> None:
    """Hands the books of `owner_id` over to the other person, whose own books must be empty.

    The former owner receives these empty books, and stays a member of the old books with full access. Call it with both
    people locked.
    """
    for user_id in (owner_id, other_id):
        # Apps have to ask again, because they were authorized for books that their user no longer owns.
        db.run("DELETE FROM tokens WHERE user_id = :user_id AND app_id IS NOT NULL", user_id=user_id)
        tables.remove(db, "app_codes", user_id=user_id)
        # The former owner must not take the books back with an open invitation.
        tables.remove(db, "invitations", user_id=user_id)
        # Notices tell a person about their books and devices. The job process begins anew for both people.
        tables.remove(db, "push_subscriptions", user_id=user_id)
        tables.remove(db, "notice_deliveries", user_id=user_id)
        tables.remove(db, "notices", user_id=user_id)
        tables.remove(db, "notice_states", user_id=user_id)
    shares = {id_: members.list_all_of_person(db, id_) for id_ in (owner_id, other_id)}
    _change_places(db, owner_id, other_id, now)
    for table in _TABLES:
        _exchange(db, table, "user_id", owner_id, other_id)
    for table in _SAYING_WHO:  # in all books, so that each action stays with the person who did it
        _exchange(db, table, "by_id", owner_id, other_id)
    _move_shares(db, shares, owner_id, other_id, now)
    members.add(db, owner_id, other_id, Share.FULL, now)
    installation.touch(db)


def _exchange(db: Unit, table: str, column: str, one_id: int, two_id: int) -> None:
    statement = f"UPDATE {table} SET {column} = :one + :two - {column} WHERE {column} IN (:one, :two)"
    db.run(statement, one=one_id, two=two_id)


def _change_places(db: Unit, one_id: int, two_id: int, now: str) -> None:
    names = ", ".join(_COLUMNS)
    first = db.one(f"SELECT {names} FROM users WHERE id = :id", id=one_id)
    second = db.one(f"SELECT {names} FROM users WHERE id = :id", id=two_id)
    assert first, "it is locked"
    assert second, "it is locked"
    tables.change(db, "users", {"id": one_id}, email_fold=f" {one_id}")  # no address is like this
    for user_id, row in ((two_id, first), (one_id, second)):
        values = dict(zip(_COLUMNS, row, strict=True))
        tables.change(db, "users", {"id": user_id}, updated_at=now, **values)


def _move_shares(db: Unit, shares: dict[int, list[Member]], one_id: int, two_id: int, now: str) -> None:
    """Moves the two people's memberships in the books of others, so that each person keeps their roles there."""
    for person_id, of_person in shares.items():
        for share in of_person:
            members.remove(db, share.user_id, person_id)
    for person_id, of_person in shares.items():
        for share in of_person:
            if share.user_id != one_id:
                members.add(db, share.user_id, one_id + two_id - person_id, share.share, now)
