"""Checking a profile: every fault is named at once, and what is kept is tidy."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension_api.profiles.rules import ProfileInvalid, checked, checked_profile
from extension_api.profiles.types import Profile, Work

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*Profile.__struct_fields__, "city", "title", "odd"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


def faults(document: object) -> dict[str, str]:
    return {fault.path: fault.message for fault in checked(document).faults}


def test_every_fault_is_named_at_once():
    found = faults(
        {
            "first_name": "x" * 1_000_000,
            "email": "ada",
            "nickname": "A",
            "address": {"country": "XX", "planet": "Earth"},
            "links": {"website": "javascript:alert(1)"},
            "work": [{"title": "Engineer"}, {"start": "2024-13"}, 7],
            "languages": [{"fluency": "native"}],
            "salary": {"amount": -1, "currency": "eur"},
            "equal_opportunity": {"gender": "robot"},
        }
    )
    assert set(found) == {
        "first_name",
        "email",
        "nickname",
        "address.country",
        "address.planet",
        "links.website",
        "work[1].start",
        "work[2]",
        "languages[0].name",
        "salary.amount",
        "salary.currency",
        "equal_opportunity.gender",
    } | {"salary.amount"}
    assert found["first_name"] == "At most 200 characters; this has 1000000."
    assert found["nickname"] == "Not a part of the profile."


def test_what_is_not_faulty_is_kept():
    result = checked(
        {"first_name": "Ada", "email": "nonsense", "work": [{"title": "Engineer", "end": "soon"}]}
    )
    assert result.profile == Profile(first_name="Ada", work=[Work(title="Engineer")])


def test_texts_are_kept_tidy():
    profile = checked(
        {
            "first_name": " Ada\x00\n ",
            "summary": "One\r\n\r\nTwo\x00",
            "links": {"linkedin": "www.linkedin.com/in/ada"},
            "skills": ["Python", " ", ""],
            "work": [{"company": "", "title": "  "}],
            "salary": "",
        }
    ).profile
    assert profile.first_name == "Ada"
    assert profile.summary == "One\n\nTwo"
    assert profile.links.linkedin == "https://www.linkedin.com/in/ada"
    assert profile.skills == ["Python"]
    assert profile.work == []
    assert profile.salary is None


@pytest.mark.parametrize(
    ("work", "path"),
    [
        ({"start": "2024", "end": "2023-12"}, "work[0].end"),
        ({"start": "2024-05", "end": "2024-04-30"}, "work[0].end"),
        ({"end": "2024", "is_current": True}, "work[0].end"),
        ({"is_current": "yes"}, "work[0].is_current"),
        ({"start": "2024-02-30"}, "work[0].start"),
        ({"title": None}, "work[0].title"),
    ],
)
def test_a_position_that_cannot_be_is_named(work: dict, path: str):
    assert set(faults({"work": [{"company": "Acme"} | work]})) == {path}


@pytest.mark.parametrize(("start", "end"), [("2024-05", "2024"), ("2024", "2024"), ("2024-05-02", "2024-05")])
def test_an_end_less_precise_than_the_start_is_no_fault(start: str, end: str):
    assert faults({"work": [{"company": "Acme", "start": start, "end": end}]}) == {}


def test_a_country_stands_once_among_work_rights():
    assert faults({"work_rights": [{"country": "DE"}, {"country": "DE"}]}) == {
        "work_rights": "Each country once."
    }


def test_too_long_a_list_is_cut_and_named():
    result = checked({"skills": [f"skill {n}" for n in range(250)]})
    assert len(result.profile.skills) == 200
    assert [fault.path for fault in result.faults] == ["skills"]


@pytest.mark.parametrize("document", [None, [], "text", 3, True])
def test_what_is_no_profile_at_all_is_said(document: object):
    assert faults(document) == {"profile": "Expected named parts."}


@given(JSON)
def test_any_document_is_checked_and_what_is_kept_passes_again(document: object):
    kept = checked(document).profile
    again = checked(msgspec.to_builtins(kept))
    assert again.faults == []
    assert again.profile == kept


def test_the_refusal_names_the_first_field_and_says_all():
    with pytest.raises(ProfileInvalid) as refused:
        checked_profile(Profile(email="x", first_name="y" * 201))
    assert refused.value.field == "first_name"
    assert "email: An e-mail address" in refused.value.detail
