"""Finds accounts by parts of their names, numbers and ids. Accounts are few, so all of them are read."""

from farthing.ledger.kinds import SHOWN, Kind
from farthing.storage.unit import Unit

from .texts import How, make_test

# The columns that each field of a search compares.
FIELDS = {
    "all": ("name", "iban", "account_number", "id"),
    "name": ("name",),
    "iban": ("iban",),
    "number": ("iban", "account_number"),
    "id": ("id",),
}


def find_accounts(db: Unit, user_id: int, text: str, field: str, kinds: frozenset[Kind]) -> list[int]:
    """Returns the ids of matching accounts by name. Ids have to be equal; numbers are compared without spaces."""
    columns = FIELDS[field]
    sql = """
        SELECT id, name, iban, account_number FROM accounts
        WHERE user_id = :user_id AND kind IN :kinds ORDER BY name_fold, id
    """
    rows = db.all(sql, user_id=user_id, kinds=sorted(kind.value for kind in kinds & SHOWN))
    fits_name, fits_number = make_test(How.CONTAINS, text), make_test(How.CONTAINS, text.replace(" ", ""))
    return [
        account_id
        for account_id, name, iban, number in rows
        if ("name" in columns and fits_name(name))
        or ("iban" in columns and fits_number(iban and iban.replace(" ", "")))
        or ("account_number" in columns and fits_number(number and number.replace(" ", "")))
        or ("id" in columns and text == str(account_id))
    ]
