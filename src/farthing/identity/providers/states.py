"""Stores pending round trips to providers. A user may return from each only once, soon, and in the same browser.

The browser keeps a secret in a cookie, and the provider sends the state back. We store only the hashes of both. The
nonce and the verifier of PKCE are derived from the secret and the state together.
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
# A state with this prefix belongs to the page that links providers, not to a sign-in.
LINKING = "link."


class RoundTrip(Struct, frozen=True, kw_only=True):
    """Describes one round trip to a provider and back.

    `state` is sent to the provider, which sends it back. `browser` is a secret that stays in a cookie of the browser.
    """

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
    """Describes a pending round trip. `user_id` is the user who wants to link the provider, or None for a sign-in."""

    hash: str
    provider: str
    user_id: int | None
    proof: str | None


def begin(db: Unit, provider: str, *, browser: str | None, user_id: int | None, now: str) -> RoundTrip:
    """Begins a round trip to the provider. If the browser has a pending round trip, both use the same secret, so that
    both can finish."""
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
    """Marks a state as used. Of two simultaneous uses, only one returns True."""
    statement = "UPDATE provider_states SET used_at = :now WHERE hash = :hash AND used_at IS NULL"
    return db.run_and_count(statement, hash=state.hash, now=now) > 0


def keep_proof(db: Unit, state_hash: str, proof: str) -> None:
    """Stores the proof until the second factor is given."""
    tables.change(db, "provider_states", {"hash": state_hash}, proof=proof)


def finish(db: Unit, state_hash: str) -> bool:
    """Deletes a state. Of two simultaneous calls, only one returns True."""
    return tables.remove_and_count(db, "provider_states", hash=state_hash) > 0


def forget_old(db: Unit, now: str) -> int:
    return delete_some(db, "provider_states", "hash", "expires_at <= :now", now=now)
