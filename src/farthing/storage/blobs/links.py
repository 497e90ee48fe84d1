"""Links to objects in S3 that work for a minute, signed as AWS Signature Version 4 demands.

obstore can sign links, but not say in them under which name the file is to be saved.
"""

import hashlib
import hmac
from datetime import datetime
from urllib.parse import quote, urlsplit

from .bucket import S3Address

_VALID_S = 60
_ALGORITHM = "AWS4-HMAC-SHA256"


def sign(address: S3Address, key: str, disposition: str, now: datetime) -> str:
    """`now` is in UTC."""
    stamp, day = f"{now:%Y%m%dT%H%M%SZ}", f"{now:%Y%m%d}"
    scope = f"{day}/{address.region}/s3/aws4_request"
    parts = urlsplit(address.endpoint)
    path = "/".join([parts.path, address.bucket, *([address.prefix] if address.prefix else []), key])
    query = _write_query(
        {
            "X-Amz-Algorithm": _ALGORITHM,
            "X-Amz-Credential": f"{address.key.get_secret_value()}/{scope}",
            "X-Amz-Date": stamp,
            "X-Amz-Expires": str(_VALID_S),
            "X-Amz-SignedHeaders": "host",
            "response-cache-control": "private, no-cache, must-revalidate",
            "response-content-disposition": disposition,
            "response-content-type": "application/octet-stream",
        }
    )
    request = "\n".join(["GET", path, query, f"host:{parts.netloc}", "", "host", "UNSIGNED-PAYLOAD"])
    string_to_sign = "\n".join([_ALGORITHM, stamp, scope, hashlib.sha256(request.encode()).hexdigest()])
    signing_key = f"AWS4{address.secret.get_secret_value()}".encode()
    for word in scope.split("/"):
        signing_key = _hash(signing_key, word)
    return f"{parts.scheme}://{parts.netloc}{path}?{query}&X-Amz-Signature={_hash(signing_key, string_to_sign).hex()}"


def _write_query(values: dict[str, str]) -> str:
    """Writes parameters in the order of their names, as the signature demands."""
    return "&".join(f"{name}={quote(value, safe='-_.~')}" for name, value in sorted(values.items()))


def _hash(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()
