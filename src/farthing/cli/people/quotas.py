"""The command that shows and sets how much users may store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace

from farthing.kernel.limits import QUOTA_BYTES_MAX, QUOTA_REQUESTS_MAX

from ..basics.output import show_table
from ..basics.start import open_installation

if TYPE_CHECKING:
    from farthing.storage.quotas import Quotas

_NONE = "none"
_SIZE = "Such as 500MB or 2GiB; `none` for no limit."
_COLUMNS = ("e-mail", "attachments", "attachments max", "answers", "answers max", "requests a minute max")


def quota(
    email: Annotated[str | None, typer.Argument(metavar="EMAIL", help="The user; if omitted, all users.")] = None,
    attachments: Annotated[str | None, typer.Option(metavar="SIZE", help=f"Bytes of attachments. {_SIZE}")] = None,
    answers: Annotated[
        str | None, typer.Option(metavar="SIZE", help=f"Bytes of answers kept for an Idempotency-Key. {_SIZE}")
    ] = None,
    requests: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Requests per minute for each token; `none` for no limit.")
    ] = None,
) -> None:
    """Show how much users have stored and may store, in bytes. With options, set the limits of one user."""
    from farthing.identity import users
    from farthing.storage import quotas

    from ..basics.lookup import find_or_fail

    limits = {"content_bytes_max": attachments, "answer_bytes_max": answers, "requests_max": requests}
    changes = {name: _parse(name, text) for name, text in limits.items() if text is not None}
    if changes and email is None:
        raise typer.BadParameter("name the user whose quota is to be set: an EMAIL is missing")
    with open_installation() as at, at.db.writing() as unit:
        people = [find_or_fail(unit, email)] if email else users.list_all(unit)
        if changes:
            current = quotas.find(unit, people[0].id)
            assert current is not None, "the user was found in the same unit of work"
            quotas.limit(unit, people[0].id, replace(current, **changes))
        stored = [(person.email, quotas.find(unit, person.id)) for person in people]
    show_table(_COLUMNS, [_row(address, quotas_) for address, quotas_ in stored if quotas_])


def _row(email: str, stored: Quotas) -> tuple[object, ...]:
    limits = (stored.content_bytes_max, stored.answer_bytes_max, stored.requests_max)
    contents_max, answers_max, requests_max = (_NONE if limit is None else limit for limit in limits)
    return email, stored.content_bytes, contents_max, stored.answer_bytes, answers_max, requests_max


def _parse(name: str, text: str) -> int | None:
    from pydantic import ByteSize, TypeAdapter, ValidationError

    if text == _NONE:
        return None
    is_count = name == "requests_max"
    most = QUOTA_REQUESTS_MAX if is_count else QUOTA_BYTES_MAX
    try:
        number = int(text) if is_count else int(TypeAdapter(ByteSize).validate_python(text))
    except (ValueError, ValidationError):
        number = -1
    if number < int(is_count):
        expected = "a whole number above zero" if is_count else "a size such as 500MB or 2GiB"
        raise typer.BadParameter(f"'{text}' is neither {expected} nor `none`")
    if number > most:
        raise typer.BadParameter(f"'{text}' is too much: at most {most}{'' if is_count else ' bytes'}")
    return number
