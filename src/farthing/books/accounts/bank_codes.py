"""Checks the form of IBANs and BICs, and the check digits of IBANs, but not whether the bank or account exists."""

import re

from farthing.kernel.fields import Refused

_BIC = re.compile(r"[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?")


def iban(text: str) -> str:
    """Returns an IBAN in electronic form, without spaces and in upper case.

    Refuses a wrong country, length or check digit.
    """
    from schwifty import IBAN  # imported late, because loading its country tables takes a tenth of a second
    from schwifty.exceptions import SchwiftyException

    try:
        return str(IBAN(text.upper()).compact)
    except SchwiftyException as error:
        raise Refused("The {label} is not a valid IBAN: check the country, the length and each digit.") from error


def bic(text: str) -> str:
    compact = text.replace(" ", "").upper()
    if not _BIC.fullmatch(compact):
        raise Refused(
            "The {label} is not a valid BIC: it must have 8 or 11 letters and digits, the first 6 of them letters."
        )
    return compact
