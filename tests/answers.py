"""Does every answer of the tests keep what the OpenAPI document promises?"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

from jsonschema_rs import Draft202012Validator, Registry
from msgspec import structs

from farthing.http.routing.api_versions import PREFIX, Location, VersionChooser, write_with_hyphens
from farthing.identity.user import ApiVersion

from .versions import describe

Check = Callable[[str, str, Any], None]
_DOCUMENT = "urn:farthing:openapi"
# A number as we write it: no exponent, and no zeros at the end of a fraction.
_FRACTION = re.compile(r"-?[0-9]+\.[0-9]*[1-9]")


def checker() -> Check:
    """A document is made at the first answer of its version; tests that ask nothing do not pay for it."""
    promises = cache(lambda version: Promises(describe(version)))

    def check(method: str, path: str, response: Any) -> None:
        location = _locate(path, getattr(response, "request", None))
        promises(location.version).check(method, location.path, response)

    return check


@dataclass(frozen=True)
class Promise:
    """What one status of one operation looks like; without media types there is no body."""

    media_types: frozenset[str]
    validator: Draft202012Validator | None


class Promises:
    def __init__(self, told: dict[str, Any]) -> None:
        self._told = told
        self._registry = Registry([(_DOCUMENT, told)])
        self._plain = told["paths"]
        self._patterns = [(re.compile(re.sub(r"{\w+}", "[^/]+", path)), path) for path in told["paths"] if "{" in path]
        self._promise = cache(self._read)

    def check(self, method: str, address: str, response: Any) -> None:
        asked = f"{method} {address}"
        assert response.headers.get("x-request-id"), f"{asked} has no request id"
        if address.startswith("/api/docs/"):
            return None  # the files of the reference page are no part of the API
        path = self._path(address)
        if path is None:
            return _refused(asked, response, 404)
        verb = {"HEAD": "get"}.get(method, method.lower())
        if verb not in self._told["paths"][path]:
            assert "allow" in response.headers, f"{asked} does not say what is allowed"
            return _refused(asked, response, 405)
        promise = self._promise(path, verb, str(response.status_code))
        return _kept(promise, asked, response, has_body=method != "HEAD")

    def _path(self, path: str) -> str | None:
        if path in self._plain:
            return path
        return next((known for pattern, known in self._patterns if pattern.fullmatch(path)), None)

    def _read(self, path: str, verb: str, status: str) -> Promise:
        operation = self._told["paths"][path][verb]
        name = operation["operationId"]
        assert status in operation["responses"], (
            f"{name} may answer {status}, but OpenAPI does not tell: name the error in `fails` of its Route"
        )
        content = self._followed(operation["responses"][status]).get("content", {})
        schemas = [one["schema"] for media_type, one in content.items() if media_type.endswith("json")]
        return Promise(frozenset(content), self._validator(schemas[0]) if schemas else None)

    def _followed(self, response: dict[str, Any]) -> dict[str, Any]:
        name = response.get("$ref", "").rpartition("/")[2]
        return self._told["components"]["responses"][name] if name else response

    def _validator(self, schema: dict[str, Any]) -> Draft202012Validator:
        return Draft202012Validator(_absolute(schema), registry=self._registry, validate_formats=True)


def _absolute(schema: dict[str, Any]) -> dict[str, Any]:
    """What it refers to is in the document; a plain list or map refers to what it is made of."""
    found = {key: f"{_DOCUMENT}{value}" if key == "$ref" else value for key, value in schema.items()}
    return found | {key: _absolute(found[key]) for key in ("items", "additionalProperties") if key in found}


def _locate(address: str, request: Any) -> Location:
    """Where the server finds this, without a base path in front."""
    path = unquote(re.sub("%2f", "_", urlsplit(address).path, flags=re.IGNORECASE))
    below = next((start for prefix in (f"{PREFIX}/api/", "/api/") if (start := path.find(prefix)) >= 0), 0)
    authorization = request.headers.get("authorization", "") if request else ""
    location = _CHOOSER.locate(path[below:], {b"authorization": authorization.encode()}, v6_host=False)
    is_v6 = location.version is ApiVersion.V6
    return structs.replace(location, path=write_with_hyphens(location.path)) if is_v6 else location


_CHOOSER = VersionChooser(SimpleNamespace(base_url=None, v6_url=None))  # type: ignore[arg-type]


def _refused(asked: str, response: Any, status: int) -> None:
    """No operation stands for this address or method, so only one answer is right."""
    assert response.status_code == status, f"{asked} answered {response.status_code}, but OpenAPI does not know it"
    assert _media_type(response) == "application/json", f"{asked} answered with {_media_type(response)}"


def _kept(promise: Promise, asked: str, response: Any, *, has_body: bool) -> None:
    if not promise.media_types:
        assert not response.content, f"{asked} answered {response.status_code} with a body"
        return
    assert _media_type(response) in promise.media_types, f"{asked} answered with {_media_type(response)}"
    if promise.validator is None or not has_body or not _media_type(response).endswith("json"):
        return
    body = json.loads(response.content, parse_float=_exact)
    wrong = [f"{_pointer(one.instance_path)}: {one.message}" for one in promise.validator.iter_errors(body)]
    assert not wrong, f"{asked} answered {response.status_code} with {wrong}"


def _pointer(path: Sequence[str | int]) -> str:
    return "".join(f"/{key}" for key in path)


def _exact(text: str) -> Decimal:
    assert _FRACTION.fullmatch(text), f"{text} is not how we write numbers"
    return Decimal(text)


def _media_type(response: Any) -> str:
    return str(response.headers.get("content-type", "")).partition(";")[0]
