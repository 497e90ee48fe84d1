"""Assigns codes to the commodities of other programs: three letters or digits, like the codes of our currencies."""

from collections.abc import Container, Iterable, Mapping
from decimal import Decimal

from farthing.kernel.limits import NAME_MAX

from ...source_books import SourceCurrency

PLACES_MAX = 12
_SYMBOLS_AND_CODES = (
    "$ USD, US$ USD, € EUR, £ GBP, ¥ JPY, ₹ INR, ₽ RUB, ₩ KRW, ₺ TRY, ₴ UAH, ₪ ILS, ₫ VND, ₦ NGN, ₱ PHP, ฿ THB, ₿ "
    "XBT, BTC XBT, R$ BRL, C$ CAD, CA$ CAD, A$ AUD, AU$ AUD, NZ$ NZD, HK$ HKD, S$ SGD, NT$ TWD, MX$ MXN, Fr. CHF, zł "
    "PLN, Kč CZK, Ft HUF, kr SEK"
)
_SYMBOLS = dict(pair.split() for pair in _SYMBOLS_AND_CODES.split(", "))
_CODES = (
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD "
    "CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ "
    "GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR "
    "LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN "
    "PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB "
    "TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG XBT "
    "BCH ETH "
)
_ISO = frozenset(_CODES.split())
_PLACES = {
    **dict.fromkeys("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(), 0),  # noqa: SIM905
    **dict.fromkeys("BHD IQD JOD KWD LYD OMR TND".split(), 3),  # noqa: SIM905
    "XBT": 8,
    "BCH": 8,
    "ETH": 12,
}
_COUNTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def code_of_symbol(word: str) -> str | None:
    """Returns the currency that a symbol or a code usually means, or None if there is none."""
    if word in _SYMBOLS or word.upper() == "BTC":
        return _SYMBOLS.get(word, "XBT")
    return word.upper() if word.upper() in _ISO else None


def places_of_code(code: str) -> int | None:
    """Returns the decimal places of a currency; None for other commodities."""
    return _PLACES.get(code, 2) if code in _ISO else None


def invent_code(word: str, taken: Container[str]) -> str:
    """Invents a three-character code: the word itself if it has three letters, otherwise a code with a digit."""
    letters = "".join(letter for letter in word.upper() if letter.isascii() and letter.isalnum())
    is_code = len(letters) == 3 and letters == word and letters not in _ISO and not letters.isdigit()
    candidates = [letters] if is_code else []
    candidates += [(letters + "XX")[:2] + counter for counter in _COUNTERS[:10] if not letters[:2].isdigit()]
    candidates += [first + counter + other for first in "XZ" for counter in _COUNTERS[:10] for other in _COUNTERS]
    return next((candidate for candidate in candidates if candidate not in taken), "X00")


class Codes:
    """Maps the source's words for commodities to codes, in the order in which they are first used. A commodity that is
    not a currency keeps its word if that has three letters; otherwise its code contains a digit.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._codes: dict[str, str] = {}
        self._places: dict[str, int] = {}

    def code(self, word: str) -> str:
        code = self._codes.get(word)
        if code is None:
            code = self._codes[word] = code_of_symbol(word) or invent_code(word, set(self._codes.values()))
        return code

    def see(self, word: str, amount: Decimal) -> None:
        code = self.code(word)
        self._places[code] = max(self._places.get(code, 0), -int(amount.as_tuple().exponent))

    @property
    def invented(self) -> dict[str, str]:
        return {word: code for word, code in self._codes.items() if not code_of_symbol(word)}

    def currencies(self) -> Iterable[SourceCurrency]:
        words: dict[str, str] = {}
        for word, code in self._codes.items():
            words.setdefault(code, word)
        for code, word in sorted(words.items()):
            name = self._names.get(word, word)[:NAME_MAX]
            places = places_of_code(code) if code_of_symbol(word) else None
            places = min(self._places.get(code, 0), PLACES_MAX) if places is None else places
            yield SourceCurrency(code=code, name=name, symbol=word[:8], places=places)
