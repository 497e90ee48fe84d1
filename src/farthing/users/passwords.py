"""How is a password kept? As an argon2id hash, slow to guess on purpose."""

import secrets


def hash_password(password: str) -> str:
    from argon2 import PasswordHasher  # imported late: only sign-in and the command line need it

    return PasswordHasher().hash(password)


def random_password() -> str:
    return secrets.token_urlsafe(15)
