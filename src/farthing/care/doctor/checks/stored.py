"""Checks that the sums of what each user has stored are right, and that every content of an attachment is counted."""

from collections.abc import Iterator

from farthing.storage.unit import Unit

from .finding import Finding, Person

_SUMS = """
SELECT u.content_bytes, (SELECT COALESCE(SUM(size), 0) FROM contents WHERE user_id = u.id),
    u.answer_bytes,
    (SELECT COALESCE(SUM(octet_length(headers) + octet_length(body)), 0) FROM answers WHERE user_id = u.id)
FROM users u WHERE u.id = :user_id
"""
_UNCOUNTED = """
SELECT COUNT(DISTINCT a.sha256) FROM attachments a
LEFT JOIN contents c ON c.user_id = a.user_id AND c.sha256 = a.sha256
WHERE a.user_id = :user_id AND a.sha256 IS NOT NULL AND c.sha256 IS NULL
"""


def stored(db: Unit, person: Person) -> Iterator[Finding]:
    contents, contents_true, answers, answers_true = db.one(_SUMS, user_id=person.id) or (0, 0, 0, 0)
    for what, kept, true in (
        ("the contents of attachments", contents, int(contents_true)),
        ("stored answers", answers, int(answers_true)),
    ):
        if kept != true:
            sentence = f"{what}: {kept} bytes are counted, but they add up to {true}."
            yield person.finding("stored", sentence, kept=kept, true=true)
    uncounted = db.value(_UNCOUNTED, user_id=person.id)
    if uncounted:
        sentence = f"{uncounted} contents of attachments are not counted."
        yield person.finding("stored", sentence, kept=0, true=int(uncounted))
