"""The security headers of every answer, and the content policies of pages."""

# What comes with data alone: a browser that shows it as a page can do nothing with it.
CLOSED_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
# For the pages of the app: our own files and nothing inline. Frames show contents that the page itself has fetched, in
# `data:` frames, which have no origin and keep this policy.
PAGE_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self';"
    " connect-src 'self'; frame-src blob: data:; object-src 'none'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'"
)
_POLICY = b"content-security-policy"

ALWAYS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
# Not for the neighbours: a name below ours may be somebody else's.
OVER_TLS = [*ALWAYS, (b"strict-transport-security", b"max-age=31536000")]
UNLESS_SAID = (
    (_POLICY, CLOSED_POLICY.encode()),
    (b"cache-control", b"private, no-cache"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
# Code that everybody may have: also a frame without an origin.
FOR_EVERYBODY = (b"cross-origin-resource-policy", b"cross-origin")
# What must not lie around in any cache.
NOT_STORED = (b"cache-control", b"no-store")
