"""Sends messages to browsers by web push: encrypted by RFC 8291, and signed by RFC 8292.

cryptography and joserfc are imported late, because most processes never need them.
"""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from . import outgoing
from .outgoing import NotAllowed, RequestLimits, Unreachable

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey

LIMITS = RequestLimits(connect_s=5, total_s=10, body_bytes_max=64 * 1024)
POINT_BYTES, AUTH_BYTES = 65, 16
# All messages have the same length, so that it reveals nothing.
_PLAIN_BYTES = 2048
_RECORD_BYTES = 4096
_SIGNED_FOR = timedelta(hours=12)
_GONE = (404, 410)
_RETRY_MAX_S = 86_400
# The curve P-256: y² = x³ - 3x + b (mod p).
_P = 2**256 - 2**224 + 2**192 + 2**96 - 1
_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B


class PushKeys(Struct, frozen=True):
    """Holds the keys of the installation: a point on the curve and a number, in Base64."""

    public_key: str
    private_key: str


class Push(Struct, frozen=True):
    """Describes a message for one browser. `endpoint`, `p256dh` and `auth` come from that browser."""

    endpoint: str
    p256dh: str
    auth: str
    body: bytes
    ttl_s: int
    urgency: str
    topic: str


class PushResult(Struct, frozen=True):
    """Says what came of a message. Without a `failure`, the push service has it.

    If it `is_final`, there is no use in trying again; if it `is_gone`, the browser is no longer subscribed.
    """

    failure: str | None = None
    is_final: bool = False
    is_gone: bool = False
    retry_after_s: int = 0


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_on_curve(point: bytes) -> bool:
    if len(point) != POINT_BYTES or point[0] != 4:
        return False
    x, y = int.from_bytes(point[1:33]), int.from_bytes(point[33:])
    return x < _P and y < _P and (y * y - x * x * x + 3 * x - _B) % _P == 0


def make_keys() -> PushKeys:
    from cryptography.hazmat.primitives.asymmetric import ec

    private = ec.generate_private_key(ec.SECP256R1())
    number = private.private_numbers().private_value
    return PushKeys(public_key=encode(_export(private.public_key())), private_key=encode(number.to_bytes(32)))


def send(push: Push, keys: PushKeys, at: datetime, *, contact: str | None, allow_private: bool) -> PushResult:
    """Sends a message once. `contact` is an address for the operators of the push service."""
    parts = urlsplit(push.endpoint)
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(push.ttl_s),
        "Urgency": push.urgency,
        "Topic": push.topic,
        "Authorization": _sign(keys, f"{parts.scheme}://{parts.netloc}", at, contact),
    }
    target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    body = _encrypt(push.body, decode(push.p256dh), decode(push.auth))
    try:
        to = outgoing.look_up(push.endpoint, allow_private=allow_private, limits=LIMITS)
        with outgoing.ask(to, "POST", target, headers=headers, body=body, limits=LIMITS) as answer:
            return _read(answer.status, answer.headers.get("retry-after", ""))
    except NotAllowed as error:
        return PushResult(failure=str(error), is_final=True)
    except Unreachable as error:
        return PushResult(failure=str(error))


def _read(status: int, retry_after: str) -> PushResult:
    if 200 <= status < 300:
        return PushResult()
    is_gone = status in _GONE
    wait_s = int(retry_after) if retry_after.isascii() and retry_after.isdigit() and len(retry_after) < 9 else 0
    return PushResult(
        failure=f"The push service answered {status}.",
        is_final=is_gone or (status < 500 and status != 429),
        is_gone=is_gone,
        retry_after_s=min(wait_s, _RETRY_MAX_S),
    )


def _sign(keys: PushKeys, audience: str, at: datetime, contact: str | None) -> str:
    from joserfc import jwt
    from joserfc.jwk import ECKey

    point = decode(keys.public_key)
    numbers = {"x": encode(point[1:33]), "y": encode(point[33:]), "d": keys.private_key}
    claims = {"aud": audience, "exp": int((at + _SIGNED_FOR).timestamp()), **({"sub": contact} if contact else {})}
    key = ECKey.import_key({"kty": "EC", "crv": "P-256", **numbers})
    return f"vapid t={jwt.encode({'alg': 'ES256', 'typ': 'JWT'}, claims, key)}, k={keys.public_key}"


def _encrypt(body: bytes, theirs: bytes, auth: bytes) -> bytes:
    """Encrypts a message with a key that only the browser can compute."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    private, salt = ec.generate_private_key(ec.SECP256R1()), secrets.token_bytes(16)
    ours = _export(private.public_key())
    shared = private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
    secret = _derive(shared, auth, b"WebPush: info\0" + theirs + ours, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    padded = (body + b"\2").ljust(_PLAIN_BYTES, b"\0")
    head = salt + _RECORD_BYTES.to_bytes(4) + len(ours).to_bytes(1) + ours
    return head + AESGCM(key).encrypt(nonce, padded, None)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), length, salt, info).derive(secret)


def _export(key: "EllipticCurvePublicKey") -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
