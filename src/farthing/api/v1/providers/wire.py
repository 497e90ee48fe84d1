"""Reads the answers of providers, and shows the available providers."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct

from farthing.kernel.fields import RequestBody, described, parse, text

from ..factors.wire import Otp
from ..sessions.passkeys import AssertionField
from ..sessions.wire import Code

_ANSWER_CHARACTERS_MAX = 2000
_TOKEN_CHARACTERS_MAX = 8000

Key = Annotated[str, text(40)]
ProviderText = Annotated[str, text(_ANSWER_CHARACTERS_MAX)]


class StartBody(RequestBody):
    provider: Key | None = described("The `id` of a provider.")


class ReturnBody(RequestBody):
    """Repeats the parameters that the provider added to the callback address."""

    state: Code | None = None
    code: ProviderText | None = described("The code that the provider issued. Either this or `error` is required.")
    iss: ProviderText | None = described("The issuer. Required if the provider's metadata says that it sends one.")
    error: ProviderText | None = None


class SecondFactorBody(RequestBody):
    otp: Otp | None = described("The code of the authenticator app or a recovery code, as second factor.")
    passkey: AssertionField | None = described("A challenge signed by a passkey, as second factor.")


class SignInReturnBody(ReturnBody, SecondFactorBody):
    pass


class RemoteUserBody(SecondFactorBody):
    pass


class SignOutBody(RequestBody):
    """Contains a logout token, as OpenID Connect Back-Channel Logout defines it."""

    logout_token: Annotated[str, text(_TOKEN_CHARACTERS_MAX)] | None = None


class OfferedProvider(Struct, gc=False):
    id: str
    name: str


class SignInWays(Struct, gc=False):
    """`remote_user` says whether a trusted proxy has named the user.

    `password_by_mail` says whether a forgotten password can be replaced with a link that comes by e-mail.
    """

    providers: list[OfferedProvider]
    remote_user: bool
    password_by_mail: bool


class Departure(Struct, gc=False):
    """`address` is the provider's address with all parameters, to which the browser must be redirected."""

    address: str


def read_return(raw: Mapping[str, object]) -> SignInReturnBody:
    parsed = parse(SignInReturnBody, raw)
    parsed.require("state", *(() if parsed.values.error else ("code",)))
    parsed.finish()
    return parsed.values
