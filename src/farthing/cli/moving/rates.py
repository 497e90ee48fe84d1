"""The commands that fetch, import and list exchange rates."""

from pathlib import Path
from typing import Annotated

import typer

from farthing.kernel.errors import FarthingError, Invalid
from farthing.kernel.text import pluralize

from ..basics import start
from ..basics.lookup import UserOption, find_user
from ..basics.output import show_table

app = typer.Typer(help="Fetch, import and list exchange rates.", no_args_is_help=True)
_SHOWN_MAX = 1000
_COLUMNS = ("date", "from", "to", "rate", "source")


@app.command()
def fetch() -> None:
    """Fetch published exchange rates now, from the source that FARTHING_RATES names."""
    from farthing.moving.exchange_rates import fetching

    with start.open_installation() as at:
        source = fetching.find_source(at.settings)
        if source is None:
            raise FarthingError("FARTHING_RATES is off: set it to ecb, or to the address of a provider")
        count = fetching.fetch(at.db, source, at.now, allow_private=True)
    typer.echo(f"{pluralize(count, 'rate was', 'rates were')} fetched from {source.name}.")


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A CSV file with the columns date, from, to and rate.")],
    user: UserOption = None,
) -> None:
    """Import exchange rates for one user from a CSV file. If any row is invalid, nothing is imported."""
    from farthing.books.currencies import store as currencies
    from farthing.books.exchange_rates.store import put
    from farthing.identity import users
    from farthing.kernel.errors import refuse
    from farthing.moving.exchange_rates.csv_file import read_csv
    from farthing.moving.exchange_rates.rows import draft_rates

    try:
        rows, problems = read_csv(file.read_text("utf-8-sig"))
    except UnicodeDecodeError:
        raise FarthingError(f"{file} is not UTF-8 text") from None
    with start.open_installation() as at, at.db.writing() as db:
        whose = find_user(db, user)
        try:
            refuse(problems)
            drafts, problems = draft_rates(rows, currencies.all_coded(db))
            refuse(problems)
        except Invalid as error:
            raise FarthingError(" ".join(problem.message for problem in error.problems)) from error
        users.take(db, whose.id, token_id=None, now=at.now, doing="rates.import")
        done = put(db, whose.id, drafts, at.now)
    typer.echo(f"{done.created} new, {done.changed} changed, {done.unchanged} unchanged.")


@app.command("list")
def list_(
    user: UserOption = None,
    published: Annotated[
        bool, typer.Option("--published", help="List published rates instead of the user's own.")
    ] = False,
) -> None:
    """List the newest exchange rates, up to a thousand: a user's own or the published ones."""
    from farthing.books.exchange_rates import store

    chosen = store.RateFilter()
    with start.open_installation() as at, at.db.reading() as db:
        if published:
            _, rates = store.page_published(db, chosen, limit=_SHOWN_MAX, offset=0)
        else:
            _, rates = store.page(db, find_user(db, user).id, chosen, limit=_SHOWN_MAX, offset=0)
    rows = [
        (rate.on_day, rate.from_currency.code, rate.to_currency.code, rate.rate, rate.source or "own") for rate in rates
    ]
    show_table(_COLUMNS, rows)
