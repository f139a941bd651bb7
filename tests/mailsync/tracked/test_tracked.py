"""Mail that only names an application: kept when it names who hires and what for, and nothing less."""

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import psycopg
import pytest
from fixtures.people import FixedClock
from fixtures.samples import Samples

from mailsync.mailboxes.store import mailbox_of
from mailsync.messages.keeping import keep_messages
from mailsync.messages.rules import read_message
from matcher.aliases.store import add_name
from schema.db import Database
from schema.ids import AccountId

OWNER = "ada@mailbox.example"
APPLIED = datetime(2026, 3, 5, 9, tzinfo=UTC)
MANY = {"List_Unsubscribe": "<mailto:x@posta.example>"}
JUTRO = "Encargada de tienda: jutro."
NAMES_BOTH = "Tekst o Hambydane Conservas: Encargada de tienda, wtorek o 9."


def mail(name: str, body: str, *, subject: str = "Krótko", sender: str = "Ewa <ewa@posta.example>",
         sent: datetime = APPLIED + timedelta(days=7), **headers: str) -> bytes:  # fmt: skip
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, OWNER, subject
    message["Date"] = sent.strftime("%a, %d %b %Y %H:%M:%S +0000")
    message["Message-ID"] = f"<{name}@posta.example>"
    for field, value in headers.items():
        message[field.replace("_", "-")] = value
    message.set_content(body)
    return message.as_bytes()


class Door:
    def __init__(self, database: Database, account: AccountId, owner_url: str, clock: FixedClock) -> None:
        self._database, self._account, self._owner_url, self._clock = database, account, owner_url, clock

    async def kept(self, raw: bytes) -> tuple[object, ...]:
        """What is kept of it, and why."""
        async with self._database.as_account(self._account) as unit:
            mailbox_id = await mailbox_of(unit, "archive", "", now=self._clock.now())
            read = read_message(raw, frozenset({OWNER}))
            await keep_messages(unit, mailbox_id, [read], now=self._clock.now())
        with psycopg.connect(self._owner_url) as connection:
            rows = connection.execute(
                "SELECT kept, kept_because FROM messages WHERE message_key = %s", [read.message.message_key]
            ).fetchall()
        return rows[0]


@pytest.fixture
def door(database: Database, account: AccountId, owner_url: str, clock: FixedClock) -> Door:
    return Door(database, account, owner_url, clock)


@pytest.fixture
def application(samples: Samples) -> Samples:
    samples.application("Hambydane Conservas S. Coop.", "Encargada de tienda (m/f)", applied=APPLIED)
    return samples


KEPT = {
    "in the text, in a language without rules": mail("a", NAMES_BOTH),
    "employer in the sender's name": mail("b", JUTRO, sender="Hambydane Conservas <x@p.example>"),
    "employer in the sender's domain": mail("c", JUTRO, sender="Ewa <e@hambydane-conservas.example>"),
    "title in the subject": mail("d", "Hambydane Conservas, jutro.", subject="Encargada de tienda"),
    "title broken over two lines": mail("e", "Hambydane Conservas: Encargada\nde tienda, jutro."),
    "sent to many by the employer": mail("f", JUTRO, sender="Hambydane Conservas <x@p.example>", **MANY),
    "confirmed by a board": mail(
        "g", JUTRO, subject="Hambydane Conservas", sender="Glassdoor <noreply@glassdoor.com>",
        sent=APPLIED + timedelta(hours=1), **MANY,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KEPT)
async def test_mail_that_names_employer_and_title_is_kept(door: Door, application: Samples, name: str):
    assert await door.kept(KEPT[name]) == ("whole", "application")


CLOSED = "La place est prise : votre démarche s'arrête donc là."
WRITER = "Hambydane Conservas <office@hambydane.example>"


@pytest.mark.parametrize("sender", [WRITER, "Ewa Lind <e.lind@hambydane-conservas.example>"])
async def test_news_of_the_employer_itself_is_kept_though_it_names_no_title(
    door: Door, application: Samples, sender: str
):
    assert await door.kept(mail("a", CLOSED, sender=sender)) == ("whole", "application")


@pytest.mark.parametrize(
    "letter",
    [
        mail("a", CLOSED, sender=WRITER, **MANY),
        mail("b", CLOSED, sender=WRITER, sent=APPLIED + timedelta(days=300)),
        mail("c", "Your parcel of 3 tins is on its way and comes on Monday.", sender=WRITER),
        mail("d", CLOSED, sender="Contoso <office@contoso.example>"),
    ],
)
async def test_what_else_an_employer_writes_is_not_kept(door: Door, application: Samples, letter: bytes):
    assert (await door.kept(letter))[0] == "identity"


NOT_KEPT = {
    "only the employer": mail("a", "Hambydane Conservas: jutro o 9."),
    "only the title": mail("b", "Encargada de tienda: jutro o 9."),
    "part of the title": mail("c", "Hambydane Conservas: nowa Encargada, jutro."),
    "long after": mail("d", NAMES_BOTH, sent=APPLIED + timedelta(days=500)),
    "long before": mail("e", NAMES_BOTH, sent=APPLIED - timedelta(days=30)),
    "an employer whose name only begins alike": mail(
        "f", "Hambydane Conservatorio: Encargada de tienda, jutro."
    ),
    "a list of openings": mail("g", NAMES_BOTH, **MANY),
    "a board's mail weeks later": mail(
        "i", JUTRO, subject="Hambydane Conservas", sender="Glassdoor <noreply@glassdoor.com>", **MANY
    ),
    "written by the person": mail("h", NAMES_BOTH, sender=f"Ada <{OWNER}>"),
}


@pytest.mark.parametrize("name", NOT_KEPT)
async def test_less_than_both_names_keeps_nothing(door: Door, application: Samples, name: str):
    assert (await door.kept(NOT_KEPT[name]))[0] == "identity"


async def test_without_an_application_of_that_name_nothing_is_kept(door: Door, samples: Samples):
    samples.application("Contoso", "Writer", applied=APPLIED)
    assert await door.kept(mail("a", NAMES_BOTH)) == ("identity", None)


async def test_another_name_the_person_entered_counts(
    door: Door, application: Samples, database: Database, account: AccountId, clock: FixedClock
):
    async with database.as_account(account) as unit:
        await add_name(unit, "HBC", "Hambydane Conservas S. Coop.", now=clock.now())
    assert await door.kept(mail("a", "HBC: Encargada de tienda, jutro.")) == ("whole", "application")


async def test_alerts_that_a_rule_knows_stay_out(door: Door, application: Samples):
    alert = mail(
        "a", NAMES_BOTH, subject="12 new jobs for you", sender="LinkedIn <jobalerts-noreply@linkedin.com>"
    )
    assert (await door.kept(alert))[0] == "headers"  # fmt: skip
