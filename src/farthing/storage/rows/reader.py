"""Converts rows to structs by the names of their columns, with a function that is compiled for each statement."""

from collections.abc import Callable, Iterable
from datetime import date
from enum import Enum
from functools import lru_cache
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Any, Generic, Literal, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from ..unit import Row

S = TypeVar("S", bound=Struct)
_PLAIN = (int, str, bytes, float, Any, object, NoneType)


class StructReader(Generic[S]):
    """Converts the rows of one statement to structs. Call `prepare` with the names of the columns before `read`."""

    __slots__ = ("_model", "_read", "is_ready")

    def __init__(self, model: type[S]) -> None:
        self._model = model
        self._read: Callable[[list[Row]], list[S]] = lambda _rows: []
        self.is_ready = False

    def prepare(self, columns: Iterable[str]) -> None:
        self._read = compile_reader(self._model, tuple(columns))
        self.is_ready = True

    def read(self, rows: list[Row]) -> list[S]:
        assert self.is_ready or not rows, "the reader does not know the columns of these rows"
        return self._read(rows)


@lru_cache(maxsize=1024)
def find_reader(model: type[S], sql: str) -> StructReader[S]:  # noqa: ARG001 -- each statement has its own columns
    return StructReader(model)


def compile_reader(model: type[S], columns: tuple[str, ...]) -> Callable[[list[Row]], list[S]]:
    """Compiles a function that converts rows to structs. For speed, it calls only the constructor for each row.

    Each column must have a field of the same name, and each field without a default must have a column. If a field
    holds another struct, such as `currency`, its columns are named like `currency.code`. If there are no columns of
    that form, the fields of the inner struct must themselves be columns, such as `code`.
    """
    if len(set(columns)) < len(columns):
        raise TypeError(f"{model.__name__}: two columns have the same name: {', '.join(columns)}")
    compiler = _Compiler({name: f"c{number}" for number, name in enumerate(columns)})
    made = compiler.make(model, "")
    if unread := compiler.columns.keys() - compiler.read:
        raise TypeError(f"{model.__name__} has no field for the columns {', '.join(sorted(unread))}")
    names = "".join(f"{name}, " for name in compiler.columns.values())
    # Nothing in this text comes from outside: field names of our structs, and numbered variables.
    read: Callable[[list[Row]], list[S]] = eval(f"lambda rows: [{made} for {names} in rows]", compiler.scope)  # noqa: S307
    return read


class _Compiler:
    """Writes the Python expression that converts a row. `scope` maps the names in it to structs and functions."""

    def __init__(self, columns: dict[str, str]) -> None:
        self.columns = columns
        self.read: set[str] = set()
        self.scope: dict[str, Any] = {}

    def make(self, model: type[Struct], prefix: str) -> str:
        """Writes the expression that creates a struct. `prefix` is the common prefix of its columns.

        Values are passed by position where possible, because Python is slow with more than fifteen keywords.
        """
        values, by_position = [], True
        plain = get_origin(model) or model
        parameters = signature(plain).parameters
        for field in msgspec.structs.fields(model):
            by_position = by_position and parameters[field.name].kind is not Parameter.KEYWORD_ONLY
            value = self._value(field.type, prefix, field.name, required=field.required)
            if value is not None:
                values.append(value if by_position else f"{field.name}={value}")
            elif field.required:
                raise TypeError(f"{model.__name__}: there is no column {prefix}{field.name}")
            else:
                by_position = False
        return f"{self._name(plain)}({', '.join(values)})"

    def _value(self, field_type: Any, prefix: str, field: str, *, required: bool) -> str | None:
        """Returns the expression for the value of a field, or None if the field has no column."""
        types = get_args(field_type) if get_origin(field_type) in (Union, UnionType) else (field_type,)
        some = [some_type for some_type in types if some_type is not NoneType]
        variable = self.columns.get(f"{prefix}{field}")
        if variable is None:
            is_prefixed = any(name.startswith(f"{prefix}{field}.") for name in self.columns)
            if not is_prefixed and not (required and _is_struct(some[0])):
                return None
            return self._make_inner(some[0], f"{prefix}{field}." if is_prefixed else prefix, NoneType in types)
        self.read.add(f"{prefix}{field}")
        converted = self._convert(some[0], variable) if len(some) == 1 else variable
        if converted == variable or NoneType not in types:
            return converted
        return f"(None if {variable} is None else {converted})"

    def _make_inner(self, model: type[Struct], prefix: str, may_be_none: bool) -> str:
        before = set(self.read)
        made = self.make(model, prefix)
        if not may_be_none:
            return made
        present = " or ".join(f"{self.columns[name]} is not None" for name in sorted(self.read - before))
        return f"({made} if {present} else None)"

    def _convert(self, of_type: Any, variable: str) -> str:
        """Returns an expression that converts a stored value: booleans are 0 or 1, days are text, lists are JSON."""
        if of_type in _PLAIN or get_origin(of_type) is Literal:
            return variable
        if of_type is bool:
            return f"{variable} == 1"
        if of_type is date:
            return f"{self._name(date.fromisoformat)}({variable})"
        if isinstance(of_type, type) and issubclass(of_type, Enum):
            return f"{self._name({member.value: member for member in of_type})}[{variable}]"
        return f"{self._name(msgspec.json.Decoder(of_type).decode)}({variable})"

    def _name(self, value: Any) -> str:
        name = f"g{len(self.scope)}"
        self.scope[name] = value
        return name


def _is_struct(field_type: Any) -> bool:
    plain = get_origin(field_type) or field_type
    return isinstance(plain, type) and issubclass(plain, Struct)
