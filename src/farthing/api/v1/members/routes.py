"""Serves the members of books and the invitations to books. Lets users join, leave and transfer books."""

import logging
from typing import Any

from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.books.webhooks import store as webhooks
from farthing.http.answer.document import All, Item, Thing, thing
from farthing.http.callers.noting import note, note_joined
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import Before, Gate, Parameter, Route, Runs
from farthing.identity import users
from farthing.identity.audit import Event
from farthing.identity.sharing import handover, members
from farthing.identity.sharing.members import OWNER, Invitation, Member
from farthing.identity.signing_in import passwords
from farthing.identity.signing_in.attempts import count_attempt, forgive_attempt
from farthing.identity.user import Share, User
from farthing.kernel.errors import Conflict, Forbidden, Forged, NotFound, TooMany, refuse_field
from farthing.kernel.fields import parse_complete
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import show_as

from ..resources.resource import Resource
from ..sessions.entrance import CurrentSession, let_in
from . import wire

_LOG = logging.getLogger("farthing.sharing")
MemberThing = Thing[wire.MemberAttributes]
InvitationThing = Thing[wire.InvitationAttributes]
NewInvitationThing = Thing[wire.NewInvitationAttributes]
BooksThing = Thing[wire.BooksAttributes]
_USED_UP = "This invitation was used before, was withdrawn, or has expired. Ask for a new one."
_TAKEN = "The email address is already used by another user. Sign in, then open the link again."


def index(call: Call) -> Answer:
    return Answer(All([_member_thing(call, member) for member in members.list_of_books(call.db, call.user_id)]))


def change(call: Call) -> Answer:
    member = _find(call)
    share = ensure(parse_complete(wire.MemberBody, call.fields, "role").role)
    members.set_share(call.db, member, share, call.now)
    note(call, Event.ROLE_CHANGED, about=f"{member.email}: {share.value}", user_id=call.user_id)
    return _MEMBERS.answer(call, _find(call))


def remove(call: Call) -> Answer:
    member = _find(call)
    members.remove(call.db, call.user_id, member.member_id)
    note(call, Event.SHARING_ENDED, about=member.email, user_id=call.user_id)
    return NOTHING


def index_invitations(call: Call) -> Answer:
    listed = [
        thing(call.base, "invitations", invitation.id, show_as(wire.InvitationAttributes, invitation))
        for invitation in _invitations(call)
    ]
    return Answer(All(listed))


def invite(call: Call) -> Answer:
    body = parse_complete(wire.InvitationBody, call.fields, "role", "name")
    role = ensure(body.role)
    if role == OWNER:
        _refuse_handing_over(call)
    invitation_id, code = members.invite(
        call.db, call.user_id, role=role, name=ensure(body.name), by_id=call.caller.user.id, now=call.now
    )
    note(call, Event.INVITED, about=f"{body.name}: {role}", user_id=call.user_id)
    [created] = [invitation for invitation in _invitations(call) if invitation.id == invitation_id]
    return Answer(
        Item(thing(call.base, "invitations", invitation_id, show_as(wire.NewInvitationAttributes, created, code=code)))
    )


def _refuse_handing_over(call: Call) -> None:
    if call.caller.share is not None:
        raise Forbidden("Only the owner of these books can transfer them.")
    call.session_only("transfer books")


def take_back(call: Call) -> Answer:
    or_404(members.remove_invitation(call.db, call.user_id, call.id) or None)
    note(call, Event.INVITATION_TAKEN_BACK, user_id=call.user_id)
    return NOTHING


def index_books(call: Call) -> Answer:
    own = thing(call.base, "books", call.user_id, wire.show_own_books(call.caller.user))
    shared = members.list_of_person(call.db, call.user_id)
    return Answer(All([own, *(_books_thing(call, member) for member in shared)]))


def join(call: Call) -> Answer:
    """Accepts an invitation, and answers with the books. After a transfer, the books are the caller's own and have
    another id.
    """
    body = parse_complete(wire.CodeBody, call.fields, "code")
    invitation = members.find_invitation(call.db, ensure(body.code), call.now)
    if invitation is None:
        refuse_field("code", _USED_UP)
    if invitation.role == OWNER:
        call.session_only("take over books")
    _accept(call, invitation, call.caller.user)
    if invitation.role == OWNER:
        return Answer(Item(thing(call.base, "books", invitation.user_id, wire.show_own_books(call.caller.user))))
    [joined] = [
        member for member in members.list_of_person(call.db, call.user_id) if member.user_id == invitation.user_id
    ]
    return Answer(Item(_books_thing(call, joined)))


def leave(call: Call) -> Answer:
    or_404(members.remove(call.db, call.id, call.user_id) or None)
    note(call, Event.SHARING_ENDED, about=call.caller.user.email, user_id=call.id)
    return NOTHING


def show_offered(call: Call) -> Answer:
    """Shows the invitation to anybody who has the link, signed in or not."""
    invitation = or_404(members.find_invitation(call.db, call.query.get("code", ""), call.now))
    owner = or_404(users.get(call.db, invitation.user_id))
    may = _may_register(call, invitation)
    return Answer(Item(wire.OfferedBooks(email=owner.email, role=invitation.role, may_register=may)))


def ask_password(call: Call) -> str | None:
    """Returns the new user's password, which is hashed next, or None if the code is wrong. Counts the attempt."""
    values = _read_registration(call)
    count_attempt(call.db, call.visitor.origin, None, call.now)
    invitation = members.find_invitation(call.db, ensure(values.code), call.now)
    return values.password if invitation and _may_register(call, invitation) else None


def register(call: Call) -> Answer:
    values = _read_registration(call)
    invitation = members.find_invitation(call.db, ensure(values.code), call.now)
    if invitation is None or not isinstance(call.prepared, str):
        refuse_field("code", _USED_UP)
    try:
        user = user_lifecycle.add(
            call.db,
            ensure(values.email),
            call.prepared,
            values.timezone or call.settings.timezone,
            call.now,
            language=values.language,
        )
    except users.EmailTaken:
        refuse_field("email", _TAKEN)
    _accept(call, invitation, user)
    forgive_attempt(call.db, call.visitor.origin, None, call.now)
    return let_in(call, user)


def _accept(call: Call, invitation: Invitation, user: User) -> None:
    if invitation.user_id == user.id:
        refuse_field("code", "These are your own books.")
    if invitation.role == OWNER:
        handover.hold(call.db, invitation.user_id, user.id)
    if not members.use_invitation(call.db, invitation):
        refuse_field("code", _USED_UP)
    if invitation.role == OWNER:
        _hand_over(call, invitation, user)
    elif members.add(call.db, invitation.user_id, user.id, Share(invitation.role), call.now) is None:
        refuse_field("code", "These books are shared with you already.")
    else:
        note_joined(call, invitation.user_id, by_id=user.id, about=f"{user.email}: {invitation.role}")
    _LOG.info("invitation accepted", extra={"user_id": user.id, "books_id": invitation.user_id})


def _hand_over(call: Call, invitation: Invitation, user: User) -> None:
    if not handover.is_empty(call.db, user.id):
        raise Conflict("Your own books are not empty. Export and empty them first, or join as another user.")
    handover.hand_over(call.db, invitation.user_id, user.id, call.now)
    for user_id in (invitation.user_id, user.id):
        webhooks.forget_sign_ins(call.db, user_id, webhooks.all_of(call.db, user_id), call.now)
        note_joined(call, user_id, by_id=invitation.user_id, about=user.email, event=Event.HANDED_OVER)


def _may_register(call: Call, invitation: Invitation) -> bool:
    """Tells whether a new user may register with the invitation.

    The invitation must come from an owner of the installation. A new user cannot take over books.
    """
    by = users.get(call.db, invitation.invited_by_id)
    return bool(by and by.is_owner and not by.blocked) and invitation.role != OWNER


def _read_registration(call: Call) -> wire.RegistrationBody:
    parsed = wire.read_registration(call.fields)
    parsed.finish()
    return parsed.values


def _find(call: Call) -> Member:
    return or_404(members.get(call.db, call.user_id, call.id))


def _invitations(call: Call) -> list[Invitation]:
    return members.list_invitations(call.db, call.user_id, call.now)


def _member_thing(call: Call, member: Member) -> MemberThing:
    return thing(call.base, "members", member.id, wire.show_member(member))


def _books_thing(call: Call, member: Member) -> BooksThing:
    return thing(call.base, "books", member.user_id, wire.show_books(member))


_CODE = Parameter("code", {"type": "string"}, "The code of the invitation.", required=True)
_MEMBERS: Resource[Member, Any] = Resource(
    path="/members",
    shows=MemberThing,
    things=lambda call, listed: [_member_thing(call, member) for member in listed],
    finds=_find,
)
_INVITATIONS: Resource[Any, Any] = Resource(path="/invitations", shows=InvitationThing, gate=Gate.WHOLE)
_BOOKS: Resource[Any, Any] = Resource(path="/books", shows=BooksThing, gate=Gate.IDENTITY)

ROUTES = (
    _MEMBERS.index(
        "List the members of these books, except their owner",
        handler=index, gives=All[MemberThing], parameters=(),
    ),
    _MEMBERS.show("Show a member"),
    _MEMBERS.change(
        "Change the role of a member", handler=change, takes=wire.MemberBody, requires=("role",), gate=Gate.WHOLE
    ),
    _MEMBERS.remove("Remove a member, who loses access at once", handler=remove, gate=Gate.WHOLE),
    _INVITATIONS.index(
        "List invitations that nobody has accepted yet",
        handler=index_invitations, gives=All[InvitationThing], parameters=(),
    ),
    _INVITATIONS.create(
        "Invite somebody to these books; the code is shown only once",
        handler=invite, gives=Item[NewInvitationThing], takes=wire.InvitationBody, requires=("role", "name"),
        shows_secret=True,
    ),
    _INVITATIONS.remove("Withdraw an invitation", handler=take_back),
    _BOOKS.index(
        "List the books that you may use, your own first",
        handler=index_books, gives=All[BooksThing], parameters=(),
    ),
    _BOOKS.create(
        "Accept an invitation", handler=join, takes=wire.CodeBody, requires=("code",), fails=(Forbidden, Conflict)
    ),
    _BOOKS.remove("Leave the books of another user", handler=leave),
    Route(
        "GET", "/invitation", show_offered, "Show an invitation",
        gives=Item[wire.OfferedBooks], parameters=(_CODE,), gate=Gate.OPEN, fails=(NotFound,),
    ),
    Route(
        "POST", "/invitation", register, "Register with an invitation of the installation's owner, and sign in",
        gives=Item[CurrentSession], takes=wire.RegistrationBody, requires=("code", "email", "password"),
        gate=Gate.OPEN, runs=Runs(before=Before(ask=ask_password, compute=passwords.hash_password)),
        fails=(Forged, TooMany),
    ),
)  # fmt: skip
