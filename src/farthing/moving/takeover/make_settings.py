"""Creates webhooks and the preferences of other clients, enables currencies, and orders accounts."""

import secrets

from farthing.books.lifecycle.settings import account_order
from farthing.books.lifecycle.settings import currencies as currency_settings
from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import FREE_MAX, NAMES
from farthing.books.webhooks import store as webhooks
from farthing.books.webhooks.model import SECRET_BYTES, WEBHOOKS_MAX, WebhookDraft
from farthing.kernel.text import fold, in_one_line
from farthing.ledger.kinds import ASSETS, LIABILITIES

from ..rows.options import ENABLED_CURRENCIES
from ..source_books import SourceAccount, SourceBooks, SourceCurrency, SourcePreference, SourceWebhook
from .fitting import Unfitting
from .make_objects import Made, ObjectMaker, ObjectTask, TakeoverContext

_ORDER = "account_order"


def list_tasks(books: SourceBooks) -> list[ObjectTask]:
    own = [account for kinds in (ASSETS, LIABILITIES) for account in books.accounts if account.kind in kinds]
    return [
        *(ObjectTask(ENABLED_CURRENCIES, each.code, each) for each in books.currencies if each.enabled),
        *([ObjectTask(_ORDER, "", own)] if books.has_order else ()),
        *(ObjectTask("preferences", preference.name, preference) for preference in books.preferences),
        *(ObjectTask("webhooks", webhook.key, webhook) for webhook in books.webhooks),
    ]


def _enable_currency(context: TakeoverContext, currency: SourceCurrency) -> Made | None:
    """Enables a currency, unless it is in use or the user has made a choice."""
    db, user_id = context.db, context.user_id
    code = context.currency(currency.code).code
    enabled = currency_settings.find_enabled(db, user_id, context.default_currency.code)
    if code in enabled.needed or code in enabled.chosen:
        return None
    currency_settings.enable(db, user_id, code, context.now, enabled=True)
    return Made(context.currencies[code].id, is_made=True)


def _order_accounts(context: TakeoverContext, own: list[SourceAccount]) -> None:
    ids = [account_id for account in own if (account_id := context.find("accounts", account.key))]
    account_order.arrange(context.db, context.user_id, ids, context.now)


def _make_preference(context: TakeoverContext, preference: SourcePreference) -> Made:
    db, user_id = context.db, context.user_id
    stored = preferences.get_named(db, user_id, preference.name)
    if stored is None:
        if preferences.count(db, user_id) >= FREE_MAX + len(NAMES):
            raise Unfitting(f"there may not be more than {FREE_MAX} of them.")
        preferences.add(db, user_id, preference.name, preference.data, context.now)
        stored = preferences.get_named(db, user_id, preference.name)
        assert stored, "it was just added"
        return Made(stored.id, is_made=True)
    return Made(stored.id, is_made=False)


def _make_webhook(context: TakeoverContext, webhook: SourceWebhook) -> Made:
    """Creates a webhook that is switched off, because its receiver does not know the new secret."""
    db, user_id, title = context.db, context.user_id, in_one_line(webhook.title)
    for existing in webhooks.all_of(db, user_id, "title_fold = :fold", fold=fold(title)):
        return Made(existing.id, is_made=False)
    if webhooks.count(db, user_id) >= WEBHOOKS_MAX:
        raise Unfitting(f"there may not be more than {WEBHOOKS_MAX} of them.")
    draft = WebhookDraft(
        title=title,
        active=False,
        secret=secrets.token_urlsafe(SECRET_BYTES),
        triggers=webhook.triggers,
        responses=webhook.responses,
        url=webhook.url,
    )
    return Made(webhooks.add(db, user_id, draft, context.now), is_made=True)


MAKERS: dict[str, ObjectMaker] = {
    ENABLED_CURRENCIES: _enable_currency,
    _ORDER: _order_accounts,
    "preferences": _make_preference,
    "webhooks": _make_webhook,
}
