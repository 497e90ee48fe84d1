"""Reads triggers as version 6 of the API and other programs write them."""

from collections.abc import Mapping

_TEXTS = ("starts", "ends", "is", "contains")
RENAMED: Mapping[str, str] = {
    **{f"source_account_{how}": f"from_account_{how}" for how in _TEXTS},
    **{f"destination_account_{how}": f"to_account_{how}" for how in _TEXTS},
    "amount_is": "amount_exactly",
    "notes_contains": "notes_contain",
    "notes_starts": "notes_start",
    "notes_ends": "notes_end",
    "notes_is": "notes_are",
}
# Maps triggers to the triggers that mean the opposite.
_NONE_TO_ANY = {f"has_no_{noun}": f"has_any_{noun}" for noun in ("category", "budget", "tag")} | {
    "no_notes": "any_notes"
}
OPPOSITES: Mapping[str, str] = _NONE_TO_ANY | {other: name for name, other in _NONE_TO_ANY.items()}


# The event of rules that only run when they are applied.
MANUAL = "manual-activation"
_THEIRS = {"notes_contain": "notes_contains", "notes_start": "notes_starts"}
SPELLINGS = (*RENAMED, *_THEIRS)


def their_name(name: str) -> str:
    """Returns the name that version 6 of the API gives to a trigger."""
    return _THEIRS.get(name, name)


def our_name(name: str) -> str:
    """Returns our name of a trigger, which is the given one if we do not know another."""
    return RENAMED.get(name, name)


def spell(name: str, ours: str) -> str | None:
    """Returns the name that was sent for our trigger, if version 6 of the API would answer with another name."""
    return name if our_name(name) == ours and name != their_name(ours) else None


def read_trigger(name: str, value: str | None, *, prohibited: bool) -> tuple[str, str | None, bool]:
    """Returns our name and value of a trigger, and whether it is prohibited.

    A minus before the name negates it, and so does the value "false" if the trigger only asks whether there is any.
    """
    prohibited, name = prohibited != name.startswith("-"), our_name(name.removeprefix("-"))
    if name in OPPOSITES:
        return OPPOSITES[name] if value == "false" else name, None, prohibited
    if name == "has_attachments" and value in (None, "true", "false"):
        return name, "1", prohibited != (value == "false")
    return name, value, prohibited
