"""What a model is shown of a message, and what counts as a quotation of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailsync.classify.language_model.shown import MOST_TEXT, shown_of
from mailsync.classify.language_model.types import Letter
from schema.ids import MessageId


def letter(body: str, *, subject: str = "News", name: str = "Northwind Talent") -> Letter:
    return Letter(
        id=MessageId(1),
        sender_name=name,
        sender_address="talent@northwind.example",
        subject=subject,
        body=body,
    )


BODY = """Dear Ada,

we have chosen  somebody
else for the Baker role.  See https://northwind.example/s?token=canary-link
or write to talent.canary@northwind.example today."""


def test_links_and_addresses_are_not_shown():
    shown = shown_of(letter(BODY, subject="Re: www.canary.example/x", name="a@canary.example"))
    everything = f"{shown.sender} {shown.domain} {shown.subject.shown} {shown.text.shown}"
    assert "canary" not in everything
    assert "See [link]\nor write to [address] today." in shown.text.shown
    assert (shown.sender, shown.domain) == ("[address]", "northwind.example")


def test_a_quotation_is_found_whatever_its_whitespace_and_its_span_is_exact():
    span = shown_of(letter(BODY)).find("we have chosen somebody else\nfor the Baker role.")
    assert span is not None
    assert span.source == "text"
    assert BODY[span.start : span.end] == span.text == "we have chosen  somebody\nelse for the Baker role."


def test_a_quotation_over_a_mask_stands_for_what_was_masked():
    span = shown_of(letter(BODY)).find("See [link] or write")
    assert span is not None
    assert span.text == "See https://northwind.example/s?token=canary-link\nor write"


def test_the_subject_is_looked_through_after_the_text():
    span = shown_of(letter("Nothing here.", subject="Your offer")).find("Your offer")
    assert span is not None
    assert (span.source, span.start, span.end) == ("subject", 0, 10)


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "   ",
        "...",
        "[link]",
        "[address]",
        "we have chosen somebody else for the baker role",  # another spelling
        "we have chosen somebody else for the Baker role!",
        "talent.canary@northwind.example",  # never shown
        "omebody else for the Baker",  # starts inside a word
        "somebody else for the Bak",
        "Northwind Talent",  # the sender is no part of the message
    ],
)
def test_what_does_not_stand_in_the_message_is_not_found(quote: str):
    assert shown_of(letter(BODY)).find(quote) is None


def test_a_word_that_also_stands_inside_another_is_found_where_it_is_whole():
    span = shown_of(letter("The coffer holds an offer now.")).find("offer")
    assert span is not None
    assert span.start == 20


def test_only_the_beginning_of_a_long_letter_is_shown_and_only_that_can_be_quoted():
    shown = shown_of(letter("a b " * MOST_TEXT + "the end of it"))
    assert len(shown.text.shown) == MOST_TEXT
    assert shown.find("the end of it") is None


@given(st.text(max_size=300), st.integers(0, 300), st.integers(0, 300))
def test_every_span_is_a_stretch_of_the_message_and_reads_as_the_quotation(body: str, start: int, end: int):
    shown = shown_of(letter(body, subject=""))
    quote = shown.text.plain[start:end]
    span = shown.find(quote)
    if span is not None:
        assert body[span.start : span.end] == span.text
        assert shown_of(letter(span.text)).text.plain.strip() == " ".join(quote.split())
