"""What the columns of real exports are taken for, and how days and status words are read."""

from datetime import UTC, date, datetime

import pytest

from matcher.trackers.becoming import becoming, needs_order
from matcher.trackers.guessing import guess, remapped
from matcher.trackers.reading import read_sheet
from matcher.trackers.statuses import KNOWN, meaning_of
from matcher.trackers.types import Becoming, Refused, Sheet
from matcher.trackers.values import defused, order_of, read_day, read_url, undefused

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
EXPORTS = {
    "sheets": (
        (
            "Company,Position,Date Applied,Status,Link,Salary,Notes\n"
            "Acme,Data Engineer,1/15/2026,Phone Screen,https://acme.example/jobs/1,90k,Nice team\n"
        ),
        ("company", "role", "applied", "status", "url", "salary", "note"),
    ),
    "excel, German": (
        (
            "Firma;Stelle;Beworben am;Status;Ansprechpartner;Gehaltsvorstellung;Bemerkungen\n"
            "Acme GmbH;Bäcker;15.01.2026;Absage;Frau Kern;50.000;keine\n"
        ),
        ("company", "role", "applied", "status", "contact", "salary", "note"),
    ),
    "notion": (
        (
            "Name,Company,Stage,Applied On,Job Posting,Location,Tags\n"
            'Data Engineer,Acme,Interview,"January 15, 2026",https://acme.example/1,Berlin,"a, b"\n'
        ),
        ("role", "company", "status", "applied", "url", "location", "extra"),
    ),
    "airtable": (
        (
            "Position,Company,Application Date,Application status,Recruiter,Job URL,Last Modified\n"
            "Data Engineer,Acme,2026-01-15,Applied,Kim,https://acme.example/1,2026-01-20\n"
        ),
        ("role", "company", "applied", "status", "contact", "url", "status_date"),
    ),
    "huntr": (
        (
            "Company,Job Title,URL,List,Location,Description,Date Applied,Archived\n"
            "Acme,Data Engineer,https://acme.example/1,Applied,Berlin,Text,2026-01-15T10:00:00.000Z,false\n"
        ),
        ("company", "role", "url", "status", "location", "note", "applied", "archived"),
    ),
    "teal": (
        (
            "Job Position,Company,Max. Salary,Location,Status,Date Saved,Deadline,Date Applied,Follow up\n"
            "Data Engineer,Acme,90000,Berlin,Applied,2026-01-10,2026-02-01,2026-01-15,2026-01-25\n"
        ),
        ("role", "company", "salary", "location", "status", "extra", "extra", "applied", "extra"),
    ),
    "trello": (
        (
            "Card Name,Card Description,Labels,List Name,Due Date,Archived\n"
            "Data Engineer at Acme,Text,remote,Applied,,false\n"
        ),
        ("role", "note", "extra", "status", "extra", "archived"),
    ),
    "french": (
        (
            "Entreprise;Intitulé du poste;Date de candidature;Statut;Lien de l\u2019offre;Remarques\n"
            "Acme;Boulanger;15/01/2026;Refusé;https://acme.example/1;rien\n"
        ),
        ("company", "role", "applied", "status", "url", "note"),
    ),
    "spanish": (
        (
            "Empresa,Puesto,Fecha de solicitud,Estado,Enlace,Observaciones\n"
            "Acme,Panadero,15/01/2026,Rechazado,https://acme.example/1,nada\n"
        ),
        ("company", "role", "applied", "status", "url", "note"),
    ),
    "no names at all": (
        (
            "Acme,Data Engineer,https://acme.example/1,2026-01-15,Rejected\n"
            "Beta,Writer,https://beta.example/2,2026-01-16,Applied\n"
        ),
        ("extra", "extra", "url", "applied", "status"),
    ),
}


def sheet_of(text: str) -> Sheet:
    return read_sheet(text.encode())


@pytest.mark.parametrize("name", EXPORTS)
def test_the_columns_of_known_exports_are_known(name: str):
    text, columns = EXPORTS[name]
    assert guess(sheet_of(text)).columns == columns


@pytest.mark.parametrize(("text", "columns"), list(EXPORTS.values())[:9])
def test_every_row_of_them_becomes_an_application_on_its_day(text: str, columns: tuple[str, ...]):
    sheet = sheet_of(text)
    (row,) = becoming(sheet, guess(sheet), now=NOW)
    assert isinstance(row, Becoming)
    if "applied" in columns:
        assert (row.new.applied_on or (row.new.applied_at or NOW).date()) == date(2026, 1, 15)


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("2026-01-05", date(2026, 1, 5)),
        ("20260105", date(2026, 1, 5)),
        ("05.01.2026", date(2026, 1, 5)),
        ("46027", date(2026, 1, 5)),
        ("46027.75", date(2026, 1, 5)),
        ("5 janvier 2026", date(2026, 1, 5)),
        ("5 de enero de 2026", date(2026, 1, 5)),
        ("5. März 2026", date(2026, 3, 5)),
        ("Jan 5, 2026", date(2026, 1, 5)),
        ("25/01/2026", date(2026, 1, 25)),
        ("1/25/2026", date(2026, 1, 25)),
        ("2026/1/5", date(2026, 1, 5)),
        ("5-Jan-2026", date(2026, 1, 5)),
        ("05-Jan-26", date(2026, 1, 5)),
        ("5 Jan '26", date(2026, 1, 5)),
        ("5-ene-2026", date(2026, 1, 5)),
        ("12-ago-25", date(2025, 8, 12)),
        ("5.1.26", date(2026, 1, 5)),
        ("05.01.26", date(2026, 1, 5)),
        ("2026年1月5日", date(2026, 1, 5)),
        ("2026-01-05 00:00:00", date(2026, 1, 5)),
    ],
)
def test_a_day_is_read_as_it_was_written(text: str, on: date):
    found = read_day(text, day_first=None)
    assert found is not None
    assert (found.on, found.at, found.has_time) == (on, None, False)


@pytest.mark.parametrize(
    "text",
    [
        "2 weeks ago",
        "yesterday",
        "March 2026",
        "12 March",
        "soon",
        "03/04/2026",
        "99999",
        "31.02.2026",
        "31-Feb-26",
        "31.2.26",
        "5-Job-26",
        "",
        "?",
    ],
)
def test_what_is_no_day_is_none(text: str):
    assert read_day(text, day_first=None) is None


def test_an_instant_stays_one_and_a_time_without_zone_is_only_noted():
    known = read_day("2026-01-05T10:30:00Z", day_first=None)
    assert known is not None
    assert known.at == datetime(2026, 1, 5, 10, 30, tzinfo=UTC)
    sheet = sheet_of("Company,Role,Applied\nAcme,Pilot,2026-01-05 14:30\n")
    (row,) = becoming(sheet, guess(sheet), now=NOW)
    assert isinstance(row, Becoming)
    assert (row.new.applied_at, row.new.applied_on) == (None, date(2026, 1, 5))
    assert row.new.note == "Applied: 2026-01-05 14:30"


@pytest.mark.parametrize(
    ("column", "day_first"),
    [
        (["03/04/2026", "25/04/2026"], True),
        (["03/04/2026", "04/25/2026"], False),
        (["03-04-26", "13-04-26"], True),
        (["03/04/2026", "05/06/2026"], None),
        (["25/04/2026", "04/25/2026"], None),
        (["2026-01-05"], None),
    ],
)
def test_the_order_of_day_and_month_is_decided_by_the_whole_column(column: list[str], day_first: bool | None):
    assert order_of(column) is day_first


def test_an_order_that_nothing_decides_is_asked_and_the_answer_holds():
    sheet = sheet_of("Company,Role,Applied\nAcme,Pilot,03/04/2025\nBeta,Cook,05/06/2025\n")
    mapping = guess(sheet)
    assert needs_order(sheet, mapping) == "03/04/2025"
    assert all(
        isinstance(row, Refused) and "two ways" in row.reason for row in becoming(sheet, mapping, now=NOW)
    )
    answered = remapped(sheet, mapping.columns, day_first=True)
    assert needs_order(sheet, answered) is None
    days = [row.new.applied_on for row in becoming(sheet, answered, now=NOW) if isinstance(row, Becoming)]
    assert days == [date(2025, 4, 3), date(2025, 6, 5)]


def test_what_the_file_settles_the_person_need_not_say():
    sheet = sheet_of("Company,Applied\nAcme,25/04/2025\nBeta,05/06/2025\n")
    assert remapped(sheet, ("company", "applied"), day_first=False).day_first is True


def one(text: str, **statuses: str) -> Becoming | Refused:
    sheet = sheet_of(text)
    columns = guess(sheet).columns
    mapping = remapped(sheet, columns, chosen=statuses or None)  # type: ignore[arg-type]
    return becoming(sheet, mapping, now=NOW)[0]


@pytest.mark.parametrize(
    ("word", "status", "noted"),
    [
        ("Rejected", "rejected", ""),
        ("Abgelehnt", "rejected", ""),
        ("❌ Rejected", "rejected", ""),
        ("2nd Interview", "interviewing", "Status: 2nd Interview"),
        ("Entretien", "interviewing", ""),
        ("Oferta", "offer", ""),
        ("Zurückgezogen", "withdrawn", ""),
        ("Applied", None, ""),
        ("Ghosted", None, "Status: Ghosted"),
        ("Blue sky", None, "Status: Blue sky"),
    ],
)
def test_a_status_word_is_a_stage_or_stays_in_the_note(word: str, status: str | None, noted: str):
    row = one(f"Company,Role,Status\nAcme,Pilot,{word}\n")
    assert isinstance(row, Becoming)
    assert (row.status, row.new.note) == (status, noted)


def test_an_unknown_status_word_means_what_the_person_says():
    row = one("Company,Role,Status\nAcme,Pilot,Blue sky\n", **{"blue sky": "offer"})
    assert isinstance(row, Becoming)
    assert (row.status, row.new.note) == ("offer", "Status: Blue sky")


def test_what_was_not_applied_to_yet_is_refused_with_its_word():
    row = one("Company,Role,Status\nAcme,Pilot,Wishlist\n")
    assert isinstance(row, Refused)
    assert row.reason == "Not applied yet: Wishlist."


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (",,2026-01-05", "neither an employer nor a position"),
        ("Acme,Pilot,2 weeks ago", "“2 weeks ago” is no day"),
        ("Acme,Pilot,2027-01-05", "lies ahead"),
    ],
)
def test_a_refused_row_says_why_and_where(row: str, said: str):
    found = one(f"Company,Role,Applied\n{row}\n")
    assert isinstance(found, Refused)
    assert said in found.reason
    assert found.line == 2


def test_nothing_of_a_row_is_lost():
    row = one(
        "Company,Role,Link,Salary,Contact,Location,Notes,Mood,Comments\n"
        "Acme,Pilot,see mail,90k,Kim,Berlin,First note,glad,Second note,stray\n"
    )
    assert isinstance(row, Becoming)
    assert row.new.note.splitlines() == [
        "First note",
        "Comments: Second note",
        "Salary: 90k",
        "Contact: Kim",
        "Location: Berlin",
        "Mood: glad",
        "Column J: stray",
        "Link: see mail",
    ]


@pytest.mark.parametrize(
    ("cell", "url"),
    [
        ("https://acme.example/jobs/1", "https://acme.example/jobs/1"),
        ('=HYPERLINK("https://acme.example/jobs/1","Job")', "https://acme.example/jobs/1"),
        ("[Job](https://acme.example/jobs/1)", "https://acme.example/jobs/1"),
        ("acme.example/jobs/1", "https://acme.example/jobs/1"),
        ("https://a.example/1 https://b.example/2", None),
        ("see mail", None),
        ("javascript:alert(1)", None),
    ],
)
def test_an_address_is_found_in_its_cell(cell: str, url: str | None):
    assert read_url(cell) == url


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+49 30",
        "-",
        "@x",
        "'=1",
        "''=1",
        "plain",
        "'quoted'",
        "",
        "\tx",
        "a=b",
        "\uff1d1+1",
        "'\uff20x",
    ],
)
def test_a_defused_cell_is_no_formula_and_comes_back_whole(text: str):
    cell = defused(text)
    assert cell[:1] not in {*"=+-@\uff1d\uff0b\uff0d\uff20\t\r"}
    assert undefused(cell) == text


def test_the_table_of_status_words_agrees_with_itself():
    assert len(KNOWN) > 250
    assert {meaning_of(word) for word in ("absage", "refus", "rechazo", "rejection")} == {"rejected"}
