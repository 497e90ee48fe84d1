"""The pages of the API, one for each kind of object, written from the OpenAPI document."""

import re
from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]

METHODS = ("get", "post", "put", "patch", "delete")
HEAD = """# {title}

{description}

Written from the [OpenAPI document](../../api/openapi.json). [The API](../../api/README.md) explains what all calls
have in common, [errors](../../errors.md) what to do about a refusal.
"""


def pages(document: Schema) -> dict[str, str]:
    """Each page by its path."""
    described = {tag["name"]: tag["description"] for tag in document["tags"]}
    written = {f"reference/api/{name}.md": _page(document, name, text) for name, text in described.items()}
    rows = "".join(f"| [{_title(name)}]({name}.md) | {text} |\n" for name, text in described.items())
    index = (
        f"# All calls of the API\n\nWith every parameter and field, written from the code.\n\n| | |\n|---|---|\n{rows}"
    )
    return written | {"reference/api/README.md": index}


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _page(document: Schema, tag: str, description: str) -> str:
    calls = list(_calls_of(document, tag))
    parts = [HEAD.format(title=_title(tag), description=description)]
    parts += [_call(document, method, path, call) for method, path, call in calls]
    parts += [
        _object(document, name) for name in sorted({name for call in calls for name in _shown(document, call[2])})
    ]
    return "\n".join(parts)


def _calls_of(document: Schema, tag: str) -> Iterator[tuple[str, str, Schema]]:
    for path, item in document["paths"].items():
        for method in METHODS:
            if tag in item.get(method, {}).get("tags", ()):
                yield method, path, item[method]


def _call(document: Schema, method: str, path: str, call: Schema) -> str:
    parts = [f"## {call['summary']}\n\n```http\n{method.upper()} {path}\n```\n"]
    if call.get("description"):
        parts.append(f"{call['description']}\n")
    given = [_resolve(document, one) for one in call.get("parameters", ())]
    if parameters := [_parameter(document, one) for one in given if one["in"] != "header"]:
        parts.append(_table("Parameter", parameters))
    if fields := _body(document, call):
        parts.append(_table("Field", fields))
    if headers := [f"`{one['name']}`" for one in given if one["in"] == "header"]:
        parts.append(f"Headers: {', '.join(headers)}.\n")
    return "\n".join([*parts, f"Answers: {', '.join(call['responses'])}.\n"])


def _parameter(document: Schema, one: Schema) -> tuple[str, str, str]:
    """The description of a list says what it may contain."""
    kind = "list" if one["schema"].get("type") == "array" else _kind(document, one["schema"])
    return one["name"], ("required, " if one.get("required") else "") + kind, one.get("description", "")


def _body(document: Schema, call: Schema) -> list[tuple[str, str, str]]:
    """The same in all three encodings."""
    content = call.get("requestBody", {}).get("content", {})
    schema: Schema = next((one["schema"] for one in content.values()), {})
    required = schema.get("required", ())
    return [*_fields(document, _resolve(document, schema), frozenset(required))]


def _fields(document: Schema, schema: Schema, required: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    for name, one in schema.get("properties", {}).items():
        is_required = name in required or name in schema.get("required", ())
        yield name, ("required, " if is_required else "") + _kind(document, one), one.get("description", "")


def _shown(document: Schema, call: Schema) -> Iterator[str]:
    """The objects that an answer consists of."""
    for status, answer in call["responses"].items():
        if status.startswith("2"):
            for content in answer.get("content", {}).values():
                yield from _attributes(document, content["schema"], 3)


def _attributes(document: Schema, schema: Schema, depth: int) -> Iterator[str]:
    name = schema.get("$ref", "").rpartition("/")[2]
    if name.endswith("Attributes"):
        yield name
        return
    whole = _resolve(document, schema)
    below = [one for key in ("data", "attributes") if (one := whole.get("properties", {}).get(key))]
    below += [whole["items"]] if "items" in whole else []
    for one in below if depth else []:
        yield from _attributes(document, one, depth - 1)


def _object(document: Schema, name: str) -> str:
    fields = _fields(document, document["components"]["schemas"][name], frozenset())
    rows = [(field, kind.removeprefix("required, "), text) for field, kind, text in fields]
    title = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.removesuffix("Attributes")).capitalize()
    return f"## Attributes: {title}\n\n{_table('Attribute', rows)}"


def _kind(document: Schema, schema: Schema) -> str:
    """In a few words: what a value has to be."""
    name = schema.get("$ref", "").rpartition("/")[2]
    schema = _resolve(document, schema)
    if "enum" in schema:
        return _choices(schema["enum"])
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(_kind(document, one) for one in choices if one.get("type") != "null"))
    kinds = schema.get("type", "object" if name or "properties" in schema else "any")
    words = [kind for kind in ([kinds] if isinstance(kinds, str) else kinds) if kind != "null"]
    if words == ["array"] and "items" in schema:
        return f"list of {_kind(document, schema['items'])}"
    return " or ".join([schema.get("format", words[0]), *words[1:]]) + _bounds(schema) if words else "null"


def _choices(values: list[Any]) -> str:
    if set(map(str, values)) >= {"True", "False"}:
        return "yes or no"
    return "one of " + ", ".join(f"`{value}`" for value in values if value is not None)


def _bounds(schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if high is not None and high < 2**53:
        return f", {low} to {high}" if low is not None else f", at most {high}"
    if "maxLength" in schema:
        return f", up to {schema['maxLength']} characters"
    return ", above 0" if schema.get("exclusiveMinimum") == 0 else ""


def _resolve(document: Schema, schema: Schema) -> Schema:
    """What stands beside a reference is not repeated here."""
    while "$ref" in schema:
        _, *way = schema["$ref"].split("/")
        schema = document
        for step in way:
            schema = schema[step]
    return schema


def _table(first: str, rows: list[tuple[str, str, str]]) -> str:
    lines = [f"| `{name}` | {_cell(kind)} | {_cell(text)} |" for name, kind, text in rows]
    return "\n".join([f"| {first} | | |", "|---|---|---|", *lines, ""])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
