"""The two sides of what is spent and earned: one's own accounts, and the others."""

from farthing.books.transactions.model import OWN as OWN
from farthing.ledger.kinds import HIDDEN, SHOWN, Kind

# The payees of withdrawals and the payers of deposits.
OTHERS: frozenset[Kind] = SHOWN - OWN - HIDDEN
