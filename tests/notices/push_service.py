"""A push service, in this process: it checks who sends, and decrypts as browsers do (RFC 8291, RFC 8188)."""

import json
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc import jwt
from joserfc.jwk import ECKey

from farthing.jobs.pushing import Pusher

from ..conftest import World


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class UserAgent:
    """A browser's side of one subscription: its keys, its address at the service, and what it was shown."""

    def __init__(self, address: str, private: ec.EllipticCurvePrivateKey | None = None, auth: bytes = b"a" * 16):
        self.private, self.auth = private or ec.generate_private_key(ec.SECP256R1()), auth
        self.point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.fields = {"endpoint": address, "p256dh": encoded(self.point), "auth": encoded(auth)}
        self.shown: list[dict[str, Any]] = []

    def decrypt(self, body: bytes) -> bytes:
        salt, record_bytes, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= record_bytes
        assert len(body) <= 4096
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        info = b"WebPush: info\x00" + self.point + sender
        secret = HKDF(SHA256(), 32, self.auth, info).derive(self.private.exchange(ec.ECDH(), key))
        content_key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\x00").derive(secret)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\x00").derive(secret)
        plain = AESGCM(content_key).decrypt(nonce, sealed, None).rstrip(b"\x00")
        assert plain.endswith(b"\x02"), "the last record ends with this byte"
        return plain[:-1]


class PushService:
    """`answers` has the next statuses of single subscriptions. `requests` are the headers of what it accepted."""

    def __init__(self) -> None:
        self.agents: dict[str, UserAgent] = {}
        self.answers: dict[str, list[int]] = {}
        self.requests: list[dict[str, str]] = []
        self.asked = 0
        self.has_shown = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                service.asked += 1
                body = self.rfile.read(int(self.headers["Content-Length"]))
                waiting = service.answers.get(self.path, [])
                status = waiting.pop(0) if waiting else 201
                if status == 201:
                    service.requests.append(dict(self.headers))
                    service.agents[self.path].shown.append(json.loads(service.agents[self.path].decrypt(body)))
                    service.has_shown.set()
                self.send_response(status)
                if status == 429:
                    self.send_header("Retry-After", "7200")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"

    def subscribe(self) -> UserAgent:
        path = f"/push/{len(self.agents)}"
        self.agents[path] = UserAgent(f"{self.origin}{path}")
        return self.agents[path]

    def answer(self, agent: UserAgent, *statuses: int) -> None:
        self.answers[agent.fields["endpoint"].removeprefix(self.origin)] = [*statuses]


@contextmanager
def open_service() -> Iterator[PushService]:
    service = PushService()
    thread = threading.Thread(target=service.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.server.shutdown()
        service.server.server_close()
        thread.join()


def claims_of(header: str, public_key: str) -> dict[str, Any]:
    """What the signed token says, if it is signed with the key that browsers were given."""
    scheme, token, key = header.replace(",", " ").split()
    assert (scheme, key) == ("vapid", f"k={public_key}")
    point = decoded(public_key)
    signed_with = ECKey.import_key({
        "kty": "EC", "crv": "P-256", "x": encoded(point[1:33]), "y": encoded(point[33:]),
    })  # fmt: skip
    return dict(jwt.decode(token.removeprefix("t="), signed_with, algorithms=["ES256"]).claims)


def pushes(world: World) -> None:
    """Sends what is due, as the job process does."""
    pusher = Pusher(world.settings, world.books, world.time.clock())
    pusher.turn()
    pusher.finish()
