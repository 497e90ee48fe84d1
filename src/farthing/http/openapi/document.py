"""Makes the OpenAPI document from the routes, and serves the page that shows it."""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.routing import Route as Address
from starlette.types import Scope

from farthing import __version__
from farthing.identity.user import ApiVersion

from ..answer.document import Failure, Problems
from ..answer.encoding import compress
from ..answer.includes import Include
from ..answer.reply import GetEndpoint, Reply, make_reply
from ..request.call import Answer
from ..request.public_address import API
from ..route import FileUpload, Parameter, Route
from ..service.health import Healthy
from . import service
from .components import (
    HEADER_PARAMETERS,
    HEADERS,
    SECURITY_SCHEMES,
    TO_READ,
    error_responses,
    failures,
    keeps_books,
    need,
)
from .links import Links, names_in

if TYPE_CHECKING:
    from .schemas import Schema

MEDIA_TYPE = "application/vnd.api+json"
_JSON = "application/json"
_BODY_TYPES = (_JSON, "application/x-www-form-urlencoded", "multipart/form-data")

_INFO = {
    "title": "Farthing",
    "version": __version__,
    "summary": "A household's money: every amount exact, every day right, nothing lost.",
    "description": (
        "Every request needs `Authorization: Bearer TOKEN` or a session cookie, except requests to sign in and those"
        " tagged `service`. With a session cookie, every method but GET also needs an `X-CSRF-Token`. Bodies may be"
        " JSON, form fields (with brackets for nested fields: `transactions[0][amount]`) or multipart/form-data. Text"
        " is trimmed. A field that is null or an empty text is treated as absent. Amounts are exact: send them as JSON"
        " numbers or as text. Days are written as YYYY-MM-DD. A wrong method gets 405 with an `Allow` header, an"
        " unknown address 404."
    ),
    "license": {"name": "Apache License 2.0", "identifier": "Apache-2.0"},
}

_INFO_OF_V6 = {
    "title": "Farthing, version 6",
    "description": (
        "Every request needs `Authorization: Bearer TOKEN`, except those tagged `service`. Below `/v6`, and at the host"
        " in `FARTHING_V6_URL`, every token works. A token that was issued for version 6 also works without the prefix."
        " Ids and amounts are text. A PUT changes only the fields that it contains. Words in addresses may be joined by"
        " hyphens or underscores."
    ),
}


def addresses(routes: Mapping[ApiVersion, Sequence[Route]]) -> list[Address]:
    """Returns the addresses of the documents and of their page. A document is built when it is first requested."""
    documents = {version: Fixed(partial(_encode, of, version), _JSON) for version, of in routes.items()}
    return [
        Address("/api/openapi.json", GetEndpoint(lambda scope: documents[scope["state"]["api_version"]].reply(scope))),
        Address("/api/docs", Fixed(_load("reference.html"), "text/html; charset=utf-8")),
        Address("/api/docs/reference.css", Fixed(_load("reference.css"), "text/css; charset=utf-8")),
        Address("/api/docs/reference.js", Fixed(_load("reference.js"), "text/javascript; charset=utf-8")),
    ]


def _encode(routes: Sequence[Route], version: ApiVersion) -> bytes:
    return msgspec.json.encode(document(routes, version))


def _load(name: str) -> Callable[[], bytes]:
    return (Path(__file__).with_name("reference") / name).read_bytes


_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;"
    " frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)


class Fixed(GetEndpoint):
    """Serves bytes that do not change while the server runs, without authentication."""

    def __init__(self, make: Callable[[], bytes], media_type: str) -> None:
        super().__init__(self.reply)
        self._body = cache(make)
        self._media_type = media_type

    def reply(self, scope: Scope) -> Reply:
        if scope.get("raw_path", b"").endswith(b"/"):
            # The page names its files relative to its own address, which must not end in a slash.
            name = scope["path"].rpartition("/")[2]
            return make_reply(Answer(None, 308, headers=(("location", f"../{name}"), ("content-length", "0"))))
        body = self._body()
        headers = [
            (b"content-type", self._media_type.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"content-security-policy", _POLICY.encode()),
        ]
        return compress(Reply(200, headers, body), scope["state"]["headers"])


def document(routes: Sequence[Route], version: ApiVersion = ApiVersion.V1) -> dict[str, Any]:
    """Makes the document. All its addresses are relative, so that they are right behind any proxy."""
    shapes = _Shapes(routes)
    links = Links(routes, shapes.answer_of)
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(API + route.path, {})[route.method.lower()] = _operation(route, links, shapes)
    return {
        "openapi": "3.1.0",
        "info": _INFO if version is ApiVersion.V1 else _INFO | _INFO_OF_V6,
        "servers": [{"url": "..", "description": "The server that this document comes from."}],
        "security": TO_READ,
        "tags": _tags(routes),
        "paths": paths | service.paths(shapes.answers[Healthy]),
        "components": {
            "schemas": dict(sorted(shapes.components.items())),
            "responses": error_responses(shapes.answers),
            "headers": HEADERS,
            "parameters": HEADER_PARAMETERS,
            "securitySchemes": SECURITY_SCHEMES | {"app": service.OAUTH},
        },
    }


class _Shapes:
    """Holds the schemas of all request and answer bodies. Each has a name, by which the operations refer to it."""

    def __init__(self, routes: Sequence[Route]) -> None:
        from . import schemas  # imported late: the server does not need it to start

        documents = [route.document for route in routes if route.document is not None]
        self.requests, of_requests = schemas.of_requests(route.fields for route in routes if route.fields)
        self.answers, of_answers = schemas.of_answers([*documents, Healthy, Failure, Problems])
        assert not of_requests.keys() & of_answers.keys(), "a request and an answer have the same name"
        self.components = of_requests | of_answers

    def resolve(self, reference: "Schema") -> "Schema":
        return self.components[reference["$ref"].rpartition("/")[2]]

    def answer_of(self, route: Route) -> "Schema":
        return self.resolve(self.answers[route.document])


def _tags(routes: Sequence[Route]) -> list[dict[str, str]]:
    """Describes each resource by the docstring of its package."""
    packages = {_tag(route): route.handler.__module__.rpartition(".")[0] for route in routes}
    tags = [{"name": tag, "description": (sys.modules[name].__doc__ or "").strip()} for tag, name in packages.items()]
    return [*tags, {"name": service.TAG, "description": "Health, metrics and documentation of the service itself."}]


def _tag(route: Route) -> str:
    return route.name.partition(".")[0]


def _operation(route: Route, links: Links, shapes: _Shapes) -> dict[str, Any]:
    operation: dict[str, Any] = {"operationId": route.name, "summary": route.summary, "tags": [_tag(route)]}
    parameters = [*_parameters(route), *_header_parameters(route)]
    if parameters:
        operation["parameters"] = parameters
    if route.takes:
        operation["requestBody"] = _request_body(route, shapes) if route.fields else _WHOLE_BODY_IS_FILE
    operation["security"] = [] if route.is_open else need(route)
    return operation | {"responses": _success(route, links, shapes) | failures(route)}


def _parameters(route: Route) -> list[dict[str, Any]]:
    """Describes the parameters of the path and the query.

    A name in the path is an id, unless the route declares a parameter for it.
    """
    declared = {parameter.name: parameter for parameter in route.parameters}
    in_path = [declared.pop(name, Parameter(name, _ID, "The id of the object.")) for name in names_in(route.path)]
    included = [_include_parameter(route)] if route.includes else []
    of_path = [{**_query_parameter(parameter), "in": "path", "required": True} for parameter in in_path]
    return [*of_path, *map(_query_parameter, declared.values()), *included]


def _header_parameters(route: Route) -> list[dict[str, Any]]:
    name = {"GET": "IfNoneMatch", "POST": "IdempotencyKey"}.get(route.method, "IfMatch")
    books = [*(["Books"] if route.is_shared else []), *(["BooksOfLink"] if route.is_linked else [])]
    is_used = keeps_books(route) and (route.method != "POST" or route.takes_key)
    names = [*([name] if is_used else []), *books]
    return [{"$ref": f"#/components/parameters/{name}"} for name in names]


_ID = {"type": "string", "pattern": "^[0-9]{1,18}$"}


def _query_parameter(parameter: Parameter) -> dict[str, Any]:
    described = {
        "name": parameter.name,
        "in": "query",
        "description": parameter.about,
        "schema": dict(parameter.schema),
    }
    return described | ({"required": True} if parameter.required else {})


def _quote(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _include_parameter(route: Route) -> dict[str, Any]:
    names = list(route.includes)
    always = [include.name for include in route.includes.values() if include.default]
    by_choice = [name for name in names if name not in always]
    about = f"Related objects to include, comma-separated: {_quote(by_choice)}." if by_choice else ""
    if always:
        about += f" {_quote(always)} {'is' if len(always) == 1 else 'are'} always included."
    return {
        "name": "include",
        "in": "query",
        "description": f"{about} `a.b` also includes the `b` of each `a`. Unknown names are ignored.".strip(),
        "style": "form",
        "explode": False,
        "schema": {"type": "array", "items": {"type": "string", "enum": _list_names(route.includes)}},
    }


def _list_names(includes: Mapping[str, Include]) -> list[str]:
    """Lists all names, each followed by the dotted names of its own relations."""
    names: list[str] = []
    for name, relation in includes.items():
        names += [name, *(f"{name}.{inner}" for inner in _list_names(relation.further))]
    return names


def _request_body(route: Route, shapes: _Shapes) -> dict[str, Any]:
    """Describes the body. Every media type has the same fields, and every field may be sent as text."""
    reference = shapes.requests[route.fields]
    model = shapes.resolve(reference)
    unknown = set(route.requires) - model["properties"].keys()
    assert not unknown, f"{route.name} requires fields that it does not take: {unknown}"
    schema = {**reference, "required": list(route.requires)} if route.requires else reference
    required = bool(route.requires or model.get("required"))
    content: dict[str, Any] = {media_type: {"schema": schema} for media_type in _BODY_TYPES}
    if route.upload and route.upload.part:
        content["multipart/form-data"] = {"schema": _add_file(reference, route, route.upload)}
    if route.text_field:
        content["text/csv"] = {"schema": {"type": "string"}}
    return {"required": required, "content": content}


_FILE_TYPE = "application/octet-stream"
_FILE = {"type": "string", "format": "binary"}
_TEXT = {"type": "string"}
_WHOLE_BODY_IS_FILE = {
    "required": True,
    "description": "The content of the file. The Content-Type does not matter.",
    "content": {_FILE_TYPE: {"schema": _FILE}},
}


def _add_file(reference: "Schema", route: Route, upload: FileUpload) -> "Schema":
    """Adds the file, which can only be sent in a multipart request.

    The field for the file's name is then not required, because the file itself has a name.
    """
    required = [name for name in route.requires if name != upload.names]
    return {**reference, "required": required, "properties": {upload.part: _FILE}}


def _success(route: Route, links: Links, shapes: _Shapes) -> dict[str, Any]:
    headers = {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}
    if route.method != "GET" and keeps_books(route):
        headers["Farthing-Revision"] = {"$ref": "#/components/headers/Revision"}
    if route.takes_key:
        headers["Idempotent-Replay"] = {"$ref": "#/components/headers/IdempotentReplay"}
    no_body = {"204": {"description": "The request succeeded. The answer has no body.", "headers": headers}}
    if route.is_produced:
        content = {media_type: {"schema": _FILE} for media_type in route.gives.media_types}
        return {"200": {"description": "The file.", "headers": headers, "content": content}}
    if route.is_pushed:
        content = {"text/event-stream": {"schema": _TEXT}}
        return {"200": {"description": "Events, until either side ends it.", "headers": headers, "content": content}}
    if route.is_text:
        content = {route.gives.media_type: {"schema": _TEXT}}
        return {"200": {"description": "The text.", "headers": headers, "content": content}}
    if route.is_download:
        return _file_answers(headers)
    in_background = "There is too much work for one request, so a job does it in the background."
    if route.document is None:
        later = {"202": {"description": in_background, "headers": headers}}
        return no_body | (later if route.may_be_later else {})
    schema = shapes.answers[route.document]
    tagged = {**headers, **({"ETag": {"$ref": "#/components/headers/ETag"}} if keeps_books(route) else {})}
    media_type = _JSON if route.is_plain else MEDIA_TYPE
    content = {media_type: {"schema": schema}, **({route.or_text: {"schema": _TEXT}} if route.or_text else {})}
    answer = {"description": "The request succeeded.", "headers": tagged, "content": content}
    next_ = {} if route.is_plain else links.of(route)
    unchanged = {
        "304": {"description": "Nothing has changed since you got the `ETag` in `If-None-Match`.", "headers": tagged}
    }
    answers = {"200": answer | ({"links": next_} if next_ else {}), **(no_body if route.may_be_silent else {})}
    if route.may_be_later:
        located = {**tagged, "Location": {"$ref": "#/components/headers/Location"}}
        answers["202"] = {**answer, "description": in_background, "headers": located}
    return answers | (unchanged if route.method == "GET" and keeps_books(route) else {})


def _file_answers(headers: dict[str, Any]) -> dict[str, Any]:
    content = {_FILE_TYPE: {"schema": _FILE}}
    tagged = {**headers, "ETag": {"description": "Identifies the content of the file.", "schema": {"type": "string"}}}
    redirected = {**headers, "Location": {"description": "The address of the file.", "schema": {"type": "string"}}}
    ranged = {
        "Content-Range": {"description": "The range of bytes and the size of the file.", "schema": {"type": "string"}}
    }
    return {
        "200": {"description": "The whole file.", "headers": tagged, "content": content},
        "206": {
            "description": "The part of the file that `Range` asks for.",
            "headers": tagged | ranged,
            "content": content,
        },
        "302": {
            "description": "The file can be downloaded from `Location` for one minute, without a token.",
            "headers": redirected,
        },
        "304": {"description": "Nothing has changed since you got the `ETag` in `If-None-Match`.", "headers": tagged},
    }
