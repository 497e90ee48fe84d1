"""The command that fills a user's books with the demo household."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from farthing.demo import YEARS_MAX

from .basics.addresses import HOST, PORT, public, sign_in
from .basics.lookup import PortOption
from .basics.output import show_progress
from .basics.start import LocalInstallation, open_installation
from .people.users import create_user
from .welcome import this_command

if TYPE_CHECKING:
    from farthing.identity.user import User
    from farthing.storage.unit import Unit

DEMO = "demo@localhost"


def demo(
    years: Annotated[int, typer.Option(help="How many years of data to create.", min=1, max=YEARS_MAX)] = 2,
    email: Annotated[str, typer.Option(help="The user to fill; created if missing.")] = DEMO,
    port: PortOption = PORT,
) -> None:
    """Fill a user's books with realistic data of a household, up to today. Refuses a user who already has data."""
    from farthing.demo import fill, story
    from farthing.identity import links

    with open_installation(create=True) as at:
        user, token = _find_or_create_user(at, email)
        with at.db.reading() as unit:
            fill.refuse_data(unit, user)
            today = _today(unit, user, at.now)
        with show_progress("Keeping the books of a household") as progress:
            household = story.tell(today, years)
            fill.fill(at.db, user, household, at.settings, today=today, now=at.now, progress=progress)
        address = public(at.settings, HOST, port)
        with at.db.writing() as unit:
            link = sign_in(address, links.make(unit, user.id, at.now))
    span = f"{len(household.moves)} transactions from {household.begins_on} to {today}"
    typer.echo(f"{user.email} now has the books of a household: {span}.")
    _print_next_steps(user, token, address, link)


def _find_or_create_user(at: LocalInstallation, email: str) -> tuple[User, str | None]:
    """Finds or creates the user. A new user also gets a token. Secrets are shown before the long work begins."""
    from farthing.identity import tokens, users
    from farthing.identity.signing_in import passwords

    with at.db.reading() as unit:
        user = users.find_by_email(unit, email)
    if user:
        return user, None
    password = passwords.random_password()
    hashed = passwords.hash_password(password)
    with at.db.writing() as unit:
        user = create_user(unit, at, email, hashed)
        token = tokens.issue(unit, user.id, "demo", None, at.now)
    typer.echo(f"Created user {user.id}, {user.email}{', the owner' if user.is_owner else ''}.")
    typer.echo(f"Password (shown this once): {password}")
    typer.echo(f"Token (shown this once): {token}")
    return user, token


def _today(unit: Unit, user: User, now: str) -> date:
    from farthing.books.preferences import store as preferences
    from farthing.kernel.clock import today_in

    zone = preferences.get_named(unit, user.id, "timezone")
    assert zone is not None, "every user has every preference from the start"
    return today_in(str(zone.data), datetime.fromisoformat(now))


def _print_next_steps(user: User, token: str | None, address: str, link: str) -> None:
    typer.echo(f"Look at the books while the server runs, signed in as {user.email}: {address}")
    typer.echo(f"\nThis link opens the books without a password, once, within 15 minutes:\n\n  {link}\n")
    if token is None:
        typer.echo(f"For an API token: {this_command()} token create {user.email}")
        return
    typer.echo("\nOr from a terminal:\n")
    typer.echo(f'  curl -H "Authorization: Bearer {token}" "{address}/api/v1/accounts?type=asset"\n')
