"""Messages of one application become an application of their own, and go back as one act."""

import asyncio

import pytest
from fixtures.matching import MatchRunner
from fixtures.reviewer import Reviewer
from fixtures.samples import Samples

from matcher.applications.store import application, set_note
from matcher.resolutions.refusals import ChoiceNotEligible, StaleState
from matcher.resolutions.types import ApplicationItem, NewFromMessage, Resolved
from schema.errors import Invalid, Refusal
from schema.ids import ApplicationId, MessageId


class Held:
    """One application to which three messages were attached by their evidence."""

    def __init__(self, samples: Samples) -> None:
        self.application = samples.application()
        kinds = ("acknowledgement", "interview_invite", "rejection")
        self.messages = [
            samples.message(kind, employer="Northwind", role="Data Engineer", sent=10 + place)
            for place, kind in enumerate(kinds)
        ]

    @property
    def id(self) -> str:
        return f"application:{self.application}"


@pytest.fixture
async def held(samples: Samples, match: MatchRunner) -> Held:
    made = Held(samples)
    await match()
    return made


async def attached(reviewer: Reviewer, message: MessageId) -> list[ApplicationId]:
    return (await reviewer.look(message)).application_ids


async def test_chosen_messages_become_an_application_of_their_own(reviewer: Reviewer, held: Held):
    assert (await reviewer.application(held.application)).message_ids == held.messages
    chosen = tuple(held.messages[1:])
    done = await reviewer.answer(held.id, "split", messages=chosen, new=NewFromMessage(role="Data Analyst"))
    assert done.created and done.application_id
    assert (done.touched.messages, done.touched.applications) == (
        list(chosen),
        [held.application, done.application_id],
    )
    async with reviewer.database.as_account(reviewer.account) as unit:
        made = await application(unit, done.application_id)
        left = await application(unit, held.application)
    assert (made.company, made.role, made.messages, made.stage) == (
        "Northwind",
        "Data Analyst",
        2,
        "rejected",
    )
    assert (left.messages, left.stage) == (1, "acknowledged")
    assert all([await attached(reviewer, message) == [made.application_id] for message in chosen])
    entry = (await reviewer.past())[0]
    assert (entry.choice, entry.messages, entry.other_role) == ("split", 2, "Data Analyst")
    assert len(await reviewer.past()) == 1, "its decisions are told by the act"


async def test_no_run_overturns_it(reviewer: Reviewer, held: Held, match: MatchRunner, samples: Samples):
    done = await reviewer.answer(held.id, "split", messages=(held.messages[0],))
    samples.rows("UPDATE matches SET stale = true")
    await match()
    assert await attached(reviewer, held.messages[0]) == [done.application_id]
    assert (await reviewer.queue()).of_kind("pair") == 0, "the person has just said that they are two"


@pytest.mark.parametrize("through", ["item", "history"])
async def test_undo_puts_everything_back(
    through: str, reviewer: Reviewer, held: Held, match: MatchRunner, samples: Samples
):
    done = await reviewer.answer(held.id, "split", messages=tuple(held.messages[:2]))
    if through == "item":
        undone = await reviewer.answer(held.id, "undo")
    else:
        undone = await reviewer.undo(done.entry, done.entry_version)
    assert undone.touched.messages == held.messages[:2]
    assert [await attached(reviewer, message) for message in held.messages] == [[held.application]] * 3
    anchors = "SELECT count(*) FROM matches WHERE anchor_application_id = %s AND NOT by_person"
    await match()
    assert [await attached(reviewer, message) for message in held.messages] == [[held.application]] * 3
    assert samples.rows(anchors, held.application) == [(3,)]
    async with reviewer.database.as_account(reviewer.account) as unit:
        assert (await application(unit, done.application_id or held.application)).dismissed_at is not None
        assert (await application(unit, held.application)).stage == "rejected"


async def test_undo_leaves_what_was_decided_anew_and_what_was_put_to_use(reviewer: Reviewer, held: Held):
    done = await reviewer.answer(held.id, "split", messages=tuple(held.messages[:2]))
    made = done.application_id
    assert made
    await reviewer.answer(held.messages[0], "not_an_application")
    async with reviewer.database.as_account(reviewer.account) as unit:
        await set_note(unit, made, "Spoke to them", now=reviewer.clock.now())
    undone = await reviewer.undo(done.entry, done.entry_version)
    assert undone.touched.messages == [held.messages[1]]
    assert (await reviewer.look(held.messages[0])).outcome == "not_an_application"
    async with reviewer.database.as_account(reviewer.account) as unit:
        assert (await application(unit, made)).dismissed_at is None


async def test_a_message_about_several_stays_with_the_others(
    reviewer: Reviewer, samples: Samples, match: MatchRunner
):
    first, second = samples.application(role="Data Engineer"), samples.application(role="Designer")
    message = samples.message(
        "rejection",
        employer="Northwind",
        role=["Data Engineer", "Designer"],
        body="Northwind: neither Data Engineer nor Designer.",
    )
    await match()
    await reviewer.answer(message, "confirm_all")
    assert await attached(reviewer, message) == [first, second]
    done = await reviewer.answer(f"application:{first}", "split", messages=(message,))
    assert await attached(reviewer, message) == [second, done.application_id]


async def test_messages_move_to_an_application_there_is_and_back(
    reviewer: Reviewer, held: Held, samples: Samples
):
    other = samples.application("Contoso", "Analyst")
    gone = samples.application("Fabrikam", "Cook")
    samples.rows("UPDATE applications SET dismissed_at = now() WHERE id = %s", gone)
    for target in (held.application, gone):
        with pytest.raises(ChoiceNotEligible):
            await reviewer.answer(held.id, "split", messages=(held.messages[0],), target=target)
    done = await reviewer.answer(held.id, "split", messages=(held.messages[0],), target=other)
    assert (done.created, done.application_id) == (False, other)
    assert await attached(reviewer, held.messages[0]) == [other]
    await reviewer.undo(done.entry, done.entry_version)
    assert await attached(reviewer, held.messages[0]) == [held.application]
    async with reviewer.database.as_account(reviewer.account) as unit:
        assert (await application(unit, other)).dismissed_at is None
    assert samples.rows("SELECT count(*) FROM pairs") == [(0,)]


async def test_only_messages_it_holds_are_split_off(reviewer: Reviewer, held: Held, samples: Samples):
    elsewhere = samples.message("rejection")
    for messages in ((), (elsewhere,), (held.messages[0], elsewhere), (MessageId(999_999),)):
        with pytest.raises(Invalid) as refused:
            await reviewer.answer(held.id, "split", messages=messages)
        assert refused.value.field == "messages"
    empty = samples.application("Contoso", "Analyst")
    with pytest.raises(ChoiceNotEligible):
        await reviewer.answer(f"application:{empty}", "split", messages=(held.messages[0],))
    assert samples.rows("SELECT count(*) FROM acts") == [(0,)]


@pytest.mark.parametrize("choice", ["split", "merge", "undo"])
async def test_a_superseded_version_changes_nothing(choice: str, reviewer: Reviewer, held: Held):
    seen = await reviewer.application(held.application)
    await reviewer.answer(held.messages[0], "not_an_application")
    with pytest.raises(StaleState) as refused:
        await reviewer.answer(
            held.id,
            choice,  # type: ignore[arg-type]
            version=seen.version,
            messages=tuple(held.messages[:2]),
            target=held.application,
        )
    assert isinstance(refused.value.item, ApplicationItem)
    assert refused.value.item.message_ids == held.messages[1:]
    assert [entry.choice for entry in await reviewer.past()] == ["not_an_application"]


async def test_of_two_splits_exactly_one_wins(reviewer: Reviewer, held: Held, samples: Samples):
    seen = await reviewer.application(held.application)

    async def tab(message: MessageId) -> Resolved | Refusal:
        try:
            return await reviewer.answer(held.id, "split", version=seen.version, messages=(message,))
        except Refusal as refused:
            return refused

    done = await asyncio.gather(tab(held.messages[0]), tab(held.messages[0]))
    assert sorted(type(result).__name__ for result in done) == ["Resolved", "StaleState"]
    assert samples.rows("SELECT count(*) FROM applications") == [(2,)]
