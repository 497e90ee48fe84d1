"""The commands that register, list and delete third-party apps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from farthing.identity.user import ApiVersion
from farthing.kernel.errors import FarthingError, NotFound
from farthing.kernel.limits import ID_MAX

from ..basics.lookup import Email, find_or_fail
from ..basics.output import show_table
from ..basics.start import open_installation

if TYPE_CHECKING:
    from farthing.identity.apps.model import AppDraft

app = typer.Typer(name="app", help="Register, list and delete third-party apps (OAuth 2.0).", no_args_is_help=True)
_NAME_CHARACTERS_MAX = 255


@app.command()
def create(
    email: Email,
    name: Annotated[str, typer.Option(help="The name that people see when the app asks for access.")],
    redirect: Annotated[
        list[str],
        typer.Option(metavar="ADDRESS", help="The redirect address of the app; may be repeated."),
    ],
    confidential: Annotated[
        bool,
        typer.Option(
            "--confidential",
            help="Give the app a client secret, to be kept on its server. If omitted, the app uses PKCE.",
        ),
    ] = False,
    everybody: Annotated[
        bool, typer.Option("--everybody", help="Let all users use the app, not only this one.")
    ] = False,
    api: Annotated[
        ApiVersion, typer.Option(help="The version of the API that the app uses, wherever it asks for tokens.")
    ] = ApiVersion.V1,
) -> None:
    """Register an app for a user, and print its client id. A secret is shown only once."""
    from farthing.identity import audit
    from farthing.identity.apps import store

    draft = _read(name, redirect, is_public=not confidential, is_for_everybody=everybody, api=api)
    with open_installation() as at, at.db.writing() as unit:
        user = find_or_fail(unit, email)
        if everybody and not user.is_owner:
            raise FarthingError(f"only an owner can have an app for everybody, and {user.email} is not an owner")
        made, secret = store.add(unit, user.id, draft, at.now)
        audit.note(unit, user.id, audit.Event.APP_REGISTERED, audit.COMMAND_LINE, now=at.now, about=made.name)
    typer.echo(f"Client id: {made.id}")
    if secret:
        typer.echo(f"Client secret (shown this once): {secret}")


def _read(name: str, redirects: list[str], *, is_public: bool, is_for_everybody: bool, api: ApiVersion) -> AppDraft:
    from farthing.identity.apps.model import AppDraft, redirect_problems
    from farthing.kernel.text import trim

    name = " ".join(trim(name).split())
    if not name or len(name) > _NAME_CHARACTERS_MAX:
        raise FarthingError(f"--name must have 1 to {_NAME_CHARACTERS_MAX} characters")
    for problem in redirect_problems("redirect", redirects):
        raise FarthingError(f"--redirect {problem.message.rstrip('.')}")
    unique = tuple(dict.fromkeys(redirects))
    return AppDraft(
        name=name, redirects=unique, is_public=is_public, is_for_everybody=is_for_everybody, api_version=api
    )


@app.command("list")
def show() -> None:
    """List apps: client id, user, name, kind, for whom, since when, addresses. Secrets are not shown."""
    from farthing.identity import users
    from farthing.identity.apps import store

    with open_installation() as at, at.db.reading() as unit:
        emails = {user.id: user.email for user in users.list_all(unit)}
        apps = store.list_all(unit)
    rows = [
        (
            app_.id,
            emails[app_.user_id],
            app_.name,
            "public" if app_.is_public else "confidential",
            "everybody" if app_.for_everybody else "this user",
            app_.created_at,
            app_.redirects,
        )
        for app_ in apps
    ]
    show_table(("client id", "user", "name", "kind", "for", "since", "addresses"), rows)


@app.command()
def delete(
    client_id: Annotated[int, typer.Argument(metavar="ID", help="The id that `app list` shows.", min=1, max=ID_MAX)],
) -> None:
    """Delete an app. All access that users have given to it ends at once."""
    from farthing.identity import audit
    from farthing.identity.apps import store

    with open_installation() as at, at.db.writing() as unit:
        app_ = next((each for each in store.list_all(unit) if each.id == client_id), None)
        if app_ is None or not store.remove(unit, client_id):
            raise NotFound(f"there is no app {client_id}; `farthing app list` shows all apps")
        audit.note(unit, app_.user_id, audit.Event.APP_DELETED, audit.COMMAND_LINE, now=at.now, about=app_.name)
    typer.echo(f"Deleted app {client_id}, {app_.name}.")
