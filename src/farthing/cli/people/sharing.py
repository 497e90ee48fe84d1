"""The commands that share books with other users: invitations, members and their roles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from farthing.identity.user import Share
from farthing.kernel.errors import NotFound

from ..basics.lookup import Email, ServedHost, ServedPort, find_or_fail
from ..basics.output import show_table
from ..basics.start import open_installation

if TYPE_CHECKING:
    from farthing.identity.sharing.members import Member
    from farthing.identity.user import User
    from farthing.storage.unit import Unit

app = typer.Typer(name="share", help="Share books: invite people, list them, change roles.", no_args_is_help=True)

Other = Annotated[str, typer.Argument(metavar="MEMBER", help="The member's e-mail address.", show_default=False)]
Role = Annotated[
    Share, typer.Option(help="What the guest may do: only see (viewer), also record (bookkeeper) or everything (full).")
]


@app.command("list")
def show(
    email: Annotated[
        str | None, typer.Argument(metavar="EMAIL", help="Show only books of this user.", show_default=False)
    ] = None,
) -> None:
    """List shared books: whose, member, role, since when. Open invitations are listed with their name and expiry."""
    from farthing.identity import users
    from farthing.identity.sharing import members

    rows: list[tuple[object, ...]] = []
    with open_installation() as at, at.db.reading() as unit:
        for owner in users.list_all(unit) if email is None else [find_or_fail(unit, email)]:
            joined = members.list_of_books(unit, owner.id)
            rows += [(owner.email, member.email, member.share.value, member.created_at) for member in joined]
            invited = members.list_invitations(unit, owner.id, at.now)
            rows += [(owner.email, f"(invited) {guest.name}", guest.role, guest.expires_at) for guest in invited]
    show_table(("books", "member", "role", "since or until"), rows)


@app.command()
def invite(
    email: Email,
    role: Role = Share.VIEWER,
    name: Annotated[str, typer.Option(help="A name by which you recognize the invitation.")] = "command line",
    host: ServedHost = None,
    port: ServedPort = None,
) -> None:
    """Print a link that gives somebody access to the books of EMAIL. It works once, within seven days."""
    from farthing.identity import audit
    from farthing.identity.sharing import members

    from ..basics.addresses import invitation, public

    with open_installation() as at, at.db.writing() as unit:
        owner = find_or_fail(unit, email)
        _, code = members.invite(unit, owner.id, role=role.value, name=name, by_id=owner.id, now=at.now)
        about = f"{name}: {role.value}"
        audit.note(unit, owner.id, audit.Event.INVITED, audit.COMMAND_LINE, now=at.now, about=about)
    typer.echo(invitation(public(at.settings, host, port), code))


@app.command("role")
def change_role(
    email: Email,
    member: Other,
    role: Annotated[Share, typer.Argument(help="The role: viewer, bookkeeper or full.", show_default=False)],
) -> None:
    """Change a member's role in the books of EMAIL. The new role applies at once."""
    from farthing.identity import audit
    from farthing.identity.sharing import members

    with open_installation() as at, at.db.writing() as unit:
        owner, share = _find(unit, email, member)
        members.set_share(unit, share, role, at.now)
        about = f"{share.email}: {role.value}"
        audit.note(unit, owner.id, audit.Event.ROLE_CHANGED, audit.COMMAND_LINE, now=at.now, about=about)
    typer.echo(f"{share.email} is now {role.value} in the books of {owner.email}.")


@app.command()
def remove(email: Email, member: Other) -> None:
    """Stop sharing the books of EMAIL with a member, at once. What the member has recorded stays."""
    from farthing.identity import audit
    from farthing.identity.sharing import members

    with open_installation() as at, at.db.writing() as unit:
        owner, share = _find(unit, email, member)
        members.remove(unit, owner.id, share.member_id)
        audit.note(unit, owner.id, audit.Event.SHARING_ENDED, audit.COMMAND_LINE, now=at.now, about=share.email)
    typer.echo(f"{share.email} no longer works in the books of {owner.email}.")


def _find(unit: Unit, email: str, member: str) -> tuple[User, Member]:
    from farthing.identity.sharing import members

    owner, other = find_or_fail(unit, email), find_or_fail(unit, member)
    share = next((share for share in members.list_of_books(unit, owner.id) if share.member_id == other.id), None)
    if share is None:
        raise NotFound(
            f"{other.email} does not work in the books of {owner.email}; `farthing share list` shows who does"
        )
    return owner, share
