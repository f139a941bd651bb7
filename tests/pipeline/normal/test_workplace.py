"""The workplace: every signal kept, the most deliberate one believed, disagreement told."""

import pytest

from pipeline.normal.workplace import WorkplaceReading, text_demands, title_says, workplace_of
from pipeline.sources.types import Listing, Workplace


def read(
    *signals: str,
    workplace: Workplace | None = None,
    locations: tuple[str, ...] = (),
    title: str = "Cook",
    text: str | None = None,
) -> WorkplaceReading:
    listing = Listing(
        vendor_id="1",
        record=b"{}",
        fingerprint="f",
        locations=locations,
        workplace=workplace,
        workplace_signals=signals,
    )
    return workplace_of(listing, title, text)


def test_failure_16_a_label_of_an_office_is_not_remote():
    found = read("remoteType=Office - Flexible", workplace="remote")
    assert (found.workplace, found.conflicts) == (None, False)
    assert found.signals == ("remoteType=Office - Flexible",)


def test_failure_16_a_flag_and_a_label_that_disagree_are_a_conflict_and_the_label_is_believed():
    found = read("workplaceType=Hybrid", "isRemote=true", workplace="hybrid")
    assert (found.workplace, found.conflicts) == ("hybrid", True)
    assert found.signals == ("workplaceType=Hybrid", "isRemote=true")
    assert read("workplaceType=Remote", "isRemote=false", workplace="remote").conflicts


def test_failure_16_remote_with_office_days_in_the_text_is_a_conflict():
    text = "You are remote.\nWe ask for five days per week in the office."
    labelled = read("workplaceType=Remote", workplace="remote", text=text)
    assert (labelled.workplace, labelled.conflicts) == ("remote", True)
    assert labelled.signals[-1] == "text=five days per week in the office"
    flagged = read("isRemote=true", workplace="remote", text=text)
    assert (flagged.workplace, flagged.conflicts) == ("onsite", True)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (read("isRemote=true", workplace="remote"), ("remote", False)),
        (read("isRemote=false"), (None, False)),
        (read(locations=("Remote - US",)), ("remote", False)),
        (read(locations=("Lyon (Hybrid)",)), ("hybrid", False)),
        (read("isRemote=true", workplace="remote", locations=("Lyon (Hybrid)",)), ("hybrid", True)),
        (read("isRemote=false", locations=("Remote",)), ("remote", True)),
        (read(locations=("Lyon",), title="Cook (Remote)"), ("remote", False)),
        (read(title="Cook [Remote-US]"), ("remote", False)),
        (read(title="Remote Sensing Engineer"), (None, False)),
        (read(title="Hybrid Cloud Architect"), (None, False)),
        (read(text="This role is fully remote."), ("remote", False)),
        (read("telecommuting=true", workplace="remote"), ("remote", False)),
        (read("remoteStatus=fully", workplace="remote"), ("remote", False)),
        (read(), (None, False)),
    ],
)
def test_signals_are_weighed(found: WorkplaceReading, expected: tuple[Workplace | None, bool]):
    assert (found.workplace, found.conflicts) == expected


@pytest.mark.parametrize(
    ("text", "workplace"),
    [
        ("You work 3 days a week in our London office.", "hybrid"),
        ("In-office 2-3 days per week", "hybrid"),
        ("we are in the office at least three days", "hybrid"),
        ("on-site 5 days a week", "onsite"),
        ("Du bist 3 Tage pro Woche im Büro.", "hybrid"),
        ("2 Tage vor Ort", "hybrid"),
        ("3 jours par semaine au bureau", "hybrid"),
        ("5 jours sur site", "onsite"),
        ("3 días a la semana en la oficina", "hybrid"),
        ("25 days of vacation, and an office in Lyon", None),
        ("the office is closed for 2 days per year", None),
        ("in the office 2 days per month", None),
        ("A one-day onsite interview", None),
        ("", None),
    ],
)
def test_office_days_are_read_from_the_text(text: str, workplace: Workplace | None):
    assert text_demands(text)[0] == workplace


def test_only_what_stands_apart_in_a_title_speaks_of_the_workplace():
    assert title_says("Engineer - Remote - EMEA") == "remote"
    assert title_says("Engineer (Onsite)") == "onsite"
    assert title_says("Remote Patient Monitoring Nurse") is None
