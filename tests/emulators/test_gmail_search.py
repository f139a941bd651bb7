"""The emulated search language agrees with what Google documents of its own."""

import pytest
from emulators.gmail.letters import letter, with_attachment

DAY = 86_400_000
# 2026-03-02 00:00 in California, in milliseconds.
MARCH_2 = 1_772_438_400_000


@pytest.fixture
def search(gmail, google):
    control = gmail.control
    mail = [
        ("acme", letter("Your application to Acme", sender="no-reply@greenhouse.io"), ["INBOX", "UNREAD"]),
        ("alert", letter("Ten new jobs", sender="alerts@jobs.example"), ["INBOX", "CATEGORY_UPDATES"]),
        ("friend", letter("Lunch?", "An interview with you over soup", sender="bo@x.example"), ["INBOX"]),
        ("mine", letter("Thank you", sender="sam.carter@gmail.example", to="bo@x.example"), ["SENT"]),
        ("plan", with_attachment("Interview plan", b"%PDF"), ["INBOX", "STARRED"]),
        ("junk", letter("Application for a loan"), ["SPAM"]),
    ]
    names = {
        control.deliver(raw, labels, internal_date=MARCH_2 + (index - 2) * DAY): name
        for index, (name, raw, labels) in enumerate(mail)
    }
    control.relabel(next(iter(names)), [control.add_label("Job hunt/Waiting")])

    def found(q):
        answered = google.users().messages().list(userId="me", q=q).execute()
        return {names[each["id"]] for each in answered.get("messages", [])}

    return found


@pytest.mark.parametrize(
    ("q", "names"),
    [
        ("", "acme alert friend mine plan"),
        ("application", "acme"),
        ("applic", ""),
        ("in:anywhere application", "acme junk"),
        ("in:spam", "junk"),
        ("from:greenhouse.io", "acme"),
        ("from:(greenhouse.io OR x.example)", "acme friend"),
        ("from:{greenhouse.io jobs.example}", "acme alert"),
        ("from:me", "mine"),
        ("-from:me in:sent", ""),
        ("to:bo@x.example", "mine"),
        ("subject:interview", "plan"),
        ("interview", "friend plan"),
        ('"interview with you"', "friend"),
        ('-"interview with you" interview', "plan"),
        ('subject:"new jobs"', "alert"),
        ("subject:(new jobs)", "alert"),
        ("subject:(application OR lunch) -from:x.example", "acme"),
        ("{subject:application subject:lunch}", "acme friend"),
        ("interview OR application from:greenhouse.io", "acme"),
        ("-category:updates -in:sent", "acme friend plan"),
        ("is:unread", "acme"),
        ("is:starred OR is:unread", "acme plan"),
        ("is:read in:inbox", "alert friend plan"),
        ("label:job-hunt-waiting", "acme"),
        ("has:attachment", "plan"),
        ("filename:pdf", "plan"),
        ("after:2026/03/02", "friend mine plan"),
        ("after:2026-3-2 before:2026/03/03", "friend"),
        (f"after:{MARCH_2 // 1000 + 1}", "mine plan"),
        (f"after:{MARCH_2}", ""),
        (f"before:{MARCH_2}", ""),
        ("smaller:10k larger:1k", ""),
        ("rfc822msgid:<4c756e63683f@northwind.example>", "friend"),
        ("-{from:me category:updates} -has:attachment", "acme friend"),
    ],
)
def test_a_query_finds(search, q, names):
    assert search(q) == set(names.split())


def test_age_is_counted_from_the_emulators_clock(gmail, search):
    gmail.control.stand_still((MARCH_2 + 3 * DAY) / 1000)
    gmail.control.advance(1)
    # Tokens were given before that clock was set, which is no matter here: the client asks for new ones.
    assert search("newer_than:2d") == {"plan"}
    assert search("older_than:3d in:inbox") == {"acme", "alert", "friend"}


def test_a_query_too_long_for_an_address_is_still_asked(search):
    long = " OR ".join(f"from:board{number}.example" for number in range(200))
    assert len(long) > 2_048
    assert search(f"{{{long} from:greenhouse.io}}") == {"acme"}
