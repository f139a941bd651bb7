"""Which listings become postings, and what a mark is."""

import pytest

from pipeline.sources.admission import admitted
from pipeline.sources.types import Listing

ADDRESS = "https://jobs.example/1"


def listing(title: str, *, is_listed: bool = True) -> Listing:
    return Listing(vendor_id="1", record=b"{}", fingerprint="f", title=title, is_listed=is_listed)


@pytest.mark.parametrize(
    ("observed", "address", "rule"),
    [
        (listing(" \u00a0 "), ADDRESS, "has_title"),
        (listing("Pilot", is_listed=False), ADDRESS, "is_listed"),
        (listing("Pilot"), None, "has_address"),
    ],
)
def test_a_refusal_names_its_rule_and_its_reason(observed, address, rule):
    verdict = admitted(observed, address)
    assert not verdict.is_admitted
    assert verdict.rule == rule
    assert verdict.reason


@pytest.mark.parametrize(
    ("title", "rule"),
    [
        ("Talent Community - Engineering", "is_one_opening"),
        ("General Application", "is_one_opening"),
        ("Don\u2019t see your role?", "is_one_opening"),
        ("Initiativbewerbung (m/w/d)", "is_one_opening"),
        ("TEST JOB", "is_no_trial"),
        ("*** Do not apply ***", "is_no_trial"),
    ],
)
def test_what_only_looks_odd_is_admitted_and_marked(title, rule):
    verdict = admitted(listing(title), ADDRESS)
    assert verdict.is_admitted
    assert (verdict.rule, bool(verdict.reason)) == (rule, True)


@pytest.mark.parametrize(
    "title", ["Test Engineer", "Application Engineer", "Talent Partner", "R&D Lead", "Community Manager"]
)
def test_ordinary_titles_carry_no_mark(title):
    verdict = admitted(listing(title), ADDRESS)
    assert (verdict.is_admitted, verdict.rule, verdict.reason) == (True, "all", None)
