"""Which numbers name an account at its bank? IBAN and account number are one account's alone; the BIC is checked."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from .making import asset, errors, expense, made, shown

IBAN = "NL02ABNA0123456789"
TAKEN = {"iban": ["The iban is already used by another of your accounts."]}
NUMBER_TAKEN = {"account_number": ["The account number is already used by another of your accounts."]}


@pytest.mark.parametrize(
    "written",
    [IBAN, "NL02 ABNA 0123 4567 89", "nl02 abna 0123 4567 89", "  nl02abna0123456789 ", "NL 02ABNA01 23456789"],
)
def test_an_iban_is_kept_in_its_electronic_form(me, written):
    assert shown(me, made(me, asset(iban=written)))["iban"] == IBAN


@pytest.mark.parametrize(
    "written",
    [
        "DE89370400440532013000",
        "GB82WEST12345698765432",
        "BE71096123456769",
        "MT31MALT01100000000000000000123",
        "NO8330001234567",
    ],
)
def test_ibans_of_many_countries_are_known(me, written):
    assert shown(me, made(me, asset(iban=written)))["iban"] == written


def wrong_digits(iban):
    return [
        iban[:place] + str((int(letter) + 1) % 10) + iban[place + 1 :]
        for place, letter in enumerate(iban)
        if letter.isdigit()
    ]


@pytest.mark.any_database
@pytest.mark.parametrize(
    "written",
    [*wrong_digits(IBAN), IBAN[:-1], IBAN + "0", "QQ" + IBAN[2:], "0200ABNA0123456789", "NL02", "٣" * 18, "-"],
)
def test_a_wrong_iban_is_refused(me, written):
    sentence = "The iban is not a valid IBAN: check the country, the length and each digit."

    assert errors(me.post("/accounts", asset(iban=written))) == {"iban": [sentence]}


def test_digits_of_other_scripts_are_no_iban(me):
    assert list(errors(me.post("/accounts", asset(iban=IBAN.replace("0", "٠"))))) == ["iban"]
    assert list(errors(me.post("/accounts", asset(iban=IBAN.replace("N", "Ｎ"))))) == ["iban"]


def test_an_iban_is_one_accounts_alone_however_it_is_written(me):
    made(me, asset(iban=IBAN))

    for written in (IBAN, IBAN.lower(), "NL02 ABNA 0123 4567 89"):
        assert errors(me.post("/accounts", expense(iban=written))) == TAKEN


def test_an_account_number_is_one_accounts_alone(me):
    made(me, asset(account_number="12-34"))
    other_id = made(me, expense(account_number="1234"))

    assert errors(me.post("/accounts", expense(account_number=" 12-34 "))) == NUMBER_TAKEN
    assert errors(me.put(f"/accounts/{other_id}", expense(account_number="12-34"))) == NUMBER_TAKEN


def test_of_many_who_want_one_number_at_once_one_gets_it(me):
    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(lambda _: me.post("/accounts", asset(iban=IBAN, account_number="7")), range(8)))

    refused = [answer for answer in answers if answer.status_code != 200]
    assert len(refused) == 7
    assert all(sorted(errors(answer)) == ["account_number", "iban"] for answer in refused)


def test_numbers_of_other_users_do_not_count(me, someone_else):
    body = asset(iban=IBAN, account_number="7")
    made(someone_else, body)

    assert shown(me, made(me, body))["iban"] == IBAN


def test_after_deletion_both_numbers_are_free_again(me):
    body = asset(iban=IBAN, account_number="7")
    assert me.delete(f"/accounts/{made(me, body)}").status_code == 204

    assert shown(me, made(me, body))["account_number"] == "7"


def test_after_blanking_both_numbers_are_free_again(me):
    body = asset(iban=IBAN, account_number="7")
    me.put(f"/accounts/{made(me, body)}", asset())

    assert shown(me, made(me, body))["account_number"] == "7"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("ABNANL2A", "ABNANL2A"),
        ("abnanl2a", "ABNANL2A"),
        ("CobaDeffXxx", "COBADEFFXXX"),
        (" cobadeff123 ", "COBADEFF123"),
    ],
)
def test_a_bic_is_kept_in_capitals(me, written, kept):
    assert shown(me, made(me, asset(bic=written)))["bic"] == kept


@pytest.mark.any_database
@pytest.mark.parametrize("written", ["ABNANL2", "ABNANL2AX", "ABNANL2AXXXX", "ABN4NL2A", "ABNANL2Ä", "12345678"])
def test_a_wrong_bic_is_refused(me, written):
    sentence = "The bic is not a valid BIC: it must have 8 or 11 letters and digits, the first 6 of them letters."

    assert errors(me.post("/accounts", asset(bic=written))) == {"bic": [sentence]}


def test_two_accounts_may_share_a_bic(me):
    assert made(me, asset(bic="ABNANL2A")) != made(me, asset(bic="ABNANL2A"))


# `account number` is written with a space in the contract, and with an underscore by everyone else


@pytest.mark.parametrize("name", ["account number", "account_number"])
@pytest.mark.parametrize("encoding", ["json", "form", "multipart"])
def test_the_account_number_has_two_spellings_in_every_encoding_and_on_both_methods(me, name, encoding):
    def sent(method, path, number):
        fields = {field: str(int(value) if isinstance(value, bool) else value) for field, value in asset().items()}
        fields[name] = number
        body = {"json": {"json": fields}, "form": {"data": fields}, "multipart": {"files": parts(fields)}}[encoding]
        return me.request(method, path, **body).json()["data"]

    account = sent("POST", "/accounts", "7")
    assert account["attributes"]["account_number"] == "7"
    assert sent("PUT", f"/accounts/{account['id']}", "8")["attributes"]["account_number"] == "8"


def parts(fields):
    return {name: (None, value) for name, value in fields.items()}


def test_an_empty_spelling_does_not_hide_the_other(me):
    for sent in ({"account_number": "7", "account number": ""}, {"account number": "8", "account_number": None}):
        number = next(number for number in sent.values() if number)
        assert shown(me, made(me, asset(**sent)))["account_number"] == number


def test_a_number_that_is_taken_is_named_as_the_caller_wrote_it(me):
    made(me, asset(account_number="7"))

    assert list(errors(me.post("/accounts", asset(**{"account number": "7"})))) == ["account number"]
    assert list(errors(me.post("/accounts", asset(**{"account number": ["7"]})))) == ["account number"]
    assert list(errors(me.post("/accounts", asset(account_number="7")))) == ["account_number"]
