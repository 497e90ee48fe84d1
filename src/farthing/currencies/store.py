"""Where are currencies kept? They are shared by all users."""

from ..money import Currency
from ..storage.unit import Clash, Row, Unit
from .model import Draft, Kept

CURRENCY = "id, code, name, symbol, places"
_KEPT = f"{CURRENCY}, custom, created_at, updated_at"


class CodeTaken(Exception):
    pass


def _kept(row: Row) -> Kept:
    return Kept(Currency(*row[:5]), bool(row[5]), row[6], row[7])


def by_id(db: Unit, currency_id: int) -> Currency | None:
    row = db.one(f"SELECT {CURRENCY} FROM currencies WHERE id = :id", id=currency_id)
    return Currency(*row) if row else None


def by_code(db: Unit, code: str) -> Currency | None:
    row = db.one(f"SELECT {CURRENCY} FROM currencies WHERE code = :code", code=code)
    return Currency(*row) if row else None


def get(db: Unit, currency_id: int) -> Kept | None:
    row = db.one(f"SELECT {_KEPT} FROM currencies WHERE id = :id", id=currency_id)
    return _kept(row) if row else None


def page(db: Unit, *, limit: int, offset: int) -> tuple[int, list[Kept]]:
    rows = db.all(f"SELECT {_KEPT} FROM currencies ORDER BY id LIMIT :limit OFFSET :offset", limit=limit, offset=offset)
    return int(db.value("SELECT COUNT(*) FROM currencies")), [_kept(row) for row in rows]


def add(db: Unit, draft: Draft, now: str) -> int:
    try:
        return int(
            db.value(
                """
                INSERT INTO currencies (code, name, symbol, places, custom, created_at, updated_at)
                VALUES (:code, :name, :symbol, :places, 1, :now, :now) RETURNING id
                """,
                code=draft.code,
                name=draft.name,
                symbol=draft.symbol,
                places=draft.places,
                now=now,
            )
        )
    except Clash as error:
        raise CodeTaken(draft.code) from error


def change(db: Unit, currency_id: int, draft: Draft, now: str) -> None:
    try:
        db.run(
            """
            UPDATE currencies SET code = :code, name = :name, symbol = :symbol, places = :places, updated_at = :now
            WHERE id = :id
            """,
            id=currency_id,
            code=draft.code,
            name=draft.name,
            symbol=draft.symbol,
            places=draft.places,
            now=now,
        )
    except Clash as error:
        raise CodeTaken(draft.code) from error


def remove(db: Unit, currency_id: int) -> None:
    db.run("DELETE FROM currencies WHERE id = :id", id=currency_id)


def in_use(db: Unit, currency_id: int, code: str) -> bool:
    """By any user: an account, a split or somebody's preferred currency."""
    return bool(
        db.value(
            """
            SELECT EXISTS (SELECT 1 FROM accounts WHERE currency_id = :id)
                OR EXISTS (SELECT 1 FROM splits WHERE currency_id = :id OR foreign_currency_id = :id)
                OR EXISTS (SELECT 1 FROM preferences WHERE name = 'currencyPreference' AND data = :quoted)
            """,
            id=currency_id,
            quoted=f'"{code}"',
        )
    )


def name_or_symbol_taken(db: Unit, *, column: str, value: str, except_id: int) -> bool:
    assert column in ("name", "symbol", "code")
    return bool(db.value(f"SELECT 1 FROM currencies WHERE {column} = :value AND id <> :id", value=value, id=except_id))
