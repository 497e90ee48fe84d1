"""Computes the codes of authenticator apps (RFC 6238): six digits, new every 30 seconds."""

import hmac
from datetime import datetime

from pyotp import random_base32
from pyotp.totp import TOTP

STEP_S = 30
# A phone's clock may be off, so the previous and the next code are accepted too.
_STEPS_AROUND = (0, -1, 1)


def make_secret() -> str:
    return random_base32()


def make_address(secret: str, email: str, issuer: str) -> str:
    """Returns the address in the QR code that the app scans."""
    return TOTP(secret).provisioning_uri(name=email, issuer_name=issuer)


def find_step(secret: str, code: str, now: str, *, after: int) -> int | None:
    """Returns the time step of this code if it is later than `after`, because each code works once."""
    clock = int(datetime.fromisoformat(now).timestamp()) // STEP_S
    app = TOTP(secret)
    for step in (clock + around for around in _STEPS_AROUND):
        if step > after and hmac.compare_digest(app.at(step * STEP_S).encode(), code.encode()):
            return step
    return None
