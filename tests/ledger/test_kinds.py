"""Which accounts does a filter word mean?"""

import pytest

from farthing.ledger.kinds import SHOWN, Kind, Type, kinds_named

EVERY = {
    "Default account", "Cash account", "Asset account", "Expense account", "Revenue account",
    "Initial balance account", "Beneficiary account", "Import account", "Loan", "Reconciliation account", "Debt",
    "Mortgage", "Credit card",
}  # fmt: skip


@pytest.mark.parametrize(
    ("word", "labels"),
    [
        ("all", EVERY),
        ("asset", {"Default account", "Asset account"}),
        ("cash", {"Cash account"}),
        ("expense", {"Expense account", "Beneficiary account"}),
        ("revenue", {"Revenue account"}),
        ("special", {"Cash account", "Initial balance account", "Import account", "Reconciliation account"}),
        ("hidden", {"Initial balance account", "Import account", "Reconciliation account"}),
        ("liability", {"Loan", "Debt", "Mortgage", "Credit card"}),
        ("liabilities", {"Loan", "Debt", "Mortgage", "Credit card"}),
        ("debt", {"Debt"}),
        ("loan", {"Loan"}),
        ("mortgage", {"Mortgage"}),
        ("credit card", {"Credit card"}),
        ("credit_card", {"Credit card"}),
        ("creditcard", {"Credit card"}),
        ("cc", {"Credit card"}),
        ("Asset account", {"Asset account"}),
        ("Loan", {"Loan"}),
    ],
)
def test_a_word_means_its_kinds(word, labels):
    assert {kind.value for kind in kinds_named(word)} == labels


@pytest.mark.parametrize("label", sorted(EVERY))
def test_a_full_label_means_that_kind(label):
    assert {kind.value for kind in kinds_named(label)} == {label}


@pytest.mark.parametrize("word", ["", "unheard of", "ASSET", "asset account", "Exchange account", "exchange", "'"])
def test_an_unknown_word_means_every_kind(word):
    assert kinds_named(word) == SHOWN


def test_no_word_means_the_exchange_account():
    assert Kind.EXCHANGE not in SHOWN
    assert {kind.value for kind in SHOWN} == EVERY


def test_types_have_the_ids_and_labels_that_clients_know():
    assert {int(type_): type_.label for type_ in Type} == {
        1: "Withdrawal",
        2: "Deposit",
        3: "Transfer",
        4: "Opening balance",
        5: "Reconciliation",
    }
