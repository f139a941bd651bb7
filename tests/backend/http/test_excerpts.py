"""Marked texts lose nothing, mark exactly the spans, and never fall over a span that does not fit."""

from hypothesis import given
from hypothesis import strategies as st

from backend.http.excerpts import Span, Stretch, excerpt, marked

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
