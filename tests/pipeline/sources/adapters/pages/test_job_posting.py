"""A JobPosting of a page becomes a listing: each property in every form it is written in, or unknown."""

import json
from datetime import UTC, date, datetime

import pytest

from pipeline.sources.adapters.pages.on_page import posting_on_page
from pipeline.sources.types import Listing, Pay, PlaceHint, Posted

URL = "https://careers.northwind.example/jobs/12?utm_source=x"
MINIMAL = {"@type": "JobPosting", "title": "Pilot", "description": "<p>Sail</p>"}


def posting(**changed: object) -> Listing:
    script = json.dumps({**MINIMAL, **changed})
    found = posting_on_page(f'<script type="application/ld+json">{script}</script>'.encode(), URL)
    assert isinstance(found, Listing), found
    return found


def test_a_posting_in_full_is_a_listing_in_full():
    found = posting(
        title=" Pilot &amp; Mate ",
        hiringOrganization={"@type": "Organization", "name": "Northwind &amp; Sons"},
        identifier={"@type": "PropertyValue", "name": "Northwind", "value": "JR-7"},
        datePosted="2026-11-02",
        validThrough="2020-01-01T00:00",
        employmentType=["FULL_TIME"],
        jobLocationType="TELECOMMUTE",
        inLanguage="en",
        baseSalary={
            "currency": "EUR",
            "value": {"minValue": 50_000, "maxValue": "60,000.00", "unitText": "YEAR"},
        },
        estimatedSalary={"currency": "EUR", "value": {"value": 1, "unitText": "HOUR"}},
    )
    assert (found.title, found.company, found.requisition_id) == ("Pilot & Mate", "Northwind & Sons", "JR-7")
    assert found.posted == Posted(meaning="last_published", on=date(2026, 11, 2))
    assert (found.workplace, found.workplace_signals) == ("remote", ("jobLocationType=TELECOMMUTE",))
    assert found.pay == Pay(low=50_000, high=60_000, currency="EUR", interval="year", source="field")
    assert (found.employment_type, found.language, found.is_listed) == ("full_time", "en", True)
    assert found.vendor_id == "https://careers.northwind.example/jobs/12"
    assert json.loads(found.record)["validThrough"] == "2020-01-01T00:00"


@pytest.mark.parametrize(
    ("location", "place"),
    [
        (
            {"address": {"addressLocality": "Oslo", "addressCountry": "NO"}},
            PlaceHint(text="Oslo, NO", city="Oslo", country="NO"),
        ),
        (
            {
                "address": {
                    "addressLocality": "Tbilisi",
                    "addressCountry": {"@type": "Country", "name": "Georgia"},
                }
            },
            PlaceHint(text="Tbilisi, Georgia", city="Tbilisi", country="Georgia"),
        ),
        (
            {"address": {"addressRegion": "CA", "addressCountry": ["US"]}},
            PlaceHint(text="CA, US", region="CA", country="US"),
        ),
        (
            {"address": {"streetAddress": "Wangen b. Dübendorf, CH"}},
            PlaceHint(text="Wangen b. Dübendorf, CH"),
        ),
        ({"address": "Harbour 1, Bergen"}, PlaceHint(text="Harbour 1, Bergen")),
        ({"@type": "Place", "name": "Headquarters"}, PlaceHint(text="Headquarters")),
        ("Bergen, Norway", PlaceHint(text="Bergen, Norway")),
    ],
)
def test_a_place_is_read_in_every_form_its_country_is_written_in(location, place):
    assert posting(jobLocation=location).places == (place,)
    assert posting(jobLocation=[location, location, {}]).places == (place,)


def test_where_applicants_must_live_is_the_place_only_when_there_is_no_other():
    area = [{"@type": "Country", "name": "Poland"}, "Spain"]
    assert posting(applicantLocationRequirements=area).locations == ("Poland", "Spain")
    named = posting(applicantLocationRequirements=area, jobLocation={"address": {"addressLocality": "Oslo"}})
    assert named.locations == ("Oslo",)


@pytest.mark.parametrize(
    ("changed", "pay"),
    [
        (
            {"baseSalary": {"currency": "USD", "value": {"value": 25.5, "unitText": "HOUR"}}},
            (25.5, 25.5, "USD", "hour"),
        ),
        (
            {"baseSalary": {"currency": "USD", "value": 4_000, "unitText": "MONTH"}},
            (4_000, 4_000, "USD", "month"),
        ),
        (
            {"baseSalary": {"currency": "usd", "minValue": 1_000, "unitText": "WEEKLY"}},
            (1_000, None, "USD", "week"),
        ),
        ({"baseSalary": "52000", "salaryCurrency": "GBP"}, (52_000, 52_000, "GBP", None)),
        (
            {"baseSalary": {"currency": "", "value": {"value": "40000", "unitText": "YEAR"}}},
            (40_000, 40_000, None, "year"),
        ),
        ({"estimatedSalary": {"currency": "USD", "value": {"value": 25, "unitText": "HOUR"}}}, None),
        (
            {
                "baseSalary": {
                    "currency": "USD",
                    "value": {"minValue": 145, "maxValue": 165, "unitText": "YEAR"},
                }
            },
            None,
        ),
        (
            {"baseSalary": {"currency": "USD", "value": {"minValue": 9, "maxValue": 1, "unitText": "HOUR"}}},
            None,
        ),
        ({"baseSalary": {"currency": "EUR", "value": "48.000"}}, None),
        ({"baseSalary": [{"currency": "USD", "value": 50_000}, {"currency": "EUR", "value": 40_000}]}, None),
        ({"baseSalary": {"value": {"minValue": True, "maxValue": 1e300}}}, None),
        ({"baseSalary": "Competitive"}, None),
    ],
)
def test_pay_is_one_range_of_the_employer_or_unknown(changed, pay):
    found = posting(**changed).pay
    assert (None if found is None else (found.low, found.high, found.currency, found.interval)) == pay


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "2026-11-02T10:00:00+01:00",
            Posted(meaning="last_published", at=datetime(2026, 11, 2, 9, tzinfo=UTC)),
        ),
        ("2026-11-02T10:00:00", Posted(meaning="last_published", on=date(2026, 11, 2))),
        (
            "Wed Aug 05 02:00:00 UTC 2026",
            Posted(meaning="last_published", at=datetime(2026, 8, 5, 2, tzinfo=UTC)),
        ),
        ("Wed Aug 05 02:00:00 CEST 2026", Posted(meaning="last_published", on=date(2026, 8, 5))),
        ("20.11.2023", Posted(meaning="last_published", on=date(2023, 11, 20))),
        ("6/18/2026", Posted(meaning="last_published", on=date(2026, 6, 18))),
        ("1/9/2026", None),
        ("0001-01-01", None),
        ("9999-12-31", None),
        ("2026-13-45", None),
        ("yesterday", None),
        ("Posted 5 Days Ago", None),
    ],
)
def test_a_date_is_read_when_it_means_one_day(text, expected):
    assert posting(datePosted=text).posted == expected


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("FULL_TIME", "full_time"),
        (["Full-time"], "full_time"),
        ("PART_TIME, INTERN", "intern"),
        ("CONTRACTOR", "contract"),
        (["FULL_TIME", "PART_TIME"], None),
        ("OTHER", None),
        (7, None),
        ([], None),
    ],
)
def test_the_kind_of_work_is_the_one_that_is_named(words, kind):
    assert posting(employmentType=words).employment_type == kind


def test_text_escaped_once_too_often_is_undone_once():
    assert posting(description="&lt;p&gt;R&amp;amp;D&lt;/p&gt;").description == "<p>R&amp;D</p>"
    assert posting(description="<p>a &lt; b</p>").description == "<p>a &lt; b</p>"


def test_what_no_column_can_hold_is_left_out_of_the_value_alone():
    found = posting(
        title="Pi\x00lot \ud800",
        identifier=10**400,
        inLanguage="n\x00o",
        odd={"\ud800\x00a": ["\udfff", 1e400]},
    )
    assert (found.title, found.language, found.requisition_id) == ("Pilot", "no", "1" + "0" * 400)
    record = json.loads(found.record)
    assert record["odd"] == {"a": ""}
    assert "\\u0000" not in found.record.decode()
