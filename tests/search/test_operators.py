"""Searches with operators: the grammar, every operator against a filter in plain Python, and what is refused."""

from collections.abc import Callable
from datetime import date
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from farthing.overviews.search import find as search
from farthing.overviews.search.operators import days, grammar
from farthing.overviews.search.operators.context import Context
from farthing.overviews.search.operators.grammar import Group, Term
from farthing.overviews.search.operators.understand import understand
from farthing.storage.unit import Unit

from ..accounts.making import asset, made
from ..conftest import Client
from ..length import examples
from ..transactions.making import a_transaction, posted, split, transfer

TODAY = date(2026, 11, 19)  # a Thursday
_TERMS = st.builds(
    Term,
    value=st.text(max_size=12),
    name=st.sampled_from(["", "", "tag_is", "amount_more", "x1"]),
    negated=st.booleans(),
)
_GROUPS = st.recursive(
    st.lists(_TERMS, min_size=1, max_size=4),
    lambda inner: st.lists(
        _TERMS | st.builds(lambda parts, negated: Group(tuple(parts), negated), inner, st.booleans()),
        min_size=1,
        max_size=3,
    ),
    max_leaves=4,
)


@given(parts=_GROUPS)
def test_a_search_that_was_written_down_reads_the_same(parts):
    group = Group(tuple(parts))
    try:
        assert grammar.parse(grammar.write(group)) == group
    except grammar.TooLong:
        assert grammar.write(group).count('"') + grammar.write(group).count("(") > grammar.TOKENS_MAX


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("  coffee shop", [Term("coffee"), Term("shop")]),
        ('"coffee shop" -tea', [Term("coffee shop"), Term("tea", negated=True)]),
        ('category_is:"My food" more:5', [Term("My food", "category_is"), Term("5", "more")]),
        ('"https://shop.example"', [Term("https://shop.example")]),
        ("//x a- - -", [Term("//x"), Term("a-"), Term("-"), Term("-")]),
        ("a -(b c:d) e", [Term("a"), Group((Term("b"), Term("d", "c")), negated=True), Term("e")]),
        (r'notes:"say \"hi\" \ \\"', [Term('say "hi" \\ \\', "notes")]),
        ("(open", [Group((Term("open"),))]),
        ("shut) open", [Term("shut)"), Term("open")]),
        ("()", []),
    ],
)
def test_terms_groups_and_quotation_marks(text, parts):
    assert grammar.parse(text) == Group(tuple(parts))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-02-28", "2026-02-28"),
        ("Yesterday", "2026-11-18"),
        ("start of this week", "2026-11-16"),
        ("end of this month", "2026-11-30"),
        ("start of this quarter", "2026-10-01"),
        ("end of this year", "2026-12-31"),
        ("-3d", "2026-11-16"),
        ("-1y +1m", "2025-12-19"),
        ("+103d -1m", "2027-02-02"),
        ("-9m", "2026-02-19"),
    ],
)
def test_days_of_operators(text, day):
    assert days.read(text, TODAY) == date.fromisoformat(day)


@pytest.mark.parametrize("text", ["soon", "2026-02-30", "", "-d", "3d", "-99999y", "2026-x1-10", "start of this day"])
def test_what_is_not_a_day(text):
    assert days.read(text, TODAY) is None


WORDS = ["Bäckerei", "bakery", "coffee", "Coffee shop", "shop", "m² rent", "x", "50% off_now", "—", "Straße 9"]
_NAMES = ["Food", "food court", "Café", None]


def fill(me: Client) -> list[dict[str, Any]]:
    """Records forty transactions, some with several splits. Returns their splits as version 1 shows them."""
    random = Random(11)
    accounts = [made(me, asset(name=name)) for name in ("Checking", "Savings", "Coffee jar")]
    for number in range(40):
        source, other = random.sample(accounts, 2)
        usual = {"date": f"2026-0{random.randint(1, 9)}-1{random.randint(0, 9)}", "description": random.choice(WORDS)}
        usual |= {
            "notes": random.choice([None, "remember the bakery", "Coffee"]),
            "internal_reference": random.choice([None, f"R-{number}", "R-1"]),
            "tags": random.choice([None, "sea", "sea,Café"]),
            "invoice_date": random.choice([None, "2026-03-15"]),
        }
        if number % 6 == 0:
            posted(me, transfer(source, other, "7.50") | usual)
            continue
        splits = [
            split(
                source_id=source,
                destination_name=random.choice(["Grocer", "Café Central", "Coffee house"]),
                amount=f"{random.randint(1, 30)}.50",
                category_name=random.choice(_NAMES),
                budget_name=random.choice([None, "Home"]),
                description=f"part {part} {random.choice(['sugar', 'milk'])}" if number % 5 == 0 else None,
                reconciled=random.random() < 0.3,
                **({"foreign_amount": "900", "foreign_currency_code": "JPY"} if number % 7 == 0 else {}),
            )
            for part in range(1 + (number % 5 == 0))
        ]
        posted(me, a_transaction("withdrawal", *splits) | usual)
    return [one["attributes"] | {"id": int(one["id"])} for one in me.get("/transactions", limit=1000).json()["data"]]


def search_ids(db: Unit, me: Client, text: str) -> set[int]:
    understood = understand(Context(db, me.user.id, TODAY, "Europe/Berlin"), text)
    assert understood.problems == (), text
    result = search.find(db, me.user.id, [], limit=1000, offset=0, filters=understood.filters)
    assert result.stopped_on is None
    assert len(result.entry_ids) == result.total == len(set(result.entry_ids))
    return set(result.entry_ids)


Fits = Callable[[dict[str, Any]], bool]
_PLAIN = str.maketrans("äéß", "aes")


def plain(text: str | None) -> str | None:
    return None if text is None else text.lower().replace("ß", "ss").translate(_PLAIN)


def texts_fit(how: str, wanted: str, *names: str) -> Fits:
    tests: dict[str, Callable[[str], bool]] = {
        "is": lambda text: text == plain(wanted),
        "contains": lambda text: str(plain(wanted)) in text,
        "starts": lambda text: text.startswith(str(plain(wanted))),
        "ends": lambda text: text.endswith(str(plain(wanted))),
    }
    return lambda one: any(tests[how](text) for name in names if (text := plain(one[name])) is not None)


def list_operators(ids: list[int], made_on: date) -> dict[str, Fits]:
    """Maps operators with values to what they mean."""
    both = ("source_name", "destination_name")
    described = ("journal_description", "transaction_description")
    operators: dict[str, Fits] = {}
    for how in ("is", "contains", "starts", "ends"):
        for value in (
            "coffee",
            "ee s",
            "COFFEE SHOP",
            "rei",
            "% off_",
            "part 1 milk",
            "m² r",
            "strasse",
            "—",
            "nothing",
        ):
            operators[f'description_{how}:"{value}"'] = texts_fit(how, value, *described)
        for value in ("cafe", "coffee jar", "o"):
            operators[f'account_{how}:"{value}"'] = texts_fit(how, value, *both)
            operators[f'source_account_{how}:"{value}"'] = texts_fit(how, value, "source_name")
            operators[f'category_{how}:"{value}"'] = texts_fit(how, value, "category_name")
    return operators | {
        "milk": texts_fit("contains", "milk", *described),
        'notes_are:"remember the bakery"': texts_fit("is", "remember the bakery", "notes"),
        "notes:bakery": texts_fit("contains", "bakery", "notes"),
        "no_notes:true": lambda one: one["notes"] is None,
        "any_notes:false": lambda one: one["notes"] is None,
        "internal_reference_is:r-1": texts_fit("is", "R-1", "internal_reference"),
        "any_internal_reference:1": lambda one: one["internal_reference"] is not None,
        "amount_is:7.50": lambda one: abs(one["amount"]) == 7.5,
        "less:10": lambda one: abs(one["amount"]) <= 10,
        "amount_more:-7.5": lambda one: abs(one["amount"]) >= 7.5,
        "foreign_amount_is:900": lambda one: one["foreign_amount"] is not None,
        "foreign_amount_more:9000": lambda one: False,
        "currency_is:EUR": lambda one: True,
        "currency_is:JPY": lambda one: False,
        "foreign_currency_is:jpy": lambda one: one["foreign_currency_code"] == "JPY",
        "date_on:2026-xx-12": lambda one: one["date"][:10].endswith("-12"),
        "date_before:2026-05-15": lambda one: one["date"][:10] <= "2026-05-15",
        "after:2026-05-15": lambda one: one["date"][:10] >= "2026-05-15",
        "invoice_date_on:2026-03-15": lambda one: one["invoice_date"] is not None,
        f"created_on:{made_on}": lambda one: True,
        f"updated_at_before:{made_on}": lambda one: True,
        "type:transfer": lambda one: one["type"] == "Transfer",
        "reconciled:true": lambda one: one["reconciled"],
        "has_no_category:true": lambda one: one["category_name"] is None,
        "has_any_category:true": lambda one: one["category_name"] is not None,
        "has_any_budget:false": lambda one: one["budget_name"] is None,
        "has_no_bill:true": lambda one: True,
        "has_any_bill:true": lambda one: False,
        "has_no_tag:true": lambda one: not one["tags"],
        "tag_is:cafe": lambda one: "Café" in str(one["tags"]),
        "tag_is:sea": lambda one: bool(one["tags"]),
        "budget_is:home": lambda one: one["budget_name"] == "Home",
        "bill_is:home": lambda one: False,
        "account_is_cash:true": lambda one: False,
        f'id:"{ids[0]},{ids[1]}"': lambda one: one["journal_id"] in ids[:2],
        f"journal_id:{ids[2]}": lambda one: one["id"] == ids[2],
        "recurrence_id:1": lambda one: False,
        "has_attachments:true": lambda one: False,
        "exists:true": lambda one: True,
    }


@pytest.mark.parametrize("batch", [3, 250])
def test_conditions_select_what_a_filter_in_plain_python_selects(me, world, monkeypatch, batch):
    monkeypatch.setattr(search, "_BATCH", batch)
    lines = fill(me)
    for one in lines:
        one["journal_id"] = int(one["journal_id"])
    operators = list_operators([lines[0]["journal_id"], lines[9]["journal_id"], lines[20]["id"]], world.time.now.date())
    names = st.sampled_from(sorted(operators))

    def wanted(fits: Fits) -> set[int]:
        return {one["journal_id"] for one in lines if fits(one)}

    with world.books.reading() as db:
        for text, fits in operators.items():
            assert search_ids(db, me, text) == wanted(fits), text
            assert search_ids(db, me, f"-{text}") == wanted(lambda one, fits=fits: not fits(one)), f"not {text}"

        @settings(max_examples=examples(180), deadline=None, suppress_health_check=list(HealthCheck))
        @given(terms=st.lists(st.tuples(names, st.booleans()), min_size=1, max_size=3), more=st.none() | names)
        def try_combinations(terms: list[tuple[str, bool]], more: str | None) -> None:
            parts = [f"{'-' if negated else ''}{name}" for name, negated in terms]
            text = " ".join(parts) + (f" -({more} {terms[0][0]})" if more else "")

            def fits(one: dict[str, Any]) -> bool:
                group = more is not None and operators[more](one) and operators[terms[0][0]](one)
                return all(operators[name](one) != negated for name, negated in terms) and not group

            assert search_ids(db, me, text) == wanted(fits), text

        try_combinations()
