"""Files as programs and people save them, as rows under a header."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matcher.trackers.reading import MAX_ROWS, NotATable, read_sheet

PLAIN = "Company,Role,Date applied\nAcme,Bäcker,2026-01-05\nÉlan,Writer,2026-01-06\n"


@pytest.mark.parametrize(
    "content",
    [
        PLAIN.encode(),
        PLAIN.encode("utf-8-sig"),
        PLAIN.encode("utf-16"),
        PLAIN.encode("utf-16-le"),
        PLAIN.encode("utf-16-be"),
        b"\xfe\xff" + PLAIN.encode("utf-16-be"),
        PLAIN.encode("cp1252"),
        PLAIN.encode("latin-1"),
        PLAIN.replace("\n", "\r\n").encode(),
        PLAIN.replace("\n", "\r").encode(),
        PLAIN.replace(",", ";").encode(),
        PLAIN.replace(",", "\t").encode("utf-16"),
        PLAIN.replace(",", "|").encode(),
        ("sep=;\n" + PLAIN.replace(",", ";")).encode("utf-8-sig"),
        ("My job search\n\nas of 2026-02-01,,\n" + PLAIN).encode(),
        PLAIN.replace("\n", ",,,\n").encode(),
    ],
)
def test_the_same_table_is_read_from_every_spelling(content: bytes):
    sheet = read_sheet(content)
    assert sheet.header[:3] == ("Company", "Role", "Date applied")
    assert [row.cells for row in sheet.rows] == [
        ("Acme", "Bäcker", "2026-01-05"),
        ("Élan", "Writer", "2026-01-06"),
    ]


def test_quotes_hold_separators_quotes_and_line_breaks_and_the_line_is_where_a_row_begins():
    sheet = read_sheet(b'Company,Role,Notes\n"Acme, Inc.",Pilot,"one\ntwo ""three"""\n\nBeta,Cook,\n')
    assert [(row.number, row.cells) for row in sheet.rows] == [
        (2, ("Acme, Inc.", "Pilot", 'one\ntwo "three"')),
        (5, ("Beta", "Cook")),
    ]


def test_a_table_without_a_header_keeps_its_first_row():
    sheet = read_sheet(b"Acme,Pilot,https://acme.example/jobs/1\nBeta,Cook,https://beta.example/jobs/2\n")
    assert sheet.header == ("Column A", "Column B", "Column C")
    assert len(sheet.rows) == 2


def test_an_unknown_header_is_still_a_header():
    sheet = read_sheet("Где,Кем\nAcme,Pilot\n".encode())
    assert (sheet.header, len(sheet.rows)) == (("Где", "Кем"), 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"  \n\n", "empty"),
        (b"PK\x03\x04rest", "workbook"),
        (b"%PDF-1.7", "PDF"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b"\x7fELF\x00\x00\x00\x00" * 100, "not a text file"),
        (b"Company,Role\n", "no row below"),
        (b'Company,Role\n"Acme,Pilot\n' + b"x" * 140_000, "quotation mark is not closed"),
        (b'Company,Role\nAcme,Pilot\n"Acme,Baker\nElan,Writer\n', "Line 3 .* quotation mark is not closed"),
        (b"Company,Role\n" + b"A,B\n" * (MAX_ROWS + 1), "20\u202f001 rows"),
        (b"A,B\n" * 1_300_000, "larger than 5 MB"),
    ],
    ids=[
        "nothing",
        "blank",
        "zip",
        "pdf",
        "html",
        "binary",
        "header",
        "quote",
        "short quote",
        "rows",
        "bytes",
    ],
)
def test_what_is_no_table_is_refused_in_words(content: bytes, said: str):
    with pytest.raises(NotATable, match=said):
        read_sheet(content)


@given(st.binary(max_size=2000))
def test_no_bytes_break_the_reader(content: bytes):
    try:
        sheet = read_sheet(content)
    except NotATable:
        return
    assert sheet.rows
    assert all("\x00" not in cell for row in sheet.rows for cell in row.cells)
