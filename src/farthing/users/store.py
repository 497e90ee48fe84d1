"""Where are users kept?"""

from ..errors import Unauthenticated
from ..sessions import links
from ..sessions import store as sessions
from ..storage import house
from ..storage.schema import TABLES
from ..storage.unit import Author, Clash, Row, Unit
from ..text import fold
from .model import Role, User

_LOCK = 7_203_114_210  # any number, the same in every server: PostgreSQL's advisory lock for changing users
_USER = "id, email, role, blocked, blocked_code, created_at, updated_at"


class EmailTaken(Exception):
    pass


def _user(row: Row) -> User:
    user_id, email, role, blocked, blocked_code, created_at, updated_at = row
    return User(user_id, email, role, bool(blocked), blocked_code, created_at, updated_at)


def take(db: Unit, user_id: int, *, token_id: int | None, now: str, doing: str = "internal") -> None:
    """The first statement of every write: one user's writes are serial, and each has a revision of its own.

    `doing` is what the log of changes says was asked for.
    """
    row = db.one(
        "UPDATE users SET revision = revision + 1 WHERE id = :id RETURNING revision, rules_version", id=user_id
    )
    if row is None:
        raise Unauthenticated("The user was deleted while this write waited for its turn.")
    revision, rules_version = row
    db.author = Author(user_id, revision, token_id, now, rules_version)
    db.run(
        """
        INSERT INTO revisions (user_id, revision, at, token_id, doing)
        VALUES (:user_id, :revision, :now, :token_id, :doing)
        """,
        user_id=user_id,
        revision=revision,
        now=now,
        token_id=token_id,
        doing=doing,
    )


def claim(db: Unit) -> bool:
    """Before somebody's row is changed: is nobody else changing users? SQLite has one writer anyway.

    Never wait here. A write holds its own user already, and two owners who change each other would wait for ever.
    """
    if db.dialect == "postgresql":
        return bool(db.value("SELECT pg_try_advisory_xact_lock(:lock)", lock=_LOCK))
    return True


def add(db: Unit, email: str, password_hash: str, now: str) -> User:
    """The first user of an installation owns it."""
    try:
        row = db.one(
            f"""
            INSERT INTO users (email, email_fold, password_hash, role, created_at, updated_at)
            VALUES (:email, :email_fold, :password_hash,
                CASE WHEN EXISTS (SELECT 1 FROM users) THEN NULL ELSE :owner END, :now, :now)
            RETURNING {_USER}
            """,
            email=email,
            email_fold=fold(email),
            password_hash=password_hash,
            owner=Role.OWNER.value,
            now=now,
        )
    except Clash as error:
        raise EmailTaken(email) from error
    house.touch(db)
    assert row is not None
    return _user(row)


def get(db: Unit, user_id: int) -> User | None:
    row = db.one(f"SELECT {_USER} FROM users WHERE id = :id", id=user_id)
    return _user(row) if row else None


def by_email(db: Unit, email: str) -> User | None:
    row = db.one(f"SELECT {_USER} FROM users WHERE email_fold = :email_fold", email_fold=fold(email))
    return _user(row) if row else None


def password_hash(db: Unit, email: str) -> str | None:
    """Also of somebody who is blocked: from how long it takes, nobody learns that."""
    found = db.value("SELECT password_hash FROM users WHERE email_fold = :email_fold", email_fold=fold(email))
    return str(found) if found else None


def with_password(db: Unit, email: str, password_hash: str, renewed: str | None = None) -> User | None:
    """Who may come in, if this is still the hash of their password; `renewed` is the one to keep from now on.

    The user is held, as by `hold`. The hash is of the same password: nothing has changed that anybody could see.
    """
    row = db.one(
        f"""
        UPDATE users SET password_hash = :renewed
        WHERE email_fold = :email_fold AND password_hash = :password_hash AND blocked = 0
        RETURNING {_USER}
        """,
        email_fold=fold(email),
        password_hash=password_hash,
        renewed=renewed or password_hash,
    )
    return _user(row) if row else None


def hold(db: Unit, user_id: int) -> User | None:
    """Before somebody comes in: whoever would shut them out at this moment waits, and finds the new session, too."""
    row = db.one(
        f"UPDATE users SET blocked = blocked WHERE id = :id AND blocked = 0 RETURNING {_USER}",
        id=user_id,
    )
    return _user(row) if row else None


def is_anyone(db: Unit) -> bool:
    return bool(db.value("SELECT 1 FROM users LIMIT 1"))


def everyone(db: Unit) -> list[User]:
    return [_user(row) for row in db.all(f"SELECT {_USER} FROM users ORDER BY id")]


def has_owner_besides(db: Unit, user_id: int) -> bool:
    """One who can act: a blocked owner cannot."""
    return bool(
        db.value(
            "SELECT 1 FROM users WHERE role = :owner AND blocked = 0 AND id <> :id LIMIT 1",
            owner=Role.OWNER.value,
            id=user_id,
        )
    )


def page(db: Unit, *, limit: int, offset: int) -> tuple[int, list[User]]:
    rows = db.all(f"SELECT {_USER} FROM users ORDER BY id LIMIT :limit OFFSET :offset", limit=limit, offset=offset)
    return int(db.value("SELECT COUNT(*) FROM users")), [_user(row) for row in rows]


def change(db: Unit, user: User, now: str) -> None:
    try:
        db.run(
            """
            UPDATE users SET email = :email, email_fold = :email_fold, role = :role, blocked = :blocked,
                blocked_code = :blocked_code, updated_at = :now
            WHERE id = :id
            """,
            id=user.id,
            email=user.email,
            email_fold=fold(user.email),
            role=user.role,
            blocked=int(user.blocked),
            blocked_code=user.blocked_code,
            now=now,
        )
    except Clash as error:
        raise EmailTaken(user.email) from error
    if user.blocked:
        _shut_out(db, user.id)
    house.touch(db)


def set_blocked(db: Unit, user_id: int, blocked: bool, now: str) -> None:
    db.run(
        "UPDATE users SET blocked = :blocked, updated_at = :now WHERE id = :id",
        id=user_id,
        blocked=int(blocked),
        now=now,
    )
    if blocked:
        _shut_out(db, user_id)
    house.touch(db)


def set_password(db: Unit, user_id: int, password_hash: str, now: str) -> None:
    """Whatever it was; for whoever has the machine."""
    db.run(
        "UPDATE users SET password_hash = :password_hash, updated_at = :now WHERE id = :id",
        id=user_id,
        password_hash=password_hash,
        now=now,
    )
    _shut_out(db, user_id)
    house.touch(db)


def change_password(db: Unit, user_id: int, before: str, after: str, now: str) -> bool:
    """Both are hashes. Of two who change the same password at one moment, the second knows it no longer."""
    changed = db.run(
        "UPDATE users SET password_hash = :after, updated_at = :now WHERE id = :id AND password_hash = :before",
        id=user_id,
        before=before,
        after=after,
        now=now,
    )
    if not changed:
        return False
    _shut_out(db, user_id)
    house.touch(db)
    return True


def _shut_out(db: Unit, user_id: int) -> None:
    """Signed out everywhere, for good: no session and no link comes back to life when a block is lifted."""
    sessions.end_all(db, user_id)
    links.forget_of(db, user_id)


def remove(db: Unit, user_id: int) -> None:
    """Everything of the user goes with them, those tables first that hold on to others."""
    # Takes the user, as any write of theirs does: one that is under way ends first, and none comes in between.
    db.run("UPDATE users SET revision = revision + 1 WHERE id = :id", id=user_id)
    db.run("UPDATE accounts SET helps_id = NULL WHERE user_id = :id", id=user_id)
    for table in [name for name, columns in reversed(TABLES.items()) if "user_id" in columns]:
        db.run(f"DELETE FROM {table} WHERE user_id = :id", id=user_id)
    db.run("DELETE FROM users WHERE id = :id", id=user_id)
    house.touch(db)
