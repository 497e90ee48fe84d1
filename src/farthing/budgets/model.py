"""What is a budget? A pot that withdrawals are paid from."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Draft:
    name: str
    active: bool


@dataclass(frozen=True)
class Budget:
    id: int
    name: str
    active: bool
    created_at: str
    updated_at: str
