"""The emulator as a process of its own, steered over HTTP, and quick enough for large mailboxes."""

import time
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from itertools import islice

import pytest
from emulators.gmail.letters import letter, many
from emulators.gmail.program import client, credentials, running
from emulators.gmail.server import Gmail
from emulators.gmail.wire import Request


@pytest.mark.process
def test_it_runs_as_a_process_and_obeys_from_afar():
    with running() as (url, control):
        odd = b"Subject: caf\xe9\r\n\r\n\xff"
        one = control.deliver(raw=odd, labels=["INBOX"])
        ids = control.deliver_many(raws=[letter("Two"), letter("Three")])
        assert list(control.mailbox()) == sorted([one, *ids], key=list(control.mailbox()).index)
        with client(url, credentials(url, control.grant())) as google:
            assert google.users().messages().get(userId="me", id=one, format="raw").execute()["id"] == one
            control.fault(match="getProfile", kind="unavailable")
            control.expire_history()
        assert control.fetches() == {one: 1}
        assert control.calls(operation="messages.get")[0]["units"] == 20
        with pytest.raises(ValueError, match="KeyError"):
            control.delete(message_id="unknown")
        with pytest.raises(ValueError, match="none of"):
            control.fault(match="x", kind="earthquake")


def test_a_stopped_emulator_answers_nobody_not_even_on_old_lines():
    with Gmail() as gmail:
        line = HTTPConnection("127.0.0.1", int(gmail.url.rpartition(":")[2]), timeout=10)
        line.request("GET", "/oauth2/v3/certs")
        assert line.getresponse().read()
    with closing(line), pytest.raises((OSError, HTTPException)):
        line.request("GET", "/oauth2/v3/certs")
        line.getresponse()


def quickest(act, times=5):
    took = []
    for _ in range(times):
        began = time.thread_time()
        act()
        took.append(time.thread_time() - began)
    return min(took)


def test_fifty_thousand_letters_are_listed_and_followed_quickly(gmail, google):
    """CPU time inside the emulator, by calling it without a line; bounds are ten times what it needs."""
    start = gmail.control.history_id()
    gmail.control.deliver_many(many(50_000))
    token = gmail.control.grant()["access_token"]

    def ask(target):
        answer = gmail.site.answer(
            Request("GET", f"/gmail/v1/users/me/{target}", {"authorization": f"Bearer {token}"})
        )
        assert answer.status == 200
        return answer

    assert quickest(lambda: ask("messages?maxResults=500")) < 0.03
    assert quickest(lambda: ask(f"history?startHistoryId={start}&maxResults=500")) < 0.05
    ids = list(islice(gmail.control.mailbox(), 200))
    assert quickest(lambda: [ask(f"messages/{each}?format=raw") for each in ids], 3) / len(ids) < 0.002
