"""What does Farthing look like in use? A user with the books of a whole household."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from ..demo import YEARS_MAX
from .addresses import public
from .progress import shown_progress
from .start import House, house
from .users import make
from .welcome import this_command

if TYPE_CHECKING:
    from ..demo.story import Story
    from ..storage.unit import Unit
    from ..users.model import User

DEMO = "demo@localhost"


def demo(
    years: Annotated[int, typer.Option(help="How far back the books go.", min=1, max=YEARS_MAX)] = 2,
    email: Annotated[str, typer.Option(help="Whose books they become; the user is made when absent.")] = DEMO,
    port: Annotated[int, typer.Option(help="The port of `serve`.", min=1, max=65535)] = 8000,
) -> None:
    """Fill a user's books with the believable data of a household, up to today. Refuses a user who has data."""
    from ..demo import fill, story

    with house() as at:
        user, token = _user(at, email)
        with at.db.reading() as unit:
            fill.refuse_data(unit, user)
            today = _today(unit, user, at.now)
        with shown_progress("Keeping the books of a household") as progress:
            told = story.told(today, years)
            fill.fill(at.db, user, told, at.settings, today=today, now=at.now, progress=progress)
    _tell(user, told, today)
    _show_the_way(user, token, public(at.settings, "127.0.0.1", port))


def _user(at: House, email: str) -> tuple[User, str | None]:
    """A token only for a user who had to be made; what is shown once is shown before the long work begins."""
    from ..users import passwords, tokens
    from ..users import store as users

    with at.db.reading() as unit:
        user = users.by_email(unit, email)
    if user:
        return user, None
    password = passwords.random_password()
    hashed = passwords.hash_password(password)
    with at.db.writing() as unit:
        user = make(unit, at, email, hashed)
        token = tokens.issue(unit, user.id, "demo", None, at.now)
    typer.echo(f"Made user {user.id}, {user.email}{', the owner' if user.is_owner else ''}.")
    typer.echo(f"Password (shown this once): {password}")
    typer.echo(f"Token (shown this once): {token}")
    return user, token


def _today(unit: Unit, user: User, now: str) -> date:
    from ..clock import today_in
    from ..preferences import store as preferences

    zone = preferences.named(unit, user.id, "timezone")
    assert zone is not None, "every user has every preference from the start"
    return today_in(str(zone.data), datetime.fromisoformat(now))


def _tell(user: User, told: Story, today: date) -> None:
    span = f"{len(told.moves)} transactions from {told.begins_on} to {today}"
    typer.echo(f"{user.email} now has the books of a household: {span}.")


def _show_the_way(user: User, token: str | None, address: str) -> None:
    typer.echo(f"Look at them while the server runs, signed in as {user.email}: {address}")
    if token is None:
        typer.echo(f"For an API token: {this_command()} token create {user.email}")
        return
    typer.echo("\nOr from a terminal:\n")
    typer.echo(f'  curl -H "Authorization: Bearer {token}" "{address}/api/v1/accounts?type=asset"\n')
