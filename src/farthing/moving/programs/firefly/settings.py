"""Reads exchange rates, webhooks, and the preferences of other clients."""

from collections.abc import Iterator

from farthing.books.exchange_rates.model import find_rate_problem
from farthing.books.preferences.model import CURRENCIES_ENABLED, FREE_MAX, NAMES, find_free_problem
from farthing.books.webhooks.model import Response, Trigger
from farthing.kernel.limits import NAME_MAX
from farthing.kernel.network import outgoing
from farthing.kernel.network.outgoing import NotAllowed

from ...source_books import SourceExchangeRate, SourcePreference, SourceWebhook
from .files.items import Source, SourceItem

# Preferences of Firefly III itself, in lower case and without underscores. Some of them hold secrets.
_OWN_PREFERENCES = frozenset({
    "accesstoken", "anonymous", "authenticator", "backupcodes", "converttonative", "converttoprimary", "darkmode",
    "frontpageaccounts", "lastactivity", "lastauthuser", "locale", "loginiphistory", "mfahistory", "mfarecovery",
    "remoteguardaltemail", "showndemo", "slackwebhookurl", "temporarymfasecret", "tjoptionalfields",
    "twofactorauthsecret", *(name.lower().replace("_", "") for name in (*NAMES, CURRENCIES_ENABLED)),
})  # fmt: skip
_OWN_PREFIXES = ("showndemo", "notification", "preselect", "ntfy", "pushover", "previous")
_WORDS = frozenset((*Trigger, *Response))
_FISCAL = ("customFiscalYear", "fiscalYearStart")


def read_exchange_rates(source: Source) -> Iterator[SourceExchangeRate]:
    for item in source.items("exchange-rates"):
        codes = item.text("from_currency_code"), item.text("to_currency_code")
        rate, on = item.amount("rate"), item.day("date")
        if codes[0] is None or codes[1] is None or rate is None or on is None or codes[0] == codes[1]:
            item.reject("one of the currencies, rate or date")
        elif problem := find_rate_problem(rate):
            item.tell(f"is skipped, because a rate {problem}.")
        else:
            yield SourceExchangeRate(from_currency=codes[0], to_currency=codes[1], on=on, rate=rate)


def read_preferences(source: Source) -> Iterator[SourcePreference]:
    """Reads what other clients have stored. Firefly III's own preferences are not taken over."""
    count = 0
    for item in source.items("preferences"):
        name, data = item.quiet().text("name"), item.values.get("data")
        if name in _FISCAL and data not in (False, None, "01-01"):
            source.remarks.count("Set the fiscal year in the preferences here", f"{name}: {data}")
        if name is None or data is None or _is_own(name, is_farthing=source.is_farthing):
            continue
        if len(name) > NAME_MAX or count == FREE_MAX or find_free_problem(name, data):
            source.remarks.count("Some preferences of other clients cannot be stored", name)
            continue
        count += 1
        yield SourcePreference(name=name, data=data)


def _is_own(name: str, *, is_farthing: bool) -> bool:
    if is_farthing:
        return name in NAMES or name == CURRENCIES_ENABLED
    folded = name.lower().replace("_", "")
    return folded in _OWN_PREFERENCES or folded.startswith(_OWN_PREFIXES)


def read_webhooks(source: Source) -> Iterator[SourceWebhook]:
    for item in source.items("webhooks"):
        title, url = item.text("title"), item.text("url")
        triggers, responses = _words(item, "trigger"), _words(item, "response")
        if not (title and url and triggers and responses) or {*triggers, *responses} - _WORDS or not _may_be_asked(url):
            item.tell("has an address, a trigger or a response that Farthing does not have; it is skipped.")
        else:
            message = "Webhooks are switched off and have new secrets: give these to the receivers, then switch them on"
            source.remarks.count(message, title)
            yield SourceWebhook(key=item.id, title=title, url=url, triggers=triggers, responses=responses)


def _may_be_asked(url: str) -> bool:
    try:
        outgoing.check_url(url)
    except NotAllowed:
        return False
    return True


def _words(item: SourceItem, name: str) -> tuple[str, ...]:
    """Reads a list, or the single word that the first versions have instead."""
    words = item.texts(f"{name}s") or tuple(filter(None, [item.text(name)]))
    return tuple(dict.fromkeys(word.upper() for word in words))
