"""Writes notices as e-mail, in text and HTML, with dates and amounts by the reader's region."""

from collections.abc import Iterator
from copy import copy
from datetime import date
from decimal import Decimal
from email.message import EmailMessage
from email.utils import make_msgid
from html import escape

from msgspec import Struct

from farthing.books.preferences.notices import NoticeKind
from farthing.kernel.languages import say

from .model import Facts, Figure

TITLES = {
    NoticeKind.BILL_DUE: "{name} is due on {day}",
    NoticeKind.BILL_OVERDUE: "{name} was due on {day} and is not paid",
    NoticeKind.BILL_OUTSIDE_RANGE: "A payment of {name} on {day} is outside its range",
    NoticeKind.BUDGET_NEARLY_SPENT: "Budget {name} is nearly spent",
    NoticeKind.BUDGET_SPENT: "Budget {name} is spent",
    NoticeKind.LOW_BALANCE: "The balance of {name} is low",
    NoticeKind.LARGE_WITHDRAWAL: "Large withdrawal on {day}: {name}",
    NoticeKind.RECURRENCE_FAILED: "The recurrence {name} failed",
    NoticeKind.IMPORT_FINISHED: "An import has finished",
    NoticeKind.WEBHOOK_PAUSED: "The webhook {name} is paused",
    NoticeKind.UNKNOWN_DEVICE: "Sign-in from a new device: {name}",
    NoticeKind.WEEKLY_SUMMARY: "Your week from {day}",
    NoticeKind.RATES_FAILED: "Exchange rates could not be fetched",
    NoticeKind.BACKUP_FAILED: "The backup failed",
    NoticeKind.BOOKS_DAMAGED: "The daily check found problems in the books",
    NoticeKind.JOB_FAILED: "A background job failed",
    NoticeKind.TEST: "E-mail from Farthing works",
}
_FIGURES = {"earned": "In", "spent": "Out", "net-worth": "Net worth"}
_PAGES = {
    "accounts": "accounts", "bills": "bills", "budgets": "budgets", "import_jobs": "imports",
    "recurrences": "recurrences", "transactions": "transactions",
}  # fmt: skip
_CHOOSE = "Choose notices"
_RESET_TITLE = "Your new password for Farthing"
_RESET = (
    "Somebody, probably you, has asked for a new password. This link sets it, once, within 30 minutes:\n\n"
    "{link}\n\n"
    "If it was not you, ignore this message: your password stays as it is.\n"
)
UNSUBSCRIBE = "/api/v1/notices/unsubscribe"


class Letter(Struct, frozen=True, kw_only=True):
    """Holds all that a message about a notice needs. `base` is the public address of the installation."""

    id: int
    to: str
    kind: str
    object_kind: str | None
    object_id: int | None
    facts: Facts
    secret: str
    base: str
    sender: str
    language: str
    amounts: bool


def write(letter: Letter) -> EmailMessage:
    title = find_title(letter.kind, letter.facts, letter.language)
    page = f"{letter.base}/#/{find_page(letter.object_kind, letter.object_id)}"
    end = f"{letter.base}{UNSUBSCRIBE}?secret={letter.secret}"
    lines = list_lines(letter.kind, letter.facts, letter.language, amounts=letter.amounts)
    message = start_message(letter.sender, letter.to, title, f"<notice-{letter.id}-{letter.secret[:12]}@farthing>")
    message["List-Unsubscribe"] = f"<{end}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    choose = f"{letter.base}/#/settings/notices"
    text = "\n".join(
        [title, "", *lines, *([""] if lines else []), page, "", "-- ", f"{say(_CHOOSE, letter.language)}: {choose}"]
    )
    message.set_content(text + "\n")
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
    message.add_alternative(
        f'<!doctype html><html><body><h1><a href="{escape(page)}">{escape(title)}</a></h1>{paragraphs}'
        f'<p><small><a href="{escape(choose)}">{escape(say(_CHOOSE, letter.language))}</a></small></p></body></html>\n',
        subtype="html",
    )
    return message


def start_message(sender: str, to: str, subject: str, message_id: str) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, " ".join(subject.split())
    message["Message-ID"] = message_id
    message["Auto-Submitted"] = "auto-generated"
    return message


def write_reset(sender: str, to: str, base: str, code: str, language: str) -> EmailMessage:
    """Writes the message with which somebody sets a new password."""
    message = start_message(sender, to, say(_RESET_TITLE, language), make_msgid(domain="farthing"))
    message.set_content(say(_RESET, language).format(link=f"{base}/#/password?code={code}"))
    return message


def find_title(kind: str, facts: Facts, language: str) -> str:
    day = _show_day(facts.on[:10], language) if facts.on else ""
    return say(TITLES[NoticeKind(kind)], language).format(name=facts.name, day=day)


def find_page(object_kind: str | None, object_id: int | None) -> str:
    """Returns the page of the app that shows what a notice is about."""
    if object_kind == "webhooks":
        return "settings/webhooks"
    page = _PAGES.get(object_kind or "")
    return f"{page}/{object_id}" if page else "notices"


def list_lines(kind: str, facts: Facts, language: str, *, amounts: bool) -> list[str]:
    lines = list(_list_amounts(facts, language)) if amounts else []
    return [*lines, say(facts.text, language)] if facts.text and kind != NoticeKind.IMPORT_FINISHED else lines


def _list_amounts(facts: Facts, language: str) -> Iterator[str]:
    if facts.amount:
        yield show_figure(facts.amount, language)
    if facts.limit and facts.highest:
        lowest, highest = show_figure(facts.limit, language), show_figure(facts.highest, language)
        yield say("{lowest} to {highest}", language).format(lowest=lowest, highest=highest)
    elif facts.limit:
        yield say("Limit: {amount}", language).format(amount=show_figure(facts.limit, language))
    for figure in facts.figures:
        name = figure.name or say(_FIGURES.get(figure.key, figure.key), language)
        day = f" ({_show_day(figure.on, language)})" if figure.on else ""
        yield f"{name}{day}: {show_figure(figure, language)}"


def _show_day(day: str, language: str) -> str:
    from babel.dates import format_date  # imported late: only the job process writes letters

    return format_date(date.fromisoformat(day), format="medium", locale=language)


def show_figure(figure: Figure, language: str) -> str:
    from babel import Locale

    locale = Locale.parse(language)
    pattern = copy(locale.currency_formats["standard"])
    pattern.frac_prec = figure.places, figure.places  # our own currencies are unknown to Babel
    amount = Decimal(figure.units).scaleb(-figure.places)
    written: str = pattern.apply(amount, locale, currency=figure.code, currency_digits=False)
    return written
