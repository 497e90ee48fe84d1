"""Makes the books of two ordinary users of one installation: one attacks, the other only wants to use theirs."""

import shutil
from pathlib import Path

from msgspec import Struct

from farthing.identity import users
from farthing.identity.signing_in import passwords
from farthing.storage.drivers.sqlite import SqliteDatabase

from .. import books, crowd
from ..books import CACHE, CREATED_AT, Facts
from ..crowd import Member

PASSWORD = "four horses and a battery"
OTHER_EMAIL = "user2@farthing.example"


class Attacker(Struct, frozen=True):
    """`email` and `PASSWORD` sign the attacker in; `facts` name some of their accounts."""

    facts: Facts
    email: str = "bench@farthing.example"


class People(Struct, frozen=True):
    file: Path
    attacker: Attacker
    other: Member


def settle(folder: Path, transactions: int) -> People:
    """The attacker has ten years with so many transactions, the other one twenty."""
    made = books.ready(CACHE, transactions, lambda _done: None)
    file = folder / "fairness.sqlite3"
    shutil.copy(made.path, file)
    file.chmod(0o600)
    database = SqliteDatabase(file)
    attacker = Attacker(made.facts)
    password = passwords.hash_password(PASSWORD)
    with database.writing() as db:
        # The first user is the installation's owner, which neither of them should be.
        crowd.settle(db, "user1@farthing.example")
        other = crowd.settle(db, OTHER_EMAIL)
        for email in (attacker.email, OTHER_EMAIL):
            user = users.find_by_email(db, email)
            assert user
            users.change_password(db, user.id, "no password", password, CREATED_AT)
    database.close()
    return People(file, attacker, other)
