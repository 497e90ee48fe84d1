"""States the rules of the ledger a second time, in separate SQL: what a split posts, and what it spends or earns.

The rest of the program uses the views `booked_splits` and `postings`, or `farthing.ledger`. The checks do not, so that
they can find errors in these. Only the checks may import this module.
"""

from farthing.ledger.kinds import Type

WITHDRAWAL, DEPOSIT, OPENING_BALANCE = (int(type_) for type_ in (Type.WITHDRAWAL, Type.DEPOSIT, Type.OPENING_BALANCE))
# Each side of a split is booked with either the amount or the foreign amount.
LEFT_CURRENCY = "CASE source_foreign WHEN 1 THEN foreign_currency_id ELSE currency_id END"
LEFT = "CASE source_foreign WHEN 1 THEN foreign_units ELSE units END"
ARRIVED_CURRENCY = "CASE destination_foreign WHEN 1 THEN foreign_currency_id ELSE currency_id END"
ARRIVED = "CASE destination_foreign WHEN 1 THEN foreign_units ELSE units END"
SETTLED = f"CASE WHEN reconciled = 1 OR type = {OPENING_BALANCE} THEN 1 ELSE 0 END"
# The correct value of a split's column `{side}_foreign`, where `a` is the account of that side.
IS_FOREIGN = "CASE WHEN foreign_currency_id = a.currency_id AND s.currency_id <> a.currency_id THEN 1 ELSE 0 END"

# The postings of a split: account, currency, units, and the condition on the split.
_EXCHANGE, _EXCHANGES = "CAST(:exchange_id AS BIGINT)", f"{LEFT_CURRENCY} <> {ARRIVED_CURRENCY}"
POSTINGS = (
    ("source_id", LEFT_CURRENCY, f"-{LEFT}", "1 = 1"),
    ("destination_id", ARRIVED_CURRENCY, ARRIVED, "1 = 1"),
    (_EXCHANGE, LEFT_CURRENCY, LEFT, _EXCHANGES),
    (_EXCHANGE, ARRIVED_CURRENCY, f"-{ARRIVED}", _EXCHANGES),
)
# Spending and income: type, currency, units, and the condition on the split. A refund reduces spending.
FLOWS = (
    (WITHDRAWAL, LEFT_CURRENCY, LEFT, f"type = {WITHDRAWAL}"),
    (DEPOSIT, ARRIVED_CURRENCY, ARRIVED, f"type = {DEPOSIT} AND refund = 0"),
    (WITHDRAWAL, ARRIVED_CURRENCY, f"-{ARRIVED}", "refund = 1"),
)
# The currency and amount that a split adds to the sums of its own type. A transfer has the currency of its source, but
# is neither spending nor income. A refund is a deposit that adds nothing here, because it reduces withdrawals instead.
FLOW_CURRENCY = f"CASE type WHEN {DEPOSIT} THEN {ARRIVED_CURRENCY} ELSE {LEFT_CURRENCY} END"
FLOW = f"CASE type WHEN {WITHDRAWAL} THEN {LEFT} WHEN {DEPOSIT} THEN (1 - refund) * {ARRIVED} ELSE 0 END"
