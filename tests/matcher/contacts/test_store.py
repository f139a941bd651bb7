"""Who wrote about an application, and whom the person wrote down."""

from datetime import timedelta

import pytest
from fixtures.people import FixedClock
from fixtures.samples import Samples, day

from matcher.contacts.rules import Sender, correspondents, is_machine
from matcher.contacts.store import (
    NewContact,
    add_contact,
    contacts_of,
    correspondents_of,
    remove_contact,
    restore_contact,
)
from schema.db import Database
from schema.errors import Missing
from schema.ids import AccountId, ApplicationId, MessageId


@pytest.fixture
def which(samples: Samples) -> ApplicationId:
    return samples.application()


def attached(samples: Samples, which: ApplicationId, **about: object) -> MessageId:
    message = samples.message("status_update", **about)  # type: ignore[arg-type]
    samples.rows(
        "INSERT INTO attachments (account_id, application_id, message_id) VALUES (%s, %s, %s)",
        samples.account,
        which,
        message,
    )
    return message


async def test_one_who_wrote_under_two_names_is_one_person_by_the_last(
    database: Database, account: AccountId, samples: Samples, which: ApplicationId
):
    attached(samples, which, sender="jo@northwind.example", sender_name="J. Doe", sent=6)
    attached(samples, which, sender="Jo@Northwind.example", sender_name="Jo Doe", sent=9)
    attached(samples, which, sender="no-reply@relay.example", sender_name="Northwind", sent=10)
    attached(samples, which, sender="ada@example.org", from_owner=True, sent=11)
    samples.message("status_update", sender="stranger@elsewhere.example", sent=12)
    async with database.as_account(account) as unit:
        person, machine = await correspondents_of(unit, which)
    assert (person.address, person.name, person.messages) == ("jo@northwind.example", "Jo Doe", 2)
    assert (person.first_at, person.last_at) == (day(6), day(9))
    assert (machine.address, machine.is_machine) == ("no-reply@relay.example", True)


async def test_who_wrote_to_a_merged_record_wrote_about_the_one_that_stands_for_it(
    database: Database, account: AccountId, samples: Samples, which: ApplicationId
):
    merged = samples.application("Northwind Ltd")
    samples.rows("UPDATE applications SET merged_into_id = %s WHERE id = %s", which, merged)
    attached(samples, merged, sender="jo@northwind.example", sent=6)
    async with database.as_account(account) as unit:
        assert [found.address for found in await correspondents_of(unit, which)] == ["jo@northwind.example"]


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("no-reply@northwind.example", True),
        ("notifications@northwind.example", True),
        ("4711@greenhouse-mail.io", True),
        ("jo.doe@northwind.example", False),
        ("", False),
        ("@", False),
    ],
)
def test_an_address_nobody_reads_is_told_from_a_person(address: str, told: bool):
    assert is_machine(address) is told


def test_people_stand_before_machines_and_the_latest_first():
    def wrote(address: str, days: int) -> Sender:
        at = day(1) + timedelta(days=days)
        return Sender(address=address, name="", messages=1, first_at=at, last_at=at)

    found = correspondents([wrote("no-reply@x.example", 9), wrote("a@x.example", 1), wrote("b@x.example", 5)])
    assert [each.address for each in found] == ["b@x.example", "a@x.example", "no-reply@x.example"]


async def test_a_contact_is_added_taken_off_and_brought_back(
    database: Database, account: AccountId, clock: FixedClock, which: ApplicationId
):
    async with database.as_account(account) as unit:
        made = await add_contact(unit, which, NewContact(name="Jo\x00", note="met"), now=clock.now())
        assert [found.name for found in await contacts_of(unit, which)] == ["Jo"]
        assert await remove_contact(unit, made, now=clock.now()) == which
        assert not await contacts_of(unit, which)
        with pytest.raises(Missing):
            await remove_contact(unit, made, now=clock.now())
        await restore_contact(unit, made)
        assert await contacts_of(unit, which)


async def test_another_account_adds_and_takes_off_nothing(
    database: Database, account: AccountId, other_account: AccountId, clock: FixedClock, which: ApplicationId
):
    async with database.as_account(account) as unit:
        made = await add_contact(unit, which, NewContact(name="Jo"), now=clock.now())
    async with database.as_account(other_account) as unit:
        with pytest.raises(Missing):
            await add_contact(unit, which, NewContact(name="Eve"), now=clock.now())
        with pytest.raises(Missing):
            await remove_contact(unit, made, now=clock.now())
