"""Stores budgets."""

from farthing.storage.change_log.records import Records

from .model import Budget, BudgetDraft

_BUDGET = "SELECT id, name, active, COALESCE(carry, 'no') AS carry, created_at, updated_at FROM budgets"
_BUDGETS = Records[Budget, BudgetDraft](Budget, "budgets", _BUDGET, order="name_fold")
get, all_of, every, page = _BUDGETS.get, _BUDGETS.get_some, _BUDGETS.find, _BUDGETS.page
add, change = _BUDGETS.add, _BUDGETS.change
