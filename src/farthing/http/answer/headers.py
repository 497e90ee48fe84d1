"""Defines the security headers of every answer and the content policies of pages."""

# The policy for data: a browser that shows it as a page can load and run nothing.
CLOSED_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
# The policy for pages of the app: our own files and nothing inline. Frames show contents that the page itself has
# fetched, in `data:` frames, which have no origin and keep this policy.
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
# Subdomains are not included, because they may belong to somebody else.
OVER_TLS = [*ALWAYS, (b"strict-transport-security", b"max-age=31536000")]
# An answer that sets one of these itself keeps its own.
DEFAULTS = (
    (_POLICY, CLOSED_POLICY.encode()),
    (b"cache-control", b"private, no-cache"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
# For public code, which frames without an origin may load as well.
FOR_EVERYBODY = (b"cross-origin-resource-policy", b"cross-origin")
# For what must not be stored in any cache.
NOT_STORED = (b"cache-control", b"no-store")
