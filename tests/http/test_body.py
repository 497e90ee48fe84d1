"""What did the caller send? Every encoding, its limits, and the odd things that must not bring us down."""

import contextlib
import json
from decimal import Decimal
from urllib.parse import quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.http.body.decoding import decode
from farthing.kernel.errors import FarthingError, Invalid, Malformed, TooLarge, UnknownBodyType
from farthing.kernel.parsed import Indexed

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=XX"


def read(content_type, body, fields_max=1000):
    return decode(content_type, body if isinstance(body, bytes) else body.encode(), fields_max=fields_max)


def number(text):
    return read(JSON, f'{{"amount": {text}}}')["amount"]


def part(name, value, *, extra=""):
    return f'--XX\r\nContent-Disposition: form-data; name="{name}"{extra}\r\n\r\n{value}\r\n'


def shape(value):
    """Plain dicts, with an indexed list shown by its labels."""
    if isinstance(value, Indexed):
        return [(label, shape(item)) for label, item in zip(value.labels, value, strict=True)]
    return {name: shape(inner) for name, inner in value.items()} if isinstance(value, dict) else value


# Which encoding


@pytest.mark.parametrize("content_type", [None, "", JSON, FORM, MULTIPART, "text/plain", "multipart/form-data"])
@pytest.mark.parametrize("body", [b"", b" \r\n\t ", b"\xef\xbb\xbf"])
def test_an_empty_body_of_whatever_type_is_an_empty_object(content_type, body):
    assert read(content_type, body) == {}


@pytest.mark.parametrize(
    "content_type",
    [
        JSON,
        "application/vnd.api+json",
        "Application/JSON; charset=utf-8",
        "application/problem+json",
        "text/json",
        None,
    ],
)
def test_everything_that_calls_itself_json_is_read_as_json(content_type):
    assert read(content_type, ' {"name": "Rent"}') == {"name": "Rent"}


@pytest.mark.parametrize("content_type", ["text/plain", "application/octet-stream", "application/xml", "json", "ö"])
def test_an_encoding_we_do_not_speak_is_refused(content_type):
    with pytest.raises(UnknownBodyType, match="application/json"):
        read(content_type, '{"name": "Rent"}')


def test_without_a_content_type_only_an_object_passes_for_json():
    with pytest.raises(UnknownBodyType):
        read(None, "name=Rent")


# JSON


def test_a_byte_order_mark_before_json_is_tolerated():
    assert read(JSON, b'\xef\xbb\xbf{"name": "Rent"}') == {"name": "Rent"}


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ('{"name" "Rent"}', "line 1, column 9"),
        ('{\n "name": "Rent",\n "active": yes\n}', "line 3, column 12"),
        ('{"größe": "é" x}', "line 1, column 15"),
        ('{"name": "Rent",}', "line 1, column 17"),
        ('{"name": "Rent"} x', "line 1, column 18"),
        ('{"name": "Re', "line 1, column 13"),
        ('{"amount": NaN}', "line 1, column 12"),
        ('{"amount": Infinity}', "line 1, column 12"),
        ('{"amount": .5}', "line 1, column 12"),
        ("Rent=1", "line 1, column 1"),
        ("\n  [1, 2]", "line 2, column 3"),
        ('"Rent"', "line 1, column 1"),
        ("null", "line 1, column 1"),
    ],
)
def test_json_that_does_not_parse_or_is_no_object_is_refused_with_the_place(body, where):
    with pytest.raises(Malformed, match=f"{where}(?![0-9])"):
        read(JSON, body)


@pytest.mark.parametrize("body", [b'{"name": "\xff"}', b'{"\xc3": 1}', '{"name": "é"}'.encode("latin-1")])
def test_json_that_is_not_utf_8_is_refused(body):
    with pytest.raises(Malformed, match=r"not valid UTF-8 at line 1, column"):
        read(JSON, body)


@pytest.mark.parametrize("text", [r"\ud800", r"\udc00 tail", r"\ud800\ud800x", r"\ud83d\ude00\udc00", r"\\\ud800"])
def test_half_of_a_surrogate_pair_in_json_is_refused_with_a_sentence_that_helps(text):
    with pytest.raises(Malformed, match=r"half of a surrogate pair.*send the whole character"):
        read(JSON, f'{{"name": "{text}"}}')


def test_a_whole_surrogate_pair_in_json_is_one_character():
    assert read(JSON, r'{"name": "\ud83d\ude00 \\ud800"}') == {"name": "😀 \\ud800"}


@pytest.mark.parametrize("body", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' + "[" * 900])
def test_a_hundred_thousand_nested_brackets_are_refused(body):
    with pytest.raises(Malformed):
        read(JSON, body)


def test_json_nests_32_levels_deep_and_no_deeper():
    assert read(JSON, '{"a":' * 32 + "1" + "}" * 32)
    with pytest.raises(Malformed, match="deeper than 32 levels"):
        read(JSON, '{"a":' * 33 + "1" + "}" * 33)


def test_a_json_object_with_too_many_fields_is_refused():
    with pytest.raises(TooLarge, match="more than 1000 fields"):
        read(JSON, json.dumps({"inner": {str(key): key for key in range(1001)}}))


@pytest.mark.parametrize("group", ["[]", "{}"])
def test_a_json_body_of_a_million_empty_groups_is_refused_before_it_is_read(group):
    with pytest.raises(TooLarge, match="more than 100000 lists and objects"):
        read(JSON, f'{{"name": [{",".join([group] * 1_000_000)}]}}')
    assert read(JSON, f'{{"name": [{",".join([group] * 99_998)}]}}')


@pytest.mark.parametrize(
    ("text", "exactly"),
    [
        ("90071992547409931.23", "90071992547409931.23"),
        ("0.1", "0.1"),
        ("10.50", "10.50"),
        ("1e3", "1000"),
        ("1.5E-3", "0.0015"),
        ("-2.5e+1", "-25"),
        ("1e30", "1" + "0" * 30),
        ("9223372036854775808", "9223372036854775808"),
        ("-" + "9" * 40, "-" + "9" * 40),
        ("0." + "1" * 60, "0." + "1" * 60),
    ],
)
def test_json_numbers_are_read_digit_by_digit(text, exactly):
    assert format(Decimal(number(text)), "f") == exactly


@pytest.mark.parametrize(
    "text",
    ["1e999999999", "1e31", "-1e-31", "1e" + "9" * 50, "0." + "1" * 200_000, "9" * 100_000, "-" + "9" * 100_000],
)
def test_a_json_number_beyond_reason_is_kept_as_unreadable_for_its_field_to_refuse(text):
    assert number(text).is_nan()


def test_a_monstrous_integer_leaves_its_neighbours_and_the_place_of_an_error_alone():
    monster, digits = "9" * 5000, "1" * 5000

    assert read(JSON, f'{{"a": {monster}, "b": "{digits}", "c": "\\"{digits}"}}')["c"] == f'"{digits}'
    with pytest.raises(Malformed, match="line 1, column 5014"):
        read(JSON, f'{{"a": {monster}, "b": x}}')


@given(st.decimals(allow_nan=False, allow_infinity=False, places=12))
def test_any_decimal_survives_json_exactly(amount):
    assert Decimal(number(format(amount, "f"))) == amount


# Forms


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ("name=Rent&active=1", {"name": "Rent", "active": "1"}),
        ("name=Caf%C3%A9+%26+Bar", {"name": "Café & Bar"}),
        ("name=&&notes&=x", {"name": "", "notes": "", "": "x"}),
        ("name=Old&name=New", {"name": "New"}),
        ("a=b=c&off=100%", {"a": "b=c", "off": "100%"}),
        ("account+number=12&account%20holder=Ann", {"account number": "12", "account holder": "Ann"}),
        ("a[b]=1&a[c][d]=2", {"a": {"b": "1", "c": {"d": "2"}}}),
        ("a%5Bb%5D=1&a[b]=2", {"a": {"b": "2"}}),
        ("r[0][type]=daily&r[0][skip]=1", {"r": [("0", {"type": "daily", "skip": "1"})]}),
        ("r[7]=x&r[3]=y&r[10]=z", {"r": [("3", "y"), ("7", "x"), ("10", "z")]}),
        ("a[]=x&a[]=y", {"a": [("0", "x"), ("1", "y")]}),
        ("a[5]=x&a[]=y&a[][b]=z", {"a": [("5", "x"), ("6", "y"), ("7", {"b": "z"})]}),
        ("a[x]=1&a[0]=2", {"a": {"x": "1", "0": "2"}}),
        ("a[999999999]=x", {"a": [("999999999", "x")]}),
        ("a[b=1&[c]=2&d]=3&e[f]g=4", {"a[b": "1", "[c]": "2", "d]": "3", "e[f]g": "4"}),
        ("7=x", {"7": "x"}),
    ],
)
def test_form_names_nest_by_their_brackets(body, fields):
    assert shape(read(FORM, body)) == fields


@pytest.mark.parametrize("body", ["a=1&a[b]=2", "a[b]=2&a=1", "a[]=2&a=1"])
def test_a_name_that_is_both_a_value_and_a_group_is_refused(body):
    with pytest.raises(Invalid, match="both as a value and as a group") as refusal:
        read(FORM, body)

    assert [problem.field for problem in refusal.value.problems] == ["a"]


def test_a_conflict_inside_a_group_names_the_dotted_key():
    with pytest.raises(Invalid) as refusal:
        read(FORM, "r[3][moment]=1&r[3][moment][x]=2")

    assert refusal.value.problems[0].field == "r.3.moment"


@pytest.mark.parametrize(
    "body", ["a[9999999999]=x", "a[" + "9" * 100_000 + "]=x", "a" + "[b]" * 11 + "=x", "a" + "[]" * 100_000]
)
def test_an_endless_index_or_nesting_in_a_form_is_refused_naming_the_field(body):
    with pytest.raises(Invalid) as refusal:
        read(FORM, body)

    assert refusal.value.problems[0].field == "a"


def test_a_form_nests_ten_levels_deep():
    assert read(FORM, "a" + "[b]" * 10 + "=x")


@pytest.mark.parametrize("piece", ["k{}=v", "k[{}]=v", "k[]=v", "k[a][{}]=v"])
def test_ten_thousand_form_keys_are_refused_naming_the_limit(piece):
    with pytest.raises(TooLarge, match="more than 1000 fields"):
        read(FORM, "&".join(piece.format(key) for key in range(10_000)))


@pytest.mark.parametrize("piece", ["k[{}]=v", "k[]=v", "k{}[a]=v", "k[a][{}][b]=v"])
def test_as_many_form_keys_as_allowed_are_read(piece):
    assert read(FORM, "&".join(piece.format(key) for key in range(20_000)), fields_max=20_000)


@pytest.mark.parametrize("body", ["name=%FF", "%C3=x", b"name=\xff"])
def test_a_form_that_is_not_utf_8_is_refused(body):
    with pytest.raises(Malformed, match="UTF-8"):
        read(FORM, body)


words = st.text(st.characters(exclude_characters="[]", codec="utf-8"), min_size=1, max_size=5)
names = words.filter(lambda word: not (word.isascii() and word.isdecimal()))
trees = st.recursive(
    st.text(st.characters(codec="utf-8"), max_size=5),
    lambda inner: (
        st.dictionaries(names, inner, min_size=1, max_size=3)
        | st.dictionaries(st.integers(0, 10**9 - 1).map(str), inner, min_size=1, max_size=3)
    ),
    max_leaves=8,
)


def flat(name, tree):
    if isinstance(tree, str):
        return [(name, tree)]
    return [pair for key, inner in tree.items() for pair in flat(f"{name}[{key}]", inner)]


def sorted_lists(tree):
    if isinstance(tree, str):
        return tree
    items = [(key, sorted_lists(inner)) for key, inner in tree.items()]
    indexed = all(key.isascii() and key.isdecimal() for key in tree)
    return sorted(items, key=lambda item: int(item[0])) if indexed else dict(items)


@settings(max_examples=50, deadline=None)
@given(names, trees)
def test_what_is_written_with_brackets_is_read_back(name, tree):
    body = "&".join(f"{quote_plus(key)}={quote_plus(value)}" for key, value in flat(name, tree))

    assert shape(read(FORM, body)) == {name: sorted_lists(tree)}


# Multipart


def test_multipart_fields_nest_like_a_form_and_files_are_left_out():
    body = (
        part("name", "Café")
        + part("r[4][type]", "daily")
        + part("f", "\x00", extra='; filename="a.txt"')
        + "--XX--\r\n"
    )

    assert shape(read(MULTIPART, body)) == {"name": "Café", "r": [("4", {"type": "daily"})]}


def test_a_part_with_thousands_of_parameters_is_not_read():
    """Reading 500 such parts took seconds, in which nobody else was answered."""
    body = part("a", "1", extra=";" * 3900) * 500 + "--XX--"

    with pytest.raises(Malformed, match="more than 50 parameters"):
        decode(MULTIPART, body.encode(), fields_max=2000)


def test_a_multipart_boundary_may_be_quoted():
    assert read('Multipart/Form-Data; charset=utf-8; boundary="XX"', part("a", "1\r\n--X") + "--XX--") == {
        "a": "1\r\n--X"
    }


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("multipart/form-data", part("a", "1") + "--XX--"),
        ("multipart/form-data; boundary=", part("a", "1") + "--XX--"),
        ("multipart/form-data; boundary=" + "X" * 1000, part("a", "1") + "--XX--"),
        (MULTIPART, part("a", "1")),
        (MULTIPART, "a=1&b=2"),
        (MULTIPART, "--XX\r\nContent-Type: text/plain\r\n\r\n1\r\n--XX--"),
        (MULTIPART, "--XX\r\nbad header\r\n\r\n1\r\n--XX--"),
        (MULTIPART, part("a", "1").encode() + b"\xff\r\n--XX--"),
        (MULTIPART, b'--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\n\xff\r\n--XX--'),
    ],
)
def test_multipart_that_is_damaged_is_refused(content_type, body):
    with pytest.raises(Malformed):
        read(content_type, body)


def test_ten_thousand_multipart_fields_are_refused_naming_the_limit():
    with pytest.raises(TooLarge, match="more than 1000 fields"):
        read(MULTIPART, "".join(part(f"k{key}", "v") for key in range(10_000)) + "--XX--")


# Whatever comes


content_types = st.sampled_from([None, JSON, FORM, MULTIPART, "multipart/form-data"]) | st.text(max_size=20)
form_pieces = [
    b"--XX",
    b"\r\n",
    b"--",
    b":",
    b'name="a[0]"',
    b"Content-Disposition: form-data;",
    b"a[",
    b"]",
    b"=",
    b"&",
]
json_pieces = [b"{", b"}", b'"a":', b"[", b",", b"1e9", b"\\ud800", b'"', b"null", b"\x00", b"\xc3", b"%ff"]
pieces = st.sampled_from(form_pieces + json_pieces)


@settings(deadline=None)
@given(content_types, st.binary() | st.lists(pieces, max_size=20).map(b"".join))
def test_any_bytes_are_either_read_or_refused_in_our_own_words(content_type, body):
    with contextlib.suppress(FarthingError):
        assert isinstance(read(content_type, body, fields_max=5), dict)
