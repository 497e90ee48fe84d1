"""Makes one of everything that a user can have, for tests over every route."""

from collections.abc import Callable
from typing import Any

from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.books.preferences.notices import NoticeKind, NoticeSettings
from farthing.identity import sessions, tokens
from farthing.identity.apps import store as apps
from farthing.identity.apps.model import AppDraft
from farthing.identity.factors import store as factors
from farthing.identity.providers import store as identities
from farthing.identity.sharing import members
from farthing.identity.user import Share
from farthing.overviews.notices import store as notices
from farthing.overviews.notices.model import Facts, Found, NoticeDraft

from ..accounts.making import asset, made
from ..attachments.making import attached
from ..conftest import Client, _numbers


def an_account(client: Client) -> str:
    return made(client, asset())


def a_transaction(client: Client) -> str:
    split = {
        "amount": "12.50",
        "currency_code": "EUR",
        "source_id": made(client, asset()),
        "destination_name": "Grocer",
    }
    body = {"type": "withdrawal", "date": "2024-05-01", "description": "Groceries", "transactions": [split]}
    response = client.post("/transactions", body)
    assert response.status_code == 200, response.text
    data = response.json()["data"]
    return str((data[0] if isinstance(data, list) else data)["id"])


def a_bill(client: Client) -> str:
    period = {"date": "2024-05-01", "repeat_freq": "monthly", "skip": 0, "automatch": True, "active": True}
    amounts = {"amount_min": "10", "amount_max": "20", "currency_code": "EUR"}
    return _made(client, "/bills", {"name": f"Rent {next(_numbers)}", "match": "rent", **amounts, **period})


def an_available_budget(client: Client) -> str:
    period = {"start_date": "2024-05-01", "end_date": "2024-05-31"}
    return _made(client, "/available_budgets", {"transaction_currency_id": 1, "amount": "1500", **period})


def a_budget(client: Client) -> str:
    return _made(client, "/budgets", {"name": f"Household {next(_numbers)}", "active": True})


def a_budget_limit(client: Client) -> str:
    period = {"start_date": "2024-05-01", "end_date": "2024-05-31"}
    return _made(client, "/budget_limits", {"budget_id": a_budget(client), "amount": "150", **period})


def an_exchange_rate(client: Client) -> str:
    return _made(client, "/exchange_rates", {"from": "USD", "to": "EUR", "date": "2024-05-01", "rate": "0.92"})


def a_category(client: Client) -> str:
    return _made(client, "/categories", {"name": f"Food {next(_numbers)}"})


def a_tag(client: Client) -> str:
    return _made(client, "/tags", {"tag": f"holiday {next(_numbers)}"})


def a_change(client: Client) -> str:
    a_tag(client)
    return str(client.get("/changes", limit=1).json()["data"][0]["id"])


def a_piggy_bank(client: Client) -> str:
    body = {"name": "Bicycle", "account_id": made(client, asset()), "target_amount": "600"}
    return _made(client, "/piggy_banks", body)


def a_recurrence(client: Client) -> str:
    flags = {"apply_rules": True, "active": True}
    often = {"type": "daily", "moment": "", "skip": 0, "weekend": 1}
    split = {"description": "Milk", "amount": "1", "currency_code": "EUR", "destination_name": "Dairy"}
    body = {"type": "withdrawal", "title": "Milk", "first_date": "2024-06-01", "repetitions": [often], **flags}
    return _made(client, "/recurrences", {**body, "transactions": [split | {"source_id": made(client, asset())}]})


def a_rule_group(client: Client) -> str:
    return _made(client, "/rule_groups", {"title": f"Daily life {next(_numbers)}", "active": True})


def a_rule(client: Client) -> str:
    does = {"rule_triggers": [{"name": "no_notes"}], "rule_actions": [{"name": "add_tag", "value": "new"}]}
    flags = {"trigger": "store-journal", "strict": True, "stop_processing": False, "active": True}
    return _made(client, "/rules", {"title": "Tag it", "rule_group_id": a_rule_group(client), **flags, **does})


def _made(client: Client, path: str, body: dict[str, object]) -> str:
    response = client.post(path, body)
    assert response.status_code == 200, response.text
    return str(response.json()["data"]["id"])


def an_attachment(client: Client) -> str:
    return attached(client, b"a text")


def an_import_job(client: Client) -> str:
    file = ("may.csv", b"Date,Description,Amount\n2024-05-01,Coffee,-2.50\n")
    response = client.request("POST", "/import_jobs", files={"account_id": (None, an_account(client)), "file": file})
    assert response.status_code == 200, response.text
    return str(response.json()["data"]["id"])


def a_preference(client: Client) -> str:
    return str(client.get("/preferences").json()["data"][0]["id"])


def a_user(client: Client) -> str:
    return str(client.user.id)


def a_session(client: Client) -> str:
    assert client.books is not None
    with client.books.writing() as db:
        now = "2024-05-15T12:00:00+00:00"
        return str(sessions.begin(db, client.user.id, agent="a", before=None, now=now, days=90).session.id)


def a_token(client: Client) -> str:
    """The one that they come with."""
    return str(client.get("/tokens").json()["data"][0]["id"])


def a_member(client: Client) -> str:
    assert client.books is not None
    now = "2024-05-15T12:00:00+00:00"
    with client.books.writing() as db:
        other = user_lifecycle.add(db, f"member{next(_numbers)}@farthing.example", "no password", "UTC", now)
        db.author = None
        return str(members.add(db, client.user.id, other.id, Share.VIEWER, now))


def an_invitation(client: Client) -> str:
    return _made(client, "/invitations", {"role": "viewer", "name": "Sam"})


def books_of_another(client: Client) -> str:
    """Shared with the client."""
    assert client.books is not None
    now = "2024-05-15T12:00:00+00:00"
    with client.books.writing() as db:
        other = user_lifecycle.add(db, f"sharer{next(_numbers)}@farthing.example", "no password", "UTC", now)
        db.author = None
        members.add(db, other.id, client.user.id, Share.VIEWER, now)
        return str(other.id)


def a_factor(client: Client) -> str:
    assert client.books is not None
    with client.books.writing() as db:
        return str(factors.add_app(db, client.user.id, "a phone", "2024-05-15T12:00:00+00:00").id)


def an_app(client: Client) -> str:
    assert client.books is not None
    draft = AppDraft(name="Pocket", redirects=("https://app.example.org/",), is_public=True, is_for_everybody=False)
    with client.books.writing() as db:
        return str(apps.add(db, client.user.id, draft, "2024-05-15T12:00:00+00:00")[0].id)


def a_grant(client: Client) -> str:
    """An app has access, with a token that does not end soon."""
    assert client.books is not None
    app_id, now = int(an_app(client)), "2024-05-15T12:00:00+00:00"
    limits = tokens.TokenLimits(scopes="accounts:read")
    with client.books.writing() as db:
        made = tokens.make(
            db, client.user.id, "Pocket", "2024-08-01T00:00:00+00:00", now, "read", limits, app_id=app_id
        )
        return str(made[0])


def an_identity(client: Client) -> str:
    assert client.books is not None
    known_as = {"issuer": "https://x.example", "subject": f"subject {next(_numbers)}", "email": ""}
    with client.books.writing() as db:
        return str(identities.add(db, client.user.id, **known_as, now="2024-05-15T12:00:00+00:00").id)


def _id_of(response: Any) -> str:
    assert response.status_code == 200, response.text
    return str(response.json()["data"]["id"])


def a_link_type(client: Client) -> str:
    name = f"Deposit {next(_numbers)}"
    return _id_of(client.v6.post("/link-types", {"name": name, "inward": "is back from", "outward": "is for"}))


def a_transaction_link(client: Client) -> str:
    body = {
        "inward_id": a_transaction(client),
        "outward_id": a_transaction(client),
        "link_type_id": a_link_type(client),
    }
    return _id_of(client.v6.post("/transaction-links", body))


def a_notice(client: Client) -> str:
    assert client.books is not None
    draft = NoticeDraft(key=str(next(_numbers)), kind=NoticeKind.BILL_DUE, facts=Facts(name="Rent", on="2024-05-16"))
    found = Found(drafts=[draft], ended_account_ids=frozenset(), settings=NoticeSettings())
    with client.books.writing() as db:
        notices.add(db, client.user.id, found, "2024-05-15T12:00:00+00:00", is_first=False)
    return str(client.get("/notices").json()["data"][0]["id"])


# How is one of each made? Keyed by the first word of the path.
def a_webhook(client: Client) -> str:
    body = {"title": f"Hook {next(_numbers)}", "url": "https://hooks.example.org", "events": ["transaction.created"]}
    return _made(client, "/webhooks", body)


MAKERS: dict[str, Callable[[Client], str]] = {
    "accounts": an_account,
    "transactions": a_transaction,
    "bills": a_bill,
    "available_budgets": an_available_budget,
    "budgets": a_budget,
    "budget_limits": a_budget_limit,
    "exchange_rates": an_exchange_rate,
    "categories": a_category,
    "tags": a_tag,
    "changes": a_change,
    "piggy_banks": a_piggy_bank,
    "recurrences": a_recurrence,
    "rule_groups": a_rule_group,
    "rules": a_rule,
    "attachments": an_attachment,
    "import_jobs": an_import_job,
    "preferences": a_preference,
    "users": a_user,
    "sessions": a_session,
    "tokens": a_token,
    "members": a_member,
    "notices": a_notice,
    "invitations": an_invitation,
    "books": books_of_another,
    "factors": a_factor,
    "apps": an_app,
    "grants": a_grant,
    "identities": an_identity,
    "link_types": a_link_type,
    "webhooks": a_webhook,
    "transaction_links": a_transaction_link,
}
# Belongs to nobody: everyone may see these.
SHARED = {"currencies", "published_rates"}


def one_of(kind: str, client: Client) -> str:
    assert kind in MAKERS, f"say in MAKERS how one of {kind} is made"
    return MAKERS[kind](client)


def resource(path: str) -> str:
    return path.split("/")[1]


def name(route: object) -> str:
    return f"{getattr(route, 'method', '')} {getattr(route, 'path', '')}"


def address(path: str, object_id: str) -> str:
    return "/api/v1" + path.replace("{id}", object_id)
