"""A file of bytes as rows under a header: character set, separator, and where the header stands. Pure.

Never guesses at what a column means; that is `guessing.py`. Raises `NotATable`, saying what was found.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from mailsync.archive.mbox import looks_like_mbox
from mailsync.parse.charsets import decode
from mailsync.parse.headers import read_head
from matcher.trackers.headers import field_of
from matcher.trackers.types import Line, Sheet
from schema.errors import Refusal
from schema.text import clean, grouped

MAX_BYTES = 5_000_000
MAX_ROWS = 20_000
MAX_COLUMNS = 200
_SEPARATORS = ",;\t|"
_SAMPLE_LINES = 60
_HEADER_WITHIN = 25
_MOST_NULS = 0.2
_END = "\x02"
"""A row of its own behind the file: when it is not, a quotation mark before it was not closed."""
_OPEN = "a quotation mark is not closed"
_SEP_LINE = re.compile(r"\ufeff?\"?sep=(.)\"?\r?\n", re.IGNORECASE)
_VALUE_LIKE = re.compile(r"https?://|^[\d.,/:\-\s]+$", re.IGNORECASE)
_PACKED = ((b"PK\x03\x04", "a workbook or archive"), (b"%PDF", "a PDF"), (b"\xd0\xcf\x11\xe0", "a workbook"))
_BEGINNING_BYTES = 8192
_MAIL_FIELDS = ("from", "subject", "date", "message-id", "received")
_LEAST_MAIL_FIELDS = 2
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class NotATable(Refusal):
    """This is not a table of applications that can be read."""

    code = "not_a_table"


class LooksLikeMail(NotATable):
    """This looks like mail; bring it in under Mail."""

    code = "looks_like_mail"


def read_sheet(content: bytes) -> Sheet:
    """Rows without any content are left out. Raises `NotATable`."""
    text = _text(content)
    found = _SEP_LINE.match(text)
    separator = found[1] if found else _separator(text)
    lines = _lines(text[found.end() if found else 0 :], separator, first=2 if found else 1)
    if not lines:
        raise NotATable("The file has no rows.")
    place, header = _header(lines)
    width = max(len(line.cells) for line in lines)
    if width > MAX_COLUMNS:
        raise NotATable(f"The file has {grouped(width)} columns; at most {MAX_COLUMNS} can be read.")
    rows = tuple(lines[place:])
    if len(rows) > MAX_ROWS:
        raise NotATable(
            f"The file has {grouped(len(rows))} rows; at most {grouped(MAX_ROWS)} fit in one file."
        )
    if not rows:
        raise NotATable("The file has a header, but no row below it.")
    return Sheet(header=_named(header, width), rows=rows)


def _text(content: bytes) -> str:
    if not content.strip():
        raise NotATable("The file is empty.")
    if _is_mail(content[:_BEGINNING_BYTES]):
        raise LooksLikeMail
    if len(content) > MAX_BYTES:
        raise NotATable(f"The file is larger than {MAX_BYTES // 1_000_000} MB.")
    for start, what in _PACKED:
        if content.startswith(start):
            raise NotATable(f"This is {what}, not CSV. Open it where it was made and save it as CSV.")
    text = _decoded(content)
    if text.lstrip("\ufeff \r\n").lower().startswith(("<!doctype", "<html")):
        raise NotATable("This is a web page, not CSV. Download the file itself.")
    return clean(text).removeprefix("\ufeff")


def _is_mail(beginning: bytes) -> bool:
    """A mailbox or a single letter: read as a table, every line of it would be a row."""
    if looks_like_mbox(beginning):
        return True
    head, _ = read_head(beginning)
    return sum(head.has(name) for name in _MAIL_FIELDS) >= _LEAST_MAIL_FIELDS


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    sample = content[:4000]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) / 2
    if odd > half * _MOST_NULS > even:
        return content.decode("utf-16-le", errors="replace")
    if even > half * _MOST_NULS > odd:
        return content.decode("utf-16-be", errors="replace")
    if even + odd > half * _MOST_NULS:
        raise NotATable("This is not a text file. Save the table as CSV.")
    return decode(content)[0]


def _separator(text: str) -> str:
    """The one under which most of the first lines have the same number of cells, more than one."""

    def fit(separator: str) -> tuple[int, int]:
        widths = Counter(len(line.cells) for line in _lines(text, separator, limit=_SAMPLE_LINES))
        wide = [(count * width, width) for width, count in widths.items() if width > 1]
        return max(wide, default=(0, 0))

    return max(_SEPARATORS, key=fit)


def _lines(text: str, separator: str, *, first: int = 1, limit: int | None = None) -> list[Line]:
    reader = csv.reader(io.StringIO(f"{text}\n{_END}", newline=""), delimiter=separator)
    found: list[Line] = []
    number = begun = first
    try:
        for cells in reader:
            # A cell can hold line breaks: the row is where it begins.
            begun = number
            if any(cell.strip() for cell in cells):
                found.append(Line(number, tuple(_without_empty_end(cells))))
            number = first + reader.line_num
            if limit is not None and len(found) >= limit:
                break
    except csv.Error as error:
        if limit is not None:
            return found
        raise NotATable(f"Line {number} cannot be read: {_OPEN}, or a cell is far too long.") from error
    if limit is None and found.pop().cells != (_END,):
        raise NotATable(f"Line {begun} cannot be read: {_OPEN}, so nothing below it would be read either.")
    return found


def _without_empty_end(cells: Sequence[str]) -> Sequence[str]:
    """Spreadsheets pad rows with empty cells."""
    end = len(cells)
    while end and not cells[end - 1].strip():
        end -= 1
    return cells[:end]


def _header(lines: list[Line]) -> tuple[int, tuple[str, ...]]:
    """How many lines stand above the first row, and the names of the columns; none when there is no header.

    A title or a date above the table names no columns: the header is the line that names most.
    """
    best, most = 0, 0
    for place, line in enumerate(lines[:_HEADER_WITHIN]):
        named = len({field_of(cell) for cell in line.cells} - {None})
        if named > most:
            best, most = place, named
    if most > 1 or (most == 1 and not _is_data(lines[best].cells)):
        return best + 1, lines[best].cells
    width = Counter(len(line.cells) for line in lines).most_common(1)[0][0]
    place = next(place for place, line in enumerate(lines) if len(line.cells) == width)
    return (place, ()) if _is_data(lines[place].cells) else (place + 1, lines[place].cells)


def _is_data(cells: Iterable[str]) -> bool:
    """Whether a line holds values: nobody calls a column by an address or a number."""
    return any(_VALUE_LIKE.search(cell.strip()) for cell in cells if cell.strip())


def _named(header: Sequence[str], width: int) -> tuple[str, ...]:
    """Every column has a name; one without is called by its letters, as spreadsheets do."""
    given = [*header, *[""] * width][: max(width, len(header))]
    return tuple(" ".join(name.split()) or f"Column {_letters(place)}" for place, name in enumerate(given))


def _letters(place: int) -> str:
    head, rest = divmod(place, len(_LETTERS))
    return (_LETTERS[head - 1] if head else "") + _LETTERS[rest]
