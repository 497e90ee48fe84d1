"""Makes `table.json` from the page that describes the types of version 6: names and types, and nothing else.

`python -m tests.v6.types.make_table PAGE`. A type ends in `?` if it may be null; `T[]` is a list of `T`, and
`T{}` a map by texts.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parent / "table.json"
_OPERATION = re.compile(r"- `(\w+) /v1(/[^`]+)`.*→ (?:200 (?:or \d+ )?(\w+\b(?!:binary))?)?")
_ALIAS = re.compile(r"\*\*(\w+)\*\* = (.+)")
_OBJECT = re.compile(r"\*\*(\w+)\*\* — (.+)")
_FIELD = re.compile(r"(\w+)(?: r)?(?: !)?(?: r)?: ([^;]+)")


def main(page: Path) -> None:
    lines = page.read_text().splitlines()
    operations = {f"{found[1]} {found[2]}": found[3] for line in lines if (found := _OPERATION.match(line))}
    types: dict[str, Any] = {found[1]: _type(found[2]) for line in lines if (found := _ALIAS.match(line))}
    types |= {found[1]: _fields(found[2]) for line in lines if (found := _OBJECT.match(line))}
    types["BasicSummary"] = "BasicSummaryEntry{}"  # a map by keys, as its text says
    answered = set(filter(None, operations.values()))
    while further := {name for one in answered for name in _names(types[one])} & types.keys() - answered:
        answered |= further
    types = {name: types[name] for name in answered}
    TABLE.write_text(f'{{"operations": {_one_a_line(operations)},\n"types": {_one_a_line(types)}}}\n')


def _fields(text: str) -> dict[str, str]:
    return {found[1]: _type(found[2]) for one in text.split("; ") if (found := _FIELD.fullmatch(one.strip()))}


def _names(described: Any) -> set[str]:
    return set(re.findall(r"\w+", " ".join(described.values() if isinstance(described, dict) else [described])))


def _type(text: str) -> str:
    """Without formats and words that a text may be; one of these words is null where it may be."""
    may_be_null = "?" if text.endswith("?") or re.search(r"\(.*\bNone\b.*\)", text) else ""
    plain = re.sub(r"\(.*\)", "", text).removesuffix("?")
    if " | " in plain:
        return "anything"
    base = re.sub(r":.*?(?=\[|$)", "", plain)
    return f"{base}{may_be_null}"


def _one_a_line(things: dict[str, Any]) -> str:
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(things[name])}" for name in sorted(things)) + "}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
