"""Defines the session of a signed-in browser, and the limits of sign-in attempts."""

import base64
import hmac
import re
from datetime import timedelta

from msgspec import Struct

# How many failed attempts are allowed within the window.
TRIES_OF_ACCOUNT, TRIES_OF_ADDRESS = 10, 30
# How many passkey sign-ins an address may begin within the window; a household may share an address.
CHALLENGES_OF_ADDRESS = 120
# How many failures in a row are allowed in a browser in which the user has signed in before. After that, the browser is
# treated as a stranger's.
TRIES_OF_DEVICE = 10
# Browsers keep cookies for at most this long.
DEVICE_LASTS = timedelta(days=400)
WINDOW = timedelta(minutes=15)
# How long the links that commands print stay valid.
LINK_LASTS = timedelta(minutes=15)
FIRST_RUN_LINK_LASTS = timedelta(hours=24)

# Actions whose effect outlasts the session need the password again, unless the session began this recently.
RECENT_MINUTES = 10

_DEVICE_CHARACTERS_MAX = 80
# The first match wins, because most browsers also claim to be others.
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


class Session(Struct, frozen=True):
    id: int
    user_id: int
    device: str
    created_at: str
    last_used_at: str
    expires_at: str


def csrf_token(secret: str) -> str:
    """Derives from the session's secret the token that a page must send to act in the session."""
    digest = hmac.digest(secret.encode(), b"farthing: csrf", "sha256")
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def name_device(agent: str) -> str:
    """Returns a name such as `Firefox on Linux`; a client that is not a browser gets its own name."""
    browser, system = _first_match(_BROWSERS, agent), _first_match(_SYSTEMS, agent)
    if browser:
        return f"{browser} on {system}" if system else browser
    printable = "".join(letter for letter in agent if letter.isprintable()).strip()
    return printable.partition(" ")[0][:_DEVICE_CHARACTERS_MAX] or "unknown device"


def _first_match(kinds: tuple[tuple[str, str], ...], agent: str) -> str | None:
    return next((name for name, pattern in kinds if re.search(pattern, agent)), None)
