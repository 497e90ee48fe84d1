"""Stores users: adds, finds, changes, blocks and removes them."""

from farthing.kernel.errors import Unauthenticated
from farthing.kernel.text import fold
from farthing.storage import installation, tables
from farthing.storage.drivers import dialects
from farthing.storage.schema import TABLES
from farthing.storage.unit import Author, Clash, Row, Unit, page_of

from . import devices, links, sessions
from .user import Role, User

_LOCK = 7_203_114_210  # PostgreSQL's advisory lock for changing users; any number, as long as all servers use the same
_USER = tables.columns_of(User)


class EmailTaken(Exception):
    pass


def take(db: Unit, user_id: int, *, token_id: int | None, now: str, doing: str, by_id: int | None = None) -> None:
    """Begins a write. Every write must call this first, so that a user's writes run one after the other, each with its
    own revision.

    The log of changes stores `doing`, the name of the route or job, and `by_id`, the person who makes the change.
    """

    def set_author(rows: list[Row]) -> None:
        if not rows:
            raise Unauthenticated("The user was deleted while this write waited for its turn.")
        [(revision, rules_version, hooks)] = rows
        db.author = Author(
            user_id=user_id,
            revision=revision,
            token_id=token_id,
            at=now,
            rules_version=rules_version,
            by_id=by_id,
            hooks=hooks,
        )

    db.author = None
    db.ask(
        "UPDATE users SET revision = revision + 1 WHERE id = :id RETURNING revision, rules_version, hooks",
        set_author,
        id=user_id,
    )
    db.run(
        """
        INSERT INTO revisions (user_id, revision, at, token_id, doing, by_id)
        SELECT id, revision, :now, :token_id, :doing, :by_id FROM users WHERE id = :user_id
        """,
        user_id=user_id,
        now=now,
        token_id=token_id,
        doing=doing,
        by_id=by_id,
    )


def begin_next_change(db: Unit, *, done: str) -> None:
    """Logs what this unit of work has written so far as a separate change, made by the program itself.

    `done` is the name of this change in the log of changes. Later writes are another change, under the original name.
    """
    author = db.author
    assert author is not None, "a write takes its user first"
    so_far = {"user_id": author.user_id, "revision": author.revision}
    of = "user_id = :user_id AND revision = :revision"
    doing = db.value(f"SELECT doing FROM revisions WHERE {of}", **so_far)
    db.run(f"UPDATE revisions SET doing = :done, token_id = NULL, by_id = NULL WHERE {of}", done=done, **so_far)
    take(db, author.user_id, token_id=author.token_id, now=author.at, doing=doing, by_id=author.by_id)
    db.flush()


def claim(db: Unit) -> bool:
    """Tries to take the lock for changing users in this unit of work. SQLite needs none, as it has a single writer.

    Never waits for the lock. A write has already locked its own user, so two owners who change each other would
    deadlock.
    """
    return dialects.try_lock(db, _LOCK)


def add(db: Unit, email: str, password_hash: str, now: str) -> User:
    """Adds a user. The first user of an installation is its owner. With an empty hash, no password is accepted."""
    try:
        user = db.struct(
            User,
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
    installation.touch(db)
    assert user is not None
    return user


def get(db: Unit, user_id: int) -> User | None:
    return tables.find(db, User, "users", id=user_id)


def find_by_email(db: Unit, email: str) -> User | None:
    return tables.find(db, User, "users", email_fold=fold(email))


def password_hash(db: Unit, email: str) -> str | None:
    """Returns the hash of a user's password, even if the user is blocked. Otherwise, the duration of a sign-in attempt
    would reveal the block."""
    hash_ = db.value("SELECT password_hash FROM users WHERE email_fold = :email_fold", email_fold=fold(email))
    return str(hash_) if hash_ else None


def has_password(db: Unit, user_id: int) -> bool:
    """Returns whether the user has a password. Users who sign in by link or with a provider do not need one."""
    return bool(db.value("SELECT 1 FROM users WHERE id = :id AND password_hash <> ''", id=user_id))


def hold_by_password(db: Unit, email: str, password_hash: str, renewed: str | None) -> User | None:
    """Locks and returns a user who signs in, as `hold` does. Returns None if the user is blocked, or if the
    password hash has changed meanwhile.

    `renewed` is a new hash of the same password, which replaces the old one. As the password stays the same,
    `updated_at` does not change.
    """
    return db.struct(
        User,
        f"""
        UPDATE users SET password_hash = :renewed
        WHERE email_fold = :email_fold AND password_hash = :password_hash AND blocked = 0
        RETURNING {_USER}
        """,
        email_fold=fold(email),
        password_hash=password_hash,
        renewed=renewed or password_hash,
    )


def hold(db: Unit, user_id: int) -> User | None:
    """Locks a user who signs in. If somebody blocks the user at the same moment, the block waits, and then also ends
    the new session. Returns None if the user does not exist or is already blocked."""
    statement = f"UPDATE users SET blocked = blocked WHERE id = :id AND blocked = 0 RETURNING {_USER}"
    return db.struct(User, statement, id=user_id)


def hold_by_email(db: Unit, email: str) -> User | None:
    """Locks and returns the user with this address, as `hold` does, so that the address does not change meanwhile."""
    statement = f"UPDATE users SET blocked = blocked WHERE email_fold = :fold AND blocked = 0 RETURNING {_USER}"
    return db.struct(User, statement, fold=fold(email))


def has_any(db: Unit) -> bool:
    return bool(db.value("SELECT 1 FROM users LIMIT 1"))


def list_all(db: Unit) -> list[User]:
    return db.structs(User, f"SELECT {_USER} FROM users ORDER BY id")


def has_owner_besides(db: Unit, user_id: int) -> bool:
    """Returns whether there is another owner who is not blocked."""
    statement = "SELECT 1 FROM users WHERE role = :owner AND blocked = 0 AND id <> :id LIMIT 1"
    return bool(db.value(statement, owner=Role.OWNER.value, id=user_id))


def page(db: Unit, *, limit: int, offset: int) -> tuple[int, list[User]]:
    return page_of(db, User, f"SELECT {_USER} FROM users", "users", "1 = 1", "id", limit=limit, offset=offset)


def change(db: Unit, user: User, now: str) -> None:
    values = {"role": user.role, "blocked": user.blocked, "blocked_code": user.blocked_code, "updated_at": now}
    try:
        tables.change(db, "users", {"id": user.id}, email=user.email, email_fold=fold(user.email), **values)
        db.flush()
    except Clash as error:
        raise EmailTaken(user.email) from error
    _finish_change(db, user.id, shut_out=user.blocked)


def set_blocked(db: Unit, user_id: int, blocked: bool, now: str) -> None:
    tables.change(db, "users", {"id": user_id}, blocked=blocked, updated_at=now)
    _finish_change(db, user_id, shut_out=blocked)


def set_password(db: Unit, user_id: int, password_hash: str, now: str) -> None:
    """Sets a password without asking for the old one. Only the command line uses this."""
    tables.change(db, "users", {"id": user_id}, password_hash=password_hash, updated_at=now)
    _finish_change(db, user_id, shut_out=True)


def change_password(db: Unit, user_id: int, before: str, after: str, now: str) -> bool:
    """Replaces the password hash `before` with `after`. Returns False if `before` is outdated, as in the second of two
    simultaneous changes."""
    statement = "UPDATE users SET password_hash = :after, updated_at = :now WHERE id = :id AND password_hash = :before"
    is_changed = db.run_and_count(statement, id=user_id, before=before, after=after, now=now) > 0
    if is_changed:
        _finish_change(db, user_id, shut_out=True)
    return is_changed


def _finish_change(db: Unit, user_id: int, *, shut_out: bool) -> None:
    """Finishes a change of a user. With `shut_out`, ends all sessions and links of the user and forgets their browsers.

    Unblocking the user later does not restore these. Links for a new password always end, because they may be in the
    mailbox of an earlier address.
    """
    tables.remove(db, "password_links", user_id=user_id)
    if shut_out:
        sessions.end_all(db, user_id)
        devices.forget_for_user(db, user_id)
        links.forget_for_user(db, user_id)
        # An app that was authorized just now must not fetch its tokens any more.
        db.run("DELETE FROM app_codes WHERE user_id = :user_id AND used_at IS NULL", user_id=user_id)
    installation.touch(db)


def remove(db: Unit, user_id: int) -> None:
    """Deletes the user and all their rows. Each table is emptied before the tables to which it refers."""
    # Locks the user, as each of the user's writes does, so that a running write ends first and no other starts.
    db.run("UPDATE users SET revision = revision + 1 WHERE id = :id", id=user_id)
    db.run("UPDATE accounts SET helps_id = NULL WHERE user_id = :id", id=user_id)
    for table in [name for name, columns in reversed(TABLES.items()) if "user_id" in columns]:
        db.run(f"DELETE FROM {table} WHERE user_id = :id", id=user_id)
    db.run("DELETE FROM users WHERE id = :id", id=user_id)
    installation.touch(db)
