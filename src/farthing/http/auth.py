"""Who is calling? A bearer token, or nobody."""

from ..errors import Unauthenticated
from ..storage.unit import Unit
from ..users import tokens
from ..users.model import Caller

_TOKEN_CHARACTERS_MAX = 500


def authenticate(db: Unit, authorization: bytes | None, now: str) -> Caller:
    scheme, _, token = (authorization or b"").decode("latin-1").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or len(token) > _TOKEN_CHARACTERS_MAX:
        raise Unauthenticated("Unauthenticated")
    caller = tokens.caller(db, token, now)
    if caller is None:
        raise Unauthenticated("Unauthenticated")
    return caller
