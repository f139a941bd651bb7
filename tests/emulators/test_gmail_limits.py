"""Quota, refusals in every shape, broken lines and slow ones, as Google's client meets them."""

import threading
import time
from http.client import HTTPException

import httplib2
import pytest
from emulators.gmail.letters import letter, many
from emulators.gmail.program import client, credentials
from emulators.gmail.program import reason as reason_of
from googleapiclient.errors import HttpError

BROKEN = (OSError, httplib2.HttpLib2Error, HTTPException)


def profile(google, **how):
    return google.users().getProfile(userId="me").execute(**how)


def refused(google):
    with pytest.raises(HttpError) as error:
        profile(google)
    return error.value


def raw(google, message_id, **how):
    return google.users().messages().get(userId="me", id=message_id, format="raw").execute(**how)


def until(condition):
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        threading.Event().wait(0.005)


@pytest.mark.parametrize(("costs", "price"), [("2026", 20), ("older", 5)])
def test_a_get_costs_what_the_table_of_the_year_says(gmail, google, costs, price):
    message_id = gmail.control.deliver(letter("One"))
    gmail.control.set_quota(costs=costs)
    raw(google, message_id)
    google.users().messages().list(userId="me").execute()
    google.users().history().list(userId="me", startHistoryId=gmail.control.history_id()).execute()
    assert [call["units"] for call in gmail.control.calls()] == [price, 5, 2]
    assert gmail.control.meters()["units"] == price + 7


def test_units_come_back_a_minute_after_they_were_spent(gmail, google):
    gmail.control.stand_still()
    gmail.control.set_quota(per_user=2)
    profile(google)
    gmail.control.advance(30)
    profile(google)
    error = refused(google)
    assert error.status_code == 403 and reason_of(error) == "rateLimitExceeded"
    gmail.control.advance(31)
    profile(google)
    refused(google)
    assert gmail.control.meters()["refused"] == 2
    assert [call["units"] for call in gmail.control.calls()] == [1, 1, 0, 1, 0]


def test_people_have_quotas_of_their_own_and_share_that_of_the_project(gmail, google):
    gmail.control.add_account("jo@gmail.example")
    tokens = gmail.control.grant(email="jo@gmail.example")
    gmail.control.set_quota(per_user=1, per_project=2)
    with client(gmail.url, credentials(gmail.url, tokens)) as other:
        profile(google)
        refused(google)
        profile(other)
        gmail.control.set_quota(per_user=None)
        refused(google)


@pytest.mark.parametrize(
    ("kind", "status", "reason", "words"),
    [
        ("per_minute", 403, "rateLimitExceeded", "Queries per minute per user"),
        ("user_rate", 403, "userRateLimitExceeded", "User Rate Limit"),
        ("concurrent", 429, "rateLimitExceeded", "Too many concurrent"),
        ("exhausted", 429, "rateLimitExceeded", "Resource has been exhausted"),
        ("retry_at", 429, "rateLimitExceeded", "Retry after 2"),
        ("daily", 403, "dailyLimitExceeded", "Daily Limit"),
        ("insufficient", 403, "insufficientPermissions", "scopes"),
        ("not_found", 404, "notFound", "not found"),
        ("backend", 500, "backendError", "Internal error"),
        ("unavailable", 503, "backendError", "unavailable"),
    ],
)
def test_refusals_look_like_googles(gmail, google, kind, status, reason, words):
    gmail.control.fault("getProfile", kind)
    error = refused(google)
    assert (error.status_code, reason_of(error)) == (status, reason) and words in error.reason
    assert profile(google)


@pytest.mark.parametrize(
    "kind", ["per_minute", "user_rate", "concurrent", "exhausted", "backend", "html_500"]
)
def test_googles_client_tries_again_when_told_to(gmail, google, kind):
    waited = []
    gmail.control.fault("getProfile", kind, times=2)
    request = google.users().getProfile(userId="me")
    request._sleep = waited.append
    assert request.execute(num_retries=2)["emailAddress"]
    assert len(waited) == 2
    assert [call["status"] for call in gmail.control.calls("getProfile")][-1] == 200


def test_a_page_of_html_in_place_of_an_error_is_no_json(gmail, google):
    gmail.control.fault("getProfile", "html_502")
    error = refused(google)
    assert error.status_code == 502 and b"That's an error" in error.content


def test_what_is_no_json_passes_googles_client_as_a_text(gmail, google):
    gmail.control.fault("getProfile", "not_json")
    assert "hotel network" in profile(google) and isinstance(profile(google), dict)


def test_a_fault_meets_the_calls_it_names_as_often_as_it_says(gmail, google):
    one, two = gmail.control.deliver_many(many(2))
    gmail.control.fault(f"messages.get .*{two}", "not_found", times=None)
    gmail.control.fault("getProfile", "unavailable", times=1, after=1, retry_after=7)
    assert raw(google, one)
    for _ in range(3):
        with pytest.raises(HttpError):
            raw(google, two)
    profile(google)
    assert refused(google).resp["retry-after"] == "7"
    profile(google)
    gmail.control.clear_faults()
    assert raw(google, two)


@pytest.mark.parametrize("kind", ["cut", "reset"])
def test_a_broken_line_loses_the_answer_and_is_not_a_fetch(gmail, kind):
    message_id = gmail.control.deliver(letter("One", "x" * 5_000))
    tokens = gmail.control.grant()
    gmail.control.fault("messages.get", kind, times=None)
    with client(gmail.url, credentials(gmail.url, tokens)) as google, pytest.raises(BROKEN):
        raw(google, message_id)
    assert gmail.control.fetches() == {}
    assert gmail.control.calls("messages.get")[0]["fault"] == kind
    gmail.control.clear_faults()
    # On a new line: httplib2 would go on using the dead one.
    with client(gmail.url, credentials(gmail.url, tokens)) as google:
        raw(google, message_id)
    assert gmail.control.fetches() == {message_id: 1}


def test_a_slow_drip_arrives_whole(gmail, google):
    message_id = gmail.control.deliver(letter("One", "x" * 5_000))
    gmail.control.fault("messages.get", "drip", seconds=0.2)
    began = time.monotonic()
    assert len(raw(google, message_id)["raw"]) > 5_000
    assert time.monotonic() - began >= 0.15


def test_a_call_is_held_until_let_go(gmail, google):
    gmail.control.fault("getProfile", "hold")
    got = []
    asking = threading.Thread(target=lambda: got.append(profile(google)))
    asking.start()
    until(lambda: gmail.control.held() == 1)
    assert got == []
    gmail.control.release()
    asking.join(10)
    assert got and gmail.control.held() == 0


def test_too_many_calls_at_once_are_refused(gmail, google):
    gmail.control.set_quota(concurrent=1)
    gmail.control.fault("getProfile", "hold")
    with client(gmail.url, credentials(gmail.url, gmail.control.grant())) as other:
        asking = threading.Thread(target=lambda: profile(other))
        asking.start()
        until(lambda: gmail.control.held() == 1)
        error = refused(google)
        assert (error.status_code, gmail.control.meters()["most_at_once"]) == (429, 2)
        gmail.control.release()
        asking.join(10)
        assert profile(google)


def test_every_call_is_on_record(gmail, google):
    message_id = gmail.control.deliver(letter("One"))
    raw(google, message_id)
    (call,) = gmail.control.calls()
    assert (call["operation"], call["method"], call["status"], call["units"]) == (
        "messages.get",
        "GET",
        200,
        20,
    )
    assert call["target"].startswith(f"/gmail/v1/users/me/messages/{message_id}?")
    assert call["email"] == "sam.carter@gmail.example" and call["token"].startswith("ya29.")
    assert not call["in_batch"]
    gmail.control.forget_calls()
    assert gmail.control.calls() == [] and gmail.control.fetches() == {}
