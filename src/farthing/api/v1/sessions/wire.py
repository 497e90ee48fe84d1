"""Reads sign-in requests, and shows sessions."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from pydantic import Field

from farthing.identity.audit import Note
from farthing.identity.session import Session, csrf_token
from farthing.identity.sharing.members import Member
from farthing.identity.user import PASSWORD_MAX, User, password_problems
from farthing.kernel.fields import Flag, RequestBody, parse, text
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import Instant

from .passkeys import AssertionField

_CODE_CHARACTERS_MAX = 200

Password = Annotated[str, text(PASSWORD_MAX)]
Code = Annotated[str, text(_CODE_CHARACTERS_MAX)]


class SignInBody(RequestBody):
    email: Annotated[str, text(255)] | None = Field(None, description="With the password. This or `code`.")
    password: Password | None = Field(None, description="With the email. This or `code`.")
    code: Code | None = Field(None, description="Of a sign-in link; it works once.")
    otp: Annotated[str, text(40)] | None = Field(
        None, description="With a second factor: the code of the authenticator app, or a recovery code."
    )
    passkey: AssertionField | None = Field(
        None, description="What a passkey has signed: as second factor, or alone, instead of email and password."
    )


class PasswordBody(RequestBody):
    current_password: Password | None = Field(None, description="Needed unless you have none yet.")
    password: Password | None = Field(None, description="The new one: 8 characters or more.")
    end_tokens: Flag | None = Field(None, description="Revoke all your tokens as well; left out, they stay.")


class NewPassword(Struct, frozen=True, kw_only=True):
    current: str
    new: str
    end_tokens: bool


def sign_in(raw: Mapping[str, object]) -> SignInBody:
    """Complete, but not yet checked."""
    parsed = parse(SignInBody, raw)
    if parsed.absent("code") and (parsed.absent("passkey") or not parsed.absent("password")):
        parsed.require("email", "password")
    parsed.finish()
    return parsed.values


def email_of(body: SignInBody) -> str | None:
    """The address of somebody who signs in with a password; a link or a passkey tells by itself who it is."""
    return None if body.code or body.password is None else body.email


def new_password(raw: Mapping[str, object], email: str, *, has_password: bool) -> NewPassword:
    parsed = parse(PasswordBody, raw)
    values = parsed.values
    parsed.require(*(("current_password",) if has_password else ()), "password")
    if values.password:
        parsed.report_all(password_problems("password", values.password, email))
    parsed.finish()
    return NewPassword(
        current=values.current_password or "", new=ensure(values.password), end_tokens=bool(values.end_tokens)
    )


class SessionAttributes(Struct, gc=False):
    created_at: Instant
    last_used_at: Instant
    expires_at: Instant
    device: str
    current: bool


class NewDevice(Struct, gc=False):
    """A sign-in where the user had not signed in before; `id` is that of the audit."""

    id: str
    created_at: Instant
    device: str
    address: str


class BooksOfOther(Struct, gc=False):
    """Books that are shared with the user: `id` for `Farthing-Books`, `email` of their owner."""

    id: str
    email: str
    role: str


class CurrentSessionAttributes(SessionAttributes, gc=False):
    """`undo_days` is for how many days a change can be undone on this server. `unknown_proxy` is for owners: the
    address of a proxy that is not trusted. `sign_out_url` is where one signs out of the provider, too. `revision` is
    that of the last change of the user's own books; `is_shared`: others work in them, too. `new_devices` are those of
    the last 30 days, besides this one."""

    csrf_token: str
    user_id: str
    email: str
    role: str | None
    undo_days: int
    unknown_proxy: str | None
    has_password: bool
    sign_out_url: str | None
    revision: int
    is_shared: bool
    shared_books: list[BooksOfOther]
    new_devices: list[NewDevice]


class Notices(Struct, frozen=True, kw_only=True):
    """What this server has to say to whoever is signed in."""

    undo_days: int
    unknown_proxy: str | None
    has_password: bool
    sign_out_url: str | None
    revision: int
    is_shared: bool
    shared_books: list[Member]
    new_devices: list[Note]


def show(session: Session, *, current: bool) -> SessionAttributes:
    return SessionAttributes(
        created_at=session.created_at,
        last_used_at=session.last_used_at,
        expires_at=session.expires_at,
        device=session.device,
        current=current,
    )


def show_current(session: Session, user: User, secret: str, notices: Notices) -> CurrentSessionAttributes:
    return CurrentSessionAttributes(
        created_at=session.created_at,
        last_used_at=session.last_used_at,
        expires_at=session.expires_at,
        device=session.device,
        current=True,
        csrf_token=csrf_token(secret),
        user_id=str(user.id),
        email=user.email,
        role=user.role,
        undo_days=notices.undo_days,
        unknown_proxy=notices.unknown_proxy,
        has_password=notices.has_password,
        sign_out_url=notices.sign_out_url,
        revision=notices.revision,
        is_shared=notices.is_shared,
        shared_books=[
            BooksOfOther(id=str(books.user_id), email=books.email, role=books.share.value)
            for books in notices.shared_books
        ],
        new_devices=[
            NewDevice(id=str(device.id), created_at=device.at, device=device.device, address=device.address)
            for device in notices.new_devices
        ],
    )
