"""The calendar over HTTP: a secret opens it and nothing else does, and it tells no more than it has to."""

import re
from datetime import date, datetime

import httpx2
import pytest
from fixtures.html import follow, see, send, submit
from fixtures.people import FixedClock
from fixtures.samples import Samples, day
from icalendar import Calendar

from backend.calendar import feed
from schema.ids import ApplicationId
from schema.throttle import Rate

SECRET = re.compile(r"http://127\.0\.0\.1:8377(/calendar/[\w-]{43}\.ics)")
HERE = "/settings/calendar"
ASKED = "Please choose a time for Data Engineer at Northwind until 2026-03-20."
SETTLED = "Your interview for Data Engineer at Northwind is on 2026-03-25."


@pytest.fixture
async def path(client: httpx2.AsyncClient) -> str:
    return await new_path(client)


async def new_path(client: httpx2.AsyncClient) -> str:
    found = SECRET.search((await send(client, f"{HERE}/new")).answer.text)
    assert found
    return found[1]


async def calendar(visitor: httpx2.AsyncClient, path: str) -> dict[str, object]:
    answer = await visitor.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
    events = Calendar.from_ical(answer.content).walk("VEVENT")
    return {str(event["summary"]): event["dtstart"].dt for event in events}


@pytest.fixture
def story(samples: Samples) -> ApplicationId:
    """An application with an ask, an ask without a date, and an interview."""
    found = samples.application(applied=5)
    wait_for(samples, found, "choose_time", due_on=date(2026, 3, 20))
    wait_for(samples, found, "send_information")
    message = samples.message("interview_scheduled", sent=22, body=SETTLED)
    reading = samples.rows("SELECT max(id) FROM readings WHERE message_id = %s", message)[0][0]
    for name, value in (("appointment", "2026-03-25T10:00:00+01:00"), ("meeting", "m@northwind.example")):
        samples.insert(
            "facts",
            reading_id=reading,
            message_id=message,
            name=name,
            value=value,
            comparable=value,
            span_source="calendar",
            span_start=0,
            span_end=9,
        )
    samples.rows(
        "INSERT INTO attachments (account_id, application_id, message_id) VALUES (%s, %s, %s)",
        samples.account,
        found,
        message,
    )
    return found


def wait_for(samples: Samples, application: ApplicationId, kind: str, **due: object) -> None:
    message = samples.message("info_request", sent=6, body=ASKED)
    samples.insert("asks", application_id=application, message_id=message, kind=kind, opened_at=day(6), **due)


async def test_what_is_due_and_interviews_are_read_without_a_sign_in(
    visitor: httpx2.AsyncClient, path: str, story: ApplicationId
):
    shown = await calendar(visitor, path)
    assert shown["Choose a time: Data Engineer, Northwind"] == date(2026, 3, 20)
    assert shown["Interview: Data Engineer, Northwind"] == datetime.fromisoformat("2026-03-25T09:00:00+00:00")
    assert len(shown) == 2


async def test_what_is_settled_or_dismissed_leaves_the_calendar(
    visitor: httpx2.AsyncClient, client: httpx2.AsyncClient, path: str, story: ApplicationId, samples: Samples
):
    samples.rows("UPDATE asks SET settled_at = now(), settled_by = 'person'")
    assert list(await calendar(visitor, path)) == ["Interview: Data Engineer, Northwind"]
    await send(client, f"/applications/{story}/dismiss")
    assert not await calendar(visitor, path)


async def test_nothing_of_a_message_is_told(visitor: httpx2.AsyncClient, path: str, story: ApplicationId):
    text = (await visitor.get(path)).text
    assert "Please" not in text
    assert "relay.example" not in text
    assert "Your application" not in text


async def test_an_unchanged_calendar_is_not_sent_again(
    visitor: httpx2.AsyncClient,
    client: httpx2.AsyncClient,
    path: str,
    story: ApplicationId,
    clock: FixedClock,
):
    first = await visitor.get(path)
    clock.move(days=1)
    again = await visitor.get(path, headers={"if-none-match": f'"other", W/{first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert "no-store" not in first.headers["cache-control"]
    assert (await visitor.head(path)).status_code == 200
    await send(client, f"/applications/{story}/dismiss")
    changed = await visitor.get(path, headers={"if-none-match": first.headers["etag"]})
    assert changed.status_code == 200


async def test_an_unknown_secret_answers_like_an_address_that_never_was(
    visitor: httpx2.AsyncClient, client: httpx2.AsyncClient, path: str
):
    for wrong in (
        "/calendar/x.ics",
        "/calendar/.ics",
        path.removesuffix(".ics"),
        f"/calendar/{'a' * 43}.ics",
    ):
        assert (await visitor.get(wrong)).status_code == 404
        assert (await client.get(wrong)).status_code == 404, "a session opens nothing here"


async def test_a_closed_address_opens_nothing_until_it_is_opened_again(
    visitor: httpx2.AsyncClient, client: httpx2.AsyncClient, path: str
):
    done = await follow(client, await submit(client, await see(client, HERE), f"{HERE}/revoke"))
    assert (await visitor.get(path)).status_code == 404
    await submit(client, done, f"{HERE}/restore")
    assert (await visitor.get(path)).status_code == 200


async def test_a_new_address_ends_the_old_one_for_good(
    visitor: httpx2.AsyncClient, client: httpx2.AsyncClient, path: str, samples: Samples
):
    fresh = await new_path(client)
    assert (await visitor.get(path)).status_code == 404
    assert (await visitor.get(fresh)).status_code == 200
    (old,) = samples.rows("SELECT min(id) FROM calendar_feeds")[0]
    page = await follow(client, await send(client, f"{HERE}/restore", feed=str(old)))
    assert "cannot be opened again" in page.text(".flash.refused")
    assert (await visitor.get(path)).status_code == 404


async def test_the_secret_is_shown_once_and_kept_only_as_a_mark(
    client: httpx2.AsyncClient, visitor: httpx2.AsyncClient, path: str, samples: Samples
):
    secret = path.removeprefix("/calendar/").removesuffix(".ics")
    page = await see(client, HERE)
    assert secret not in page.answer.text
    assert "never" in page.text("dl .unknown")
    assert secret not in str(samples.rows("SELECT * FROM calendar_feeds"))
    await visitor.get(path)
    assert not (await see(client, HERE)).has("dl .unknown")


async def test_asks_without_a_date_are_counted_where_they_are_left_out(
    client: httpx2.AsyncClient, story: ApplicationId
):
    assert "1 thing that is waited for" in (await see(client, HERE)).text()


async def test_somebody_else_sees_their_own_dates_only(
    visitor: httpx2.AsyncClient,
    other_client: httpx2.AsyncClient,
    story: ApplicationId,
    samples: Samples,
    path: str,
):
    assert not await calendar(visitor, await new_path(other_client))
    (mine,) = samples.rows("SELECT max(id) FROM calendar_feeds WHERE account_id = %s", samples.account)[0]
    page = await follow(other_client, await send(other_client, f"{HERE}/restore", feed=str(mine)))
    assert "cannot be opened again" in page.text(".flash.refused")


async def test_guessing_is_slowed(
    visitor: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch, path: str, samples: Samples
):
    monkeypatch.setattr(feed, "READS_OF_PEER", Rate(name="calendar.test", burst=2, seconds_each=60))
    answers = [await visitor.get(f"/calendar/guess{n}.ics") for n in range(3)]
    assert [answer.status_code for answer in answers] == [404, 404, 429]
    assert int(answers[-1].headers["retry-after"]) > 0
