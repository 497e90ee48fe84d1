"""Each catalogue has every sentence that people read, whole, and nothing else."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from farthing.kernel.languages import TRANSLATED, choose_language, say
from farthing.kernel.languages.catalogue import load

from .messages import CATALOGUES, GAP, every_literal, missing, terms

NAMED = re.compile(r"\{(\w+)\}")


def entries(language: str) -> list[Message]:
    with (CATALOGUES / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    assert not catalogue.obsolete
    return [message for message in catalogue if message.id]


def texts(value: object) -> list[str]:
    return [str(text) for text in value] if isinstance(value, tuple | list) else [str(value)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_lacks_no_sentence_that_people_read(language: str) -> None:
    assert missing(load(language)) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_is_complete_and_has_the_gaps_of_its_sentence(language: str) -> None:
    for message in entries(language):
        assert not message.fuzzy
        gaps = set(NAMED.findall(texts(message.id)[0]))
        for translation in texts(message.string):
            assert translation.strip(), message.id
            assert set(NAMED.findall(translation)) == gaps, message.id


def test_all_catalogues_have_the_same_sentences_and_none_that_nobody_says() -> None:
    ids = {language: {message.id for message in entries(language)} for language in TRANSLATED}
    literals = "\n".join([*every_literal(), *terms()])

    assert len({frozenset(of_language) for of_language in ids.values()}) == 1
    unsaid = [text for text in ids["de"] if not all(_is_said(part, literals) for part in GAP.split(texts(text)[-1]))]
    assert unsaid == []


def _is_said(part: str, literals: str) -> bool:
    """Returns whether a text is a literal, or two literals that follow each other."""
    words = part.strip(" .:;").split(" ")
    cuts = ((" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(len(words)))
    return any(first in literals and rest in literals for first, rest in cuts)


@pytest.mark.parametrize(
    ("sentence", "german"),
    [
        ("The transactions.0.amount must be more than zero.", "„Betrag“ muss größer als null sein."),
        ("The tag may have at most 2 decimal places.", "„Schlagwort“ darf höchstens 2 Nachkommastellen haben."),
        ("Too many attempts. Try again in 1 minute.", "Zu viele Versuche. Versuchen Sie es in 1 Minute noch einmal."),
        ("3 days", "3 Tage"),
        ("the description contains 'rent'; it has no tag", "die Beschreibung enthält „rent“; hat kein Schlagwort"),
        ("No tag is called “The amount is missing.”.", "So heißt nichts (Schlagwort): „The amount is missing.“."),
        ("Every month on the 2(st/nd/rd/th) Tuesday", "Monatlich am 2. Dienstag"),
        ("This text is nobody's.", "This text is nobody's."),
    ],
)  # fmt: skip
def test_a_sentence_is_found_by_its_words_and_keeps_its_values(sentence: str, german: str) -> None:
    assert say(sentence, "de_AT") == german
    assert say(sentence, "en_GB") == sentence
    assert say(sentence, "pt_BR") == sentence


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7", "fr"),
        ("pt-BR, nl;q=0.5, en;q=0.1", "nl"),
        ("pt, en;q=0.8, de;q=0.3", "en_US"),
        ("en;q=0.5, de;q=0.6", "de"),
        ("de;q=0, *", "en_US"),
        (";;q=,,=x;q=zz, ", "en_US"),
        ("", "en_US"),
    ],
)
def test_somebody_unknown_reads_the_best_of_what_their_browser_accepts(accepted: str, language: str) -> None:
    assert choose_language(accepted) == language


def test_a_long_text_that_is_almost_a_sentence_of_ours_costs_little() -> None:
    text = "The " + "amount must be a date on or before " * 140

    assert say(text, "de") != ""


def test_whoever_reads_english_loads_no_catalogue() -> None:
    program = (
        "import sys; from farthing.kernel.languages import say; say('Hello.', 'en_US'); print('babel' in sys.modules)"
    )

    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=Path.cwd())

    assert ran.stdout.strip() == "False"
