"""Where are piggy banks kept?"""

from ..storage.unit import Unit


def exists(db: Unit, user_id: int, piggy_bank_id: int) -> bool:
    return bool(
        db.value("SELECT 1 FROM piggy_banks WHERE user_id = :user_id AND id = :id", user_id=user_id, id=piggy_bank_id)
    )
