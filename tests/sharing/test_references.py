"""An id of somebody else's object in a query, a body or a list is like one that does not exist.

Generated from the OpenAPI document: a new field that names an object is in it, or a test here fails.
"""

import pytest

from ..conftest import NOW
from ..http.makers import resource
from ..sessions.browser import signed_in
from .isolation import UNKNOWN, own_ids, send, without_ids
from .references import SENDS, list_references, put_id

REFERENCES = list(list_references())
# They name books, and one's own need no name. Tokens cannot do it.
OF_BOOKS = {"tokens.create", "apps.decide"}
# The address counts, whatever the body says.
IGNORED = {"budget_limits.create_for_budget body budget_id"}


@pytest.fixture
def mine(me):
    return own_ids(me)


@pytest.fixture(scope="module")
def reader(shared_world):
    """Whoever only asks needs no new books each time."""
    shared_world.time.now = NOW
    return new_books(shared_world)


@pytest.fixture(scope="module")
def theirs(shared_world):
    """Of one person for all tests, because nobody changes anything of theirs."""
    shared_world.time.now = NOW
    someone_else, ids = new_books(shared_world)
    return ids | {"users": str(someone_else.user.id)}


def new_books(world):
    client = world.someone()
    return client, own_ids(client)


def test_every_request_that_names_an_object_says_how_it_is_sent():
    assert {reference.route.name for reference in REFERENCES} == SENDS.keys()


@pytest.mark.any_database
@pytest.mark.parametrize("reference", [one for one in REFERENCES if str(one) not in IGNORED], ids=str)
def test_the_id_of_another_is_like_one_that_does_not_exist(reference, world, theirs, reader):
    me, mine = reader if reference.route.method == "GET" else new_books(world)
    client = signed_in(world, me.user) if reference.route.name in OF_BOOKS else me
    sent = SENDS[reference.route.name](mine, reference)
    address_id = mine.get(resource(reference.route.path), "")

    def ask(object_id):
        answer = send(client, reference, put_id(reference, sent, object_id), address_id)
        return without_ids(answer, reference, object_id)

    foreign, unknown = ask(theirs[reference.kind]), ask(UNKNOWN)

    assert foreign == unknown
    assert foreign[0] in (200, 204, 404, 409, 422), foreign
    if reference.route.name not in OF_BOOKS:
        # Otherwise it would be refused for another reason, and this test would see nothing.
        assert ask(mine[reference.kind]) != unknown


def test_a_limit_is_of_the_budget_in_the_address(me, mine, theirs):
    period = {"amount": "10", "start_date": "2025-05-01", "end_date": "2025-05-31"}

    made_there = me.post(f"/budgets/{mine['budgets']}/limits", {"budget_id": theirs["budgets"], **period})

    assert str(made_there.json()["data"]["attributes"]["budget_id"]) == mine["budgets"]
