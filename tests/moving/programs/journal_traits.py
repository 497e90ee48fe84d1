"""What journals of hledger and ledger can say, one trait each, in lines that any other trait may follow."""

# Each balances by itself; amounts differ, so that no two traits can be mixed up.
HLEDGER = {
    "plain": """
2024-01-05 Baker
    Expenses:Food    3.10 EUR
    Assets:Cash
""",
    "slashes, status and code": """
2024/01/06 * (A12) Grocer | weekly
    Expenses:Food      12.34 EUR
    Assets:Bank       -12.34 EUR
""",
    "dots": """
2024.1.7 ! Kiosk
    Expenses:Fun  1.01 EUR
    Assets:Cash
""",
    "default year": """
Y2023
12/31 New year's eve
    Expenses:Fun  20.50 EUR
    Assets:Cash
Y2024
""",
    "second date": """
2024-01-31=2024-02-02 Card
    Expenses:Food      7.77 EUR
    Liabilities:Visa card
""",
    "opening": """
2024-01-01 opening balances
    Assets:Bank           1000.00 EUR
    Liabilities:Visa card  -50.00 EUR
    Equity:Opening Balances
""",
    "tags and comments": """
; a comment line
2024-02-03 Doctor  ; health:, for: Ann
    ; a note of the entry
    Expenses:Health    80.00 EUR  ; receipt:yes
    Assets:Bank
""",
    "salary": """
2024-02-28 Work
    Assets:Bank       3200.00 EUR
    Expenses:Tax      1500.50 EUR
    Income:Salary
""",
    "refund": """
2024-03-01 Grocer gives back
    Assets:Bank        5.25 EUR
    Expenses:Food     -5.25 EUR
""",
    "moved between expenses": """
2024-03-02 was fun
    Expenses:Fun       4.40 EUR
    Expenses:Food     -4.40 EUR
""",
    "transfer": """
2024-03-03 to savings
    Assets:Savings   100.00 EUR
    Assets:Bank
""",
    "unit price": """
2024-03-04 dollars
    Assets:Dollars    10.00 USD @ 0.91234 EUR
    Assets:Bank       -9.12 EUR
""",
    "total price": """
2024-03-05 hotel
    Expenses:Travel   100.00 USD @@ 91.50 EUR
    Assets:Bank
""",
    "price not told": """
2024-03-06 exchange
    Assets:Dollars   20.00 USD
    Assets:Bank     -18.00 EUR
""",
    "shares": """
2024-03-07 buy
    Assets:Broker      10 AAPL @ 150.00 USD
    Assets:Dollars
2024-04-07 sell
    Assets:Broker      -4 AAPL @ 160.00 USD
    Assets:Dollars   640.00 USD
""",
    "quoted commodity": """
2024-03-08 apples
    Assets:Cellar    3 "Green Apples" @@ 2.10 EUR
    Assets:Cash
""",
    "symbols": """
2024-03-09 symbols
    Assets:Wallet    $10.00
    Assets:Wallet     £5
    Equity:Adjust   $-10.00
    Equity:Adjust   -£5
""",
    "several commodities elided": """
2024-03-10 two
    Expenses:Travel    6.00 EUR
    Expenses:Travel    7.00 USD
    Assets:Wallet
""",
    "assertions": """
2024-03-11 counted
    Assets:Tin      25.00 EUR = 25.00 EUR
    Assets:Bank
2024-03-12 counted again
    Assets:Tin     -5.00 EUR == 20.00 EUR
    Expenses:Fun
""",
    "assignment": """
2024-03-13 jar
    Assets:Jar       30.00 EUR
    Assets:Bank
2024-03-14 jar counted
    Assets:Jar       = 22.75 EUR
    Expenses:Lost
""",
    "inclusive assertion": """
2024-03-15 below
    Assets:Box:One     5.00 EUR
    Assets:Box:Two     6.00 EUR =* 6.00 EUR
    Assets:Bank
2024-03-16 above
    Assets:Box         1.00 EUR =* 12.00 EUR
    Assets:Bank
""",
    "virtual": """
2024-03-17 envelopes
    Assets:Bank           -9.00 EUR
    Expenses:Food          9.00 EUR
    [Assets:Envelope]     -2.00 EUR
    [Assets:Bank]          2.00 EUR
    (Assets:Points)        9 PTS
""",
    "conversion accounts": """
2024-03-18 by equity
    Assets:Bank            -9.00 EUR
    Equity:Conversion       9.00 EUR
    Equity:Conversion     -10.00 USD
    Assets:Dollars         10.00 USD
""",
    "apply account and alias": """
alias pocket = Assets:Cash
apply account Assets
2024-03-19 applied
    Bank      -1.11 EUR
    Cash
end apply account
2024-03-20 aliased
    pocket        -2.22 EUR
    Expenses:Food
end aliases
""",
    "comment block": """
comment
2024-01-01 not an entry
    Expenses:Food  1
end comment
""",
    "closing": """
2024-12-31 close
    Income:Closed     10.00 EUR
    Equity:Retained  -10.00 EUR
""",
    "prices": """
P 2024-01-01 USD 0.90 EUR
""",
    "rules": """
~ monthly
    Expenses:Rent   500.00 EUR
    Assets:Bank
""",
    "declared types": """
account Wallets:Green  ; type: A
account Costs          ; type: X
2024-03-21 declared
    Costs:Tea        2.50 EUR
    Wallets:Green
""",
    "dates of postings": """
2024-05-31 sent
    Assets:Savings    11.00 EUR  ; date:2024-06-03
    Assets:Bank
2024-06-30 card
    Expenses:Food     12.00 EUR
    Assets:Bank      -12.00 EUR  ; [2024-07-02]
""",
    "grouped numbers": """
2024-03-22 much
    Assets:Bank      1,234,567.89 EUR
    Income:Lottery
""",
    "scientific": """
2024-03-23 science
    Assets:Bank      1E2 EUR
    Income:Lottery
""",
    "split over months": """
2024-04-30 end
    Expenses:Rent   500.00 EUR
    Assets:Bank
2024-05-01 begin
    Expenses:Rent   500.00 EUR
    Assets:Bank
""",
}
# These change how all numbers are read, or hledger 1.25 does not know them.
ALONE = {
    "decimal comma": """
decimal-mark ,
2024-01-01 comma
    Assets:Bank     1.234,56 EUR
    Income:Lottery
""",
    "declared commodity": """
commodity 1.000,00 EUR
2024-01-01 comma
    Assets:Bank     1.234 EUR
    Assets:Cash     2,5 EUR
    Income:Lottery
""",
    "default commodity": """
D 1000.00 EUR
2024-01-01 bare
    Assets:Bank     12.5
    Income:Lottery
""",
    "bare numbers": """
2024-01-01 bare
    Assets:Bank     12.50
    Income:Lottery
""",
}
