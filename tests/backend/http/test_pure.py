"""The small pure parts: cursors, sealed flashes, times, browser names, local addresses, forms."""

from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.http import times
from backend.http.agents import browser
from backend.http.flash import Flash, Undo, seal, unseal
from backend.http.forms import Form
from backend.http.paging import cursor, key_of
from backend.http.visits import local
from schema.errors import Invalid


class Key(msgspec.Struct, frozen=True):
    at: datetime
    id: int
    name: str


@given(
    st.integers(0, 2**63 - 1), st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
)
def test_a_cursor_reads_back(number: int, name: str):
    key = Key(datetime(2026, 3, 2, 9, 0, 1, 5, tzinfo=UTC), number, name[:50])
    assert key_of(cursor(key), Key) == key


@given(st.text())
def test_anything_else_is_refused_as_a_cursor(text: str):
    if not text:
        assert key_of(text, Key) is None
        return
    with pytest.raises(Invalid):
        key_of(text, Key)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=400))
def test_a_flash_survives_its_cookie(text: str):
    flash = Flash(text=text, undo=Undo(action="/a/undo", fields={"id": "7"}))
    assert unseal(seal(flash, "token"), "token") == flash


def test_a_flash_of_another_session_or_hand_is_not_shown():
    sealed = seal(Flash(text="Saved."), "token")
    assert unseal(sealed, "other token") is None
    assert unseal(sealed[:-2] + ("AA" if sealed[-2:] != "AA" else "BB"), "token") is None


@given(st.text(max_size=4000))
def test_any_cookie_is_survived(value: str):
    assert unseal(value, "token") is None


def test_a_flash_fits_a_cookie_whatever_it_carries():
    flash = Flash(text="x" * 5000, undo=Undo(action="/a", fields={"note": "y" * 5000}))
    sealed = seal(flash, "token")
    assert len(sealed) < 3600
    opened = unseal(sealed, "token")
    assert opened
    assert opened.undo is None


NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
BERLIN, KOLKATA = times.zone("Europe/Berlin"), times.zone("Asia/Kolkata")


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (timedelta(seconds=5), "just now"),
        (timedelta(hours=2), "08:00"),
        (timedelta(hours=11), "yesterday 23:00"),
        (timedelta(days=10), "20 Feb 10:00"),
        (timedelta(days=200), "14 Aug 2025"),
        (timedelta(minutes=-30), "10:30"),
    ],
)
def test_the_nearer_a_time_the_finer_it_is_told(before: timedelta, expected: str):
    assert times.short(NOW - before, NOW, BERLIN) == expected


def test_the_exact_instant_is_told_in_both_zones():
    assert times.exact(NOW, KOLKATA) == "Mon 2 March 2026, 14:30:00 IST (09:00:00 UTC)"
    assert times.exact(NOW, times.zone("UTC")) == "Mon 2 March 2026, 09:00:00 UTC"
    assert times.day(date(2026, 3, 2)) == "2 Mar 2026"
    last = datetime.max.replace(tzinfo=UTC)
    assert times.short(last, NOW, KOLKATA) == "31 Dec 9999"
    assert times.exact(last, KOLKATA) == "Fri 31 December 9999, 23:59:59 UTC (23:59:59 UTC)"
    assert times.short(datetime.min.replace(tzinfo=UTC), NOW, times.zone("America/New_York")) == "1 Jan 1"


@pytest.mark.parametrize("name", ["", "Nowhere/Land", "../../etc/passwd", "/etc/passwd", "a\x00b"])
def test_a_zone_nobody_knows_is_utc(name: str):
    assert times.zone(name).key == "UTC"


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36", "Chrome on Linux"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 15_1) Version/19 Safari/605.1", "Safari on macOS"),
        ("Mozilla/5.0 (Android 16; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox on Android"),
        ("curl/8.9", "curl/8.9"),
        ("", ""),
    ],
)
def test_a_browser_is_called_what_people_call_it(agent: str, expected: str):
    assert browser(agent) == expected


@pytest.mark.parametrize("address", ["/", "/a", "/review?after=x", "/a#b"])
def test_an_address_of_ours_is_kept(address: str):
    assert local(address) == address


@pytest.mark.parametrize(
    "address",
    ["", "a", "//evil.example", "https://evil.example", "/\\evil.example", "/a\r\nb", "javascript:x"],
)
def test_an_address_elsewhere_becomes_the_first_page(address: str):
    assert local(address) == "/"


def test_a_form_collects_every_fault_and_keeps_what_was_typed():
    form = Form({"name": ["  "], "note": ["x" * 30], "status": ["odd"], "id": ["-1"], "tick": ["1"]})
    form.text("name", "Name", limit=10)
    assert form.text("note", "Note", limit=20) == "x" * 20
    form.choice("status", "Status", ["open"])
    assert form.whole("id", "Id") == 1
    assert form.ticked("tick")
    assert not form.ok
    assert [fault.field for fault in form.faults] == ["name", "note", "status", "id"]
    assert form.value("note") == "x" * 20


@given(st.text())
def test_any_text_is_read_as_a_number_or_refused(text: str):
    form = Form({"id": [text]})
    number = form.whole("id", "Id", low=0)
    assert form.ok == (text.strip().isascii() and text.strip().isdigit() and int(text) <= 2**63 - 1)
    assert 0 <= number <= 2**63 - 1
