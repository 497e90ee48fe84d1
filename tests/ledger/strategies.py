"""Random entries over a few accounts and currencies, as wild as the ledger allows."""

from datetime import date

from hypothesis import strategies as st

from farthing.kernel.money import Money
from farthing.ledger.entry import Entry, Party, Split
from farthing.ledger.kinds import Type

from ..builders import EUR, JPY, USD

CURRENCIES = (EUR, USD, JPY)
PARTIES = tuple(Party(10 + place, CURRENCIES[place % 3]) for place in range(6))
EXCHANGE_ID = 99

amounts = st.builds(Money, st.integers(1, 10**12), st.sampled_from(CURRENCIES))
pairs = st.permutations(range(len(PARTIES))).map(lambda order: (PARTIES[order[0]], PARTIES[order[1]]))
splits = st.builds(
    lambda pair, amount, foreign, reconciled: Split(*pair, amount, foreign, reconciled=reconciled),
    pairs,
    amounts,
    st.none() | amounts,
    st.booleans(),
)
entries = st.builds(
    Entry,
    type=st.sampled_from(Type),
    on=st.dates(date(2023, 12, 1), date(2024, 2, 29)),
    description=st.just("a transaction"),
    splits=st.lists(splits, min_size=1, max_size=4).map(tuple),
)
