"""Who learns what by webhooks: members, tokens with scopes, and the former owner of the books."""

import pytest

from ..sharing.people import member_of, with_token
from ..transactions.making import asset, made, posted, withdrawal

HOOK = {"title": "Hook", "url": "https://hooks.example.org"}
OF_V6 = {"triggers": ["STORE_TRANSACTION"], "responses": ["TRANSACTIONS"]}


def data(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def test_version_6_shows_its_secrets_only_with_full_access(world, me):
    hook = data(me.v6.post("/webhooks", HOOK | OF_V6))

    for role in ("viewer", "bookkeeper"):
        member = member_of(world, me, role)
        assert member.v6.get("/webhooks").status_code == 403
        assert member.v6.get(f"/webhooks/{hook['id']}/messages").status_code == 403
    assert member_of(world, me, "full").v6.get("/webhooks").status_code == 200


def test_a_token_cannot_learn_by_version_6_what_it_may_not_read(world, me):
    data(me.v6.post("/webhooks", HOOK | OF_V6))
    [line] = posted(me, withdrawal(made(me, asset())))
    hook_id = data(me.v6.get("/webhooks"))[0]["id"]
    entry_id, at = line["attributes"]["journal_id"], f"/webhooks/{hook_id}"
    limited, other = with_token(world, me, scopes="webhooks:write"), HOOK | OF_V6 | {"title": "Other"}

    assert limited.v6.post("/webhooks", other).status_code == 403
    assert limited.v6.put(at, {"url": "https://other.example.org"}).status_code == 403
    assert limited.v6.get(f"{at}/messages").status_code == 403
    assert limited.v6.post(f"{at}/submit", {}).status_code == 403
    assert limited.v6.post(f"{at}/trigger-transaction/{entry_id}", {}).status_code == 403

    able = with_token(world, me, scopes="webhooks:write transactions:read")
    assert len(data(able.v6.get(f"{at}/messages"))) == 1
    assert able.v6.post(f"{at}/trigger-transaction/{entry_id}", {}).status_code == 204
    assert able.v6.post("/webhooks", other | {"responses": ["ACCOUNTS"]}).status_code == 403
    assert able.v6.post("/webhooks", other).status_code == 200
