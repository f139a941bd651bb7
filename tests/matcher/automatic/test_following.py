"""Statuses that follow the mail: only where the person said so, only newer mail, and never twice."""

from datetime import timedelta

import pytest
from fixtures.matching import MatchRunner
from fixtures.people import FixedClock
from fixtures.samples import Samples, day

from matcher.applications.store import application, put_status, set_status
from matcher.applications.types import Application
from matcher.automatic.following import follow_mail, undo_followed
from matcher.automatic.store import Followed, followed, opt_in, opted_in
from schema.db import Database
from schema.ids import AccountId, ApplicationId
from schema.vocabulary import Stage

REFUSED = "We will not move forward with your application for Data Engineer at Northwind."
INVITED = "We invite you to an interview for Data Engineer at Northwind. Choose a time."


class Story:
    def __init__(
        self, database: Database, account: AccountId, samples: Samples, match: MatchRunner, clock: FixedClock
    ) -> None:
        self.database, self.account, self.samples, self.match = database, account, samples, match
        self.clock = clock
        self.id: ApplicationId = samples.application(applied=2)

    async def set(self, status: Stage | None) -> None:
        async with self.database.as_account(self.account) as unit:
            await set_status(unit, self.id, status, now=self.clock.now())

    async def opt(self, *stages: Stage) -> None:
        async with self.database.as_account(self.account) as unit:
            await opt_in(unit, stages, now=self.clock.now())

    async def mail(self, kind, sent: float, body: str) -> None:
        self.samples.message(kind, sent=sent, body=body, employer="Northwind", role="Data Engineer")
        await self.match()

    async def now(self) -> Application:
        async with self.database.as_account(self.account) as unit:
            return await application(unit, self.id)

    async def followed(self) -> Followed | None:
        async with self.database.as_account(self.account) as unit:
            return await followed(unit, self.id)

    async def undo(self) -> None:
        found = await self.followed()
        assert found
        async with self.database.as_account(self.account) as unit:
            await undo_followed(unit, found.act_id, now=self.clock.now())


@pytest.fixture
async def story(
    database: Database, account: AccountId, samples: Samples, match: MatchRunner, clock: FixedClock
) -> Story:
    """The person set an interview on the second of March."""
    made = Story(database, account, samples, match, clock)
    await made.set("interviewing")
    return made


async def test_without_a_word_of_the_person_newer_mail_only_proposes(story: Story):
    await story.mail("rejection", 20, REFUSED)
    assert (await story.now()).status == "interviewing"


async def test_a_chosen_stage_follows_and_says_what_it_followed(story: Story):
    await story.opt("rejected")
    await story.mail("rejection", 20, REFUSED)
    after = await story.now()
    assert (after.status, after.stage, after.status_at) == ("rejected", "rejected", day(20))
    found = await story.followed()
    assert found
    assert found.message_id is not None


async def test_another_stage_than_the_chosen_one_only_proposes(story: Story):
    await story.opt("offer")
    await story.mail("rejection", 20, REFUSED)
    assert (await story.now()).status == "interviewing"


async def test_undoing_brings_the_persons_word_back_and_the_message_moves_it_no_more(story: Story):
    before = await story.now()
    await story.opt("rejected")
    await story.mail("rejection", 20, REFUSED)
    await story.undo()
    await story.match()
    after = await story.now()
    assert (after.status, after.status_at) == (before.status, before.status_at)
    assert await story.followed() is None


async def test_another_message_moves_it_after_an_undo(story: Story):
    await story.opt("rejected")
    await story.mail("rejection", 20, REFUSED)
    await story.undo()
    await story.mail("interview_invite", 22, INVITED)
    await story.mail("rejection", 25, REFUSED)
    after = await story.now()
    assert (after.status, after.status_at) == ("rejected", day(25))


async def test_the_persons_later_word_wins(story: Story):
    await story.opt("rejected")
    await story.mail("rejection", 20, REFUSED)
    story.clock.move(days=30)
    await story.set("interviewing")
    await story.match()
    assert (await story.now()).status == "interviewing"
    assert await story.followed() is None


async def test_mail_sent_between_still_counts_whenever_it_comes(story: Story):
    await story.opt("rejected", "offer")
    await story.mail("rejection", 20, REFUSED)
    story.clock.move(days=60)
    await story.mail("offer", 24, "We are pleased to offer you the Data Engineer role at Northwind.")
    assert (await story.now()).status == "offer"


async def test_what_waited_as_a_proposal_before_the_choice_stays_one(story: Story):
    await story.mail("rejection", 20, REFUSED)
    story.clock.at = day(21)
    await story.opt("rejected")
    await story.match()
    assert (await story.now()).status == "interviewing"


async def test_taking_the_message_off_brings_the_persons_word_back(story: Story, samples: Samples):
    await story.opt("rejected")
    await story.mail("rejection", 20, REFUSED)
    samples.rows("DELETE FROM attachments")
    async with story.database.as_account(story.account) as unit:
        assert await follow_mail(unit, now=story.clock.now()) == 1
    assert (await story.now()).status == "interviewing"


async def test_doing_it_again_changes_nothing(story: Story, samples: Samples):
    await story.opt("rejected")
    await story.mail("rejection", 20, REFUSED)
    for _ in range(3):
        await story.match()
    assert samples.rows("SELECT count(*) FROM acts") == [(1,)]


async def test_choosing_again_keeps_the_beginning_of_what_was_chosen(story: Story):
    await story.opt("rejected")
    story.clock.move(days=3)
    await story.opt("rejected", "offer")
    async with story.database.as_account(story.account) as unit:
        since = {found.stage: found.since for found in await opted_in(unit)}
    assert since["offer"] - since["rejected"] == timedelta(days=3)


async def test_a_status_set_without_a_message_follows_nothing(story: Story):
    async with story.database.as_account(story.account) as unit:
        await put_status(unit, story.id, "offer", at=day(20), now=story.clock.now())
    assert await story.followed() is None
