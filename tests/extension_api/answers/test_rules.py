"""The fill plan: plain facts filled, everything else left with its reason."""

import re

import msgspec
import pytest
from fixtures.persona import MORGAN, RESUME, asked
from hypothesis import given, settings
from hypothesis import strategies as st

from extension_api.answers.rules import plan
from extension_api.profiles.types import EqualOpportunity, Profile
from extension_api.protocol import FieldDescription, FieldKind, PlannedField


def planned(field: FieldDescription, profile: Profile = MORGAN, *others: FieldDescription) -> PlannedField:
    return plan([field, *others], profile, [RESUME])[0]


def result(field: FieldDescription, profile: Profile = MORGAN) -> str | int | None:
    line = planned(field, profile)
    return line.value or line.option or line.document_id or line.reason


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("First Name *", "Morgan"),
        ("1. First name (required)", "Morgan"),
        ("What is your legal first name?", "Morgan"),
        ("Vorname", "Morgan"),
        ("Prénom *", "Morgan"),
        ("Surname", "Reyes"),
        ("Nachname", "Reyes"),
        ("Nom de famille", "Reyes"),
        ("Apellidos", "Reyes"),
        ("Family name", "Reyes"),
        ("Full legal name", "Morgan Reyes"),
        ("Your name", "Morgan Reyes"),
        ("First and last name", "Morgan Reyes"),
        ("Nombre completo", "Morgan Reyes"),
        ("Middle name", "Quinn"),
        ("What's the name you'd prefer us to use throughout the interview process?", "Mo"),
        ("Preferred first name (optional)", "Mo"),
        ("Pronouns", "they/them"),
        ("E-mail", "morgan.reyes@example.com"),
        ("Confirm your email address", "morgan.reyes@example.com"),
        ("E-Mail-Adresse", "morgan.reyes@example.com"),
        ("Correo electrónico", "morgan.reyes@example.com"),
        ("Phone number (with country code)", "+44 7700 900123"),
        ("Telefonnummer", "+44 7700 900123"),
        ("Teléfono móvil", "+44 7700 900123"),
        (
            "LinkedIn Profile URL (e.g. https://linkedin.com/in/you)",
            "https://linkedin.com/in/morgan-reyes-example",
        ),
        ("Please provide a link to your GitHub profile.", "https://github.com/morgan-reyes-example"),
        ("Website, blog or portfolio", "https://morganreyes.example.com"),
        ("Twitter URL", "https://x.com/morganreyes"),
        ("Location", "London, United Kingdom"),
        ("Where are you currently located?", "London, United Kingdom"),
        ("What city do you live in?", "London"),
        ("Wohnort", "London"),
        ("State / Region", "England"),
        ("Zip/Postal code", "SW1A 1AA"),
        ("Postleitzahl", "SW1A 1AA"),
        ("Country of residence", "United Kingdom"),
        ("Address line 1", "10 Example Street"),
        ("Address line 2", "Flat 2"),
        ("Address", "10 Example Street, London"),
        ("Mailing address", "10 Example Street, Flat 2, London SW1A 1AA, England, United Kingdom"),
        ("Current company", "Acme Ltd"),
        ("Most recent employer", "Acme Ltd"),
        ("Job title", "Software Engineer"),
        ("University", "University of Example"),
        ("Field of study", "Computer Science"),
        ("What is your notice period?", "4 weeks"),
        ("Desired annual salary", "85000 GBP per year"),
    ],
)
def test_a_plain_fact_is_filled_from_the_profile(label: str, value: str):
    line = planned(asked(label))
    assert (line.action, line.value, line.source) == ("fill", value, "profile")
    assert line.confidence >= 0.9


@pytest.mark.parametrize(
    "label",
    [
        "Name of your referrer",
        "Email of your current manager",
        "Emergency contact phone",
        "First name of spouse",
        "Reference #1 phone number",
        "If referred by an employee, please state name",
        "Recruiter email",
        "Next of kin name",
        "Name(s) of relative(s) and company",
    ],
)
@pytest.mark.parametrize(
    "hint", [{}, {"autocomplete": "name", "name": "name"}, {"type": "email"}, {"type": "tel"}]
)
def test_a_fact_about_someone_else_is_left(label: str, hint: dict):
    line = planned(asked(label, **hint))
    assert (line.action, line.reason) == ("leave", "about_someone_else")


@pytest.mark.parametrize(
    "label",
    [
        "Company you'd never work for",
        "Secondary phone number",
        "Other website",
        "High school",
        "County",
        "Title",
        "Position applied for",
        "Job location",
        "What is your preferred work location?",
        "Current salary",
        "Expected CTC in lakhs",
        "Desired hourly pay",
        "Desired salary (USD)",
        "What is your GitLab username?",
        "Are you currently located in Canada?",
        "Is this your current address?",
        "Country of birth",
        "How many years of experience do you have with Python?",
        "Legal name (if different than above)",
        "Which school subject did you like best?",
        "",
        "?",
        "您的英语水平如何",
    ],
)
def test_a_question_that_only_sounds_like_a_fact_is_left(label: str):
    assert planned(asked(label)).action == "leave"


@pytest.mark.parametrize(
    ("label", "kind", "more", "reason"),
    [
        ("I agree to the terms and conditions", "checkbox", {}, "consent"),
        ("Datenschutzerklärung gelesen", "checkbox", {}, "consent"),
        ("Yes, you may contact me about future jobs", "checkbox", {}, "consent"),
        ("Do you consent to being contacted via SMS?", "radio", {"options": ["Yes", "No"]}, "consent"),
        ("By submitting this application I certify that everything is true", "select", {}, "consent"),
        ("Signature", "text", {}, "signature"),
        ("Type your full name to sign", "text", {}, "signature"),
        ("Password", "text", {"type": "password"}, "secret"),
        ("Name", "text", {"autocomplete": "one-time-code"}, "secret"),
        ("Social Security Number", "text", {}, "government_id"),
        ("Passport number", "text", {}, "government_id"),
        ("Date of birth", "text", {}, "birth_date"),
        ("Are you at least 18?", "radio", {"options": ["Yes", "No"]}, "birth_date"),
        ("Geburtsdatum", "text", {}, "birth_date"),
        ("Email", "text", {"autocomplete": "cc-name"}, "payment"),
        ("IBAN", "text", {}, "payment"),
        ("Are you a transgender person?", "radio", {"options": ["Yes", "No"]}, "equal_opportunity"),
        ("Gender", "select", {"options": ["Male", "Female"]}, "equal_opportunity"),
        ("Name", "text", {"section": "Voluntary Self-Identification of Disability"}, "equal_opportunity"),
        ("Why do you want to work here?", "textarea", {}, "own_words"),
        ("Cover letter", "textarea", {}, "own_words"),
        ("Name", "text", {"group": "Emergency contact"}, "about_someone_else"),
        ("First name", "text", {"has_value": True}, "has_value"),
        ("First name", "text", {"max_length": 3}, "too_long"),
        ("First name", "checkbox", {}, "not_understood"),
        ("Email", "select", {}, "no_option_matches"),
        ("Portfolio samples", "file", {}, "not_understood"),
        ("Photo", "file", {"name": "resume_photo"}, "not_understood"),
        ("Cover letter", "file", {}, "not_in_profile"),
        ("Resume and cover letter", "file", {}, "not_understood"),
    ],
)
def test_what_is_left_says_why(label: str, kind: FieldKind, more: dict, reason: str):
    line = planned(asked(label, kind, **more))
    assert (line.action, line.reason) == ("leave", reason)
    assert line.say.endswith(".")
    assert (line.value, line.option, line.document_id) == (None, None, None)


def test_an_empty_profile_fills_nothing():
    labels = [
        "First name",
        "Email",
        "Phone",
        "Country",
        "City",
        "LinkedIn",
        "Current company",
        "School",
        "Salary",
    ]
    assert {line.reason for line in plan([asked(label) for label in labels], Profile(), [])} <= {
        "not_in_profile",
        "not_understood",
    }


def test_the_resume_goes_into_its_slot():
    line = planned(asked("Attach", "file", name="resume"))
    assert (line.action, line.document_id, line.source) == ("fill", RESUME.id, "document")
    assert result(asked("Lebenslauf (PDF)", "file")) == RESUME.id


def test_among_several_documents_only_the_default_is_chosen():
    other = msgspec.structs.replace(RESUME, is_default=False)
    (line,) = plan([asked("CV", "file")], MORGAN, [other, msgspec.structs.replace(other, id=8)])
    assert line.reason == "not_in_profile"
    (line,) = plan([asked("CV", "file")], MORGAN, [other])
    assert line.document_id == other.id


@pytest.mark.parametrize(
    ("labels", "values"),
    [
        (["Vorname", "Name"], ["Morgan", "Reyes"]),
        (["Name", "Surname"], ["Morgan", "Reyes"]),
        (["Nombre", "Apellidos"], ["Morgan", "Reyes"]),
        (["Prénom", "Nom"], ["Morgan", "Reyes"]),
        (["Name", "Email"], ["Morgan Reyes", "morgan.reyes@example.com"]),
        (["Address", "City"], ["10 Example Street", "London"]),
        (["Country code", "Phone"], ["+44", "7700 900123"]),
    ],
)
def test_a_field_is_read_in_the_light_of_the_others(labels: list[str], values: list[str]):
    lines = plan([asked(label) for label in labels], MORGAN, [])
    assert [line.value for line in lines] == values


def test_repeated_sections_are_filled_in_order_and_nothing_else_in_them():
    fields = [
        asked(label, section=f"Work experience {number}")
        for number in (1, 2, 3)
        for label in ("Company", "Title", "City", "Country", "Phone")
    ]
    lines = plan(fields, MORGAN, [])
    assert [line.value for line in lines] == [
        *("Acme Ltd", "Software Engineer", "London", None, None),
        *("Globex", "Junior Engineer", "Leeds", None, None),
        *(None,) * 5,
    ]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (asked("", autocomplete="given-name"), "Morgan"),
        (asked("Keresztnév", autocomplete="section-a given-name"), "Morgan"),
        (asked("", name="job_application[first_name]"), "Morgan"),
        (asked("", name="candidate.lastName"), "Reyes"),
        (asked("", name="urls[LinkedIn]"), "https://linkedin.com/in/morgan-reyes-example"),
        (asked("Adres", type="email"), "morgan.reyes@example.com"),
        (asked("Name", autocomplete="given-name"), "Morgan"),
    ],
)
def test_other_signs_stand_in_for_a_label_nobody_reads(field: FieldDescription, value: str):
    assert planned(field).value == value


@pytest.mark.parametrize(
    "field",
    [
        asked("Which name should our robot greet you with?", autocomplete="name"),
        asked("Name", type="email"),
        asked("First name", type="date"),
        asked("Alternative email", type="email"),
        asked("", name="field_37"),
    ],
)
def test_other_signs_do_not_overrule_a_label(field: FieldDescription):
    assert planned(field).action == "leave" or planned(field).value == "Morgan"


COUNTRIES = [
    "Select...",
    "Afghanistan",
    "United Arab Emirates",
    "United Kingdom",
    "United States Minor Outlying Islands",
]


@pytest.mark.parametrize(
    ("label", "options", "option"),
    [
        ("Country", COUNTRIES, "United Kingdom"),
        ("Country", ["UK", "USA"], "UK"),
        ("Country", ["Germany", "Great Britain"], "Great Britain"),
        ("Country", ["France", "Germany"], "no_option_matches"),
        ("Country", ["UK", "United Kingdom of Great Britain and Northern Ireland"], "several_options_match"),
        ("Country", [], "United Kingdom"),
        ("Phone country code", ["Germany (+49)", "United Kingdom (+44)"], "United Kingdom (+44)"),
        ("Country code", ["+1", "+44"], "+44"),
        ("Country code", ["+44", "+44"], "several_options_match"),
        ("Degree", ["High School", "Bachelor's Degree", "Master's Degree"], "Bachelor's Degree"),
        ("Location (City)", [], "London, United Kingdom"),
        ("Location", ["London", "Berlin"], "no_option_matches"),
        ("Pronouns", ["he/him", "They / Them"], "They / Them"),
    ],
)
def test_an_option_is_chosen_by_its_meaning_never_by_likeness(label: str, options: list[str], option: str):
    assert result(asked(label, "combobox", options=options)) == option


SPOKEN = EqualOpportunity(
    gender="female", hispanic_or_latino="no", race="asian", veteran="not_a_veteran", disability="declined"
)


@pytest.mark.parametrize(
    ("label", "options", "option"),
    [
        ("Gender", ["Male", "Female", "Decline To Self Identify"], "Female"),
        ("What best describes your gender?", ["Man", "Woman", "Non-binary"], "Woman"),
        ("Are you Hispanic/Latino?", ["Yes", "No", "Decline To Self Identify"], "No"),
        (
            "Race",
            ["White (Not Hispanic or Latino)", "Asian (Not Hispanic or Latino)"],
            "Asian (Not Hispanic or Latino)",
        ),
        (
            "Veteran Status",
            [
                "I identify as one or more of the classifications of a protected veteran",
                "I am not a protected veteran",
                "I don't wish to answer",
            ],
            "I am not a protected veteran",
        ),
        (
            "Disability Status",
            [
                "Yes, I have a disability, or have had one in the past",
                "No, I do not have a disability and have not had one in the past",
                "I do not want to answer",
            ],
            "I do not want to answer",
        ),
        ("Gender", ["M", "F"], "no_option_matches"),
        ("Gender", [], "no_option_matches"),
        ("Sexual orientation", ["Asian", "Female", "No"], "equal_opportunity"),
    ],
)
def test_equal_opportunity_is_answered_only_as_the_person_chose(label: str, options: list[str], option: str):
    profile = msgspec.structs.replace(MORGAN, equal_opportunity=SPOKEN)
    assert result(asked(label, "select", options=options), profile) == option
    assert result(asked(label, "select", options=options)) == "equal_opportunity"


LABELS = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            re.findall(
                r"\w+",
                "first last name email phone of your manager spouse country city not never without "
                "sponsorship visa work authorized agree consent signature gender company title emergency "
                "US UK if password",
            )
        ),
        max_size=8,
    ).map(" ".join),
)
FIELDS = st.builds(
    FieldDescription,
    key=st.text(min_size=1, max_size=5),
    label=LABELS,
    kind=st.sampled_from(
        ["text", "textarea", "select", "combobox", "radio", "checkbox", "checkboxes", "file"]
    ),
    type=st.sampled_from(["", "text", "email", "password", "tel", "number"]),
    name=LABELS,
    autocomplete=st.sampled_from(["", "off", "name", "cc-number", "given-name", "section-x tel"]),
    group=LABELS,
    section=LABELS,
    options=st.lists(st.sampled_from(["Yes", "No", "United Kingdom", "Select", ""]), max_size=4),
    has_value=st.booleans(),
    max_length=st.none() | st.integers(-1, 10),
)
NEVER = re.compile(r"never|without|manager|spouse|emergency|agree|consent|signature|password|\bnot\b|\bif\b")


@settings(max_examples=150)
@given(st.lists(FIELDS, max_size=6))
def test_every_field_gets_one_honest_line(fields: list[FieldDescription]):
    lines = plan(fields, MORGAN, [RESUME])
    assert [line.key for line in lines] == [field.key for field in fields]
    for field, line in zip(fields, lines, strict=True):
        given_values = [line.value, line.option, line.document_id]
        assert sum(one is not None for one in given_values) == (line.action == "fill")
        assert (line.reason is None) == (line.action == "fill")
        if line.action == "fill":
            assert not field.has_value
            assert field.type != "password"
            assert not NEVER.search(field.label.lower()) or field.kind in {
                "file",
                "select",
                "combobox",
                "radio",
            }
            assert line.option is None or not field.options or line.option in field.options


def test_three_hundred_long_fields_are_planned_quickly():
    import time

    label = "Please tell us everything about " + "the first name of your favourite manager " * 45
    fields = [asked(label[:2000], "select", options=["Somewhere else entirely"] * 400) for _ in range(300)]
    started = time.process_time()
    plan(fields, MORGAN, [RESUME])
    assert time.process_time() - started < 5
