"""Budgets: pots that withdrawals are paid from."""

from msgspec import Struct


class BudgetDraft(Struct, frozen=True):
    name: str
    active: bool


class Budget(Struct, frozen=True):
    id: int
    name: str
    active: bool
    created_at: str
    updated_at: str
