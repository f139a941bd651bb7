"""The fictional person whose forms are filled, her documents, and the real plan for a form of hers."""

from typing import Any

import msgspec

from extension_api.answers.rules import plan
from extension_api.profiles.types import (
    Address,
    Education,
    Links,
    Phone,
    Profile,
    Salary,
    Work,
    WorkRight,
)
from extension_api.protocol import FieldDescription, KnownDocument
from schema.ids import DocumentId

PERSON = Profile(
    first_name="Morgan",
    middle_name="Quinn",
    last_name="Reyes",
    preferred_name="Mo",
    pronouns="they/them",
    email="morgan.reyes@example.com",
    phone=Phone(country="GB", number="07700 900123"),
    address=Address(
        street="10 Example Street",
        street_2="Flat 2",
        city="London",
        region="England",
        postal_code="SW1A 1AA",
        country="GB",
    ),
    links=Links(
        linkedin="https://linkedin.com/in/morgan-reyes-example",
        github="https://github.com/morgan-reyes-example",
        website="https://morganreyes.example.com",
        twitter="https://x.com/morganreyes",
    ),
    headline="Software Engineer",
    summary="Builds things that last.",
    work=[
        Work(
            company="Acme Ltd",
            title="Software Engineer",
            location="London",
            start="2021-03",
            is_current=True,
            summary="Built the billing system.",
        ),
        Work(company="Globex", title="Junior Engineer", location="Leeds", start="2018-09", end="2021-02"),
    ],
    education=[
        Education(
            school="University of Example",
            degree="Bachelor's degree",
            field_of_study="Computer Science",
            start="2014",
            end="2018",
        )
    ],
    work_rights=[
        WorkRight(country="GB", authorised=True, needs_sponsorship=False),
        WorkRight(country="US", authorised=False, needs_sponsorship=True),
    ],
    notice_period="4 weeks",
    salary=Salary(amount=85_000, currency="GBP"),
)
DOCUMENTS = (
    KnownDocument(
        id=DocumentId(1),
        kind="resume",
        file_name="cv.pdf",
        media_type="application/pdf",
        size_bytes=9,
        is_default=True,
    ),
)


def planned(fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the server plans for fields as the engine describes them, as the extension receives it."""
    described = msgspec.convert(fields, list[FieldDescription])
    return msgspec.to_builtins(plan(described, PERSON, DOCUMENTS))
