"""Small CSV files of YNAB (classic and new), Mint and Lunch Money."""

import zipfile
from collections.abc import Sequence
from io import BytesIO

NEW = (
    '"Account","Flag","Date","Payee","Category Group/Category","Category Group","Category","Memo",'
    '"Outflow","Inflow","Cleared"'
)
CLASSIC = (
    "Account,Flag,Check Number,Date,Payee,Category,Master Category,Sub Category,Memo,Outflow,Inflow,Cleared,"
    "Running Balance"
)
PLAN = '"Month","Category Group/Category","Category Group","Category","Assigned","Activity","Available"'
BUDGET = "Month,Category,Master Category,Sub Category,Budgeted,Outflows,Category Balance"

# account, flag, date (day, month, year), payee, group, category, memo, outflow, inflow, cleared
Row = tuple[str, str, tuple[int, int, int], str, str, str, str, str, str, str]
TRAITS: dict[str, list[Row]] = {
    "expense": [("Bank", "", (5, 1, 2024), "Baker", "Usual", "Food", "", "3.10", "0.00", "Cleared")],
    "day over 12": [("Bank", "Red", (31, 1, 2024), "Café", "Usual", "Fun", "nice", "1,004.20", "0.00", "Uncleared")],
    "income": [("Bank", "", (28, 2, 2024), "Work", "Inflow", "Ready to Assign", "", "0.00", "3200.00", "Reconciled")],
    "opening": [("Bank", "", (1, 1, 2024), "Starting Balance", "Inflow", "Ready to Assign", "", "0.00", "100.00", "")],
    "transfer": [
        ("Bank", "", (2, 2, 2024), "Transfer : Card", "", "", "pay", "50.00", "0.00", "Reconciled"),
        ("Card", "", (2, 2, 2024), "Transfer : Bank", "", "", "pay", "0.00", "50.00", "Reconciled"),
    ],
    "split": [
        ("Bank", "", (3, 2, 2024), "Shop", "Usual", "Food", "Split (1/3) a", "10.00", "0.00", ""),
        ("Bank", "", (3, 2, 2024), "Shop", "Usual", "Fun", "Split (2/3) b", "0.00", "2.00", ""),
        ("Bank", "", (3, 2, 2024), "Transfer : Card", "", "", "Split (3/3)", "4.00", "0.00", ""),
        ("Card", "", (3, 2, 2024), "Transfer : Bank", "", "", "", "0.00", "4.00", ""),
    ],
    "two splits in a row": [
        ("Bank", "", (4, 2, 2024), "Shop", "Usual", "Food", "Split (1/2)", "1.00", "0.00", ""),
        ("Bank", "", (4, 2, 2024), "Shop", "Usual", "Fun", "Split (2/2)", "2.00", "0.00", ""),
        ("Bank", "", (4, 2, 2024), "Shop", "Usual", "Food", "Split (1/2)", "3.00", "0.00", ""),
        ("Bank", "", (4, 2, 2024), "Shop", "Usual", "Fun", "Split (2/2)", "4.00", "0.00", ""),
    ],
    "half a transfer": [("Bank", "", (5, 2, 2024), "Transfer : Gone", "", "", "", "9.00", "0.00", "")],
    "zero": [("Bank", "", (6, 2, 2024), "Nobody", "", "", "", "0.00", "0.00", "")],
    "equal transfers": [
        ("Bank", "", (7, 2, 2024), "Transfer : Card", "", "", "", "5.00", "0.00", ""),
        ("Bank", "", (7, 2, 2024), "Transfer : Card", "", "", "", "5.00", "0.00", ""),
        ("Card", "", (7, 2, 2024), "Transfer : Bank", "", "", "", "0.00", "5.00", ""),
        ("Card", "", (7, 2, 2024), "Transfer : Bank", "", "", "", "0.00", "5.00", ""),
    ],
}
DATES = {
    "month first": "{1:02}/{0:02}/{2}",
    "day first": "{0:02}/{1:02}/{2}",
    "dots": "{0:02}.{1:02}.{2}",
    "iso": "{2}-{1:02}-{0:02}",
}
AMOUNTS = {
    "dollars": lambda text: f"${text}",
    "plain": lambda text: text.replace(",", ""),
    "euros": lambda text: text.replace(",", "x").replace(".", ",").replace("x", ".") + "€",
}


def register(
    rows: Sequence[Row], *, dates: str = "month first", amounts: str = "dollars", classic: bool = False
) -> str:
    lines = [CLASSIC if classic else NEW]
    for account, flag, day, payee, group, category, memo, out, into, cleared in rows:
        on, money = DATES[dates].format(*day), AMOUNTS[amounts]
        if classic:
            old = memo.replace("Split (", "(Split ")
            cells = [account, flag, "", on, payee, f"{group}:{category}", group, category, old, money(out), money(into)]
            cells += [cleared[:1], money("0.00")]
        else:
            both = f"{group}: {category}" if group else ""
            cells = [account, flag, on, payee, both, group, category, memo, money(out), money(into), cleared]
        lines.append(",".join(f'"{cell}"' for cell in cells))
    return "\ufeff" + "\n".join(lines) + "\n"


def zipped(**contents: str) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, text in contents.items():
            opened.writestr(f"My Budget as of 2024-05-05 - {name}.csv", text)
    return packed.getvalue()


MINT = (
    "Date,Description,Original Description,Amount,Transaction Type,Category,Account Name,Labels,Notes\n"
    '"1/05/2024","Baker","BAKER 123","3.10","debit","Groceries","Checking","Tax Related,home",""\n'
    '"1/31/2024","Work","WORK","3200.00","credit","Paycheck","Checking","","thanks"\n'
    '"2/01/2024","Card payment","PAY","50.00","debit","Credit Card Payment","Checking","",""\n'
    '"2/01/2024","Thank you","THANKS","50.00","credit","Credit Card Payment","Card","",""\n'
    '"2/02/2024","Baker","BAKER","1.00","credit","Groceries","Card","",""\n'
)
LUNCH = (
    "Date,Payee,Original Name,Amount,Currency,Category,Category Group,Account Name,Tags,Notes,Status\n"
    '2024-01-05,Baker,BAKER 123,3.10,usd,Groceries,Food,Checking,"trip, sea",,cleared\n'
    "2024-01-31,Work,WORK,-3200.00,usd,Salary income,Income,Checking,,thanks,cleared\n"
    "2024-02-01,Card,PAY,50.00,usd,Credit card payment,,Checking,,,cleared\n"
    "2024-02-01,Bank,THANKS,-50.00,usd,Credit card payment,,Card,,,cleared\n"
    "2024-02-02,Hotel,HOTEL,80.00,eur,Travel,,Card,,,cleared\n"
)
