"""Reads lists of ids in bodies."""

from collections.abc import Mapping

from farthing.kernel.errors import refuse_field


def separate(raw: Mapping[str, object], *, most: int) -> dict[str, object]:
    """Accepts `ids` as a list, as form fields or as comma-separated text.

    If there are more than `most` ids, refuses the body without parsing any of them.
    """
    ids = raw.get("ids")
    ids = str(ids).split(",") if isinstance(ids, str | int) else ids
    if isinstance(ids, list | dict) and len(ids) > most:
        refuse_field("ids", f"The ids may not have more than {most} items.")
    return {**raw, "ids": ids}
