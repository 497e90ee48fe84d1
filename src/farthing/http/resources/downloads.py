"""Answers with stored files."""

from ..request.call import Answer, StoredFile

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
