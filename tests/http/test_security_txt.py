"""`/.well-known/security.txt`: whom to tell of a weakness, if the owner has said so."""

import pytest

from farthing.kernel.config import load
from farthing.kernel.errors import Misconfigured

from ..conftest import running

PATH = "/.well-known/security.txt"


@pytest.mark.any_database
def test_without_a_contact_it_is_not_there(world):
    assert world.http.get(PATH).status_code == 404


@pytest.mark.any_database
def test_it_names_the_contact_and_never_expires(new_database_url, tmp_path, check_answer):
    given = {"security_contact": "security@money.example", "base_url": "https://money.example/books"}
    for world in running(new_database_url, tmp_path, check_answer, **given):
        answer = world.http.get(f"/books{PATH}")

        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/plain; charset=utf-8")
        assert answer.text == (
            "Contact: mailto:security@money.example\n"
            "Expires: 2024-11-11T12:00:00+00:00\n"
            "Canonical: https://money.example/books/.well-known/security.txt\n"
        )
        assert world.http.request("HEAD", f"/books{PATH}").status_code == 200
        assert world.http.post(f"/books{PATH}").status_code == 405


@pytest.mark.parametrize("given", ["https://money.example/security", "mailto:a@b.example", "tel:+1-201-555-0123"])
def test_a_contact_may_be_any_address(given):
    assert load({"FARTHING_SECURITY_CONTACT": given}).security_contact == given


@pytest.mark.parametrize("given", ["nobody", "http://money.example", "a@b.example\nEvil: 1", "https://a b"])
def test_what_is_no_contact_is_refused(given):
    with pytest.raises(Misconfigured, match="an e-mail address such as security"):
        load({"FARTHING_SECURITY_CONTACT": given})
