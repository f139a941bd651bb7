"""What answers mean for a pace, and what robots files mean for us."""

import time
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.manners.policy import platform_of
from pipeline.manners.robots import Rules, told
from pipeline.manners.rules import first_slack, least_spacing, verdict_of
from pipeline.manners.types import Verdict
from pipeline.sources.types import Answer

SITE = "https://jobs.example"


def answered(status: int, retry_after: int | None = None, body: bytes = b"") -> Answer:
    return Answer(url=SITE, status=status, body=body, retry_after_seconds=retry_after)


@pytest.mark.parametrize(
    ("status", "retry_after", "verdict"),
    [
        (200, None, Verdict(outcome="served")),
        (304, 9, Verdict(outcome="served")),
        (404, None, Verdict(outcome="served")),
        (429, 120, Verdict(outcome="refused", block=timedelta(seconds=120))),
        (429, 0, Verdict(outcome="refused", block=timedelta(seconds=1))),
        (429, 10**8, Verdict(outcome="refused", block=timedelta(hours=6))),
        (429, None, Verdict(outcome="refused", block=timedelta(minutes=1), is_ours=True)),
        (403, None, Verdict(outcome="refused")),
        (403, 30, Verdict(outcome="refused", block=timedelta(seconds=30))),
        (503, 30, Verdict(outcome="refused", block=timedelta(seconds=30))),
        (503, None, Verdict(outcome="neither")),
        (500, None, Verdict(outcome="neither")),
        (502, 30, Verdict(outcome="neither", block=timedelta(seconds=30))),
    ],
)
def test_an_answer_says_go_on_slow_down_or_nothing(status, retry_after, verdict):
    assert verdict_of(answered(status, retry_after)) == verdict


def test_the_longest_wish_sets_the_least_spacing():
    assert least_spacing("jobs.example", 1.0) == timedelta(seconds=1)
    assert least_spacing("jobs.example", 1.0, 0.5) == timedelta(seconds=1)
    assert least_spacing("jobs.example", 1.0, 20) == timedelta(seconds=20)
    assert least_spacing("jobs.example", 1.0, 1e12) == timedelta(days=1)
    assert least_spacing("api.rippling.com", 1.0) == timedelta(seconds=6)


def test_slack_is_a_small_part_of_a_spacing_that_is_kept_exactly():
    assert first_slack(timedelta(seconds=1)) == timedelta(milliseconds=25)
    assert first_slack(timedelta(milliseconds=100)) == timedelta(milliseconds=10)
    assert first_slack(timedelta(milliseconds=99)) == timedelta()


@pytest.mark.parametrize(
    ("file", "is_allowed"),
    [
        ("", True),
        ("User-agent: *\nDisallow: /", False),
        ("User-agent: *\nDisallow:", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: jobtrail\nAllow: /", True),
        ("User-agent: *\nAllow: /\n\nUser-agent: JOBTRAIL\nDisallow: /", False),
        ("User-agent: Jobtrail/1.0 (+https://x)\nDisallow: /\n\nUser-agent: *\nAllow: /", False),
        ("User-agent: job\nDisallow: /\n\nUser-agent: *\nAllow: /", True),
        ("User-agent: job\nAllow: /\n\nUser-agent: *\nDisallow: /", False),
        ("User-agent: jobtrailer\nDisallow: /", True),
        ("User-agent: a\nUser-agent: Jobtrail # us\nDisallow: /x\nDisallow: /board", False),
        ("User-agent: *\nDisallow: /\nAllow: /board", True),
        ("User-agent: *\nDisallow: /board$", False),
        ("User-agent: *\nDisallow: /*rd", False),
        ("User-agent: LinkedInBot\nAllow: /\n\nUser-agent: *\nDisallow: /", False),
        ("<!doctype html><p>Not here", True),
        ("Disallow: /", True),
    ],
)
def test_the_group_with_our_name_counts_else_the_one_for_all(file, is_allowed):
    assert Rules("found", file).allow(f"{SITE}/board") is is_allowed


@pytest.mark.parametrize(
    ("file", "seconds"),
    [
        ("User-agent: *\nCrawl-delay: 2.5", 2.5),
        ("User-agent: *\nRequest-rate: 1/10", 10),
        ("User-agent: *\nCrawl-delay: 3\nRequest-rate: 1/1s", 3),
        ("User-agent: *\nCrawl-delay: nan\nCrawl-delay: -1\nCrawl-delay: soon", None),
        ("User-agent: other\nCrawl-delay: 9", None),
    ],
)
def test_a_delay_is_read_in_both_ways_to_write_it(file, seconds):
    assert Rules("found", file).crawl_delay == seconds


@pytest.mark.parametrize(
    ("status", "state"),
    [(200, "found"), (204, "found"), (304, "unreachable"), (404, "missing"), (429, "unreachable"),
     (500, "unreachable"), (599, "unreachable")],
)  # fmt: skip
def test_only_a_clear_answer_opens_a_site(status, state):
    assert told(answered(status))[0] == state


@given(st.text(max_size=300), st.text(max_size=100))
def test_no_file_and_no_path_is_too_odd(file, path):
    rules = Rules("found", "User-agent: *\nDisallow: " + file)
    assert rules.allow(f"{SITE}/{path}") in {True, False}
    assert rules.crawl_delay is None or rules.crawl_delay >= 0


def test_a_file_made_to_be_slow_is_not():
    hostile = "User-agent: *\n" + ("Disallow: /" + "*a" * 40 + "*b\n") * 3000
    began = time.process_time()
    Rules("found", hostile[: 500 * 1024]).allow(f"{SITE}/{'a' * 3000}")
    assert time.process_time() - began < 2


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_host_and_no_path_is_too_odd_for_the_policy(host, path):
    assert isinstance(platform_of(host, path, f"https://{host}{path}"), str | None)
