"""The questions and their answers as JSON: the server declares the choices and refuses stale ones."""

import httpx2
import msgspec
import pytest
from fixtures.matching import MatchRunner
from fixtures.samples import Samples

from matcher.resolutions.former import Item
from schema.ids import MessageId

PROBLEM = "application/problem+json"


@pytest.fixture
async def doubtful(samples: Samples, match: MatchRunner) -> MessageId:
    samples.application("Northwind", "Data Engineer", applied=5)
    samples.application("Northwind", "Product Designer", applied=6)
    message = samples.message(
        "status_update", body="Your application at Northwind is under review.", employer="Northwind"
    )
    await match()
    return message


async def read(client: httpx2.AsyncClient, message: MessageId) -> Item:
    answer = await client.get(f"/api/resolutions/{message}")
    assert answer.status_code == 200
    return msgspec.json.decode(answer.content, type=Item)


async def test_the_queue_serves_whole_questions(client: httpx2.AsyncClient, doubtful: MessageId):
    body = (await client.get("/api/resolutions")).json()
    assert (body["total"], body["next"]) == (1, None)
    shown = body["items"][0]
    assert shown["message_id"] == doubtful
    assert shown["excerpt"]["marks"]
    assert all(candidate["evidence_for"] for candidate in shown["candidates"])
    choices = {option["choice"]: option for option in shown["options"]}
    assert choices["confirm"] == {
        "choice": "confirm",
        "eligible": True,
        "reason": None,
        "needs_target": False,
        "affects": [doubtful],
    }
    assert choices["undo"]["reason"] == "There is nothing of yours to take back."


async def test_the_queue_is_paged_by_key(
    client: httpx2.AsyncClient, doubtful: MessageId, samples: Samples, match: MatchRunner
):
    for number in range(4):
        samples.message("status_update", body="About Northwind.", employer="Northwind", subject=f"{number}")
    await match()
    seen: list[int] = []
    query = "?limit=2"
    while query:
        body = (await client.get(f"/api/resolutions{query}")).json()
        seen += [shown["message_id"] for shown in body["items"]]
        query = f"?limit=2&after={body['next']}" if body["next"] else ""
    assert len(seen) == len(set(seen)) == 5
    assert seen == sorted(seen, reverse=True)


async def test_an_answer_and_its_undo(client: httpx2.AsyncClient, doubtful: MessageId):
    shown = await read(client, doubtful)
    path = f"/api/resolutions/{doubtful}"
    done = (await client.post(path, json={"choice": "confirm", "version": shown.version})).json()
    assert done["outcome"] == "attached"
    assert done["application_id"] == shown.candidates[0].application_id
    history = (await client.get("/api/resolutions/history")).json()
    assert [(entry["choice"], entry["replaced_outcome"]) for entry in history] == [("confirm", "asks")]
    undone = (await client.post(path, json={"choice": "undo", "version": done["version"]})).json()
    assert undone["outcome"] == "asks"


@pytest.mark.parametrize(
    "body",
    [
        {"choice": "confirm"},
        {"choice": "reject", "target": 1},
        {"choice": "assign", "target": 1},
        {"choice": "create_application", "company": "Northwind"},
        {"choice": "not_an_application"},
        {"choice": "not_job_mail"},
        {"choice": "undo"},
    ],
    ids=lambda body: body["choice"],
)
async def test_a_superseded_version_is_refused_with_the_fresh_item_for_every_verb(
    client: httpx2.AsyncClient, doubtful: MessageId, body: dict[str, object]
):
    shown = await read(client, doubtful)
    path = f"/api/resolutions/{doubtful}"
    await client.post(path, json={"choice": "not_job_mail", "version": shown.version})
    fresh = await read(client, doubtful)
    answer = await client.post(path, json=body | {"version": shown.version})
    assert answer.status_code == 409
    assert answer.headers["content-type"] == PROBLEM
    assert answer.json()["code"] == "stale_state"
    assert msgspec.convert(answer.json()["item"], Item, strict=False) == fresh
    assert await read(client, doubtful) == fresh


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"choice": "undo"}, 409, "choice_not_eligible"),
        ({"choice": "assign"}, 400, "target_required"),
        ({"choice": "assign", "target": 999_999}, 404, "not_found"),
        ({"choice": "burn"}, 400, "invalid"),
        ({"choice": "assign", "target": -1}, 400, "invalid"),
        ({"choice": "confirm", "extra": 1}, 400, "invalid"),
        ({"choice": "create_application", "company": "x" * 400}, 400, "invalid"),
    ],
)
async def test_a_refused_answer_changes_nothing(
    client: httpx2.AsyncClient, doubtful: MessageId, body: dict[str, object], status: int, code: str
):
    shown = await read(client, doubtful)
    answer = await client.post(f"/api/resolutions/{doubtful}", json=body | {"version": shown.version})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert await read(client, doubtful) == shown


async def test_another_accounts_question_is_as_missing_as_none(
    other_client: httpx2.AsyncClient, doubtful: MessageId
):
    body = {"choice": "not_job_mail", "version": 1}
    for path in (f"/api/resolutions/{doubtful}", "/api/resolutions/999999"):
        answers = [await other_client.get(path), await other_client.post(path, json=body)]
        told = [{k: v for k, v in answer.json().items() if k != "request_id"} for answer in answers]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert told[0] == told[1]
    assert (await other_client.get("/api/resolutions")).json()["total"] == 0


async def test_a_visitor_is_told_to_sign_in(visitor: httpx2.AsyncClient, doubtful: MessageId):
    answer = await visitor.get(f"/api/resolutions/{doubtful}")
    assert (answer.status_code, answer.json()["code"]) == (401, "sign_in_needed")


async def test_a_nul_in_a_name_is_dropped(client: httpx2.AsyncClient, doubtful: MessageId):
    shown = await read(client, doubtful)
    body = {"choice": "create_application", "version": shown.version, "company": "A\x00cme", "role": "\x00"}
    answer = await client.post(f"/api/resolutions/{doubtful}", json=body)
    assert answer.status_code == 200
    assert (await read(client, doubtful)).candidates[0].company == "Acme"
