"""Makes the JSON Schemas of requests from their Pydantic models, and those of answers from their msgspec types."""

import re
from collections.abc import Iterable, Mapping
from inspect import cleandoc
from typing import Any

import msgspec
from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema

Schema = dict[str, Any]
REFERENCE = "#/components/schemas/"
_DIGITS = {"type": "string", "pattern": "^[0-9]+$"}
_NULL = {"type": "null"}


class _AsWritten(GenerateJsonSchema):
    """Keeps the fields in the order of the model, which helps readers, especially in examples."""

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:  # noqa: ARG002
        return value


def of_requests(models: Iterable[type[BaseModel]]) -> tuple[dict[Any, Schema], dict[str, Schema]]:
    """Returns a reference for each model, and the components that the references point at."""
    references, together = models_json_schema(
        [(model, "validation") for model in dict.fromkeys(models)],
        ref_template=REFERENCE + "{model}",
        schema_generator=_AsWritten,
    )
    components = {name: _tidy(schema) for name, schema in together.get("$defs", {}).items()}
    return {model: reference for (model, _), reference in references.items()}, components


def of_answers(types: Iterable[Any]) -> tuple[dict[Any, Schema], dict[str, Schema]]:
    """Returns a reference for each type of answer, and the components that the references point at.

    The schemas forbid unknown properties, because only this program writes the answers.
    """
    kinds = list(dict.fromkeys(types))
    references, components = msgspec.json.schema_components(kinds, ref_template=REFERENCE + "{name}")
    names = {name: _name(schema["title"]) for name, schema in components.items()}
    assert len(set(names.values())) == len(names), f"two types of answers have the same name: {sorted(names.values())}"
    renamed = {names[name]: _close(_tidy(_rename(schema, names))) for name, schema in components.items()}
    return dict(zip(kinds, (_rename(reference, names) for reference in references), strict=True)), renamed


def _name(title: str) -> str:
    """Shortens `Page[Thing[AccountAttributes]]` to `AccountPage`, and `Thing[AccountAttributes]` to `Account`."""
    outer, _, inner = re.sub(r"(?:\w+\.)+", "", title).partition("[")
    if not inner:
        return outer
    inside = _name(inner[:-1])
    if outer == "Thing":
        return "Included" if inside == "Any" else inside.removesuffix("Attributes")
    return inside + {"All": "List"}.get(outer, outer)


def _rename(schema: Any, names: Mapping[str, str]) -> Any:
    if isinstance(schema, list):
        return [_rename(item, names) for item in schema]
    if not isinstance(schema, dict):
        return schema
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return {**schema, "$ref": REFERENCE + names[reference.removeprefix(REFERENCE)]}
    return {key: _rename(value, names) for key, value in schema.items()}


def _close(schema: Schema) -> Schema:
    """Forbids unknown properties, and requires all fields that are always written, including those with a default."""
    if "properties" not in schema:
        return schema
    fields: dict[str, Schema] = schema["properties"]
    always = {*schema.get("required", ()), *(name for name, field in fields.items() if "default" in field)}
    described = {
        name: {key: value for key, value in field.items() if key != "default"} for name, field in fields.items()
    }
    if "type" in fields and fields.get("id") == {"type": "string"}:  # one of our objects, or a reference to one
        described["id"] = _DIGITS
        described |= {"attributes": {"type": "object"}} if described.get("attributes") == {} else {}
    required = [name for name in fields if name in always]
    return {**schema, "properties": described, "required": required, "additionalProperties": False}


def _tidy(schema: Schema) -> Schema:
    """Removes the titles and null defaults that libraries add, and writes null as one of the types of a field."""
    tidy = {key: value for key, value in schema.items() if key != "title" and (key, value) != ("default", None)}
    if isinstance(tidy.get("description"), str):
        tidy["description"] = cleandoc(tidy["description"])
    if "properties" in tidy:
        tidy["properties"] = {name: _tidy(field) for name, field in tidy["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(tidy.get(key), dict):
            tidy[key] = _tidy(tidy[key])
    if "anyOf" in tidy:
        tidy["anyOf"] = [_tidy(option) for option in tidy["anyOf"]]
    return _add_null(tidy) if _NULL in tidy.get("anyOf", ()) else tidy


def _add_null(schema: Schema) -> Schema:
    others = [option for option in schema["anyOf"] if option != _NULL]
    outer = {key: value for key, value in schema.items() if key != "anyOf"}
    if len(others) != 1 or not {"type", "enum", "anyOf"} & others[0].keys():
        return {**outer, "anyOf": [*others, _NULL]}
    [only] = others
    description = " ".join(part["description"] for part in (outer, only) if "description" in part)
    merged = {**only, **outer, **({"description": description} if description else {})}
    if "type" in only:
        merged["type"] = [*([only["type"]] if isinstance(only["type"], str) else only["type"]), "null"]
    if "enum" in only:
        merged["enum"] = [*only["enum"], None]
    if "anyOf" in only:
        merged["anyOf"] = [*only["anyOf"], _NULL]
    return merged
