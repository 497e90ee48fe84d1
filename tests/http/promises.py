"""Spells the OpenAPI document out as single promises, one line each: what clients may rely on from now on.

`python -m tests.http.promises` writes them down; the test then holds every line, so the document only ever grows.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).parents[2] / "docs" / "api" / "openapi.json"
PROMISED = Path(__file__).with_name("promised.txt")


def promises(document: dict[str, Any]) -> Iterator[str]:
    """Operations with their parameters and answers, schemas with the types of their fields."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method != "parameters":
                yield from _of_operation(f"{method.upper()} {path}", operation)
    for name, schema in document["components"]["schemas"].items():
        yield from _of_schema(name, schema)


def _of_operation(address: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"{address} is {operation['operationId']}"
    for one in operation.get("parameters", ()):
        if "name" in one:
            yield f"{address} takes {one['in']} {one['name']}"
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
            return " | ".join(sorted(_type(one) for one in schema[word]))
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "properties" in schema:
        return f"{{{', '.join(sorted(f'{name}: {_type(of)}' for name, of in schema['properties'].items()))}}}"
    return " | ".join(sorted(kind)) if isinstance(kind, list) else str(kind)


if __name__ == "__main__":
    PROMISED.write_text("\n".join(sorted(set(promises(json.loads(DOCUMENT.read_text()))))) + "\n")
