"""Reads and shows members, invitations, and the books that a user may use."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct

from farthing.books.preferences.values import Language, TimeZone
from farthing.identity.sharing.members import OWNER, Member
from farthing.identity.user import Share, User
from farthing.kernel.fields import Name, RequestBody, choice, described, parse
from farthing.kernel.parsed import Parsed
from farthing.kernel.shown import Instant

from ..sessions.wire import Code, Password
from ..users.wire import Email, check_new_user

_ROLES = (
    "`viewer` may see everything, `bookkeeper` may also add and change data, `full` may do everything that you may do"
)


class MemberBody(RequestBody):
    role: Annotated[Share, choice(*Share)] | None = described(f"{_ROLES}.")


class InvitationBody(RequestBody):
    role: Annotated[str, choice(*Share, OWNER)] | None = described(
        f"{_ROLES}. `owner` transfers the books to the invited person."
    )
    name: Name | None = described("The name of the invited person, to tell invitations apart.")


class CodeBody(RequestBody):
    code: Code | None = described("The code of an invitation, which works once.")


class RegistrationBody(CodeBody):
    email: Email | None = None
    password: Password | None = described("Must have at least 8 characters.")
    timezone: TimeZone | None = described("A name such as Europe/Berlin. Defaults to the setting `FARTHING_TIMEZONE`.")
    language: Language | None = described("Defaults to en_US.")


class MemberAttributes(Struct, gc=False):
    created_at: Instant
    user_id: str
    email: str
    role: str


class InvitationAttributes(Struct, gc=False):
    created_at: Instant
    expires_at: Instant
    role: str
    name: str


class NewInvitationAttributes(InvitationAttributes, gc=False):
    """`code` is shown only once."""

    code: str


class BooksAttributes(Struct, gc=False):
    """`email` is the address of the owner. `role` is your role in these books. In your own books, it is `owner`."""

    email: str
    role: str


class OfferedBooks(Struct, gc=False):
    """`may_register` says whether a new user can register with the invitation."""

    email: str
    role: str
    may_register: bool


def read_registration(raw: Mapping[str, object]) -> Parsed[RegistrationBody]:
    parsed = parse(RegistrationBody, raw)
    check_new_user(parsed)
    return parsed


def show_member(member: Member) -> MemberAttributes:
    return MemberAttributes(
        created_at=member.created_at, user_id=str(member.member_id), email=member.email, role=member.share.value
    )


def show_own_books(user: User) -> BooksAttributes:
    return BooksAttributes(email=user.email, role=OWNER)


def show_books(member: Member) -> BooksAttributes:
    return BooksAttributes(email=member.email, role=member.share.value)
