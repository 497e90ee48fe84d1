"""Defines what a provider has proved about a user, or why it has not."""

from msgspec import Struct

from .sessions import ProviderSession


class Proof(Struct, frozen=True, kw_only=True):
    """Holds checked facts about a user. `email` is empty if the provider does not send it."""

    issuer: str
    subject: str
    email: str
    is_email_verified: bool
    groups: tuple[str, ...]
    session_name: str | None
    sign_out_url: str | None

    @property
    def session(self) -> ProviderSession:
        return ProviderSession(issuer=self.issuer, name=self.session_name, sign_out_url=self.sign_out_url)


class NotProved(Struct, frozen=True, kw_only=True):
    """`sentence` is for the person who wants to sign in, `reason` for the log of the operator."""

    sentence: str
    reason: str


class SignOutOrder(Struct, frozen=True, kw_only=True):
    """Reports that a user has signed out at a provider: of one session, or of all."""

    issuer: str
    subject: str | None
    session_name: str | None
