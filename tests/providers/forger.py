"""A provider that lies where a test says so, and keeps to the rules everywhere else."""

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

CLIENT_ID = "farthing"


class Forger:
    """`claims` are changed in the id token, `header` in its head; None leaves one out."""

    def __init__(self, port: int) -> None:
        self.issuer = f"http://127.0.0.1:{port}"
        self.key = RSAKey.generate_key(2048, {"kid": "first", "use": "sig"}, private=True)
        self.behave()

    def behave(self) -> None:
        self.claims: dict[str, Any] = {}
        self.user_info: dict[str, Any] = {"sub": "mallory", "email": "mallory@provider.example", "email_verified": True}
        self.discovery: dict[str, Any] = {}
        self.make_token = self.sign
        self.token_status, self.waits_s = 200, 0.0
        self.asked: list[str] = []
        self.sent: dict[str, str] = {}
        self.now = int(time.time())

    def answers(self, address: str) -> dict[str, str]:
        """Somebody has signed in: remembers what was asked for, and gives a code."""
        self.query = dict(parse_qsl(urlsplit(address).query))
        return {"code": "a code", "state": self.query["state"]}

    def id_claims(self) -> dict[str, Any]:
        right = {
            "iss": self.issuer,
            "sub": "mallory",
            "aud": CLIENT_ID,
            "iat": self.now,
            "exp": self.now + 300,
            "nonce": self.query["nonce"],
        }
        return {name: value for name, value in {**right, **self.claims}.items() if value is not None}

    def sign(self, claims: dict[str, Any]) -> str:
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims, self.key)

    def sign_with_another_key(self, claims: dict[str, Any]) -> str:
        other = RSAKey.generate_key(2048, {"kid": self.key.kid}, private=True)
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims, other)

    def leave_unsigned(self, claims: dict[str, Any]) -> str:
        return f"{_encode({'alg': 'none', 'kid': self.key.kid})}.{_encode(claims)}."

    def sign_with_the_public_key_as_a_secret(self, claims: dict[str, Any]) -> str:
        import hmac

        head = f"{_encode({'alg': 'HS256', 'kid': self.key.kid})}.{_encode(claims)}"
        mac = hmac.digest(self.key.as_pem(private=False), head.encode(), "sha256")
        return f"{head}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"

    def sign_with_the_client_secret(self, claims: dict[str, Any]) -> str:
        return jwt.encode({"alg": "HS256"}, claims, OctKey.import_key("a secret of the tests"), algorithms=["HS256"])

    def document(self, path: str) -> Any:
        if path == "/.well-known/openid-configuration":
            own = {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/auth",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "userinfo_endpoint": f"{self.issuer}/me",
                "end_session_endpoint": f"{self.issuer}/end",
            }
            return own | self.discovery
        if path == "/keys":
            return {"keys": [{"kty": "odd", "kid": "first"}, self.key.as_dict(private=False)]}
        return self.user_info if path == "/me" else None

    def token(self, sent: bytes) -> tuple[int, Any]:
        self.sent = dict(parse_qsl(sent.decode()))
        if self.token_status != 200:
            return self.token_status, {"error": "invalid_grant"}
        id_token = self.make_token(self.id_claims())
        return 200, {"access_token": "an access token", "token_type": "Bearer", "id_token": id_token}


def _encode(what: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(what).encode()).decode().rstrip("=")


@contextmanager
def serving(port: int) -> Iterator[Forger]:
    forger = Forger(port)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            forger.asked.append(self.path)
            time.sleep(forger.waits_s)
            document = forger.document(self.path)
            self._answer(200 if document is not None else 404, document)

        def do_POST(self) -> None:
            forger.asked.append(self.path)
            self._answer(*forger.token(self.rfile.read(int(self.headers["content-length"]))))

        def _answer(self, status: int, document: Any) -> None:
            body = document if isinstance(document, bytes) else json.dumps(document).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """It is not worth a line."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            """Whoever has asked may not listen to the end."""

    with Server(("127.0.0.1", port), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield forger
        server.shutdown()
        thread.join()
