"""Marked texts lose nothing, mark exactly the spans, and never fall over a span that does not fit."""

from hypothesis import given
from hypothesis import strategies as st

from backend.http.excerpts import Span, Stretch, excerpt, flowing, marked

TEXT = (
    "Dear Ada, thank you for applying. "
    + "We read it with care. " * 40
    + "We will not move forward. Best, Northwind"
)
spans = st.lists(st.builds(Span, start=st.integers(-5, 1200), end=st.integers(-5, 1200)), max_size=6)


def span_of(words: str) -> Span:
    start = TEXT.index(words)
    return Span(start=start, end=start + len(words))


@given(st.text(max_size=300), spans)
def test_marking_loses_no_letter(text: str, some: list[Span]):
    assert "".join(piece.text for piece in marked(text, some)) == text


@given(spans)
def test_exactly_what_a_fitting_span_covers_is_marked(some: list[Span]):
    covered = {
        place
        for span in some
        if 0 <= span.start < span.end <= len(TEXT)
        for place in range(span.start, span.end)
    }
    shown: set[int] = set()
    at = 0
    for piece in marked(TEXT, some):
        if piece.marked:
            shown.update(range(at, at + len(piece.text)))
        at += len(piece.text)
    assert shown == covered


@given(spans)
def test_an_excerpt_holds_every_fitting_span_whole(some: list[Span]):
    pieces = excerpt(TEXT, some)
    marks = "\0".join(piece.text for piece in pieces if piece.marked)
    for span in some:
        if 0 <= span.start < span.end <= len(TEXT):
            assert TEXT[span.start : span.end] in marks


def test_an_excerpt_cuts_at_words_and_shows_the_gaps():
    pieces = excerpt(TEXT, [span_of("thank you for applying"), span_of("will not move forward")], around=12)
    assert pieces[0] == Stretch(text="Dear Ada, ")
    assert [piece.text for piece in pieces if piece.marked] == [
        "thank you for applying",
        "will not move forward",
    ]
    text = "".join(piece.text for piece in pieces)
    assert " … " in text
    assert text.startswith("Dear Ada, thank")
    assert text.endswith("Best, Northwind")


def test_an_excerpt_without_spans_is_the_beginning():
    text = "".join(piece.text for piece in excerpt(TEXT, []))
    assert text.startswith("Dear Ada,")
    assert text.endswith(" …")
    assert len(text) < 330


def test_an_excerpt_of_nothing_is_nothing():
    assert excerpt("", [Span(start=0, end=4)]) == []


WRAPPED = """Dear Ada,

thank you for your interest in the position of Data Engineer at our
company. We read your application with care and would like to meet
you. Please bring:

- a passport or another document with a photograph, and a copy of it,
- time.

Best regards,
The Northwind Team
"""


def test_lines_a_program_wrapped_flow_and_no_place_moves():
    flown = flowing(WRAPPED)
    assert "at our company. We read" in flown
    assert "to meet you. Please bring:\n\n- a passport" in flown
    assert "copy of it,\n- time.\n\nBest regards,\nThe Northwind Team\n" in flown
    assert flown.replace("\n", " ") == WRAPPED.replace("\n", " ")


def test_short_lines_stay_as_they_were_written():
    verse = "One\nTwo\nThree\n"
    assert flowing(verse) == verse
    assert flowing("") == ""


@given(st.text(alphabet="ab -\n", max_size=400))
def test_flowing_changes_nothing_but_breaks(text: str):
    flown = flowing(text)
    assert len(flown) == len(text)
    assert all(old == new or (old, new) == ("\n", " ") for old, new in zip(text, flown, strict=True))
