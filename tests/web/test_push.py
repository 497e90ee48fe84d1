"""Notices on this device: turned on, tried, shown by the service worker, opened and turned off."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from ..cli.conftest import Server, Terminal
from ..notices.push_service import PushService, open_service
from .conftest import Person, Windows
from .test_accessible import too_wide, wrongs

# Chromium here reaches no push service, so that it subscribes nobody.
SUBSCRIBES = """fields => {
    let made = null;
    const subscription = {
        endpoint: fields.endpoint,
        toJSON: () => ({endpoint: fields.endpoint, keys: {p256dh: fields.p256dh, auth: fields.auth}}),
        unsubscribe: async () => { made = null; return true; },
    };
    PushManager.prototype.getSubscription = async () => made;
    PushManager.prototype.subscribe = async (options) => {
        window.asked = {visible: options.userVisibleOnly, key: options.applicationServerKey.length};
        made = subscription;
        return made;
    };
}"""
SHOWN = "navigator.serviceWorker.getRegistration().then(it => it.getNotifications()).then(shown => shown.length)"
SHOWN_SOON = """async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    for (const end = Date.now() + 20_000; Date.now() < end; await new Promise(done => setTimeout(done, 20))) {
        const shown = await registration.getNotifications();
        if (shown.length) return shown.map(({title, body, data}) => [title, body, data.path]);
    }
    return [];
}"""
# Only a person can click in a way that brings a page to the front.
CLICKED = """async () => {
    const [notification] = await registration.getNotifications();
    const event = new NotificationEvent('notificationclick', {notification});
    event.waitUntil = (work) => work.catch(() => {});
    dispatchEvent(event);
}"""


@pytest.fixture(scope="module")
def windows(whole_browser: Browser, served: tuple[Terminal, Server]) -> Windows:
    """Its shell lets nobody show notices."""
    return Windows(whole_browser, home=f"{served[1].address}/health", has_worker=True)


@pytest.fixture
def service() -> Iterator[PushService]:
    with open_service() as opened:
        yield opened


def test_notices_are_shown_on_this_device_until_it_is_turned_off(
    visitor: Callable[..., Person], served: tuple[Terminal, Server], newcomer: str, service: PushService
) -> None:
    ann, agent = visitor(served, "phone", newcomer, is_known=True, has_own_window=True), service.subscribe()
    ann.context.grant_permissions(["notifications"], origin=ann.server.address)
    ann.opens("#/settings/notices")
    ann.page.evaluate(SUBSCRIBES, agent.fields)
    switch = ann.main.get_by_role("switch", name="Show notices on this device")
    expect(switch).not_to_be_checked()
    started = ann.context.service_workers or [ann.context.wait_for_event("serviceworker")]
    switch.click()
    ann.is_told("This device shows your notices.")
    expect(switch).to_be_checked()
    assert ann.page.evaluate("window.asked") == {"visible": True, "key": 65}
    expect(ann.field("A bill is due soon: On devices")).to_be_checked()
    expect(ann.field("Weekly summary, on Monday: On devices")).not_to_be_checked()
    expect(ann.main.get_by_role("listitem")).to_contain_text("this device")
    assert (wrongs(ann.page), too_wide(ann.page)) == ([], [])

    ann.presses("Send a test notice")
    ann.is_told("A test notice is on its way.")
    assert service.has_shown.wait(60), "the job process has pushed it"
    [notice] = agent.shown
    expected = ["Notices from Farthing work on this device", "", "settings/notices"]
    assert delivers(ann, json.dumps(notice)) == [expected]
    ann.opens("#/accounts")
    started[0].evaluate(CLICKED)
    expect(switch).to_be_checked()
    assert ann.page.evaluate(SHOWN) == 0

    delivers(ann, json.dumps(notice))
    switch.click()
    ann.is_told("This device no longer shows your notices.")
    expect(switch).not_to_be_checked()
    assert (ann.reads("/notices/push"), ann.page.evaluate(SHOWN)) == ([], 0)
    switch.click()
    expect(switch).to_be_checked()
    ann.presses("More", exact=True)
    ann.presses("Sign out", exact=True)
    expect(ann.page.get_by_label("E-mail")).to_be_visible()
    assert ann.page.evaluate("localStorage.getItem('push')") is None


def delivers(person: Person, data: str) -> Any:
    """As the browser does when its push service has something for it. Returns what is on the screen then."""
    tools, known = person.context.new_cdp_session(person.page), list[str]()
    tools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: known.extend(one["registrationId"] for one in event["registrations"]),
    )
    tools.send("ServiceWorker.enable")
    for _ in range(1000):
        if known:
            break
        person.page.wait_for_timeout(20)  # hears what the browser says
    at = {"origin": f"{person.server.address}/", "registrationId": known[0]}
    tools.send("ServiceWorker.deliverPushMessage", {**at, "data": data})
    tools.detach()
    return person.page.evaluate(SHOWN_SOON)
