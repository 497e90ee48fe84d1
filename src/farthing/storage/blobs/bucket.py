"""Makes our few kinds of requests to S3, limits how long they wait, and raises our own errors.

A request that fails is repeated up to twice within two seconds. A request that gets no answer is abandoned after three
seconds. So an outage is noticed within five seconds, and all requests in the second after that fail immediately.
"""

import asyncio
import hashlib
import hmac
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import quote, urlsplit

import obstore
from msgspec import Struct
from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import S3Store
from pydantic import SecretStr

from farthing.kernel.config import Settings
from farthing.kernel.errors import ContentsUnavailable, DiskFull, StorageRefused
from farthing.kernel.settings.parsing import S3


class S3Address(Struct, frozen=True, kw_only=True):
    """Locates a bucket. If `prefix` is not empty, Farthing uses only keys that begin with it."""

    endpoint: str
    region: str
    bucket: str
    prefix: str
    key: SecretStr
    secret: SecretStr


def read_address(settings: Settings) -> S3Address:
    assert settings.storage, "not called for a folder"
    assert settings.s3_key, "checked when settings are loaded"
    assert settings.s3_secret, "checked when settings are loaded"
    bucket, _, prefix = settings.storage.removeprefix(S3).partition("/")
    return S3Address(
        endpoint=settings.s3_endpoint or f"https://s3.{settings.s3_region}.amazonaws.com",
        region=settings.s3_region,
        bucket=bucket,
        prefix=prefix,
        key=settings.s3_key,
        secret=settings.s3_secret,
    )


if TYPE_CHECKING:
    from obstore.store import S3Credential

# The smallest part that S3 accepts. Only the last part of an upload may be smaller.
PART_BYTES = 5 * 1024 * 1024
_PARTS_AT_ONCE = 1
_CONNECT, _ANSWER, _TRANSFER = timedelta(seconds=2), timedelta(seconds=3), timedelta(seconds=20)
_RETRIES_MAX, _RETRY_WITHIN = 2, timedelta(seconds=2)
_FAIL_AT_ONCE_S = 1.0
_STATUS = re.compile(r"status code: (\d{3})")
_CODE = re.compile(r"<Code>(\w+)</Code>")
_NO_BUCKET, _WRONG_RANGE = "NoSuchBucket", 416
# S3 answers with these status codes if the key, secret, region or address is wrong. Waiting does not help.
_REFUSALS = (301, 307, 400, 401, 403)
_FULL = re.compile("StorageFull|QuotaExceeded|InsufficientStorage")
_NO_ROOM = 507
_TAG = re.compile('"?([0-9a-f]{32})"?')


class NotThere(Exception):
    """Raised when an object does not exist."""


class StoredObject(Struct, frozen=True):
    """Describes an object in the bucket. `tag` changes whenever the bytes change.

    `md5` is known only if the object was uploaded in one part and is not encrypted with a key of its own.
    """

    key: str
    size: int
    changed_at: float
    tag: str | None
    md5: str | None


class Bucket:
    """Accesses a bucket, or only the objects below a prefix in it. Keys are relative to that prefix."""

    def __init__(self, address: S3Address) -> None:
        self._where = f"{S3}{address.bucket} at {address.endpoint}"
        self._quick = _connect(address, _ANSWER)
        # For requests that transfer megabytes, perhaps over a slow network.
        self._patient = _connect(address, _TRANSFER)
        self._failure: tuple[float, str] | None = None

    def find(self, key: str) -> StoredObject | None:
        """Looks up an object by its key. Returns None if there is no such object."""
        try:
            with self._translate_errors():
                return _make_object(obstore.head(self._quick, key))
        except NotThere:
            return None

    def find_size(self, key: str) -> int | None:
        stored = self.find(key)
        return stored.size if stored else None

    def read(self, key: str, first: int, count: int) -> bytes:
        """Reads `count` bytes from offset `first`. Returns fewer if the object ends earlier, or is missing."""
        try:
            with self._translate_errors():
                return bytes(obstore.get_range(self._patient, key, start=first, length=count))
        except NotThere:
            return b""

    def add(self, key: str, content: bytes, *, patient: bool = False) -> bool:
        """Writes an object. Returns False, and writes nothing, if the key is already taken."""
        try:
            with self._translate_errors():
                obstore.put(self._patient if patient else self._quick, key, content, mode="create", use_multipart=False)
        except AlreadyExistsError:
            return False
        return True

    def put(self, key: str, file: BinaryIO) -> None:
        """Uploads the file in parts, to use little memory. The object becomes visible only when it is complete."""
        file.seek(0)
        with self._translate_errors():
            obstore.put(self._patient, key, file, chunk_size=PART_BYTES, max_concurrency=_PARTS_AT_ONCE)

    def copy(self, key: str, to: str) -> bool:
        """Lets S3 copy an object, so that we need not transfer its bytes. Returns False if the object is missing."""
        try:
            with self._translate_errors():
                obstore.copy(self._patient, key, to)
        except NotThere:
            return False
        return True

    def delete(self, key: str) -> None:
        with suppress(NotThere), self._translate_errors():
            obstore.delete(self._quick, key)

    def list_objects(self, prefix: str) -> Iterator[StoredObject]:
        """Lists all objects below a prefix."""
        with self._translate_errors():
            for page in obstore.list(self._quick, prefix):
                for listed in page:
                    yield _make_object(listed)

    def list_folders(self) -> list[str]:
        with self._translate_errors():
            return list(obstore.list_with_delimiter(self._quick)["common_prefixes"])

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Raises our own errors without their cause, because the cause may quote keys and signatures in the log."""
        self._fail_at_once()
        try:
            yield
        except AlreadyExistsError:
            raise
        except (BaseError, FileNotFoundError) as error:
            raise self._explain(str(error), is_missing=isinstance(error, FileNotFoundError)) from None

    def _fail_at_once(self) -> None:
        assert not _is_on_event_loop(), "S3 is asked from threads, never from the event loop"
        if self._failure and time.monotonic() < self._failure[0]:
            raise ContentsUnavailable(self._failure[1])

    def _explain(self, text: str, *, is_missing: bool) -> Exception:
        status_match, named = _STATUS.search(text), _CODE.search(text)
        status, code = int(status_match[1]) if status_match else 0, named[1] if named else ""
        if code == _NO_BUCKET:
            return StorageRefused(f"{self._where}: there is no such bucket.")
        if is_missing or status == _WRONG_RANGE:
            return NotThere()
        if status == _NO_ROOM or _FULL.search(code):
            return DiskFull(f"{self._where} has no space left: {status} {code}.")
        if status in _REFUSALS:
            do = "check FARTHING_S3_KEY, FARTHING_S3_SECRET and FARTHING_S3_REGION, and the permissions of the key"
            return StorageRefused(f"{self._where} refuses our requests ({f'{status} {code}'.strip()}): {do}.")
        return self._note_failure(f"answers with {status} {code}" if status else _describe_silence(text))

    def _note_failure(self, what: str) -> ContentsUnavailable:
        sentence = f"{self._where} {what.strip()}."
        self._failure = (time.monotonic() + _FAIL_AT_ONCE_S, sentence)
        return ContentsUnavailable(sentence)


def _is_on_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _describe_silence(text: str) -> str:
    if "kind: Timeout" in text:
        return "does not answer in time"
    return "cannot be reached" if "kind: Connect" in text else "closed the connection"


@lru_cache(maxsize=8)
def _connect(address: S3Address, timeout: timedelta) -> S3Store:
    """Caches the client, because creating one takes some 10 ms, and a new one has no open connections to S3."""
    return S3Store(
        address.bucket,
        prefix=address.prefix or None,
        endpoint=address.endpoint,
        region=address.region,
        credential_provider=lambda: _give_credential(address),
        client_options={"allow_http": True, "connect_timeout": _CONNECT, "timeout": timeout},
        retry_config={"max_retries": _RETRIES_MAX, "retry_timeout": _RETRY_WITHIN},
    )


def _give_credential(address: S3Address) -> "S3Credential":
    """Returns the credentials when the client first asks for them.

    If they were passed directly, the client would combine them with a session token from the environment.
    """
    return {
        "access_key_id": address.key.get_secret_value(),
        "secret_access_key": address.secret.get_secret_value(),
        "token": None,
        "expires_at": None,
    }


def _make_object(listed: Any) -> StoredObject:
    tag = _TAG.fullmatch(listed["e_tag"] or "")
    return StoredObject(
        key=listed["path"],
        size=listed["size"],
        changed_at=listed["last_modified"].timestamp(),
        tag=listed["e_tag"],
        md5=tag[1] if tag else None,
    )


_VALID_S = 60
_ALGORITHM = "AWS4-HMAC-SHA256"


def sign_link(address: S3Address, key: str, disposition: str, now: datetime) -> str:
    """Creates a download link that is valid for a minute. `now` must be in UTC."""
    stamp, day = f"{now:%Y%m%dT%H%M%SZ}", f"{now:%Y%m%d}"
    scope = f"{day}/{address.region}/s3/aws4_request"
    parts = urlsplit(address.endpoint)
    path = "/".join([parts.path, address.bucket, *([address.prefix] if address.prefix else []), key])
    query = _write_query(
        {
            "X-Amz-Algorithm": _ALGORITHM,
            "X-Amz-Credential": f"{address.key.get_secret_value()}/{scope}",
            "X-Amz-Date": stamp,
            "X-Amz-Expires": str(_VALID_S),
            "X-Amz-SignedHeaders": "host",
            "response-cache-control": "private, no-cache, must-revalidate",
            "response-content-disposition": disposition,
            "response-content-type": "application/octet-stream",
        }
    )
    request = "\n".join(["GET", path, query, f"host:{parts.netloc}", "", "host", "UNSIGNED-PAYLOAD"])
    string_to_sign = "\n".join([_ALGORITHM, stamp, scope, hashlib.sha256(request.encode()).hexdigest()])
    signing_key = f"AWS4{address.secret.get_secret_value()}".encode()
    for word in scope.split("/"):
        signing_key = _hash(signing_key, word)
    return f"{parts.scheme}://{parts.netloc}{path}?{query}&X-Amz-Signature={_hash(signing_key, string_to_sign).hex()}"


def _write_query(values: dict[str, str]) -> str:
    """Writes the parameters sorted by name, as the signature requires."""
    return "&".join(f"{name}={quote(value, safe='-_.~')}" for name, value in sorted(values.items()))


def _hash(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()
