"""Whatever bytes come as a body, in whatever encoding: a dictionary or a clear refusal, soon, and nothing else."""

import json
import time
import tracemalloc
from decimal import Decimal
from itertools import pairwise
from urllib.parse import quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.http.body.decoding import decode
from farthing.http.body.multipart import FilePart, Multipart
from farthing.kernel.errors import Invalid, Malformed, TooLarge, UnknownBodyType
from farthing.kernel.fields import UNREADABLE_NUMBER
from farthing.kernel.parsed import Indexed

from ..fuzz.brackets import encoded, pairs
from ..length import examples

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=x"
REFUSALS = (Malformed, TooLarge, UnknownBodyType, Invalid)
FIELDS_MAX = 2000


def read(content_type: str | None, body: bytes) -> dict[str, object] | None:
    """None for a refusal; anything else that is raised is a bug."""
    try:
        found = decode(content_type, body, fields_max=FIELDS_MAX)
    except REFUSALS:
        return None
    assert type(found) is dict
    assert all(type(name) is str for name in found)
    return found


# Pieces that mean something to some decoder, so that chance gets past the first byte.
PIECES = st.sampled_from(
    [
        *(b"{", b"}", b"[", b"]", b'"', b":", b",", b"\\", b"\\u", b"\\ud800", b"\\udc00", b"null", b"true", b"e"),
        *(b"-", b".", b"1e999", b"NaN", b"1E-400", b"0" * 20, b"9" * 40, b"&", b"=", b"%", b"%41", b"%ff"),
        *(b"%00", b"+", b";", b"a[0][b]", b"a[]", b"a[", b"]", b"\r\n", b"--x", b"--x--", b"\r\n--x\r\n", b'"a"'),
        *(b"Content-Disposition: form-data; name=", b"\r\n\r\n", b'; filename="f"'),
        *(b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\x00", b" ", b"\n", b"a", b"1"),
    ]
)  # fmt: skip
BODIES = st.one_of(
    st.binary(max_size=300), st.lists(st.one_of(PIECES, st.binary(max_size=4)), max_size=60).map(b"".join)
)
TYPES = st.one_of(
    st.sampled_from(
        [None, JSON, FORM, MULTIPART, "application/vnd.api+json; charset=x", "text/plain", "multipart/form-data"]
    ),
    st.text(st.characters(max_codepoint=255), max_size=40),
    st.text(st.characters(max_codepoint=255), max_size=90).map("multipart/form-data; boundary={}".format),
)


@settings(max_examples=examples(1_000))
@given(TYPES, BODIES)
def test_any_bytes_of_any_type_are_read_or_refused(content_type, body):
    read(content_type, body)


@pytest.mark.parametrize("content_type", [JSON, FORM, MULTIPART])
@settings(max_examples=examples(1_000))
@given(body=BODIES)
def test_any_bytes_are_read_or_refused(content_type, body):
    read(content_type, body)


@settings(max_examples=examples(600))
@given(BODIES, st.lists(st.integers(0, 300), max_size=5))
def test_a_multipart_body_reads_the_same_in_pieces(body, cuts):
    """A file arrives as it likes."""
    places = [0, *sorted(cut % (len(body) + 1) for cut in cuts), len(body)]
    pieces = [body[start:end] for start, end in pairwise(places)]

    assert in_pieces(pieces) == in_pieces([body])


def in_pieces(pieces: list[bytes]) -> object:
    got: list[bytes] = []
    try:
        form = Multipart(
            MULTIPART, fields_max=50, bytes_max=500, file=FilePart("a", lambda data: got.append(bytes(data)))
        )
        for piece in pieces:
            form.write(piece)
        return form.fields(), b"".join(got)
    except REFUSALS as refusal:
        return type(refusal)


# Soon, and in little space


ENDLESS = (
    *(b"[", b"{", b'{"a":', b'[{"a":', b'"\\u00', b'\\', b'"a":1,', b"1", b"1e", b"-", b"\\ud800", b"[],", b'{"":0},'),
    *(b"&", b"=", b"a[", b"]", b"[]", b"a[]=&", b"a[0]=1&", b"a[b]", b"%", b"%4", b"%41", b"+", b"a=1&", b"[a]"),
    *(b"--x\r\n", b"\r\n", b"--x", b"\r\n\r\n", b"Content-Disposition: form-data; name=a\r\n\r\n", b'name="'),
    *(b"a: b\r\n", b"\xff", b"\x00", b" ", b"\xc3\xa9", b";"),
)  # fmt: skip
SIZE = 128 * 1024
SECONDS_MAX = 0.5
GROWTH_MAX = 200


@pytest.mark.parametrize("content_type", [JSON, FORM, MULTIPART])
@pytest.mark.parametrize(
    "head", [b"", b'{"a":', b"a[0]=1&a", b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n']
)
def test_what_goes_on_and_on_is_read_or_refused_soon(content_type, head):
    slow = {}
    for piece in ENDLESS:
        body = head + piece * (SIZE // len(piece))
        begun = time.process_time()
        read(content_type, body)
        took = time.process_time() - begun
        if took > SECONDS_MAX:
            slow[piece] = took

    assert slow == {}


@pytest.mark.parametrize("content_type", [JSON, FORM, MULTIPART])
def test_what_goes_on_and_on_takes_little_space(content_type):
    large = {}
    for piece in ENDLESS:
        body = piece * (SIZE // 8 // len(piece))
        tracemalloc.start()
        read(content_type, body)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        if peak > GROWTH_MAX * len(body):
            large[piece] = peak // len(body)

    assert large == {}


# Nothing is lost on the way


MONEY = st.decimals(allow_nan=False, allow_infinity=False, places=12, min_value=-(10**15), max_value=10**15)


@given(st.one_of(MONEY, st.integers(-(2**70), 2**70).map(Decimal)))
def test_money_in_json_survives_to_the_last_digit(amount):
    text = format(amount, "f")

    found = decode(JSON, f'{{"number": {text}, "text": "{text}"}}'.encode(), fields_max=FIELDS_MAX)

    assert not isinstance(found["number"], float)
    assert Decimal(found["number"]) == amount
    assert found["text"] == text


@given(st.from_regex(r"-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,4})?", fullmatch=True))
def test_a_number_in_json_is_exact_or_unreadable(text):
    found = decode(JSON, f'{{"number": {text}}}'.encode(), fields_max=FIELDS_MAX)["number"]

    assert isinstance(found, int | Decimal)
    assert found is UNREADABLE_NUMBER or Decimal(found) == Decimal(text)


NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="[]"), min_size=1, max_size=8).filter(
    lambda name: not (name.isascii() and name.isdecimal())
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NESTED = st.dictionaries(
    NAMES,
    st.recursive(
        TEXTS,
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=4), st.dictionaries(NAMES, inner, min_size=1, max_size=4)
        ),
        max_leaves=12,
    ),
    max_size=6,
)


def plain(value):
    """Lists that know their indexes, as lists."""
    if isinstance(value, Indexed):
        assert [str(place) for place in range(len(value))] == list(value.labels)
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


@given(NESTED)
def test_bracket_names_come_back_as_they_went(value):
    body = encoded(value)

    assert plain(decode(FORM, body, fields_max=FIELDS_MAX)) == (value if body.strip() else {})


@given(NESTED)
def test_bracket_names_in_multipart_come_back_as_they_went(value):
    sent = [(name, text) for name, text in pairs(value)]
    if any(set(name + text) & set('\r\n"\\\x00') or "--farthing" in text for name, text in sent):
        return  # what needs quoting, each client quotes otherwise
    parts = "".join(
        f'--farthing\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n' for name, text in sent
    )

    found = decode("multipart/form-data; boundary=farthing", f"{parts}--farthing--\r\n".encode(), fields_max=FIELDS_MAX)

    assert plain(found) == value


@given(st.dictionaries(NAMES, TEXTS, max_size=5))
def test_json_and_forms_say_the_same(value):
    form = "&".join(f"{quote_plus(name)}={quote_plus(text)}" for name, text in value.items()).encode()

    assert decode(JSON, json.dumps(value).encode(), fields_max=FIELDS_MAX) == decode(FORM, form, fields_max=FIELDS_MAX)
