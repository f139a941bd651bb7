"""The questions and their answers as JSON: the server declares the choices and refuses stale ones."""

from urllib.parse import quote

import httpx2
import msgspec
import pytest
from fixtures.matching import MatchRunner
from fixtures.samples import Samples
from fixtures.waiting import LongQueue

from matcher.resolutions.types import Bulk, Item, MessageItem
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


def item_path(message: MessageId) -> str:
    return f"/api/resolutions/message:{message}"


async def read(client: httpx2.AsyncClient, message: MessageId) -> MessageItem:
    answer = await client.get(item_path(message))
    assert answer.status_code == 200
    return msgspec.json.decode(answer.content, type=MessageItem)


def problem_item(answer: httpx2.Response) -> Item:
    return msgspec.convert(answer.json()["item"], Item, strict=False)


async def test_the_queue_serves_whole_questions(client: httpx2.AsyncClient, doubtful: MessageId):
    body = (await client.get("/api/resolutions")).json()
    assert (body["total"], body["next"]) == (1, None)
    assert body["counts"] == [{"kind": "message", "rank": 2, "count": 1}]
    shown = body["items"][0]
    assert (shown["kind"], shown["id"], shown["message_id"]) == ("message", f"message:{doubtful}", doubtful)
    assert shown["excerpt"]["marks"] and shown["why"].endswith(".")
    assert all(candidate["evidence_for"] for candidate in shown["candidates"])
    choices = {option["choice"]: option for option in shown["options"]}
    first = shown["candidates"][0]["application"]["application_id"]
    assert choices["confirm"] == {
        "choice": "confirm",
        "eligible": True,
        "reason": None,
        "needs_target": False,
        "target_source": "candidates",
        "target": first,
        "touches": {"messages": [doubtful], "applications": [first], "asks": []},
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
    assert (await client.get("/api/resolutions?kind=pair")).json()["items"] == []


async def test_every_kind_is_served_and_answered(client: httpx2.AsyncClient, long_queue: LongQueue):
    long_queue.fill(4)
    long_queue.propose(4)
    items = (await client.get("/api/resolutions?limit=20")).json()["items"]
    assert {shown["kind"] for shown in items} == {"message", "status", "ask", "pair"}
    # Each about other applications: an answer has those it touches computed anew, from no mail at all here.
    answers = {"ask": ("mark_done", 0), "status": ("decline_status", -1), "message": ("confirm", 0)}
    for kind, (choice, place) in (answers | {"pair": ("keep_apart", 1)}).items():
        shown = [shown for shown in items if shown["kind"] == kind][place]
        given = {"choice": choice, "version": shown["version"]}
        done = await client.post(f"/api/resolutions/{shown['id']}", json=given)
        assert (done.status_code, done.json()["choice"]) == (200, choice)
        again = await client.post(f"/api/resolutions/{shown['id']}", json=given)
        assert (again.status_code, again.json()["code"]) == (409, "stale_state")
        assert again.json()["item"]["kind"] == kind
        undone = await client.post(
            f"/api/resolutions/history/{done.json()['entry']}", json={"version": done.json()["entry_version"]}
        )
        assert (undone.status_code, undone.json()["id"]) == (200, shown["id"])


async def test_an_application_is_split_and_merged(
    client: httpx2.AsyncClient, samples: Samples, match: MatchRunner
):
    applied = samples.application()
    samples.application("Contoso", "Analyst")
    message = samples.message("rejection", employer="Northwind", role="Data Engineer")
    await match()
    path = f"/api/resolutions/application:{applied}"
    shown = (await client.get(path)).json()
    given = {"choice": "split", "version": shown["version"], "messages": [message], "role": "Data Analyst"}
    done = (await client.post(path, json=given)).json()
    assert (done["created"], done["touched"]["messages"]) == (True, [message])
    merge = {"choice": "merge", "version": done["version"], "target": done["application_id"]}
    assert (await client.post(path, json=merge)).status_code == 200
    merged = (await client.get(path)).json()
    assert merged["message_ids"] == [message]
    wrong = merge | {"version": merged["version"], "target": applied}
    answer = await client.post(path, json=wrong)
    assert (answer.status_code, answer.json()["code"]) == (409, "cannot_merge")


async def test_an_answer_its_line_of_the_history_and_its_undo(
    client: httpx2.AsyncClient, doubtful: MessageId
):
    shown = await read(client, doubtful)
    given = {"choice": "confirm", "version": shown.version}
    done = (await client.post(item_path(doubtful), json=given)).json()
    assert done["outcome"] == "attached"
    assert done["application_id"] == shown.candidates[0].application_id
    body = (await client.get("/api/resolutions/history")).json()
    [entry] = body["entries"]
    assert (entry["id"], entry["choice"], entry["replaced_outcome"]) == (done["entry"], "confirm", "asks")
    assert (entry["can_undo"], entry["version"], body["next"]) == (True, done["entry_version"], None)
    path = f"/api/resolutions/history/{entry['id']}"
    assert (await client.post(path, json={"version": "old"})).json()["entry"] == entry
    undone = (await client.post(path, json={"version": entry["version"]})).json()
    assert (undone["outcome"], undone["entry"]) == ("asks", None)
    again = await client.post(path, json={"version": entry["version"]})
    assert (again.status_code, again.json()["code"]) == (409, "stale_state")
    assert again.json()["entry"]["reason"] == "It was taken back already."


async def test_the_history_is_paged_by_key(client: httpx2.AsyncClient, doubtful: MessageId, samples: Samples):
    for choice in ("not_an_application", "not_job_mail", "confirm"):
        version = (await read(client, doubtful)).version
        await client.post(item_path(doubtful), json={"choice": choice, "version": version})
    seen: list[str] = []
    query = "?limit=1&by=anybody"
    while query:
        body = (await client.get(f"/api/resolutions/history{query}")).json()
        seen += [entry["choice"] for entry in body["entries"]]
        query = f"?limit=1&by=anybody&after={body['next']}" if body["next"] else ""
    assert seen == ["confirm", "not_job_mail", "not_an_application"]


async def test_a_pattern_is_answered_as_one_act(client: httpx2.AsyncClient, long_queue: LongQueue):
    long_queue.fill(10)
    [line, _] = (await client.get("/api/resolutions/patterns")).json()
    assert (line["count"], line["confirm_rate"], line["answered"]) == (8, None, 0)
    path = f"/api/resolutions/patterns/{quote(line['pattern'], safe='')}"
    shown = msgspec.json.decode((await client.get(path)).content, type=Bulk)
    given = {"choice": "confirm", "version": shown.version}
    done = (await client.post(path, json=given)).json()
    assert (done["messages"], done["is_done"]) == (8, True)
    stale = await client.post(path, json=given)
    assert (stale.status_code, stale.json()["code"], stale.json()["bulk"]["count"]) == (409, "stale_state", 0)
    assert (await client.get(path)).status_code == 404
    undo = f"/api/resolutions/history/{done['entry']}"
    assert (await client.post(undo, json={"version": done["entry_version"]})).status_code == 200
    assert (await client.get(path)).json()["count"] == 8


@pytest.mark.parametrize(
    "body",
    [
        {"choice": "confirm"},
        {"choice": "confirm_all"},
        {"choice": "reject", "target": 1},
        {"choice": "assign", "target": 1},
        {"choice": "create_application", "company": "Northwind"},
        {"choice": "not_an_application"},
        {"choice": "not_job_mail"},
        {"choice": "undo"},
        {"choice": "merge"},
    ],
    ids=lambda body: body["choice"],
)
async def test_a_superseded_version_is_refused_with_the_fresh_item_for_every_verb(
    client: httpx2.AsyncClient, doubtful: MessageId, body: dict[str, object]
):
    shown = await read(client, doubtful)
    path = item_path(doubtful)
    await client.post(path, json={"choice": "not_job_mail", "version": shown.version})
    fresh = await read(client, doubtful)
    answer = await client.post(path, json=body | {"version": shown.version})
    assert answer.status_code == 409
    assert answer.headers["content-type"] == PROBLEM
    assert answer.json()["code"] == "stale_state"
    assert problem_item(answer) == fresh
    assert await read(client, doubtful) == fresh


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"choice": "undo"}, 409, "choice_not_eligible"),
        ({"choice": "mark_done"}, 409, "choice_not_eligible"),
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
    answer = await client.post(item_path(doubtful), json=body | {"version": shown.version})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert await read(client, doubtful) == shown


async def test_another_accounts_question_is_as_missing_as_none(
    other_client: httpx2.AsyncClient, doubtful: MessageId
):
    body = {"choice": "not_job_mail", "version": "1"}
    for item_id in (f"message:{doubtful}", "message:999999", "nothing", "pair:1-1"):
        path = f"/api/resolutions/{item_id}"
        answers = [await other_client.get(path), await other_client.post(path, json=body)]
        told = [{k: v for k, v in answer.json().items() if k != "request_id"} for answer in answers]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert told[0] == told[1]
    assert (await other_client.get("/api/resolutions")).json()["total"] == 0


async def test_a_visitor_is_told_to_sign_in(visitor: httpx2.AsyncClient, doubtful: MessageId):
    answer = await visitor.get(item_path(doubtful))
    assert (answer.status_code, answer.json()["code"]) == (401, "sign_in_needed")


async def test_a_nul_in_a_name_is_dropped(client: httpx2.AsyncClient, doubtful: MessageId):
    shown = await read(client, doubtful)
    body = {"choice": "create_application", "version": shown.version, "company": "A\x00cme", "role": "\x00"}
    answer = await client.post(item_path(doubtful), json=body)
    assert answer.status_code == 200
    assert (await read(client, doubtful)).candidates[0].application.company == "Acme"
