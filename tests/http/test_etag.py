"""ETags: unchanged is 304 after one query, and nobody overwrites a change that they have not seen."""

import re
from datetime import timedelta

import pytest

from ..accounts.making import asset
from ..transactions.making import a_transaction, made, posted, posted_one, split, withdrawal
from .doors import DOORS


def tag_of(client, path):
    return client.get(path).headers["etag"]


def again(client, path, tag, method="GET"):
    return client.request(method, path, headers={"If-None-Match": tag})


def test_unchanged_is_304_without_a_body(me):
    tag = tag_of(me, "/accounts")

    answer = again(me, "/accounts", tag)

    assert answer.status_code == 304
    assert answer.content == b""
    assert answer.headers["etag"] == tag


def test_304_takes_one_query(me, asked):
    tag = tag_of(me, "/accounts")
    asked.clear()

    assert again(me, "/accounts", tag).status_code == 304
    assert len(asked) == 1
    assert again(me, "/accounts", "nothing").status_code == 200
    assert len(asked) > 2


@pytest.mark.parametrize("tag", ["W/{}", '"other", {}', "*", '{}, W/"other"'])
def test_ways_to_name_it(me, tag):
    assert again(me, "/tags", tag.format(tag_of(me, "/tags"))).status_code == 304


def test_what_is_not_there_is_not_unchanged(me):
    assert again(me, "/tags/999999999", "*").status_code == 404


def test_head(me):
    tag = tag_of(me, "/tags")

    assert me.request("HEAD", "/tags").headers["etag"] == tag
    assert again(me, "/tags", tag, "HEAD").status_code == 304


def test_any_write_of_the_user_makes_a_new_one_and_nobody_elses_does(me, someone_else):
    tag = tag_of(me, "/accounts")
    someone_else.post("/tags", {"tag": "theirs"})
    assert again(me, "/accounts", tag).status_code == 304

    me.post("/tags", {"tag": "mine"})

    assert again(me, "/accounts", tag).status_code == 200


def test_a_refused_write_does_not(me):
    tag = tag_of(me, "/accounts")

    assert me.post("/tags", {"tag": ""}).status_code == 422
    assert again(me, "/accounts", tag).status_code == 304


def test_a_new_day_does(world, me):
    tag = tag_of(me, "/accounts")
    world.time.now += timedelta(hours=11, minutes=59)
    assert again(me, "/accounts", tag).status_code == 304
    world.time.now += timedelta(minutes=1)

    assert again(me, "/accounts", tag).status_code == 200


def test_a_tag_is_of_one_address_and_one_user(me, someone_else):
    tag = tag_of(me, "/accounts")

    assert again(me, "/accounts?limit=3", tag).status_code == 200
    assert again(me, "/tags", tag).status_code == 200
    assert again(someone_else, "/accounts", tag).status_code == 200


def test_what_a_put_answers_can_be_kept_and_what_a_post_answers_is_no_list(me):
    created = me.post("/tags", {"tag": "one"})
    path = f"/tags/{created.json()['data']['id']}"
    changed = me.put(path, {"tag": "two"})

    assert again(me, path, changed.headers["etag"]).status_code == 304
    assert me.get(path).content == changed.content
    assert again(me, "/tags", created.headers["etag"]).status_code == 200


def test_currencies_and_users_are_everybodys(new_world):
    owner, other = new_world.someone(), new_world.someone()
    currencies, transactions = tag_of(other, "/currencies"), tag_of(other, "/transactions")

    owner.post("/currencies", {"code": "XFA", "name": "Farthings", "symbol": "f", "decimal_places": 2, "enabled": True})
    assert again(other, "/currencies", currencies).status_code == 200
    assert again(other, "/transactions", transactions).status_code == 200

    users = tag_of(owner, "/users")
    new_world.someone()
    assert again(owner, "/users", users).status_code == 200


class TestIfMatch:
    def put(self, client, path, tag, **fields):
        return client.put(path, asset(**fields), headers={"If-Match": tag})

    def test_an_unchanged_object_is_changed(self, me):
        path = f"/accounts/{made(me, asset())}"

        first = self.put(me, path, tag_of(me, path), name="One")
        second = self.put(me, path, first.headers["etag"], name="Two")

        assert (first.status_code, second.status_code) == (200, 200)

    def test_somebodys_change_is_not_overwritten(self, me):
        path = f"/accounts/{made(me, asset())}"
        tag = tag_of(me, path)
        me.put(path, asset(name="Theirs"))

        refused = self.put(me, path, tag, name="Mine")

        assert refused.status_code == 412
        assert refused.json()["exception"] == "PreconditionFailedHttpException"
        assert me.get(path).json()["data"]["attributes"]["name"] == "Theirs"

    def test_what_happens_elsewhere_does_not_matter(self, me):
        account_id = made(me, asset())
        path = f"/accounts/{account_id}"
        tag = tag_of(me, path)
        posted_one(me, withdrawal(account_id))

        assert self.put(me, path, tag, name="Renamed").status_code == 200

    def test_a_transaction(self, me):
        account_id = made(me, asset())
        halves = [split(source_id=account_id, description=half) for half in ("one", "two")]
        posted(me, a_transaction("withdrawal", *halves))
        path = f"/transactions/{posted_one(me, withdrawal(account_id))['id']}"
        tag = tag_of(me, path)
        me.put(path, withdrawal(account_id, "13"))

        assert me.put(path, withdrawal(account_id, "14"), headers={"If-Match": tag}).status_code == 412
        assert me.request("DELETE", path, headers={"If-Match": tag}).status_code == 412
        assert me.request("DELETE", path, headers={"If-Match": tag_of(me, path)}).status_code == 204

    @pytest.mark.parametrize("named", ["id", "name"])
    def test_by_name(self, me, named):
        tag_id = me.post("/tags", {"tag": "Holiday"}).json()["data"]["id"]
        path = f"/tags/{tag_id if named == 'id' else 'holiday'}"
        tag = tag_of(me, path)
        me.put(f"/tags/{tag_id}", {"tag": "Holiday", "description": "changed"})

        assert me.put(path, {"tag": "Holiday"}, headers={"If-Match": tag}).status_code == 412
        assert me.put(path, {"tag": "Holiday"}, headers={"If-Match": tag_of(me, path)}).status_code == 200

    def test_a_preference(self, me):
        path = "/preferences/listPageSize"
        tag = tag_of(me, path)
        assert me.put(path, {"data": 20}, headers={"If-Match": tag}).status_code == 200
        assert me.put(path, {"data": 30}, headers={"If-Match": tag}).status_code == 412

    def test_a_currency(self, new_world):
        owner = new_world.someone()
        body = {"code": "XFA", "name": "Farthings", "symbol": "f", "decimal_places": 2, "enabled": True}
        created = owner.post("/currencies", body)
        path = f"/currencies/{created.json()['data']['id']}"

        changed = owner.put(path, {**body, "name": "Two"}, headers={"If-Match": created.headers["etag"]})
        assert changed.status_code == 200
        assert owner.put(path, body, headers={"If-Match": created.headers["etag"]}).status_code == 412
        assert owner.put(path, body, headers={"If-Match": changed.headers["etag"]}).status_code == 200

    def test_any(self, me):
        assert self.put(me, f"/accounts/{made(me, asset())}", "*", name="One").status_code == 200

    @pytest.mark.parametrize("tag", ["", "nonsense", '"1.2.3"', "W/{}", '"99999999999999999999.1.1.20240515.00000000"'])
    def test_what_is_no_strong_tag_of_ours(self, me, tag):
        path = f"/accounts/{made(me, asset())}"

        assert self.put(me, path, tag.format(tag_of(me, path)), name="One").status_code == 412

    def test_somebody_elses_tag(self, me, someone_else):
        path = f"/accounts/{made(me, asset())}"

        assert self.put(me, path, tag_of(someone_else, "/accounts"), name="One").status_code == 412

    def test_what_is_gone_is_404(self, me):
        path = f"/accounts/{made(me, asset())}"
        tag = tag_of(me, path)
        me.delete(path)

        assert self.put(me, path, tag, name="One").status_code == 404

    def test_what_can_be_no_id_is_404_everywhere(self, me):
        me.post("/tags", {"tag": "one"})
        tag = tag_of(me, "/accounts")
        for door in DOORS:
            of_the_house = door.kind in ("users", "currencies", "configuration")
            if door.method in ("PUT", "DELETE") and "{" in door.path and not of_the_house:
                path = re.sub(r"{\w+}", "\x84x", door.path)
                assert me.request(door.method, path, headers={"If-Match": tag}).status_code == 404, door


def test_every_read_has_one(me):
    for door in DOORS:
        is_read = door.method == "GET" and not door.route.is_download and not door.route.is_pushed
        if is_read and "{" not in door.path and door.route.is_of_books:
            answer = me.get(door.path)
            assert answer.status_code != 200 or "etag" in answer.headers, door
