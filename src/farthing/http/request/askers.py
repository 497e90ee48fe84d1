"""Tells whose turn a request takes, before anything is looked up for it."""

from collections.abc import Hashable, Mapping

from farthing.storage.fair.line import Asker

from .proxies import Proxies
from .request import Request

_REMEMBERED_MAX = 10_000


class Askers:
    """Remembers whose token or session it was; one that has not been seen yet counts as its address.

    Only hashes are kept. If two were equal, two users would share their turns.
    """

    def __init__(self, proxies: Proxies) -> None:
        self._proxies = proxies
        self._user_ids: dict[int, int] = {}

    def note(self, headers: Mapping[bytes, bytes], user_id: int) -> None:
        if len(self._user_ids) >= _REMEMBERED_MAX:
            self._user_ids.clear()
        self._user_ids[_hash_credential(headers)] = user_id

    def is_known(self, request: Request) -> bool:
        return _hash_credential(request.headers) in self._user_ids

    def of(self, request: Request) -> Asker:
        """For short work, which is done even if the client hangs up."""
        return Asker(user=self._user_ids.get(_hash_credential(request.headers)) or self._address(request))

    def of_large(self, request: Request) -> Asker:
        """For work that is dropped when the client hangs up. The body must have been received."""
        return Asker(user=self.of(request).user, gone=request.presence.gone(), is_bounded=True)

    def of_heavy(self, request: Request) -> Asker:
        """For work that has proved to take long: the same, but nobody can know how much of it is too much."""
        return Asker(user=self.of(request).user, gone=request.presence.gone())

    def of_visitor(self, request: Request) -> Asker:
        """For those who are about to sign in."""
        return Asker(user=self._address(request), gone=request.presence.gone())

    def of_account(self, request: Request) -> Asker:
        """The same by the account that they name."""
        email = request.fields.get("email") if isinstance(request.fields, dict) else None
        return Asker(user=str(email), gone=request.presence.gone())

    def _address(self, request: Request) -> Hashable:
        return self._proxies.client(request.scope, request.headers)


def _hash_credential(headers: Mapping[bytes, bytes]) -> int:
    return hash(headers.get(b"authorization") or headers.get(b"cookie"))
