"""farthing rates, as a person types it."""

from ..test_outgoing import serving
from .conftest import Terminal

TODAY = b"date,from,to,rate\n2024-05-15,EUR,USD,1.09\n"


def test_rates_are_imported_fetched_and_listed(owned: Terminal) -> None:
    (owned.folder / "rates.csv").write_text("2024-05-01,USD,EUR,0.92\n2024-05-02,USD,EUR,0.93\n")
    (owned.folder / "wrong.csv").write_text("2024-05-01,USD,EUR,0,92\n2024-05-02,USD,EUR,x\n")

    assert owned.says("rates", "import", "rates.csv") == "2 new, 0 changed, 0 unchanged.\n"
    assert "Row 2: the rate must be a number" in owned.fails("rates", "import", "wrong.csv")
    assert owned.says("rates", "list").splitlines()[0] == "2024-05-02\tUSD\tEUR\t0.93\town"
    assert "FARTHING_RATES is off" in owned.fails("rates", "fetch")
    with serving(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(TODAY), TODAY)) as (port, _):
        rates = f"http://127.0.0.1:{port}/rates.csv"
        done = owned.run("rates", "fetch", FARTHING_RATES=rates, FARTHING_OUTGOING_PRIVATE="1")
    assert (done.returncode, done.stdout) == (0, "1 rate was fetched from 127.0.0.1.\n")
    assert owned.says("rates", "list", "--published") == "2024-05-15\tEUR\tUSD\t1.09\t127.0.0.1\n"
    assert "rates" in owned.run("doctor", FARTHING_RATES="ecb").stdout
