"""Decides whose turn a request takes, before anything is looked up for it."""

from collections.abc import Mapping

from farthing.storage.fair.line import Asker

from .request import Request

_CREDENTIALS_MAX = 10_000


class Askers:
    """Remembers which user a token or session belongs to. Until it is known, a request counts as its address.

    Only hashes are kept. If two were equal, two users would share their turns.
    """

    def __init__(self) -> None:
        self._user_ids: dict[int, int] = {}

    def note(self, headers: Mapping[bytes, bytes], user_id: int) -> None:
        if len(self._user_ids) >= _CREDENTIALS_MAX:
            self._user_ids.clear()
        self._user_ids[_hash_credential(headers)] = user_id

    def is_known(self, request: Request) -> bool:
        return _hash_credential(request.headers) in self._user_ids

    def of(self, request: Request) -> Asker:
        """Returns the asker of short work, which is done even if the client hangs up."""
        return Asker(user=self._user_ids.get(_hash_credential(request.headers)) or request.peer.client)

    def of_large(self, request: Request) -> Asker:
        """Returns the asker of work that is dropped when the client hangs up. The body must have been received."""
        return Asker(user=self.of(request).user, gone=request.presence.gone(), is_bounded=True)

    def of_heavy(self, request: Request) -> Asker:
        """Returns the asker of work that has proved slow: like large work, but without a bound on how much waits."""
        return Asker(user=self.of(request).user, gone=request.presence.gone())

    def of_visitor(self, request: Request) -> Asker:
        """Returns the asker for a sign-in: the address."""
        return Asker(user=request.peer.client, gone=request.presence.gone())

    def of_account(self, request: Request) -> Asker:
        """Returns the asker for a sign-in by the account that it names."""
        email = request.fields.get("email") if isinstance(request.fields, dict) else None
        return Asker(user=str(email), gone=request.presence.gone())


def _hash_credential(headers: Mapping[bytes, bytes]) -> int:
    return hash(headers.get(b"authorization") or headers.get(b"cookie"))
