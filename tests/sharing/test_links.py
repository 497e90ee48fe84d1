"""Links to downloads name the books in their address, because a link sends no header."""

import pytest

from farthing.api.v1.routes import ROUTES

from ..http.makers import MAKERS, an_attachment, one_of, resource
from .people import in_books, member_of, with_token

LINKED = [route for route in ROUTES if route.is_linked]
DAYS = {"start": "2024-05-01", "end": "2024-05-31"}


def without_header(client):
    return type(client)(client.http, client.token, client.user, client.check, books=client.books)


def ask(client, route, object_id, **query):
    given = {"format": "csv"} | ({} if route.is_produced else {"by": "category", **DAYS}) | query
    return client.get(route.path.replace("{id}", object_id), **given)


def test_what_is_downloaded_by_links():
    assert {route.name for route in LINKED} == {
        "attachments.download", "exports.export", "reports.breakdown", "reports.income_expense", "reports.net_worth",
        "reports.cash_flow", "reports.budgets", "reports.totals", "feed.events",
    }  # fmt: skip


@pytest.mark.parametrize("route", LINKED, ids=lambda route: route.name)
def test_a_link_names_the_books(route, world, me):
    full = member_of(world, me, "full")
    object_id = one_of(resource(route.path), me) if resource(route.path) in MAKERS else ""
    linked = without_header(full)

    by_header, by_link = ask(full, route, object_id), ask(linked, route, object_id, books=me.user.id)

    assert by_link.status_code == by_header.status_code == 200
    assert by_link.content == by_header.content
    assert ask(without_header(world.someone()), route, object_id, books=me.user.id).status_code == 404
    assert ask(linked, route, object_id, books="999999999").status_code == 404
    assert ask(linked, route, object_id, books="").status_code == 404


def test_a_link_counts_less_than_the_header_and_more_than_the_token(world, me):
    full = member_of(world, me, "full")
    attachment = an_attachment(me)
    own = without_header(full)
    token = with_token(world, own, books_id=me.user.id)
    path = f"/attachments/{attachment}/download"

    assert in_books(own, own).get(path, books=me.user.id).status_code == 404
    assert token.get(path).status_code == 200
    assert token.get(path, books=own.user.id).status_code == 404


def test_a_link_lets_nobody_do_more_than_their_role(world, me):
    viewer = without_header(member_of(world, me, "viewer"))

    assert viewer.get("/export", format="csv", books=me.user.id).status_code == 403
    assert viewer.get(f"/attachments/{an_attachment(me)}/download", books=me.user.id).status_code == 200


def test_nothing_but_downloads_listens_to_the_address(world, me):
    full = without_header(member_of(world, me, "full"))
    account = one_of("accounts", me)

    assert full.get(f"/accounts/{account}", books=me.user.id).status_code == 404
    assert full.request("DELETE", f"/accounts/{account}", params={"books": me.user.id}).status_code == 404
