"""Reads sign-in requests, and shows sessions."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from msgspec.structs import asdict

from farthing.identity.audit import Note
from farthing.identity.sessions import Session, csrf_token
from farthing.identity.sharing.members import Member
from farthing.identity.user import PASSWORD_MAX, User, password_problems
from farthing.kernel.fields import Flag, RequestBody, described, parse, text
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import Instant, show_as

from .passkeys import AssertionField

_CODE_CHARACTERS_MAX = 200

Email = Annotated[str, text(255)]
Password = Annotated[str, text(PASSWORD_MAX)]
Code = Annotated[str, text(_CODE_CHARACTERS_MAX)]


class SignInBody(RequestBody):
    email: Email | None = described("Required unless `code` or `passkey` is sent.")
    password: Password | None = described("Required unless `code` or `passkey` is sent.")
    code: Code | None = described("The code of a sign-in link, which works once.")
    otp: Annotated[str, text(40)] | None = described(
        "The code of the authenticator app or a recovery code, as second factor."
    )
    passkey: AssertionField | None = described(
        "A challenge signed by a passkey, as second factor or instead of email and password."
    )


class PasswordBody(RequestBody):
    current_password: Password | None = described("Required unless you have no password yet.")
    password: Password | None = described("The new password. Must have at least 8 characters.")
    end_tokens: Flag | None = described("Revokes all your tokens too.")


class NewPassword(Struct, frozen=True, kw_only=True):
    current: str
    new: str
    end_tokens: bool


def sign_in(raw: Mapping[str, object]) -> SignInBody:
    """Reads the body and refuses it if it is incomplete. The password is not checked here."""
    parsed = parse(SignInBody, raw)
    if parsed.absent("code") and (parsed.absent("passkey") or not parsed.absent("password")):
        parsed.require("email", "password")
    parsed.finish()
    return parsed.values


def email_of(body: SignInBody) -> str | None:
    """Returns the address if the user signs in with a password. A link or a passkey identifies the user without it."""
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
    """Describes a sign-in on a new device. `id` is the id of its audit entry."""

    id: str
    created_at: Instant
    device: str
    address: str


class BooksOfOther(Struct, gc=False):
    """Identifies books that are shared with you. To use them, send their `id` in the header `Farthing-Books`.

    `email` is the address of the owner.
    """

    id: str
    email: str
    role: str


class CurrentSessionAttributes(SessionAttributes, gc=False):
    """`undo_days` is the number of days for which a change can be undone. `unknown_proxy` is the address of a proxy
    that is not trusted; it is shown to owners only. `sign_out_url` is the address for signing out of the provider.
    `revision` is the revision of the last change to the user's own books. `is_shared` is true if other people use these
    books. `new_devices` lists the sign-ins on new devices in the last 30 days, except this one. `language` is the
    user's own language, even in the books of somebody else. `home_books_id` identifies the books to open first: the
    user's own, unless these are unused and the user works in the books of somebody else.
    """

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
    language: str
    home_books_id: str


class Notices(Struct, frozen=True, kw_only=True):
    """Holds facts and warnings that are shown to a signed-in user."""

    undo_days: int
    unknown_proxy: str | None
    has_password: bool
    sign_out_url: str | None
    revision: int
    is_shared: bool
    shared_books: list[Member]
    new_devices: list[Note]
    language: str
    home_books_id: int


def show(session: Session, *, current: bool) -> SessionAttributes:
    return show_as(SessionAttributes, session, current=current)


def show_current(session: Session, user: User, secret: str, notices: Notices) -> CurrentSessionAttributes:
    books = [
        BooksOfOther(id=str(member.user_id), email=member.email, role=member.share.value)
        for member in notices.shared_books
    ]
    devices = [show_as(NewDevice, note, id=str(note.id), created_at=note.at) for note in notices.new_devices]
    return show_as(
        CurrentSessionAttributes,
        session,
        current=True,
        csrf_token=csrf_token(secret),
        user_id=str(user.id),
        email=user.email,
        role=user.role,
        **{
            **asdict(notices),
            "shared_books": books,
            "new_devices": devices,
            "home_books_id": str(notices.home_books_id),
        },
    )
