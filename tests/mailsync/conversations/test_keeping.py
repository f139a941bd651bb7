"""Mail that says nothing of a job is kept exactly when it continues a conversation about one."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import cast

import psycopg
import pytest
from fixtures.people import FixedClock

from mailsync.classify.store import correct
from mailsync.mailboxes.store import mailbox_of
from mailsync.messages.keeping import keep_messages
from mailsync.messages.rules import read_message
from schema.db import Database
from schema.ids import AccountId, MessageId

RECRUITER = "Nour Price <nour.price@ormormexa.example>"
FRIEND = "Sam Vogt <sam.vogt@gmail.com>"
OWNER = "maren@post.example"
REFUSAL = "Unfortunately we have decided not to move forward with your application for Data Engineer."
INVITATION = "We would like to invite you to an interview for the Data Engineer position."
PLAIN = "Tuesday works, see you then.\nNour"
CALENDAR = (
    "BEGIN:VCALENDAR\r\nMETHOD:{method}\r\nBEGIN:VEVENT\r\nUID:{uid}\r\nDTSTART:20260310T140000Z\r\n"
    "SUMMARY:{title}\r\nORGANIZER;CN=Nour Price:mailto:nour.price@ormormexa.example\r\n"
    "END:VEVENT\r\nEND:VCALENDAR\r\n"
)


def mail(
    name: str,
    body: str = PLAIN,
    *,
    sender: str = RECRUITER,
    subject: str = "Tuesday",
    answers: str = "",
    thread: str = "",
    meeting: str = "",
    method: str = "REQUEST",
    days: float = 0,
    **headers: str,
) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, OWNER, subject
    message["Message-ID"] = f"<{name}@mail.example>"
    message["Date"] = format_datetime(datetime(2026, 3, 2, 9).astimezone() + timedelta(days=days))
    if answers:
        message["In-Reply-To"] = message["References"] = f"<{answers}@mail.example>"
    if thread:
        message["X-GM-THRID"] = thread
    for header, value in headers.items():
        message[header.replace("_", "-")] = value
    message.set_content(body)
    if meeting:
        calendar = CALENDAR.format(uid=meeting, method=method, title=subject)
        message.add_alternative(calendar, subtype="calendar", params={"method": method})
    return message.as_bytes()


class Box:
    def __init__(self, database: Database, account: AccountId, owner_url: str, clock: FixedClock) -> None:
        self._database, self._account, self._owner_url, self._clock = database, account, owner_url, clock

    async def keep(self, *batch: bytes) -> None:
        reads = [read_message(raw, frozenset({OWNER})) for raw in batch]
        async with self._database.as_account(self._account) as unit:
            mailbox_id = await mailbox_of(unit, "archive", "", now=self._clock.now())
            await keep_messages(unit, mailbox_id, reads, now=self._clock.now())

    async def say(self, name: str, *kinds: str) -> None:
        message_id = cast("int", self.rows("id", name)[0][0])
        async with self._database.as_account(self._account) as unit:
            await correct(unit, MessageId(message_id), kinds, now=self._clock.now())  # pyright: ignore

    def rows(self, columns: str, name: str) -> list[tuple[object, ...]]:
        statement = f"SELECT {columns} FROM messages m WHERE message_key LIKE %s"
        with psycopg.connect(self._owner_url) as connection:
            return connection.execute(statement, [f"%{name}@%"]).fetchall()  # pyright: ignore

    def kept(self, name: str) -> tuple[object, ...]:
        """`whole` or not, why, and which message it continues by its name."""
        other = "(SELECT split_part(o.rfc_message_id, '@', 1) FROM messages o WHERE o.id = m.continues_id)"
        (row,) = self.rows(f"kept, kept_because, {other}", name)
        return (row[0], row[1], cast("str | None", row[2]) and str(row[2]).strip("<"))


@pytest.fixture
def box(database: Database, account: AccountId, owner_url: str, clock: FixedClock) -> Box:
    return Box(database, account, owner_url, clock)


LENDER = mail("lender", INVITATION, thread="77", meeting="call-4711@ormormexa", subject="Interview")
CONTINUE = {
    "calendar": mail("next", sender=FRIEND, meeting="call-4711@ormormexa", method="CANCEL"),
    "answers": mail("next", sender=FRIEND, answers="lender"),
    "thread": mail("next", sender=FRIEND, thread="77"),
    "writer": mail("next", days=30),
}


@pytest.mark.parametrize("way", CONTINUE)
async def test_what_continues_a_message_about_a_job_is_kept_with_the_reason(box: Box, way: str):
    await box.keep(LENDER)
    await box.keep(CONTINUE[way])
    assert box.kept("next") == ("whole", way, "lender")
    assert box.rows("body, not_kept_reason, (SELECT count(*) FROM readings r WHERE r.message_id = m.id)",
                    "next") == [(PLAIN, None, 1)]  # fmt: skip


@pytest.mark.parametrize("way", CONTINUE)
async def test_alone_none_of_them_is_kept(box: Box, way: str):
    await box.keep(CONTINUE[way])
    assert box.kept("next") == ("identity", None, None)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
async def test_the_order_within_a_batch_changes_nothing(box: Box, order: Sequence[int]):
    batch = [
        LENDER,
        mail("first", sender=FRIEND, answers="lender"),
        mail("second", sender=FRIEND, answers="first"),
        mail("third", sender=FRIEND, answers="second"),
    ]
    await box.keep(*(batch[place] for place in order))
    assert [box.kept(name) for name in ("first", "second", "third")] == [("whole", "answers", "lender")] * 3


async def test_an_answer_to_an_answer_goes_back_to_the_message_about_the_job(box: Box):
    await box.keep(LENDER)
    await box.keep(mail("first", sender=FRIEND, answers="lender"))
    await box.keep(mail("second", sender=FRIEND, answers="first"))
    assert box.kept("second") == ("whole", "answers", "lender")


async def test_what_the_person_answers_is_kept_as_part_of_the_conversation(box: Box):
    await box.keep(LENDER, mail("own", sender=OWNER, answers="lender"))
    assert box.kept("own") == ("whole", "answers", "lender")
    assert box.rows("from_owner", "own") == [(True,)]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(mail("next", sender=FRIEND), id="a friend"),
        pytest.param(mail("next", sender=FRIEND, answers="elsewhere", thread="78"), id="another thread"),
        pytest.param(mail("next", sender=FRIEND, meeting="dinner-12@gmail.com"), id="another invitation"),
        pytest.param(
            mail("next", thread="77", List_Unsubscribe="<mailto:off@news.example>"), id="a newsletter"
        ),
        pytest.param(mail("next", answers="lender", List_Id="<news.example>"), id="a list"),
        pytest.param(mail("next", thread="77", sender="News <no-reply@ormormexa.example>"), id="a robot"),
        pytest.param(mail("next", thread="77", sender="Deals <hi@indeed.com>"), id="a board"),
        pytest.param(mail("next", days=400), id="the same writer a year later"),
    ],
)
async def test_what_continues_nothing_is_not_kept(box: Box, other: bytes):
    await box.keep(LENDER, other)
    assert box.kept("next") == ("identity", None, None)


@pytest.mark.parametrize(
    ("lender", "other"),
    [
        pytest.param(
            mail("lender", "Oh no, they rejected my application too! Drinks?", sender=FRIEND),
            mail("next", "Pub at eight?", sender=FRIEND),
            id="a friend who spoke of an application once",
        ),
        pytest.param(
            mail("lender", INVITATION, sender=FRIEND), mail("next", sender=FRIEND), id="anybody's address"
        ),
        pytest.param(
            mail("lender", REFUSAL, sender="Ormormexa <jobs@ormormexa.example>"),
            mail("next", sender="Ormormexa <jobs+9@ormormexa.example>"),
            id="a desk",
        ),
        pytest.param(
            mail("lender", INVITATION, List_Id="<talent.ormormexa.example>"), mail("next"), id="bulk mail"
        ),
    ],
)
async def test_not_every_writer_is_known_by_one_message(box: Box, lender: bytes, other: bytes):
    await box.keep(lender)
    await box.keep(other)
    assert box.rows("kept_because", "next") == [(None,)]


async def test_who_was_kept_for_a_thread_does_not_become_known(box: Box):
    await box.keep(LENDER, mail("next", sender="Ada Holm <ada@holm.example>", answers="lender"))
    await box.keep(mail("private", "Pub at eight?", sender="Ada Holm <ada@holm.example>"))
    assert box.kept("private") == ("identity", None, None)


@pytest.mark.parametrize("way", CONTINUE)
async def test_a_person_who_says_that_it_is_not_about_a_job_ends_the_lending(box: Box, way: str):
    await box.keep(LENDER)
    await box.say("lender", "not_job_related")
    await box.keep(CONTINUE[way])
    assert box.kept("next") == ("identity", None, None)


async def test_a_message_kept_by_another_stops_lending_with_it(box: Box):
    await box.keep(LENDER, mail("first", sender=FRIEND, answers="lender"))
    await box.say("lender", "not_job_related")
    await box.keep(mail("second", sender=FRIEND, answers="first"))
    assert box.kept("second") == ("identity", None, None)


async def test_what_came_before_is_kept_when_it_is_brought_again(box: Box):
    await box.keep(CONTINUE["answers"])
    await box.keep(LENDER)
    assert box.kept("next")[0] == "identity"
    await box.keep(CONTINUE["answers"])
    assert box.kept("next") == ("whole", "answers", "lender")


async def test_a_message_does_not_continue_itself(box: Box):
    await box.keep(LENDER, CONTINUE["thread"])
    await box.say("lender", "not_job_related")
    await box.keep(mail("later", sender=FRIEND, thread="77"), CONTINUE["thread"])
    assert box.kept("later") == ("identity", None, None)


async def test_mail_told_to_be_noise_stays_noise_in_any_thread(box: Box):
    alert = mail(
        "next", "New jobs for you: Data Engineer", subject="5 new jobs for Data Engineer", thread="77",
        sender="Jobs <jobalerts-noreply@linkedin.com>",
    )  # fmt: skip
    await box.keep(LENDER, alert)
    assert box.kept("next") == ("headers", None, None)
