"""Finds the user that a provider or a proxy names, or creates one if a setting allows it.

An email address from a provider never leads to an existing user, because some providers let people choose any address.
"""

import logging

from msgspec import Struct, structs

from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.http.callers.noting import note_sign_in
from farthing.http.request.call import Call
from farthing.identity import users
from farthing.identity.addresses import find_problem
from farthing.identity.audit import Event
from farthing.identity.providers import store
from farthing.identity.providers.exchange import Proof
from farthing.identity.signing_in import passwords
from farthing.identity.user import Role, User
from farthing.kernel.settings.providers import Provider

_LOG = logging.getLogger("farthing.sign_in")
SHUT_OUT = "You may not sign in here. Ask the person who runs this installation."
_NO_OWNER = "This installation has no owner yet. Open the link that the server printed first."


class SignInRefusal(Struct, frozen=True):
    """Says why a sign-in is refused. If `user` is known, the refusal is recorded in their audit log."""

    sentence: str
    user: User | None = None


def find_user(call: Call, provider: Provider, proof: Proof) -> User | SignInRefusal:
    """Finds and locks the user whom the proof identifies. If there is none, creates a user or returns a refusal."""
    identity = store.find(call.db, proof.issuer, proof.subject)
    if identity is None:
        return _welcome(call, provider, proof)
    return users.hold(call.db, identity.user_id) or SignInRefusal(SHUT_OUT, users.get(call.db, identity.user_id))


def settle(call: Call, user: User, provider: Provider, proof: Proof) -> User:
    """Records the sign-in and adjusts the user's role. Call it only after the second factor has been checked."""
    identity = store.find(call.db, proof.issuer, proof.subject)
    assert identity is not None, "it led to the user"
    store.touch(call.db, identity, proof.email, call.now)
    return _settle_role(call, user, provider, proof)


def _welcome(call: Call, provider: Provider, proof: Proof) -> User | SignInRefusal:
    """Creates a user for an unknown identity, or returns why this is refused."""
    email = proof.email if proof.is_email_verified else ""
    taken = users.find_by_email(call.db, email) if email else None
    if taken:
        how = "Sign in as usual, and link it in Settings, under Sign-in."
        return SignInRefusal(
            f"A user with this email address exists, but is not linked to {provider.title}. {how}", taken
        )
    if not provider.create:
        how = "Sign in as usual and link it in Settings, or ask the owner of this installation for a user."
        return SignInRefusal(f"No user here is linked to this account at {provider.title}. {how}")
    user = make_user(call, email, told_by=provider.title)
    if isinstance(user, User):
        store.add(call.db, user.id, issuer=proof.issuer, subject=proof.subject, email=proof.email, now=call.now)
    return user


def make_user(call: Call, email: str, *, told_by: str) -> User | SignInRefusal:
    """Creates a user without a password, but never the first user, who would become the owner."""
    if not users.has_any(call.db):
        return SignInRefusal(_NO_OWNER)
    if not email:
        return SignInRefusal(f"{told_by} did not name a verified email address, so no user was created.")
    if problem := find_problem(email):
        return SignInRefusal(f"{told_by} named an email address that {problem}, so no user was created.")
    user = user_lifecycle.add(call.db, email, passwords.NONE, call.settings.timezone, call.now)
    _LOG.info("user created", extra={"user_id": user.id})
    note_sign_in(call, Event.USER_MADE, user, about=told_by)
    return user


def _settle_role(call: Call, user: User, provider: Provider, proof: Proof) -> User:
    """Makes the user an owner if they belong to the provider's owner group, or an ordinary user if they do not.

    At least one owner always remains.
    """
    if provider.owner_group is None or user.role == Role.DEMO:
        return user
    belongs = provider.owner_group in proof.groups
    if belongs == user.is_owner or not users.claim(call.db):
        return user
    if not belongs and not users.has_owner_besides(call.db, user.id):
        return user
    after = structs.replace(user, role=Role.OWNER.value if belongs else None)
    users.change(call.db, after, call.now)
    note_sign_in(call, Event.USER_CHANGED, after, about=f"{provider.title}: {'owner' if belongs else 'not an owner'}")
    return after
