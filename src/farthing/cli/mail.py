"""The commands that concern e-mail."""

from email.utils import make_msgid
from typing import Annotated

import typer

from farthing.kernel.errors import FarthingError

from .basics import start

app = typer.Typer(help="Try out the e-mail settings.", no_args_is_help=True)


@app.callback()
def every_mail_command() -> None:
    """Try out the e-mail settings."""


@app.command()
def test(to: Annotated[str, typer.Argument(metavar="ADDRESS", help="Who gets the message.")]) -> None:
    """Send a test message now, and say what the mail server answers."""
    from farthing.kernel.network.mail import MailServer, NotSent, send
    from farthing.kernel.settings.parsing import parse_mailbox
    from farthing.overviews.notices.letters import start_message

    settings = start.settings()
    if settings.mail_url is None or settings.mail_from is None:
        raise FarthingError("FARTHING_MAIL_URL is not set, so there is no e-mail")
    try:
        address = parse_mailbox(to)
    except ValueError:
        raise FarthingError(f"{to} is not an e-mail address") from None
    message = start_message(settings.mail_from, address, "E-mail from Farthing works", make_msgid(domain="farthing"))
    message.set_content(f"This message was sent by `farthing mail test` for {settings.base_url}.\n")
    try:
        send(MailServer.of(settings.mail_url), message)
    except NotSent as error:
        raise FarthingError(str(error)) from None
    typer.echo(f"The mail server has accepted a message to {address}.")
