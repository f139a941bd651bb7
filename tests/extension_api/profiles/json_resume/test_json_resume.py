"""JSON Resume in and out: lenient, and nothing lost in silence."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension_api.profiles.json_resume.incoming import NotJsonResume, imported
from extension_api.profiles.json_resume.names import split_name
from extension_api.profiles.json_resume.outgoing import exported
from extension_api.profiles.rules import checked_profile
from extension_api.profiles.types import (
    Address,
    Education,
    EqualOpportunity,
    Language,
    Links,
    Phone,
    Profile,
    Work,
    WorkRight,
)

FULL = {
    "$schema": "https://example.org/schema.json",
    "basics": {
        "name": "Richard Hendriks",
        "label": "Programmer",
        "image": "https://example.org/me.jpg",
        "email": "richard@piedpiper.example",
        "phone": "(912) 555-4321",
        "url": "http://richard.example",
        "summary": "Hails from Tulsa.",
        "location": {
            "address": "2712 Broadway St",
            "postalCode": "CA 94115",
            "city": "San Francisco",
            "countryCode": "US",
            "region": "California",
        },
        "profiles": [
            {"network": "Twitter", "username": "neutralthoughts"},
            {"network": "", "url": "https://www.github.com/richard"},
            {"network": "SoundCloud", "username": "dandymusicnl", "url": "https://soundcloud.example/d"},
        ],
    },
    "work": [
        {
            "name": "Pied Piper",
            "location": "Palo Alto, CA",
            "description": "Compression company",
            "position": "CEO",
            "startDate": "2013-12-01",
            "endDate": "2014-12-01",
            "summary": "Compression for everybody.",
            "highlights": ["Built an algorithm", "Won Disrupt"],
        },
        {"company": "Hooli", "position": "Engineer", "startDate": "2015", "endDate": "Present"},
    ],
    "volunteer": [{"organization": "CoderDojo"}],
    "education": [
        {
            "institution": "University of Oklahoma",
            "area": "Information Technology",
            "studyType": "Bachelor",
            "startDate": "2011-06",
            "endDate": "2014-01",
            "gpa": "4.0",
            "courses": ["DB1101"],
        }
    ],
    "skills": [{"name": "Web", "level": "Master", "keywords": ["HTML", "CSS"]}],
    "languages": [
        {"language": "English", "fluency": "Native speaker"},
        {"language": "Elvish", "fluency": "sings"},
    ],
    "interests": [],
    "meta": {"version": "v1.0.0"},
}


def taken(document: object, onto: Profile | None = None) -> tuple[Profile, dict[str, str]]:
    result = imported(json.dumps(document).encode(), onto or Profile())
    return result.profile, {remark.path: remark.why for remark in result.remarks}


def test_everything_with_a_place_is_taken_over():
    profile, _ = taken(FULL)
    assert profile == Profile(
        first_name="Richard",
        last_name="Hendriks",
        email="richard@piedpiper.example",
        phone=Phone(number="(912) 555-4321"),
        headline="Programmer",
        summary="Hails from Tulsa.",
        address=Address(
            street="2712 Broadway St",
            city="San Francisco",
            region="California",
            postal_code="CA 94115",
            country="US",
        ),
        links=Links(
            website="http://richard.example",
            twitter="https://x.com/neutralthoughts",
            github="https://www.github.com/richard",
        ),
        work=[
            Work(
                company="Pied Piper",
                title="CEO",
                location="Palo Alto, CA",
                start="2013-12-01",
                end="2014-12-01",
                summary="Compression for everybody.\n- Built an algorithm\n- Won Disrupt",
            ),
            Work(company="Hooli", title="Engineer", start="2015", is_current=True),
        ],
        education=[
            Education(
                school="University of Oklahoma",
                degree="Bachelor",
                field_of_study="Information Technology",
                start="2011-06",
                end="2014-01",
                grade="4.0",
            )
        ],
        skills=["Web", "HTML", "CSS"],
        languages=[Language(name="English", fluency="native"), Language(name="Elvish")],
    )


def test_everything_without_a_place_is_told():
    _, remarks = taken(FULL)
    assert set(remarks) == {
        "basics.name",
        "basics.image",
        "basics.profiles[2]",
        "work[0].description",
        "volunteer",
        "education[0].courses",
        "skills[0].level",
        "languages[1].fluency",
    }


def test_bad_types_are_named_and_the_rest_is_taken():
    profile, remarks = taken(
        {
            "basics": {"name": ["Ada"], "email": "ada@example.org", "location": "London", "profiles": "none"},
            "work": [7, {"name": "Acme", "startDate": "sometime"}],
            "skills": {"name": "x"},
            "education": None,
        }
    )
    assert profile == Profile(email="ada@example.org", work=[Work(company="Acme")])
    assert set(remarks) == {
        "basics.name",
        "basics.location",
        "basics.profiles",
        "work[0]",
        "work[1].start",
        "skills",
    }


def test_facts_the_file_does_not_state_stay():
    before = Profile(
        first_name="Ada",
        pronouns="she/her",
        address=Address(city="London", country="GB"),
        skills=["Sums"],
        work_rights=[WorkRight(country="GB", authorised=True)],
    )
    after, _ = taken({"basics": {"location": {"city": "Paris"}}, "work": [{"name": "Acme"}]}, before)
    assert after.address == Address(city="Paris", country="GB")
    assert (after.first_name, after.pronouns, after.skills) == ("Ada", "she/her", ["Sums"])
    assert after.work_rights == before.work_rights
    assert after.work == [Work(company="Acme")]


@pytest.mark.parametrize(
    "file",
    [
        b"",
        b"[]",
        b"{}",
        b'{"name": "x"}',
        b"\xff\xfe",
        b"{" * 100_000,
        b"[" * 100_000,
        b'"\\ud800"',
        b"x" * 2_000_001,
    ],
)
def test_another_file_is_refused(file: bytes):
    with pytest.raises(NotJsonResume):
        imported(file, Profile())


def test_a_nul_and_a_byte_order_mark_do_no_harm():
    result = imported(b'\xef\xbb\xbf{"basics": {"name": "A\\u0000da"}}', Profile())
    assert result.profile.first_name == "Ada"


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=6),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["name", "location", "profiles", "keywords", "url"]), inner, max_size=3
            )
        ),
        max_leaves=8,
    )
)
def test_whatever_stands_in_a_section_is_answered(inner: object):
    for section in ("basics", "work", "education", "skills", "languages"):
        profile, _ = taken({"basics": {}, section: [inner]})
        assert checked_profile(profile) == profile


def test_a_round_trip_keeps_what_the_format_has_a_place_for():
    profile, _ = taken(FULL)
    back = imported(exported(profile), Profile())
    assert back.profile == profile
    assert [remark.path for remark in back.remarks] == ["basics.name", "work[1].endDate"]


def test_what_is_nobody_elses_business_does_not_leave():
    private = Profile(
        first_name="Ada",
        equal_opportunity=EqualOpportunity(disability="yes", gender="female"),
        work_rights=[WorkRight(country="US", needs_sponsorship=True)],
    )
    file = exported(private).decode()
    assert json.loads(file)["basics"] == {"name": "Ada"}
    assert "US" not in file
    assert "female" not in file


@pytest.mark.parametrize(
    ("whole", "parts"),
    [
        ("", ("", "", "")),
        ("Prince", ("Prince", "", "")),
        ("Ada Lovelace", ("Ada", "", "Lovelace")),
        ("Morgan Quinn Reyes", ("Morgan", "Quinn", "Reyes")),
        ("Ludwig van Beethoven", ("Ludwig", "", "van Beethoven")),
        ("Juan Carlos de la Cruz", ("Juan", "Carlos", "de la Cruz")),
        ("Lovelace, Ada", ("Ada", "", "Lovelace")),
    ],
)
def test_a_whole_name_is_split_where_it_usually_is(whole: str, parts: tuple[str, str, str]):
    split = split_name(whole)
    assert (split.first, split.middle, split.last) == parts
