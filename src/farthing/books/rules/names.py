"""Lists other names of triggers, which version 6 of the API and other programs use."""

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


def our_name(name: str) -> str:
    """Returns our name of a trigger, which is the given one if we do not know another."""
    return RENAMED.get(name, name)
