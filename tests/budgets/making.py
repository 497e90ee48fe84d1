"""How do tests make budget limits?"""

from typing import Any

from ..conftest import Client

MAY = {"start_date": "2024-05-01", "end_date": "2024-05-31"}


def a_limit(client: Client, budget_id: Any, **fields: Any) -> str:
    response = client.post("/budget_limits", {"budget_id": budget_id, "amount": "100", **MAY, **fields})
    assert response.status_code == 200, response.text
    return str(response.json()["data"]["id"])


def limit(client: Client, limit_id: Any) -> dict[str, Any]:
    response = client.get(f"/budget_limits/{limit_id}")
    assert response.status_code == 200, response.text
    return dict(response.json()["data"]["attributes"])
