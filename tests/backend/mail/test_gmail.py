"""What the pages offer of Google: labels a reader knows, and addresses Google sends people back to."""

import pytest

from backend.mail.client_file import Given, knows
from backend.mail.gmail import is_taken_by_google, offered
from mailsync.gmail.types import Label


def test_labels_of_gmail_are_told_in_words_and_those_of_no_use_left_out():
    told = [
        Label(label_id="Label_1", name="Jobs", own=True),
        Label(label_id="CATEGORY_PERSONAL", name="CATEGORY_PERSONAL", own=False),
        Label(label_id="CHAT", name="CHAT", own=False),
        Label(label_id="UNREAD", name="UNREAD", own=False),
        Label(label_id="INBOX", name="INBOX", own=False),
    ]
    assert [(label.label_id, label.name) for label in offered(told)] == [
        ("Label_1", "Jobs"),
        ("CATEGORY_PERSONAL", "Primary"),
        ("INBOX", "Inbox"),
    ]


@pytest.mark.parametrize(
    ("address", "taken"),
    [
        ("http://127.0.0.1:8377", True),
        ("http://localhost:8377", True),
        ("http://[::1]:8377", True),
        ("https://jobs.example.org", True),
        ("http://jobs.example.org", False),
        ("http://192.168.1.5:8377", False),
        ("https://192.168.1.5", False),
        ("https://laptop", False),
        ("", False),
    ],
)
def test_google_takes_this_machine_or_a_name_with_https(address: str, taken: bool):
    assert is_taken_by_google(address) is taken


def test_a_desktop_client_knows_every_way_back_and_a_web_client_its_own():
    desktop = Given(client_id="a", client_secret="b")
    web = Given(client_id="a", client_secret="b", returns=("https://x.example/mail/gmail/callback",))
    assert knows(desktop, "http://127.0.0.1:1/mail/gmail/callback")
    assert knows(web, "https://x.example/mail/gmail/callback")
    assert not knows(web, "https://y.example/mail/gmail/callback")
    assert "hush" not in repr(Given(client_id="a", client_secret="hush"))
