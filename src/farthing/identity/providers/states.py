"""Stores pending round trips to providers; each user may come back once, soon, and with the same browser.

The browser keeps a secret in a cookie, and the provider returns the state. We store both as hashes, and derive the
nonce and PKCE's verifier from the two together.
"""

import base64
import hmac
import secrets
from datetime import timedelta

from msgspec import Struct

from farthing.kernel.clock import shift
from farthing.storage import tables
from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit

from ..callers import hash_secret

LASTS = timedelta(minutes=10)
# This prefix of a state tells the web app which page asked.
LINKING = "link."


class RoundTrip(Struct, frozen=True, kw_only=True):
    """Describes a way to a provider and back: `state` goes with it, `browser` stays in a cookie."""

    state: str
    browser: str

    @property
    def nonce(self) -> str:
        return self._derive("nonce")

    @property
    def verifier(self) -> str:
        """Returns PKCE's code verifier: 43 characters that need no escaping."""
        return self._derive("verifier")

    def _derive(self, purpose: str) -> str:
        digest = hmac.digest(self.browser.encode(), f"farthing: {purpose} {self.state}".encode(), "sha256")
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


class ProviderState(Struct, frozen=True, kw_only=True):
    """`user_id` is who wants to link the provider; None means that somebody wants to sign in."""

    hash: str
    provider: str
    user_id: int | None
    proof: str | None


def begin(db: Unit, provider: str, *, browser: str | None, user_id: int | None, now: str) -> RoundTrip:
    """Keeps the secret of a browser with a pending round trip, so that two tabs do not disturb each other."""
    pending = "SELECT 1 FROM provider_states WHERE browser = :browser AND expires_at > :now LIMIT 1"
    is_pending = browser and db.value(pending, browser=hash_secret(browser), now=now)
    secret = browser if browser and is_pending else secrets.token_urlsafe(32)
    prefix = LINKING if user_id else ""
    trip = RoundTrip(state=prefix + secrets.token_urlsafe(32), browser=secret)
    stamps = {"created_at": now, "expires_at": shift(now, LASTS)}
    tables.add(db, "provider_states", **_hashes(trip), provider=provider, user_id=user_id, **stamps)
    return trip


def _hashes(trip: RoundTrip) -> dict[str, str]:
    return {"hash": hash_secret(trip.state), "browser": hash_secret(trip.browser)}


def find(db: Unit, trip: RoundTrip, now: str) -> ProviderState | None:
    columns = tables.columns_of(ProviderState)
    which = "hash = :hash AND browser = :browser AND expires_at > :now"
    return db.struct(ProviderState, f"SELECT {columns} FROM provider_states WHERE {which}", **_hashes(trip), now=now)


def use(db: Unit, state: ProviderState, now: str) -> bool:
    """Lets only one of two simultaneous uses of a state succeed."""
    statement = "UPDATE provider_states SET used_at = :now WHERE hash = :hash AND used_at IS NULL"
    return db.run_and_count(statement, hash=state.hash, now=now) > 0


def keep_proof(db: Unit, state_hash: str, proof: str) -> None:
    """Stores the proof until the second factor is given."""
    tables.change(db, "provider_states", {"hash": state_hash}, proof=proof)


def finish(db: Unit, state_hash: str) -> bool:
    """Lets only one of two simultaneous calls succeed."""
    return tables.remove_and_count(db, "provider_states", hash=state_hash) > 0


def forget_old(db: Unit, now: str) -> int:
    return delete_some(db, "provider_states", "hash", "expires_at <= :now", now=now)
