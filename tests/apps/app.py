"""An app of somebody else, for tests: registered, let in, and with its tokens."""

import base64
import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ..conftest import World
from ..sessions.browser import Browser

REDIRECT = "https://app.example.org/callback"
STATE = "a state with spaces & signs"


@dataclass
class Proof:
    """Of PKCE: a secret for each request."""

    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    @property
    def challenge(self) -> str:
        return base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).decode().rstrip("=")


@dataclass
class ThirdParty:
    """What the app itself knows; `browser` is the person in front of it."""

    world: World
    browser: Browser
    client_id: str
    secret: str | None
    redirect: str = REDIRECT
    proof: Proof = field(default_factory=Proof)

    def request(self, **changes: Any) -> dict[str, str]:
        """What it sends people with; None leaves something out."""
        asked = {
            "client_id": self.client_id,
            "redirect_uri": self.redirect,
            "response_type": "code",
            "state": STATE,
            "code_challenge": self.proof.challenge,
            "code_challenge_method": "S256",
            **changes,
        }
        return {name: value for name, value in asked.items() if value is not None}

    def ask(self, **changes: Any) -> Any:
        """What the consent page is told."""
        return self.browser.request("GET", "/authorization", params=self.request(**changes))

    def decide(self, *, allow: bool = True, decision: dict[str, Any] | None = None, **changes: Any) -> Any:
        return self.browser.post("/authorization", {**self.request(**changes), "allow": allow, **(decision or {})})

    def come_back(self, **how: Any) -> dict[str, str]:
        """The parameters with which the browser returns."""
        answer = self.decide(**how)
        assert answer.status_code == 200, answer.text
        address = answer.json()["data"]["redirect"]
        assert address.startswith(self.redirect), address
        return {name: value for name, [value] in parse_qs(urlsplit(address).query).items()}

    def send(self, path: str = "/oauth/token", headers: dict[str, str] | None = None, **given: Any) -> Any:
        """Straight to the server, without the browser."""
        who = {"client_id": self.client_id, "client_secret": self.secret}
        sent = {name: value for name, value in (who | given).items() if value is not None}
        answer = self.world.http.post(path, data=sent, headers=headers or {})
        self.world.check("POST", path, answer)
        return answer

    def exchange(self, code: str, **changes: Any) -> Any:
        given = {"redirect_uri": self.redirect, "code_verifier": self.proof.verifier, **changes}
        return self.send(grant_type="authorization_code", code=code, **given)

    def renew(self, refresh_token: str, **changes: Any) -> Any:
        return self.send(grant_type="refresh_token", refresh_token=refresh_token, **changes)

    def get_tokens(self, **how: Any) -> dict[str, Any]:
        answer = self.exchange(self.come_back(**how)["code"])
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def call(self, token: str, method: str = "GET", path: str = "/about/user", **options: Any) -> Any:
        headers = {"Authorization": f"Bearer {token}", **options.pop("headers", {})}
        return Browser(self.world).request(method, path, headers=headers, **options)


def registered(browser: Browser, **changes: Any) -> ThirdParty:
    body = {"name": "Pocket Books", "redirect_uris": [REDIRECT], **changes}
    answer = browser.post("/apps", body)
    assert answer.status_code == 200, answer.text
    shown = answer.json()["data"]["attributes"]
    return ThirdParty(browser.world, browser, shown["client_id"], shown["client_secret"])
