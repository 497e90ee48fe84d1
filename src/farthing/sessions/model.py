"""What is a session? A browser that somebody is signed in with, until it ends."""

import base64
import hmac
import re
from dataclasses import dataclass
from datetime import timedelta

# How often may be tried within the window, before one has to wait.
TRIES_OF_ACCOUNT, TRIES_OF_ADDRESS = 10, 30
WINDOW = timedelta(minutes=15)
# How long the links that commands print are good for.
LINK_LASTS = timedelta(minutes=15)
FIRST_RUN_LINK_LASTS = timedelta(hours=24)

_DEVICE_CHARACTERS_MAX = 80
# The first that fits: most browsers claim to be others as well.
_BROWSERS = (
    ("Edge", r"Edg(?:e|A|iOS)?/"),
    ("Opera", r"OPR/"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("Firefox", r"(?:Firefox|FxiOS)/"),
    ("Chrome", r"(?:Chrome|CriOS|Chromium)/"),
    ("Safari", r"Safari/"),
)
_SYSTEMS = (
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Android", r"Android"),
    ("Windows", r"Windows"),
    ("ChromeOS", r"CrOS"),
    ("macOS", r"Macintosh|Mac OS X"),
    ("Linux", r"Linux|X11"),
)


@dataclass(frozen=True)
class Session:
    id: int
    user_id: int
    device: str
    created_at: str
    last_used_at: str
    expires_at: str


def csrf_token(secret: str) -> str:
    """What a page must show to act in the session: made from its secret, so that each session has its own."""
    digest = hmac.digest(secret.encode(), b"farthing: csrf", "sha256")
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def device_of(agent: str) -> str:
    """`Firefox on Linux`; of what is no browser, its own name."""
    browser, system = _first(_BROWSERS, agent), _first(_SYSTEMS, agent)
    if browser:
        return f"{browser} on {system}" if system else browser
    seen = "".join(letter for letter in agent if letter.isprintable()).strip()
    return seen.partition(" ")[0][:_DEVICE_CHARACTERS_MAX] or "unknown device"


def _first(kinds: tuple[tuple[str, str], ...], agent: str) -> str | None:
    return next((name for name, pattern in kinds if re.search(pattern, agent)), None)
