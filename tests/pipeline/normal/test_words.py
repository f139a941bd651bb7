"""Titles, kinds of employment, levels and dates: read where a word means that, and nothing elsewhere."""

from datetime import UTC, date, datetime

import pytest

from pipeline.normal.dates import date_in, likely_posted
from pipeline.normal.employment import employment_type
from pipeline.normal.seniority import seniority_hint
from pipeline.normal.titles import titled
from pipeline.sources.types import EmploymentType, Posted

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_a_title_is_trimmed_decoded_and_keeps_its_brackets():
    assert titled("  Cook\u00a0 (Data\u200b Cloud)\n") == "Cook (Data Cloud)"
    assert titled("R&amp;D Cook") == titled("R&amp;amp;D Cook") == "R&D Cook"
    assert titled("[Remote] Cook") == "[Remote] Cook"


@pytest.mark.parametrize(
    ("named", "title", "found"),
    [
        ("full_time", "Research Intern", "intern"),
        ("full_time", "Summer Internship, Marketing", "intern"),
        (None, "Praktikum im Einkauf (m/w/d)", "intern"),
        (None, "Stage - Assistant marketing", "intern"),
        (None, "Becario de Finanzas", "intern"),
        ("full_time", "Manager, Intern Programs", "full_time"),
        ("full_time", "Internal Auditor", "full_time"),
        ("full_time", "Internist", "full_time"),
        ("full_time", "Stage Manager", "full_time"),
        ("intern", "Engineer", "intern"),
        ("full_time", "Recruiter (Contract)", "contract"),
        ("full_time", "Designer - Contractor", "contract"),
        (None, "Freelance Writer", "contract"),
        ("full_time", "Contracts Manager", "full_time"),
        ("full_time", "Engineer, Smart Contracts", "full_time"),
        ("full_time", "Nurse (Part-Time)", "part_time"),
        (None, "Verkäufer in Teilzeit", "part_time"),
        (None, "Vendeur temps partiel", "part_time"),
        (None, "Full-time or part-time Cook", None),
        (None, "Koch (Vollzeit)", "full_time"),
        (None, "Seasonal Cook", "temporary"),
        (None, "Chargé de paie CDD", "temporary"),
        ("part_time", "Cook (Contract)", "part_time"),
        (None, "Cook", None),
    ],
)
def test_a_title_outranks_only_the_default_of_forms(
    named: EmploymentType | None, title: str, found: EmploymentType | None
):
    assert employment_type(named, title) == found


@pytest.mark.parametrize(
    ("title", "level"),
    [
        ("Software Engineer", None),
        ("Senior Software Engineer", "senior"),
        ("Sr. Engineer", "senior"),
        ("Développeur confirmé", "senior"),
        ("Engineer III", "senior"),
        ("Engineer II", "mid"),
        ("Mid-level Engineer", "mid"),
        ("Junior Developer", "entry"),
        ("Berufseinsteiger Vertrieb", "entry"),
        ("Software Engineer, New Grad", "entry"),
        ("Apprenti boulanger", "entry"),
        ("Junior or Senior Engineer", None),
        ("Staff Engineer", "principal"),
        ("Senior Staff Machine Learning Engineer", "principal"),
        ("Principal Designer", "principal"),
        ("Tech Lead", "lead"),
        ("Teamleiter Vertrieb (m/w/d)", "lead"),
        ("Engineering Manager", "manager"),
        ("Manager, Billing", "manager"),
        ("Senior Manager, Finance", "manager"),
        ("Product Manager", None),
        ("Account Manager", None),
        ("Senior Product Manager", "senior"),
        ("Head of Sales", "director"),
        ("Directeur commercial", "director"),
        ("Director of Engineering", "director"),
        ("VP of Sales", "executive"),
        ("Chief Technology Officer", "executive"),
        ("Geschäftsführer (m/w/d)", "executive"),
        ("Marketing Intern", "intern"),
        ("Werkstudent Marketing", "intern"),
        # Words of level that mean something else.
        ("Chief of Staff", None),
        ("Chief of Staff to the CEO", None),
        ("Executive Assistant to the CEO", None),
        ("Account Executive", None),
        ("Lead Generation Specialist", None),
        ("Leadership Coach", None),
        ("Principal Investigator", None),
        ("Assistant Principal", None),
        ("Staff Accountant", None),
        ("Staff Nurse", None),
        ("Member of Technical Staff", None),
        ("Senior Living Advisor", None),
        ("Junior High School Teacher", None),
        ("Mid-Market Account Executive", None),
        ("Director of Photography", None),
        ("Recruiter, Office of the CFO", None),
    ],
)
def test_a_level_is_read_only_from_words_that_are_one(title: str, level: str | None):
    assert seniority_hint(title) == level


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026-02-05", date(2026, 2, 5)),
        ("2026-02-05 09:41:37 UTC", datetime(2026, 2, 5, 9, 41, 37, tzinfo=UTC)),
        ("2026-02-05T09:41:37.123-04:00", datetime(2026, 2, 5, 13, 41, 37, tzinfo=UTC)),
        ("Wed, 02 Oct 2024 13:00:00 +0200", datetime(2024, 10, 2, 11, tzinfo=UTC)),
        ("6/18/26", date(2026, 6, 18)),
        ("20.11.23", date(2023, 11, 20)),
        ("13/02/2026", date(2026, 2, 13)),
        ("March 4, 2026", date(2026, 3, 4)),
        ("5. Mai 2026", date(2026, 5, 5)),
        ("1/9/2026", None),
        ("Posted 5 Days Ago", None),
        ("Posted 30+ Days Ago", None),
        ("Posted Today", None),
        ("2026-02", None),
        ("2026-02-31", None),
        ("0001-01-01", None),
        ("9999-12-31", None),
        ("", None),
    ],
)
def test_failure_12_a_date_is_one_day_in_one_reading_or_none(text: str, found: date | None):
    assert date_in(text) == found


@pytest.mark.parametrize("year", [1, 1989, 2029, 9999])
def test_failure_12_a_date_no_posting_can_have_is_dropped(year: int):
    assert likely_posted(Posted(meaning="updated", on=date(year, 5, 5)), NOW) is None
    assert likely_posted(Posted(meaning="updated", at=datetime(year, 5, 5, tzinfo=UTC)), NOW) is None


@pytest.mark.parametrize("meaning", ["first_published", "last_published", "updated"])
def test_failure_12_a_date_keeps_what_it_means_at_its_platform(meaning):
    posted = Posted(meaning=meaning, on=date(2019, 5, 5))
    assert likely_posted(posted, NOW) == posted
    assert likely_posted(None, NOW) is None
