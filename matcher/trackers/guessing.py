"""What each column of a file most likely is: by its name first, then by the values below it. Pure.

A guess is only where the form starts; the person changes what is wrong. What nothing tells apart goes to the
note, so that nothing of the file is lost.
"""

import re
from collections.abc import Callable

from matcher.trackers.headers import UNSURE, fields_of_ours, named, plain
from matcher.trackers.statuses import meaning_of, status_key
from matcher.trackers.types import SINGLE, Field, Line, Mapping, Meaning, Sheet
from matcher.trackers.values import order_of, read_day, read_url

_SAMPLE = 300
_MOST = 0.7
_OTHER_DAYS = re.compile(
    r"\b(deadline|due|interview|follow|next|birth|reminder|close|closing|expir\w*|start|frist|gesprach|faellig"
    r"|entretien|relance|echeance|limite|entrevista|seguimiento|plazo|cierre|response|reply|answer|created)\b"
)


def guess(sheet: Sheet) -> Mapping:
    ours = fields_of_ours(sheet.header)
    if ours is not None:
        return remapped(sheet, ours)
    columns: list[Field | None] = [None] * len(sheet.header)
    _by_name(sheet, columns)
    _by_values(sheet, columns)
    _by_title(sheet, columns)
    return remapped(sheet, tuple(column or "extra" for column in columns))


def remapped(
    sheet: Sheet,
    columns: tuple[Field, ...],
    *,
    day_first: bool | None = None,
    chosen: dict[str, Meaning] | None = None,
) -> Mapping:
    """A mapping with these columns: what the file settles itself is settled, the rest as the person chose.

    A status word that nobody knows and the person said nothing about is only noted.
    """
    settled = order_of(
        text for place in _places(columns, "applied", "status_date") for text in _cells(sheet, place)
    )
    words = {status_key(text): text for place in _places(columns, "status") for text in _cells(sheet, place)}
    statuses: dict[str, Meaning] = {}
    for key, text in words.items():
        statuses[key] = (chosen or {}).get(key) or meaning_of(text) or "note"
    return Mapping(columns=columns, day_first=day_first if settled is None else settled, statuses=statuses)


def _places(columns: tuple[Field, ...], *fields: Field) -> list[int]:
    return [place for place, column in enumerate(columns) if column in fields]


def _cells(sheet: Sheet, place: int) -> list[str]:
    return [text for row in sheet.rows if (text := row.cell(place).strip())]


def _by_name(sheet: Sheet, columns: list[Field | None]) -> None:
    found = [(place, known) for place, name in enumerate(sheet.header) if (known := named(name))]
    for place, known in sorted(found, key=lambda each: (each[1].rank, each[0])):
        if known.field not in SINGLE or known.field not in columns:
            columns[place] = known.field


def _by_values(sheet: Sheet, columns: list[Field | None]) -> None:
    tests: tuple[tuple[Field, Callable[[str], bool]], ...] = (
        ("url", lambda text: read_url(text) is not None),
        ("applied", lambda text: read_day(text, day_first=True) is not None),
        ("status", lambda text: meaning_of(text) not in {None, "note"}),
    )
    for field, fits in tests:
        for place, column in enumerate(columns):
            if column is None and field not in columns and _mostly(sheet.rows, place, fits):
                if field == "applied" and _OTHER_DAYS.search(plain(sheet.header[place])):
                    continue
                columns[place] = field


def _mostly(rows: tuple[Line, ...], place: int, fits: Callable[[str], bool]) -> bool:
    texts = [text for row in rows[:_SAMPLE] if (text := row.cell(place).strip())]
    return bool(texts) and sum(map(fits, texts)) >= _MOST * len(texts)


def _by_title(sheet: Sheet, columns: list[Field | None]) -> None:
    """The title of a card is the position, or the employer where another column is the position."""
    for place, name in enumerate(sheet.header):
        if columns[place] is None and plain(name) in UNSURE:
            field: Field = "company" if "role" in columns else "role"
            if field not in columns:
                columns[place] = field
