"""Batches as Google's client writes and reads them: each part its own answer, in one request."""

from http.client import HTTPException

import httplib2
import pytest
import requests
from emulators.gmail.letters import letter, many
from emulators.gmail.program import client, credentials, document
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

BROKEN = (OSError, httplib2.HttpLib2Error, HTTPException)


def fetched(google, ids):
    """What a batch of raw gets brought: per id the answer or the status of its refusal."""
    got = {}

    def keep(request_id, answered, error):
        got[request_id] = error.status_code if error else answered

    batch = google.new_batch_http_request(callback=keep)
    for each in ids:
        batch.add(google.users().messages().get(userId="me", id=each, format="raw"), request_id=each)
    batch.execute()
    return got


def test_a_batch_answers_every_part(gmail, google):
    ids = gmail.control.deliver_many(many(50))
    got = fetched(google, ids)
    assert [got[each]["id"] for each in ids] == ids
    assert gmail.control.fetches() == dict.fromkeys(ids, 1)
    calls = gmail.control.calls()
    assert [call["operation"] for call in calls] == ["batch"] + ["messages.get"] * 50
    assert {call["in_batch"] for call in calls[1:]} == {True} and sum(
        call["units"] for call in calls
    ) == 1_000


def test_parts_fail_each_for_its_own_reason(gmail, google):
    ids = gmail.control.deliver_many(many(6))
    gmail.control.fault(f"messages.get .*{ids[2]}", "exhausted")
    gmail.control.fault(f"messages.get .*{ids[3]}", "per_minute")
    gmail.control.fault(f"messages.get .*{ids[4]}", "html_500")
    gmail.control.delete(ids[1])
    got = fetched(google, ids)
    assert {each: got[each] for each in ids[1:5]} == {ids[1]: 404, ids[2]: 429, ids[3]: 403, ids[4]: 500}
    assert got[ids[0]]["id"] == ids[0] and got[ids[5]]["id"] == ids[5]
    assert set(gmail.control.fetches()) == {ids[0], ids[5]}


def test_quota_runs_out_in_the_middle_of_a_batch(gmail, google):
    ids = gmail.control.deliver_many(many(5))
    gmail.control.set_quota(per_user=60)
    got = fetched(google, ids)
    assert [got[each] if isinstance(got[each], int) else 200 for each in ids] == [200, 200, 200, 403, 403]


def test_a_person_may_have_only_so_many_parts_at_once(gmail, google):
    ids = gmail.control.deliver_many(many(12))
    gmail.control.set_quota(per_batch=10)
    assert sorted(each for each in fetched(google, ids).values() if isinstance(each, int)) == [429, 429]


def test_a_hundred_parts_are_the_most(gmail, google):
    ids = gmail.control.deliver_many(many(101))
    assert len(fetched(google, ids[:100])) == 100
    with pytest.raises(HttpError) as error:
        fetched(google, ids)
    assert error.value.status_code == 400


# Google's client opens a line for that refresh and leaves it to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_googles_client_refreshes_once_for_all_parts(gmail, google):
    ids = gmail.control.deliver_many(many(3))
    gmail.control.expire_access()
    assert [each["id"] for each in fetched(google, ids).values()] == ids
    assert len(gmail.control.calls("token")) == 1


def test_letters_of_any_bytes_pass_through_a_batch(gmail, google):
    odd = [b"\xff\xfe\r\n\r\n--batch\r\n", b"Subject: x\n\nFrom here\n\n\xe9", b""]
    ids = [gmail.control.deliver(raw) for raw in odd]
    assert all(each["id"] in ids for each in fetched(google, ids).values())


@pytest.mark.parametrize("match", ["^batch ", "messages.get"])
def test_a_cut_batch_fetched_nothing(gmail, google, match):
    ids = gmail.control.deliver_many(many(3))
    gmail.control.fault(match, "cut", times=None)
    with pytest.raises(BROKEN):
        fetched(google, ids)
    assert gmail.control.fetches() == {} and len(gmail.control.calls("messages.get")) >= 3


def test_no_batch_without_parts(gmail):
    answered = requests.post(f"{gmail.url}/batch", data="nothing", timeout=5)
    assert answered.status_code == 400


def test_an_endpoint_option_alone_would_send_batches_to_google(gmail):
    """Why the document itself is rewritten, here and in the product."""
    holder = credentials(gmail.url, gmail.control.grant())
    options = {"api_endpoint": gmail.url}
    with build("gmail", "v1", credentials=holder, client_options=options, static_discovery=True) as half:
        assert half.users().getProfile(userId="me").uri.startswith(gmail.url)
        assert not half.new_batch_http_request()._batch_uri.startswith(gmail.url)
    with client(gmail.url, holder) as whole:
        assert whole.new_batch_http_request()._batch_uri == f"{gmail.url}/batch"
    assert "googleapis.com" not in str(document(gmail.url)["rootUrl"])


def test_a_batch_reads_the_letter_it_was_asked_for(gmail, google):
    one = gmail.control.deliver(letter("One"))
    assert fetched(google, [one])[one]["threadId"] == one
