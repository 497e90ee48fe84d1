"""Stores the apps that people have registered. Only the hashes of their secrets are stored."""

import hmac
import secrets

from farthing.kernel.text import parse_id
from farthing.storage import tables
from farthing.storage.drivers import dialects
from farthing.storage.unit import Unit, page_of

from ..callers import hash_secret
from .model import App, AppDraft

_SELECT = f"SELECT {tables.columns_of(App)} FROM apps"


def add(db: Unit, user_id: int, draft: AppDraft, now: str) -> tuple[App, str | None]:
    """Adds an app. Returns the app and its secret, which cannot be read later. A public app has no secret."""
    secret = None if draft.is_public else secrets.token_urlsafe(32)
    app = tables.add_and_get(
        db,
        App,
        "apps",
        user_id=user_id,
        name=draft.name,
        redirects=" ".join(draft.redirects),
        hash=hash_secret(secret) if secret else None,
        for_everybody=draft.is_for_everybody,
        api_version=draft.api_version,
        created_at=now,
    )
    return app, secret


def get(db: Unit, user_id: int, app_id: int) -> App | None:
    return tables.find(db, App, "apps", user_id=user_id, id=app_id)


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[App]]:
    """Lists the apps that this user has registered."""
    mine = "user_id = :user_id"
    return page_of(db, App, _SELECT, "apps", mine, "id", limit=limit, offset=offset, user_id=user_id)


def list_all(db: Unit) -> list[App]:
    """Lists the apps of all users, for the command line."""
    return db.structs(App, f"{_SELECT} ORDER BY id")


def find_for_user(db: Unit, user_id: int, client_id: str) -> App | None:
    """Finds an app that this user may use, which is an app of their own or one for everybody."""
    statement = f"{_SELECT} WHERE id = :id AND (user_id = :user_id OR for_everybody = 1)"
    return db.struct(App, statement, id=parse_id(client_id) or 0, user_id=user_id)


def find_by_secret(db: Unit, client_id: str, secret: str) -> App | None:
    """Authenticates an app by its secret; a public app must not send one. Returns None if that fails."""
    app = tables.find(db, App, "apps", id=parse_id(client_id) or 0)
    if app is None:
        return None
    right = not secret if app.hash is None else hmac.compare_digest(app.hash, hash_secret(secret))
    return app if right else None


def hold(db: Unit, app_id: int) -> bool:
    """Locks the app against deletion until this unit of work ends. Returns False if the app no longer exists.

    The lock is shared, so several units of work can hold it at the same time. To avoid deadlocks, lock the user before
    the app, and codes and tokens after the app, because the deletion of an app locks them in that order.
    """
    return bool(db.value(f"SELECT 1 FROM apps WHERE id = :id {dialects.lock_shared(db)}", id=app_id))


def remove(db: Unit, app_id: int) -> bool:
    """Deletes the app, which ends all access that users have given it."""
    return tables.remove_and_count(db, "apps", id=app_id) > 0


def remove_own(db: Unit, user_id: int, app_id: int) -> bool:
    return tables.remove_and_count(db, "apps", user_id=user_id, id=app_id) > 0
