"""The measure of postings counts what rows state, and tells a wrong reading from an honest gap."""

from pathlib import Path

import pytest
from emulators.boards import ashby_board, ashby_job, salary

from benchmarks.postings import contradicts, measure, states_pay_in_text
from benchmarks.table import Asked
from pipeline.sources.types import Pay

IN_OSLO = {"location": "Oslo", "address": {"postalAddress": {"addressCountry": "Norway"}}}
SHOWN = {"shouldDisplayCompensationOnJobPostings": True}


def told(folder: Path) -> dict[str, float]:
    return {each.name: each.value for each in measure(Asked(quick=False, json=False, folder=folder))}


def test_a_folder_of_boards_is_measured(tmp_path: Path):
    paid = "<p>The salary range is $90,000 - $120,000.</p>"
    (tmp_path / "one.json").write_bytes(
        ashby_board(
            ashby_job("a", **IN_OSLO, **SHOWN, compensation=salary(90_000, 120_000), descriptionHtml=paid),
            ashby_job("b", location="Europe", address=None, descriptionHtml=paid),
            ashby_job("c", location="Remote", address=None, descriptionHtml="<p>We raised $50,000,000.</p>"),
            ashby_job("d", location="Nowhere Known", address=None),
        )
    )
    (tmp_path / "no_board.json").write_text("[]")
    found = told(tmp_path)
    assert (found["boards"], found["postings"], found["normalised without error"]) == (2, 4, 100)
    assert (found["postings that state a place"], found["country resolved, where a place is stated"]) == (
        2,
        50,
    )
    assert found["postings that state only a region"] == 1
    assert (found["postings that state pay in fields"], found["postings that state pay only in text"]) == (
        1,
        1,
    )
    assert found["pay found, where only text states it"] == 100
    assert (found["pay stated in both, read from the text"], found["text contradicts the field"]) == (1, 0)


@pytest.mark.parametrize(
    ("low", "high", "currency", "wrong"),
    [
        (90_000, 120_000, "USD", False),
        (100_000, None, "USD", False),
        (110_000, 110_000, None, False),
        (130_000, 150_000, "USD", True),
        (90_000, 120_000, "EUR", True),
    ],
)
def test_a_text_is_wrong_when_it_contradicts_the_field(
    low: float, high: float | None, currency: str | None, wrong: bool
):
    field = Pay(low=90_000, high=120_000, currency="USD", interval="year", source="field")
    text = Pay(low=low, high=high, currency=currency, interval="year", source="text")
    assert contradicts(text, field) == wrong


def test_money_states_pay_only_beside_words_of_pay():
    assert states_pay_in_text("The salary is $90,000")
    assert not states_pay_in_text("We raised $90,000")
