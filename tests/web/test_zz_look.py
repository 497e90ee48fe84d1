from .books import spent
from .conftest import Person, today
from .test_figures import books_with_a_refund

SHOT = "/tmp/f4shots"


def snap(ann, name):
    ann.settles()
    for size, (w, h) in {"desk": (1440, 900), "phone": (390, 844)}.items():
        ann.page.set_viewport_size({"width": w, "height": h})
        ann.page.wait_for_timeout(300)
        ann.page.screenshot(path=f"{SHOT}/{name}-{size}.png")
    ann.page.set_viewport_size({"width": 1440, "height": 900})


def test_look(ann: Person) -> None:
    own = books_with_a_refund(ann)
    ann.records(
        "/bills",
        name="Power",
        match="power",
        amount_min="250",
        amount_max="270.03",
        currency_code="EUR",
        date=today().isoformat(),
        repeat_freq="monthly",
        skip=0,
        automatch=True,
        active=True,
    )
    spent(ann, own, "Power bill", "271.43")
    household = ann.records("/categories", name="Household")["id"]
    food = next(one for one in ann.reads("/categories") if one["attributes"]["name"] == "Food")["id"]
    ann.changes_elsewhere(f"/categories/{food}", name="Food", parent_id=household)
    for name, place in {
        "dashboard": "#/",
        "categories": "#/categories",
        "payees": "#/payees",
        "household": f"#/categories/{household}",
        "bills": "#/bills",
        "bill": "#/bills/1",
        "list": "#/transactions?category_id=2&flow=spent",
        "report": "#/reports?range=6m",
        "flow": "#/reports/flow",
        "income": "#/reports/income",
        "worth": "#/reports/worth",
        "payee": "#/payees/5",
    }.items():
        ann.opens(place)
        snap(ann, name)
