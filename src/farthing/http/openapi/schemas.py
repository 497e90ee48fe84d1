"""JSON Schemas of bodies: of requests from their Pydantic models, of answers from their msgspec types."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema

Schema = dict[str, Any]
REFERENCE = "#/components/schemas/"
_DIGITS = {"type": "string", "pattern": "^[0-9]+$"}
_NULL = {"type": "null"}


class _AsWritten(GenerateJsonSchema):
    """Keeps the fields in the order of the model, which helps readers, above all in examples."""

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:  # noqa: ARG002
        return value


def of_requests(models: Iterable[type[BaseModel]]) -> tuple[dict[Any, Schema], dict[str, Schema]]:
    """A reference for each model, and the components that they point at."""
    references, together = models_json_schema(
        [(model, "validation") for model in dict.fromkeys(models)],
        ref_template=REFERENCE + "{model}",
        schema_generator=_AsWritten,
    )
    components = {name: _tidied(schema) for name, schema in together.get("$defs", {}).items()}
    return {model: reference for (model, _), reference in references.items()}, components


def of_answers(types: Iterable[Any]) -> tuple[dict[Any, Schema], dict[str, Schema]]:
    """The same for the types of answers. We write them completely, so their schemas allow no other properties."""
    kinds = list(dict.fromkeys(types))
    references, components = msgspec.json.schema_components(kinds, ref_template=REFERENCE + "{name}")
    names = {name: _name(schema["title"]) for name, schema in components.items()}
    assert len(set(names.values())) == len(names), f"Two types of answers have one name: {sorted(names.values())}"
    renamed = {names[name]: _closed(_tidied(_renamed(schema, names))) for name, schema in components.items()}
    return dict(zip(kinds, (_renamed(one, names) for one in references), strict=True)), renamed


def _name(title: str) -> str:
    """`Page[Thing[AccountAttributes]]` is an `AccountPage`, its things are `Account`s."""
    outer, _, inner = re.sub(r"(?:\w+\.)+", "", title).partition("[")
    if not inner:
        return outer
    inside = _name(inner[:-1])
    if outer == "Thing":
        return "Included" if inside == "Any" else inside.removesuffix("Attributes")
    return inside + {"All": "List"}.get(outer, outer)


def _renamed(schema: Any, names: Mapping[str, str]) -> Any:
    if isinstance(schema, list):
        return [_renamed(one, names) for one in schema]
    if not isinstance(schema, dict):
        return schema
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return {**schema, "$ref": REFERENCE + names[reference.removeprefix(REFERENCE)]}
    return {key: _renamed(value, names) for key, value in schema.items()}


def _closed(schema: Schema) -> Schema:
    """Fields with a default are always written, so they are required; only fields that may be unset are not."""
    if "properties" not in schema:
        return schema
    fields: dict[str, Schema] = schema["properties"]
    always = {*schema.get("required", ()), *(name for name, field in fields.items() if "default" in field)}
    shown = {name: {key: value for key, value in field.items() if key != "default"} for name, field in fields.items()}
    if "type" in fields and fields.get("id") == {"type": "string"}:  # one of our objects, or a reference to one
        shown["id"] = _DIGITS
        shown |= {"attributes": {"type": "object"}} if shown.get("attributes") == {} else {}
    required = [name for name in fields if name in always]
    return {**schema, "properties": shown, "required": required, "additionalProperties": False}


def _tidied(schema: Schema) -> Schema:
    """Without the titles and null defaults that libraries add, and with null as one more type."""
    kept = {key: value for key, value in schema.items() if key != "title" and (key, value) != ("default", None)}
    if "properties" in kept:
        kept["properties"] = {name: _tidied(field) for name, field in kept["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(kept.get(key), dict):
            kept[key] = _tidied(kept[key])
    if "anyOf" in kept:
        kept["anyOf"] = [_tidied(one) for one in kept["anyOf"]]
    return _with_null(kept) if _NULL in kept.get("anyOf", ()) else kept


def _with_null(schema: Schema) -> Schema:
    others = [one for one in schema["anyOf"] if one != _NULL]
    around = {key: value for key, value in schema.items() if key != "anyOf"}
    if len(others) != 1 or not {"type", "enum", "anyOf"} & others[0].keys():
        return {**around, "anyOf": [*others, _NULL]}
    [only] = others
    said = " ".join(part["description"] for part in (around, only) if "description" in part)
    merged = {**only, **around, **({"description": said} if said else {})}
    if "type" in only:
        merged["type"] = [*([only["type"]] if isinstance(only["type"], str) else only["type"]), "null"]
    if "enum" in only:
        merged["enum"] = [*only["enum"], None]
    if "anyOf" in only:
        merged["anyOf"] = [*only["anyOf"], _NULL]
    return merged
