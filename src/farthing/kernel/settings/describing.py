"""Describes a setting: its variable's meaning, what its value must be, and whether it is secret."""

from typing import Any, cast

from pydantic import Field
from pydantic.fields import FieldInfo


def setting(description: str, *, must_be: str, secret: bool = False, in_file: bool = False, **field: Any) -> Any:
    """A field with its own variable; `must_be` ends the error message for a wrong value.

    A secret, and what belongs to one, may be in a file that another variable names.
    """
    extra: dict[str, Any] = {"must_be": must_be, "secret": secret, "in_file": secret or in_file}
    return Field(description=description, json_schema_extra=extra, repr=not secret, **field)


def about(field: FieldInfo) -> dict[str, Any]:
    return cast(dict[str, Any], field.json_schema_extra)


def is_secret(field: FieldInfo) -> bool:
    return bool(about(field)["secret"])
