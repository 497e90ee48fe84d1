"""What each setting may be, written from `kernel/config.py` into the table of settings."""

import re
from typing import Any

from farthing.kernel import config
from farthing.kernel.environment import variable_name

ROW = re.compile(r"^\| `(FARTHING_\w+)` \|(.*) \|$", re.MULTILINE)


def with_allowed_values(page: str) -> str:
    """The page itself is held equal to the code by a test; the allowed values are only in the code."""
    allowed = {variable_name(name): _extra(field)["must_be"] for name, field in config.list_settings()}
    return ROW.sub(lambda row: f"| `{row[1]}` |{row[2]}<br>Allowed: {allowed[row[1]]}. |", page)


def _extra(field: Any) -> dict[str, Any]:
    return dict(field.json_schema_extra)
