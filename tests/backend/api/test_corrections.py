"""One word about many messages as JSON: what is looked at, what is changed, what is taken back."""

import httpx2
import pytest
from fixtures.samples import Samples

from schema.ids import MessageId


def notice(samples: Samples, number: int) -> MessageId:
    body = f"We have news about your request {number}, please look."
    return samples.message(subject=f"Request {number}", body=body, sender="no-reply@north.example")


async def test_what_is_alike_is_corrected_and_taken_back(client: httpx2.AsyncClient, samples: Samples):
    made = [notice(samples, number) for number in range(3)]
    seen = (await client.get(f"/api/messages/{made[1]}/like")).json()
    assert (seen["number"], seen["said_already"]) == (3, 0)
    assert [each["message_id"] for each in seen["messages"]] == [made[1], made[2], made[0]]
    assert seen["pattern"]["domain"] == "north.example"
    assert "beginning" not in seen["messages"][0]
    word = {"kinds": ["rejection"], "seen": seen["seen"]}
    done = await client.post(f"/api/messages/{made[1]}/like", json=word)
    assert done.status_code == 200
    assert (done.json()["messages"], done.json()["kinds"]) == (3, ["rejection"])
    which = done.json()["id"]
    assert (await client.get(f"/api/corrections/{which}")).json() == done.json()
    back = await client.post(f"/api/corrections/{which}/undo")
    assert (back.status_code, back.json()) == (200, {"messages": 3})
    assert (await client.post(f"/api/corrections/{which}/undo")).json() == {"messages": 0}


async def test_others_than_were_looked_at_are_refused(client: httpx2.AsyncClient, samples: Samples):
    made = notice(samples, 1)
    seen = (await client.get(f"/api/messages/{made}/like")).json()["seen"]
    notice(samples, 2)
    answer = await client.post(f"/api/messages/{made}/like", json={"kinds": ["offer"], "seen": seen})
    assert (answer.status_code, answer.json()["code"]) == (409, "others_like_it")
    assert samples.rows("SELECT count(*) FROM corrections") == [(0,)]


@pytest.mark.parametrize(
    "word", [{}, {"kinds": ["love"], "seen": ""}, {"kinds": [], "seen": "x", "more": 1}, []]
)
async def test_a_word_that_is_none_is_refused(client: httpx2.AsyncClient, samples: Samples, word: object):
    made = notice(samples, 1)
    answer = await client.post(f"/api/messages/{made}/like", json=word)
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("application/problem+json")


async def test_another_accounts_messages_and_corrections_are_missing_ones(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient, samples: Samples
):
    made = notice(samples, 1)
    seen = (await client.get(f"/api/messages/{made}/like")).json()["seen"]
    word = {"kinds": ["offer"], "seen": seen}
    which = (await client.post(f"/api/messages/{made}/like", json=word)).json()["id"]
    for message, number in ((made, which), (999_999, 999_999)):
        assert (await other_client.get(f"/api/messages/{message}/like")).status_code == 404
        assert (await other_client.post(f"/api/messages/{message}/like", json=word)).status_code == 404
        assert (await other_client.get(f"/api/corrections/{number}")).status_code == 404
        assert (await other_client.post(f"/api/corrections/{number}/undo")).status_code == 404
