"""One word about many messages, on pages: looked at first, applied as shown, taken back, offered later."""

import httpx2
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, follow, see, send, submit
from fixtures.samples import Samples

from backend.pages import message_like
from schema.ids import MessageId


def notices(samples: Samples, number: int) -> list[MessageId]:
    return [notice(samples, each) for each in range(number)]


def notice(samples: Samples, number: int) -> MessageId:
    body = f"We have news about your request {number}, please look."
    return samples.message(subject=f"Request {number}", body=body, sender="no-reply@north.example")


def badges(page: Seen) -> list[str]:
    return page.texts("#said > ul .badge")


async def preview(client: httpx2.AsyncClient, made: MessageId, *kinds: str) -> Seen:
    query = "&".join(f"kind={kind}" for kind in kinds)
    return await see(client, f"/mail/{made}/like?{query}")


async def test_the_correction_leads_to_the_messages_like_it(client: httpx2.AsyncClient, samples: Samples):
    made = notice(samples, 1)
    page = await see(client, f"/mail/{made}")
    button = page.one("#correct button[formaction]")
    assert button.attributes["formaction"] == f"/mail/{made}/like"
    assert button.attributes["formmethod"] == "get"


async def test_what_is_alike_is_shown_before_anything_is_changed(
    client: httpx2.AsyncClient, samples: Samples, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(message_like, "SHOWN", 2)
    made = notices(samples, 5)
    samples.message(subject="Something else", sender="no-reply@north.example")
    page = await preview(client, made[1], "rejection", "info_request")
    assert page.text("#which-title") == "5 messages"
    assert [row.attributes["data-row"] for row in page.all("#sample > li")] == [str(made[1]), str(made[4])]
    assert page.texts("#sample blockquote")[0] == "Request 1"
    assert page.text("#more") == "And 3 messages more like these."
    assert page.texts("[aria-labelledby=say-title] .badge") == ["Rejection", "Asks for information"]
    sender, wording = page.texts("dl.facts dd")
    assert sender == "north.example"
    assert wording == "request [number] / we have news about your request [number], please look"
    assert page.text("form[action$='/like'] button") == "Apply to 5 messages"
    assert samples.rows("SELECT count(*) FROM readings WHERE stage = 'person'") == [(0,)]


async def test_all_are_changed_and_all_are_taken_back(client: httpx2.AsyncClient, samples: Samples):
    made = notices(samples, 3)
    page = await preview(client, made[0], "rejection")
    done = await follow(client, await submit(client, page, f"/mail/{made[0]}/like"))
    assert "You said what 3 messages say: Rejection." in done.text(".flash")
    for each in made:
        shown = await see(client, f"/mail/{each}")
        assert badges(shown) == ["Rejection"]
        assert "You said so of 3 messages at once." in shown.text("#together")
    shown = await see(client, f"/mail/{made[2]}")
    action = shown.one("#together form").attributes["action"]
    gone = await follow(client, await submit(client, shown, str(action), within="#together"))
    assert "Taken back for 3 messages." in gone.text(".flash")
    for each in made:
        assert badges(await see(client, f"/mail/{each}")) == []


async def test_the_undo_beside_the_word_takes_all_of_it_back(client: httpx2.AsyncClient, samples: Samples):
    made = notices(samples, 2)
    page = await preview(client, made[0], "rejection")
    done = await follow(client, await submit(client, page, f"/mail/{made[0]}/like"))
    action = str(done.one(".flash form").attributes["action"])
    await submit(client, done, action, within=".flash")
    assert badges(await see(client, f"/mail/{made[1]}")) == []


async def test_one_of_them_can_be_taken_back_alone(client: httpx2.AsyncClient, samples: Samples):
    made = notices(samples, 2)
    await submit(client, await preview(client, made[0], "rejection"), f"/mail/{made[0]}/like")
    shown = await see(client, f"/mail/{made[1]}")
    await submit(client, shown, f"/mail/{made[1]}/undo")
    assert badges(await see(client, f"/mail/{made[1]}")) == []
    assert badges(await see(client, f"/mail/{made[0]}")) == ["Rejection"]


async def test_no_kind_at_all_says_nothing_of_interest(client: httpx2.AsyncClient, samples: Samples):
    made = notices(samples, 2)
    page = await preview(client, made[0])
    await submit(client, page, f"/mail/{made[0]}/like")
    assert "nothing of interest" in (await see(client, f"/mail/{made[1]}")).text("#said")


async def test_a_list_that_has_changed_is_shown_again_and_nothing_is_changed(
    client: httpx2.AsyncClient, samples: Samples
):
    made = notices(samples, 2)
    page = await preview(client, made[0], "rejection")
    notice(samples, 7)
    shown = await submit(client, page, f"/mail/{made[0]}/like")
    assert shown.status == 409
    assert "Nothing was changed" in shown.text("main [role=alert]")
    assert shown.text("#which-title") == "3 messages"
    assert samples.rows("SELECT count(*) FROM readings WHERE stage = 'person'") == [(0,)]
    done = await follow(client, await submit(client, shown, f"/mail/{made[0]}/like"))
    assert "3 messages" in done.text(".flash")


async def test_a_later_message_is_offered_the_same_word_and_takes_it_when_asked(
    client: httpx2.AsyncClient, samples: Samples
):
    made = notices(samples, 2)
    await submit(client, await preview(client, made[0], "rejection"), f"/mail/{made[0]}/like")
    later = notice(samples, 9)
    shown = await see(client, f"/mail/{later}")
    assert badges(shown) == []
    assert "Of 2 messages like this one you said: Rejection" in shown.text("#offer")
    done = await follow(client, await submit(client, shown, f"/mail/{later}/accept"))
    assert badges(done) == ["Rejection"]
    assert not done.has("#offer")
    again = await send(
        client, f"/mail/{later}/accept", correction=shown.form(f"/mail/{later}/accept").fields["correction"]
    )
    assert "nothing was changed" in (await follow(client, again)).text(".flash")


async def test_messages_the_person_has_said_something_of_are_counted_and_left_out(
    client: httpx2.AsyncClient, samples: Samples
):
    made = notices(samples, 2)
    page = await see(client, f"/mail/{made[1]}")
    await submit(client, page, f"/mail/{made[1]}/kinds", kind=["offer"])
    shown = await preview(client, made[0], "rejection")
    assert shown.text("#which-title") == "1 message"
    assert shown.text("#said-already").startswith("1 message is left out")


async def test_a_message_that_nothing_can_be_like_says_so(client: httpx2.AsyncClient, samples: Samples):
    made = samples.message(sender="", subject="", body="")
    assert (await preview(client, made, "rejection")).status == 409


@pytest.mark.parametrize("kind", ["love", "%00", "x" * 2000])
async def test_a_kind_that_is_none_is_refused(client: httpx2.AsyncClient, samples: Samples, kind: str):
    made = notice(samples, 1)
    assert (await preview(client, made, kind)).status == 400
    assert (await send(client, f"/mail/{made}/like", kind=kind, seen="x")).status == 400


@pytest.mark.parametrize("number", ["", "x", "-1", "99999999999999999999"])
async def test_a_correction_that_is_no_number_is_refused(
    client: httpx2.AsyncClient, samples: Samples, number: str
):
    made = notice(samples, 1)
    assert (await send(client, f"/mail/{made}/accept", correction=number)).status == 400


async def test_another_accounts_messages_and_corrections_are_missing_ones(
    client: httpx2.AsyncClient, other_client: httpx2.AsyncClient, samples: Samples
):
    made = notices(samples, 2)
    await submit(client, await preview(client, made[0], "rejection"), f"/mail/{made[0]}/like")
    (correction,) = samples.rows("SELECT id FROM corrections")[0]
    for which, number in ((made[0], correction), (999_999, 999_999)):
        assert (await preview(other_client, MessageId(which), "offer")).status == 404
        for path, fields in (
            (f"/mail/{which}/like", {"kind": "offer", "seen": "x"}),
            (f"/mail/{which}/accept", {"correction": str(number)}),
            (f"/mail/corrections/{number}/undo", {}),
        ):
            assert (await send(other_client, path, **fields)).status == 404
    assert badges(await see(client, f"/mail/{made[0]}")) == ["Rejection"]


async def test_another_site_changes_nothing(client: httpx2.AsyncClient, samples: Samples):
    made = notice(samples, 1)
    headers = PAGE | {"origin": "https://evil.example"}
    for path in (f"/mail/{made}/like", f"/mail/{made}/accept", "/mail/corrections/1/undo"):
        assert (await client.post(path, data={"kind": "offer"}, headers=headers)).status_code == 403
