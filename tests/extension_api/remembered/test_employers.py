"""The employer a board's name speaks of."""

import pytest

from extension_api.remembered.employers import board_employer
from schema.identity.urls import posting_url


@pytest.mark.parametrize(
    ("url", "employer"),
    [
        ("https://jobs.eu.lever.co/Northwind/0b9d7c1e-0000-4000-8000-000000000001/apply", "Northwind"),
        ("https://jobs.lever.co/Northwind/0b9d7c1e-0000-4000-8000-000000000001", "Northwind"),
        (
            "https://nw.wd5.myworkdayjobs.com/en-US/Careers/job/Oslo/Pilot_JR1/apply/applyManually",
            "nw",
        ),
        ("https://wd3.myworkdaysite.com/recruiting/nw/Careers/job/Oslo/Pilot_JR1", "nw"),
        ("https://careers-nw.icims.com/jobs/1234/login", "nw"),
        ("https://jobs.northwind.example/job/Noida-Helmsman-NCR/1069456701/", None),
        ("https://boards.greenhouse.io/gitlab/jobs/8090211002", "gitlab"),
    ],
)
def test_a_board_names_its_employer_without_its_place_on_the_platform(url: str, employer: str | None):
    address = posting_url(url)
    assert address is not None
    assert board_employer(address) == employer
