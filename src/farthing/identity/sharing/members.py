"""Stores the members of books and the invitations. Also lets a caller work in the books of another user."""

import secrets
from datetime import timedelta

from msgspec import Struct, structs

from farthing.kernel.clock import shift
from farthing.storage import tables
from farthing.storage.turns import delete_some
from farthing.storage.unit import Clash, Unit, columns_of

from ..callers import hash_secret
from ..user import Caller, Share, User

INVITATION_LASTS = timedelta(days=7)
# The role of an invitation that hands the books over.
OWNER = "owner"
_MEMBER = "m.id, m.user_id, m.member_id, m.role AS share, m.created_at, u.email"


class Member(Struct, frozen=True):
    """Links a member to the books owned by `user_id`. `email` is the address of the other party: of the member in a
    list of members, and of the owner in a list of a person's memberships.
    """

    id: int
    user_id: int
    member_id: int
    share: Share
    created_at: str
    email: str


class Invitation(Struct, frozen=True):
    """Offers a role in the books of `user_id`. `name` says for whom the invitation is meant."""

    id: int
    user_id: int
    role: str
    name: str
    invited_by_id: int
    created_at: str
    expires_at: str


class _RowId(Struct, frozen=True):
    id: int


class _Entered(Struct, frozen=True):
    """Holds the fields of a caller that are different in the books of another user."""

    id: int
    books: User
    share: Share
    timezone: str
    currency_code: str
    revision: int
    requests_max: int | None


def enter(db: Unit, caller: Caller, books_id: int) -> Caller | None:
    """Returns the caller as a member of these books, or None if they are not shared or their owner is blocked."""
    entered = db.struct(
        _Entered,
        f"""
        SELECT {columns_of(User, "u", "books")}, u.id, m.role AS share, trim(z.data, '"') AS timezone,
            trim(c.data, '"') AS currency_code, u.revision, u.requests_max
        FROM members m
        JOIN users u ON u.id = m.user_id AND u.blocked = 0
        JOIN preferences z ON z.user_id = u.id AND z.name = 'timezone'
        JOIN preferences c ON c.user_id = u.id AND c.name = 'currencyPreference'
        WHERE m.user_id = :books_id AND m.member_id = :member_id
        """,
        books_id=books_id,
        member_id=caller.user.id,
    )
    if entered is None:
        return None
    return structs.replace(caller, **{field: getattr(entered, field) for field in _Entered.__struct_fields__})


class SharedBooks(Struct, frozen=True):
    """Describes the books of another user, in which a person may work."""

    books: User
    share: Share
    currency_code: str


def list_shared(db: Unit, person_id: int) -> list[SharedBooks]:
    """Lists the books that are shared with a person, except those of blocked users."""
    sql = f"""
        SELECT {columns_of(User, "u", "books")}, m.role AS share, trim(c.data, '"') AS currency_code
        FROM members m
        JOIN users u ON u.id = m.user_id AND u.blocked = 0
        JOIN preferences c ON c.user_id = u.id AND c.name = 'currencyPreference'
        WHERE m.member_id = :member_id ORDER BY u.id
    """
    return db.structs(SharedBooks, sql, member_id=person_id)


def list_of_books(db: Unit, user_id: int) -> list[Member]:
    return _list(db, "u.id = m.member_id", "m.user_id = :id", user_id)


def list_of_person(db: Unit, person_id: int) -> list[Member]:
    """Lists the memberships of this person in the books of others, except in those of blocked users."""
    return _list(db, "u.id = m.user_id AND u.blocked = 0", "m.member_id = :id", person_id)


def list_all_of_person(db: Unit, person_id: int) -> list[Member]:
    """Lists the memberships of this person, even in the books of blocked users, who may be unblocked later."""
    return _list(db, "u.id = m.user_id", "m.member_id = :id", person_id)


def _list(db: Unit, joined: str, where: str, id_: int) -> list[Member]:
    statement = f"SELECT {_MEMBER} FROM members m JOIN users u ON {joined} WHERE {where} ORDER BY m.id"
    return db.structs(Member, statement, id=id_)


def get(db: Unit, user_id: int, member_row_id: int) -> Member | None:
    return next((member for member in list_of_books(db, user_id) if member.id == member_row_id), None)


def add(db: Unit, user_id: int, member_id: int, share: Share, now: str) -> int | None:
    """Adds a member and returns the id of the membership, or None if the person is already a member."""
    values = {"member_id": member_id, "role": share, "created_at": now, "updated_at": now}
    try:
        with db.savepoint():
            return tables.add_and_get(db, _RowId, "members", user_id=user_id, **values).id
    except Clash:
        return None


def set_share(db: Unit, member: Member, share: Share, now: str) -> None:
    """Changes the role of a member. If the member may no longer invite others, their open invitations are deleted."""
    tables.change(db, "members", {"user_id": member.user_id, "id": member.id}, role=share, updated_at=now)
    if share is not Share.FULL:
        tables.remove(db, "invitations", user_id=member.user_id, invited_by_id=member.member_id)


def remove(db: Unit, user_id: int, member_id: int) -> bool:
    """Removes a member. Also deletes the member's open invitations, because the member could return with one."""
    tables.remove(db, "invitations", user_id=user_id, invited_by_id=member_id)
    return tables.remove_and_count(db, "members", user_id=user_id, member_id=member_id) > 0


def invite(db: Unit, user_id: int, *, role: str, name: str, by_id: int, now: str) -> tuple[int, str]:
    """Makes an invitation. Returns its id and the code of its link, which cannot be read later."""
    code = secrets.token_urlsafe(32)
    invitation = tables.add_and_get(
        db,
        Invitation,
        "invitations",
        user_id=user_id,
        hash=hash_secret(code),
        role=role,
        name=name,
        invited_by_id=by_id,
        created_at=now,
        expires_at=shift(now, INVITATION_LASTS),
    )
    return invitation.id, code


def list_invitations(db: Unit, user_id: int, now: str) -> list[Invitation]:
    invitations = tables.find_all(db, Invitation, "invitations", user_id=user_id)
    return [invitation for invitation in invitations if invitation.expires_at > now]


def find_invitation(db: Unit, code: str, now: str) -> Invitation | None:
    """Finds an open invitation by its code, unless the person who made it has since been blocked or deleted."""
    is_open = "expires_at > :now AND invited_by_id IN (SELECT id FROM users WHERE blocked = 0)"
    statement = f"SELECT {tables.columns_of(Invitation)} FROM invitations WHERE hash = :hash AND {is_open}"
    return db.struct(Invitation, statement, hash=hash_secret(code), now=now)


def use_invitation(db: Unit, invitation: Invitation) -> bool:
    """Deletes the invitation. If two people use it at the same time, only one of the calls returns True."""
    return remove_invitation(db, invitation.user_id, invitation.id)


def remove_invitation(db: Unit, user_id: int, invitation_id: int) -> bool:
    return tables.remove_and_count(db, "invitations", user_id=user_id, id=invitation_id) > 0


def forget_old_invitations(db: Unit, now: str) -> int:
    return delete_some(db, "invitations", "id", "expires_at <= :now", now=now)
