"""Writes docs/api/openapi.json, the frozen description of the API, and never takes a promise out of it.

`make openapi` runs it. A promise is a line: an operation, one of its parameters or answers, a field and its type.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from farthing.identity.user import ApiVersion
from tests.versions import describe

_DOCS = Path(__file__).parents[2] / "docs" / "api"
FROZEN = {ApiVersion.V1: _DOCS / "openapi.json", ApiVersion.V6: _DOCS / "openapi-6.json"}


def main() -> int:
    for version, frozen in FROZEN.items():
        current = describe(version)
        broken = find_broken(json.loads(frozen.read_text()), current) if frozen.exists() else []
        if broken:
            sys.stderr.write("\n".join(["Clients rely on these:", *broken, ""]))
            return 1
        frozen.write_text(json.dumps(current, indent=2, ensure_ascii=False) + "\n")
    return 0


def find_broken(frozen: dict[str, Any], current: dict[str, Any]) -> list[str]:
    """Lists what the frozen document promises and the current one does not. Additions are fine."""
    return sorted(set(_promises(frozen)) - set(_promises(current)))


def _promises(described: dict[str, Any]) -> Iterator[str]:
    """Lists operations with their parameters and answers, and schemas with the types of their fields."""
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            if method != "parameters":
                yield from _of_operation(f"{method.upper()} {path}", operation)
    for name, schema in described["components"]["schemas"].items():
        yield from _of_schema(name, schema)


def _of_operation(address: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"{address} is {operation['operationId']}"
    for parameter in operation.get("parameters", ()):
        if "name" in parameter:
            yield f"{address} takes {parameter['in']} {parameter['name']}"
    for media, body in operation.get("requestBody", {}).get("content", {}).items():
        yield f"{address} takes {media} {_type(body.get('schema', {}))}"
    for status, answer in operation["responses"].items():
        for media, body in answer.get("content", {"nothing": {}}).items():
            yield f"{address} answers {status} {media} {_type(body.get('schema', {}))}"


def _of_schema(name: str, schema: dict[str, Any]) -> Iterator[str]:
    required = set(schema.get("required", ()))
    if "properties" not in schema:
        yield f"{name}: {_type(schema)}"
    for field, of in schema.get("properties", {}).items():
        yield f"{name}.{field}: {_type(of)}{' always' if field in required else ''}"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            return " | ".join(sorted(map(_type, schema[word])))
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "properties" in schema:
        return f"{{{', '.join(sorted(f'{name}: {_type(of)}' for name, of in schema['properties'].items()))}}}"
    return " | ".join(sorted(kind)) if isinstance(kind, list) else str(kind)


if __name__ == "__main__":
    sys.exit(main())
