"""Mailboxes are drawn from a seed, whole and consistent with what is said to be true of them."""

import time
from collections import Counter, defaultdict
from pathlib import Path
from urllib.parse import unquote

import pytest

from mailsync.parse.message import parse_message
from mailsync.parse.types import ParsedMessage
from matcher.training.generate import generate, situations
from matcher.training.types import LANGUAGES, SPLITS, Application, Mailbox, Message


@pytest.fixture(scope="module", params=SPLITS)
def mailbox(request: pytest.FixtureRequest) -> Mailbox:
    return generate(7, messages=2600, split=request.param)


@pytest.fixture(scope="module")
def parsed(mailbox: Mailbox) -> dict[str, ParsedMessage]:
    return {message.id: parse_message(message.raw) for message in mailbox.messages}


def of_family(mailbox: Mailbox, family: str) -> list[Message]:
    return [message for message in mailbox.messages if message.family == family]


def test_the_same_seed_gives_the_same_bytes_and_another_gives_others():
    one, again, other = (
        [message.raw for message in generate(seed, messages=300, split="test").messages] for seed in (1, 1, 2)
    )
    assert one == again != other


def test_five_thousand_messages_take_seconds():
    began = time.process_time()
    assert len(generate(1, messages=5000, split="fit").messages) == 5000
    assert time.process_time() - began < 10


def test_every_family_occurs_in_each_of_its_languages(mailbox: Mailbox):
    found = {(message.family, message.language) for message in mailbox.messages}
    wanted = {(each.name, language) for each in situations() for language in each.languages}
    assert found == wanted
    assert len(situations()) >= 80


def test_every_family_says_what_makes_its_answers_so():
    assert all(len(each.because.split()) >= 4 for each in situations())


def test_messages_stand_in_order_of_sending_and_parse_to_what_was_sent(
    mailbox: Mailbox, parsed: dict[str, ParsedMessage]
):
    moments = [message.sent_at for message in mailbox.messages]
    assert moments == sorted(moments)
    for message in mailbox.messages:
        found = parsed[message.id]
        assert found.sent_at == message.sent_at
        assert found.subject
        assert found.message_id
        assert not set(found.defects) - {"only_an_attached_message"}, message.family
        assert found.body.strip(), message.family


def test_no_slot_and_no_alternative_is_left_in_a_letter(parsed: dict[str, ParsedMessage]):
    for found in parsed.values():
        assert not set("{}|") & set(" ".join(found.body.split()).replace(" | ", "")), found.body


def test_truth_names_applications_that_were_made_before(mailbox: Mailbox):
    applications = {application.id: application for application in mailbox.applications}
    for message in mailbox.messages:
        for name in message.truth.ids:
            applied = applications[name]
            assert applied.applied_at is None or applied.applied_at <= message.sent_at
            assert applied.applied_on is None or applied.applied_on <= message.sent_at.date()


def test_shares_of_what_is_decidable_are_those_of_life(mailbox: Mailbox):
    found = Counter((message.truth.decidable, min(len(message.truth.ids), 2)) for message in mailbox.messages)
    single = found[True, 1] / len(mailbox.messages)
    undecidable = sum(count for (decidable, _), count in found.items() if not decidable)
    assert 0.6 <= single <= 0.72
    assert undecidable / len(mailbox.messages) >= 0.12


def test_the_evidence_of_a_decidable_message_is_there(mailbox: Mailbox, parsed: dict[str, ParsedMessage]):
    applications = {application.id: application for application in mailbox.applications}
    before: dict[str, set[str]] = defaultdict(set)
    for message in mailbox.messages:
        if not message.truth.decidable or len(message.truth.ids) != 1:
            continue
        told, name = attached(message) or parsed[message.id], message.truth.ids[0]
        assert (
            tells(told, applications[name])
            or ties(told) & before[name]
            or message.family == "applied_again_same_role"
        ), (message.family, told.subject, told.body)
        before[name] |= ties(told)


def attached(message: Message) -> ParsedMessage | None:
    """The message a forward carries as a file, which its addressee can open."""
    _, mark, rest = message.raw.partition(b"Content-Disposition: attachment\r\n\r\n")
    return parse_message(rest) if mark else None


def tells(told: ParsedMessage, applied: Application) -> bool:
    """Whether the message names employer, title, number or posting of the application."""
    urls = " ".join(unquote(unquote(link.url)) for link in told.links)
    text = f"{told.sender.name} {told.sender.address} {told.subject} {told.body}".casefold()
    text = " ".join(text.split())
    names = [applied.company, applied.role, applied.requisition, *applied.aliases]
    if any(name and " ".join(name.casefold().split()) in text for name in names):
        return True
    posting = (applied.url or "").rstrip("/")
    return (
        bool(posting and posting in urls)
        or bool(applied.vendor_id and applied.vendor_id in urls)
        or any(word in text for word in (applied.company or "").casefold().split() if len(word) > 5)
    )


def ties(told: ParsedMessage) -> set[str]:
    """By what a message hangs together with another: its conversation, its calendar entry, its writer."""
    entries = {
        line.removeprefix("UID:")
        for part in told.calendars
        for line in part.content.decode().splitlines()
        if line.startswith("UID:")
    }
    return {told.message_id or "", *told.references, told.sender.address, *entries} - {""}


def test_nothing_in_an_unnamed_message_tells_which_application_is_meant(
    mailbox: Mailbox, parsed: dict[str, ParsedMessage]
):
    applications = {application.id: application for application in mailbox.applications}
    for message in of_family(mailbox, "two_roles_unnamed"):
        told = parsed[message.id]
        text = f"{told.sender.name} {told.subject} {told.body} {told.quoted}".casefold()
        assert len(message.truth.ids) == 2
        for name in message.truth.ids:
            assert (applications[name].role or "").casefold() not in text


def test_hidden_clients_and_unknown_writers_name_no_employer(
    mailbox: Mailbox, parsed: dict[str, ParsedMessage]
):
    applications = {application.id: application for application in mailbox.applications}
    for family in ("agency_hides_client", "unknown_writer", "calendar_people_only"):
        for message in of_family(mailbox, family):
            told = parsed[message.id]
            text = f"{told.sender.name} {told.sender.address} {told.subject} {told.body}".casefold()
            assert (applications[message.truth.ids[0]].company or "").casefold() not in text


def test_messages_come_as_text_as_pages_and_as_both(mailbox: Mailbox):
    heads = [message.raw[:3000] for message in mailbox.messages]
    only_page = sum(b"text/html" in head and b"text/plain" not in head for head in heads)
    only_text = sum(b"text/plain" in head and b"text/html" not in head for head in heads)
    both = sum(b"text/plain" in head and b"text/html" in head for head in heads)
    assert min(only_page, only_text, both) > len(heads) / 10


def test_own_mail_is_marked_as_sent_and_mail_under_the_own_address_is_not(
    mailbox: Mailbox, parsed: dict[str, ParsedMessage]
):
    sent, spoofed = (of_family(mailbox, family) for family in ("own_sent_mail", "spoofed_owner"))
    assert all("Sent" in parsed[message.id].labels for message in sent)
    assert all(parsed[message.id].sender.address == mailbox.owner for message in (*sent, *spoofed))
    assert not any("Sent" in parsed[message.id].labels for message in spoofed)


def test_both_languages_of_a_title_and_all_of_the_mail_occur(mailbox: Mailbox):
    assert {message.language for message in mailbox.messages} == set(LANGUAGES)


def test_forwards_carry_the_employer_to_the_reader(mailbox: Mailbox, parsed: dict[str, ParsedMessage]):
    inline = of_family(mailbox, "forwarded_inline")
    assert inline
    assert all(parsed[message.id].is_forward for message in inline)


def test_the_documentation_tells_every_family_and_why_its_answers_are_so():
    told = (Path(__file__).parents[3] / "docs" / "match-mailboxes.md").read_text()
    rows = {f"| `{each.name}` | {each.because} |" for each in situations()}
    assert not rows - set(told.splitlines())
