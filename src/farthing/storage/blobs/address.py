"""The bucket in S3 where contents are stored, and the credentials for it."""

from msgspec import Struct
from pydantic import SecretStr

from farthing.kernel.config import Settings
from farthing.kernel.settings.parsing import S3


class S3Address(Struct, frozen=True, kw_only=True):
    """`prefix` is empty, or the part of the bucket that is ours."""

    endpoint: str
    region: str
    bucket: str
    prefix: str
    key: SecretStr
    secret: SecretStr


def read_address(settings: Settings) -> S3Address:
    assert settings.storage, "not called for a folder"
    assert settings.s3_key, "checked when settings are loaded"
    assert settings.s3_secret, "checked when settings are loaded"
    bucket, _, prefix = settings.storage.removeprefix(S3).partition("/")
    return S3Address(
        endpoint=settings.s3_endpoint or f"https://s3.{settings.s3_region}.amazonaws.com",
        region=settings.s3_region,
        bucket=bucket,
        prefix=prefix,
        key=settings.s3_key,
        secret=settings.s3_secret,
    )
