"""Gives accounts the kinds that the user chose, if their program does not name them."""

from collections.abc import Mapping

from msgspec.structs import replace

from farthing.ledger.kinds import ASSETS, LIABILITIES, LIABILITY_WORDS, Kind

from ..findings import Finding
from ..source_books import SourceAccount, SourceBooks

KINDS = {"asset": Kind.ASSET, **LIABILITY_WORDS}


def give_kinds(books: SourceBooks, kinds: Mapping[str, str]) -> SourceBooks:
    """Assigns kinds by name to own accounts. An unknown name is a finding that refuses the import."""
    own = {account.name for account in books.accounts if _is_own(account)}
    unknown = [
        Finding(field="options.kinds", message=f"The books have no account “{name[:80]}” of your own.", rejects=True)
        for name, kind in kinds.items()
        if name not in own or kind not in KINDS
    ]
    accounts = tuple(
        replace(account, kind=KINDS[kinds[account.name]])
        if _is_own(account) and kinds.get(account.name) in KINDS
        else account
        for account in books.accounts
    )
    return replace(books, accounts=accounts, findings=(*books.findings, *unknown))


def _is_own(account: SourceAccount) -> bool:
    return account.kind in ASSETS | LIABILITIES
