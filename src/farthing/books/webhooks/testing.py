"""Sends a test event, so that people see whether their receiver works."""

from uuid import uuid4

import msgspec

from farthing.identity.user import ApiVersion
from farthing.storage.unit import Unit

from . import following, store
from .content import make_body
from .following import HookEvent
from .model import TEST_EVENT, Response, Trigger, Webhook


def send_test(db: Unit, user_id: int, webhook: Webhook, now: str) -> int:
    """Writes a message without content about any event, in the format of the webhook. Returns its id."""
    if webhook.api_version == ApiVersion.V6:
        uuid, response = str(uuid4()), Response.NONE
        body = make_body(
            user_id=user_id, uuid=uuid, trigger=Trigger.ANY, response=response, url=webhook.url, content=[]
        )
        message = (user_id, webhook.id, uuid, msgspec.json.encode(body).decode())
    else:
        data = {"type": "webhooks", "id": str(webhook.id), "name": webhook.title}
        message = following.make_message(user_id, webhook.id, HookEvent(type=TEST_EVENT, at=now, data=data))
    store.add_messages(db, [message], now)
    sql = "SELECT MAX(id) FROM webhook_messages WHERE user_id = :user_id AND webhook_id = :webhook_id"
    return int(db.value(sql, user_id=user_id, webhook_id=webhook.id))
