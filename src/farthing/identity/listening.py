"""Checks, for everybody who listens, whether they still may, and whether the books have changed."""

from collections.abc import Collection

from msgspec import Struct

from farthing.storage.unit import Unit

from .user import Caller

# What a listener's token allows. A listener whose token allows anything else now has to identify again.
_Limits = tuple[str, str | None, str | None, int | None]


class Standing(Struct, frozen=True):
    """Holds the revisions of books, the valid tokens with their limits, the valid sessions, and the roles of members.

    Members are pairs of the owner of the books and the person.
    """

    revisions: dict[int, int]
    tokens: dict[int, _Limits]
    sessions: dict[int, None]
    roles: dict[tuple[int, int], str]

    def allows(self, caller: Caller) -> bool:
        """Returns whether the caller may still do what they could when they were identified."""
        if caller.id not in self.revisions:
            return False
        if caller.share is not None and self.roles.get((caller.id, caller.user.id)) != caller.share.value:
            return False
        if caller.token_id is None:
            return caller.session_id in self.sessions
        return self.tokens.get(caller.token_id) == (caller.access, caller.scopes, caller.networks, caller.books_id)


# One statement, because it runs every second. Each kind of row uses the columns that it needs.
_SELECT = """
SELECT 'books' AS kind, u.id, u.revision AS number, NULL AS limit_1, NULL AS limit_2, NULL AS limit_3
FROM users u WHERE u.id IN :books AND u.blocked = 0
UNION ALL
SELECT 'token', k.id, k.books_id, k.access, k.scopes, k.networks
FROM tokens k JOIN users u ON u.id = k.user_id AND u.blocked = 0
WHERE k.id IN :tokens AND (k.expires_at IS NULL OR k.expires_at > :now)
UNION ALL
SELECT 'session', k.id, NULL, NULL, NULL, NULL FROM sessions k JOIN users u ON u.id = k.user_id AND u.blocked = 0
WHERE k.id IN :sessions AND k.expires_at > :now AND k.last_used_at > :idle_since
UNION ALL
SELECT 'member', m.user_id, m.member_id, m.role, NULL, NULL FROM members m
WHERE m.user_id IN :books AND m.member_id IN :members
"""


def look(db: Unit, listening: Collection[Caller], now: str, idle_since: str) -> Standing:
    rows = db.all(
        _SELECT,
        books=sorted({caller.id for caller in listening}),
        tokens=sorted({caller.token_id for caller in listening if caller.token_id is not None}),
        sessions=sorted({caller.session_id for caller in listening if caller.session_id is not None}),
        members=sorted({caller.user.id for caller in listening if caller.share is not None}),
        now=now,
        idle_since=idle_since,
    )
    standing = Standing(revisions={}, tokens={}, sessions={}, roles={})
    for kind, row_id, number, *limits in rows:
        if kind == "books":
            standing.revisions[row_id] = number
        elif kind == "token":
            standing.tokens[row_id] = (*limits, number)
        elif kind == "session":
            standing.sessions[row_id] = None
        else:
            standing.roles[row_id, number] = limits[0]
    return standing
