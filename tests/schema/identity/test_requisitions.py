"""Requisition numbers are found where they stand, and years, dates and plain words are not taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.identity.requisitions import requisition_key, requisitions_in

FOUND = [
    ("Your application for Test Engineer (R-12345)", ["R12345"]),
    ("JR0012345 Senior Nurse", ["JR0012345"]),
    ("Senior Nurse - JR_0012345-1", ["JR0012345"]),
    ("REQ-2024-123: Controller", ["REQ2024123"]),
    ("Requisition ID: 4711", ["4711"]),
    ("requisition #: ENG_77-B", ["ENG77B"]),
    ("Job ID 260031 | Oslo", ["260031"]),
    ("Ref. No. AB/12 is wrong, reference number: AB-120.", ["AB120"]),
    ("Job Code is 88123A.", ["88123A"]),
    ("Kennziffer: 2026-PROD-17", ["2026PROD17"]),
    ("Référence : X99-1", ["X991"]),
    ("R0012345 and R0012346", ["R0012345", "R0012346"]),
    ("OPS-2026-0042 Controller", ["OPS20260042"]),
    ("Kennziffer: 2025/79-K", ["202579K"]),
    ("2025/380-K Koch", ["2025380K"]),
    ("(ref VN 60/2189)", ["VN602189"]),
    ("Hello\nNo.: 2462806\nwe have decided", ["2462806"]),
    ("about VN 13/9756, yes", ["VN139756"]),
]
NOT_FOUND = [
    "Required: 5 years", "requirements 2026", "R2-D2", "R2024 conference", "req. of 3 people",
    "Class of R-2024",
    "reference letters", "Reference: 12-05-2026", "I refer to 12345", "ROI of 12345", "x.example/a/R-12345x",
    "Position 3 of 10", "MO 12/2026", "Ref. 24/7 support", "reference: 12/05/2026", "2025/26",
    "JRR12345", "preferred: 100", "Ref: see below",
]  # fmt: skip


@pytest.mark.parametrize(("text", "keys"), FOUND)
def test_a_requisition_is_found(text, keys):
    found = requisitions_in(text)
    assert [each.key for each in found] == keys
    assert all(text[each.start : each.end] == each.text for each in found)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_other_numbers_and_words_are_left_alone(text):
    assert requisitions_in(text) == []


def test_a_number_with_a_label_says_so():
    labelled, bare = requisitions_in("Job ID: R-12345, also R-99999")
    assert (labelled.labelled, bare.labelled) == (True, False)


def test_spellings_of_one_number_have_one_key():
    spellings = ("JR-2019510", "jr2019510", "JR_2019510-1", "JR 2019510")
    assert {requisition_key(text) for text in spellings} == {"JR2019510"}


@given(
    st.lists(
        st.sampled_from(["R", "JR", "req", "-", "_", "12345", "2024", ":", " ", "Job ID", "é", "\x00", "#"])
    )
)
def test_any_text_is_read_without_failing_and_spans_hold(parts):
    text = "".join(parts)
    for each in requisitions_in(text):
        assert text[each.start : each.end] == each.text
        assert each.key
