"""Answers with stored files, and with files that another process makes."""

from ..request.call import Answer, Produced, StoredFile

# If a browser shows the file after all, nothing in it may run, load or contact us.
_SANDBOX = "sandbox; default-src 'none'"
# Old clients expect these headers on a download. Downloads are private, and caches must revalidate them.
_HEADERS = (
    ("content-security-policy", _SANDBOX),
    ("content-description", "File Transfer"),
    ("content-transfer-encoding", "binary"),
    ("cache-control", "private, no-cache, must-revalidate"),
    ("expires", "0"),
    ("pragma", "public"),
)


def answer_download(file: StoredFile, disposition: str) -> Answer:
    return Answer(None, headers=(("content-disposition", disposition), *_HEADERS), file=file)


def answer_produced(words: tuple[str, ...], stdin: bytes, media_type: str, filename: str) -> Answer:
    """Answers with the output of a process. `words` is its command line, and `stdin` its input."""
    headers = (
        ("content-type", media_type),
        ("content-disposition", f'attachment; filename="{filename}"'),
        ("content-security-policy", _SANDBOX),
        ("cache-control", "private, no-store"),
    )
    return Answer(None, headers=headers, produced=Produced(words=words, stdin=stdin))
