"""Names and times of a submission, without a database."""

from datetime import UTC, datetime, timedelta

import pytest

from extension_api.fills.rules import NoWebAddress, better_address, instant_of, names_of, page_address
from extension_api.protocol import SubmissionEvidence, Submitted
from schema.identity.urls import posting_url

PLANNED = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
NOW = PLANNED + timedelta(minutes=10)


def submission(**more: str) -> Submitted:
    return Submitted(
        url="https://example.org", submitted_at=NOW, evidence=SubmissionEvidence(kind="person_said"), **more
    )


@pytest.mark.parametrize(
    ("title", "company", "role"),
    [
        ("Job Application for Backend Engineer at GitLab", "GitLab", "Backend Engineer"),
        ("Job Application for Engineer, Look at This at Acme", "Acme", "Engineer, Look at This"),
        ("Backend Engineer @ Ramp", "Ramp", "Backend Engineer"),
        ("Backend Engineer - GitLab", None, None),
        ("Careers | GitLab", None, None),
        ("", None, None),
    ],
)
def test_a_title_of_known_form_gives_names_and_another_none(
    title: str, company: str | None, role: str | None
):
    names = names_of(submission(), title)
    assert (names.company, names.role) == (company, role)


def test_what_the_page_said_comes_before_its_title():
    names = names_of(submission(company=" Git\x00Lab  Inc "), "Job Application for Engineer at GitLab")
    assert (names.company, names.role) == ("GitLab Inc", "Engineer")


def test_the_browsers_clock_is_believed_only_where_it_can_be_right():
    between = PLANNED + timedelta(minutes=3)
    for told, kept in [
        (between, between),
        (PLANNED - timedelta(hours=3), PLANNED),
        (NOW + timedelta(days=400), NOW),
        (datetime.max.replace(tzinfo=UTC), NOW),
        (datetime.min.replace(tzinfo=UTC), PLANNED),
    ]:
        assert instant_of(told, planned_at=PLANNED, now=NOW) == kept


@pytest.mark.parametrize("url", ["", "about:blank", "javascript:alert(1)", "file:///etc/passwd", "\x00"])
def test_what_is_no_web_address_is_refused(url: str):
    with pytest.raises(NoWebAddress):
        page_address(url)


def test_a_confirmation_page_names_the_posting_only_where_the_form_did_not():
    form = posting_url("https://careers.example.org/apply")
    named = posting_url("https://boards.greenhouse.io/gitlab/jobs/8090211002")
    other = posting_url("https://boards.greenhouse.io/gitlab/jobs/1234567002")
    assert form
    assert named
    assert better_address(form, named) is named
    assert better_address(named, other) is named
    assert better_address(form, None) is form
