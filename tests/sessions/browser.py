"""A browser for tests: it keeps the cookie that it is given, and sends what its page would send."""

from dataclasses import dataclass
from functools import cache
from http.cookies import SimpleCookie
from typing import Any

from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.identity.signing_in import passwords
from farthing.identity.user import User
from farthing.kernel.clock import stamp

from ..conftest import Asking, World, _numbers

PASSWORD = "correct horse battery"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0"
NAME, DEVICE, PROVIDER = "farthing_session", "farthing_device", "farthing_provider"
KEPT = {NAME: "cookie", DEVICE: "device", PROVIDER: "trip"}


@cache
def password_hash() -> str:
    """Hashing is slow on purpose; once is enough."""
    return passwords.hash_password(PASSWORD)


def somebody(world: World, email: str | None = None, kept: str | None = None) -> User:
    """Who can sign in with the usual password."""
    with world.books.writing() as db:
        address = email or f"person{next(_numbers)}@farthing.example"
        return user_lifecycle.add(db, address, kept or password_hash(), world.settings.timezone, stamp(world.time.now))


@dataclass
class Browser(Asking):
    """Its cookie jar is its own; the jar of the shared HTTP client stays empty."""

    world: World
    cookie: str | None = None
    csrf: str | None = None
    agent: str = FIREFOX
    address: str = ""
    device: str | None = None
    trip: str | None = None

    def request(self, method: str, path: str, **options: Any) -> Any:
        sent = {"User-Agent": self.agent}
        kept = [f"{name}={value}" for name, field in KEPT.items() if (value := getattr(self, field))]
        if kept:
            sent["Cookie"] = "; ".join(["other=1", *kept])
        if self.csrf and method not in ("GET", "HEAD"):
            sent["X-CSRF-Token"] = self.csrf
        if self.address:
            sent["X-Forwarded-For"] = self.address
        sent |= options.pop("headers", {})
        address = path if path.startswith(("/api", "/v6", "/health")) else f"/api/v1{path}"
        response = self.world.http.request(method, address, headers=sent, **options)
        self.world.http.cookies.clear()
        self.world.check(method, address, response)
        self._keep(response)
        return response

    def _keep(self, response: Any) -> None:
        for line in response.headers.get_list("set-cookie"):
            for name, morsel in SimpleCookie(line).items():
                setattr(self, KEPT[name], morsel.value or None)
        if response.status_code == 200 and "csrf_token" in response.text:
            self.csrf = response.json()["data"]["attributes"]["csrf_token"]

    def sign_in(self, email: str, password: str = PASSWORD) -> Any:
        return self.post("/session", {"email": email, "password": password})

    @property
    def is_in(self) -> bool:
        return bool(self.get("/session").status_code == 200)


def signed_in(world: World, user: User | None = None, **how: Any) -> Browser:
    """The short way, without a password."""
    from farthing.identity.sessions import begin, csrf_token

    user = user or somebody(world)
    browser = Browser(world, **how)
    with world.books.writing() as db:
        begun = begin(
            db,
            user.id,
            agent=browser.agent,
            before=None,
            now=stamp(world.time.now),
            days=world.settings.session_days,
        )
    browser.cookie, browser.csrf = begun.secret, csrf_token(begun.secret)
    return browser
