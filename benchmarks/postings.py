"""How well postings are understood: `python -m benchmarks.postings DIR`, a folder of raw Ashby boards.

Every board goes through its adapter, its description's text and `normal`. What a posting states is judged by
the raw row beside it, without the product's own readers: a country in its address or any place but "Remote"
and the like, a salary among the components it shows, money with words of pay in its text.
"""

import gc
import re
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from benchmarks.table import Asked, Measure, main
from pipeline.normal import cities, countries
from pipeline.normal.rules import normal
from pipeline.normal.types import Normal
from pipeline.sources.adapters.ashby import read_board
from pipeline.sources.descriptions import described
from pipeline.sources.types import Answer, Listing, Pay

QUICK_BOARDS = 40
COUNTRY_BAR = 97.0
FIELD_PAY_BAR = 95.0
TEXT_PAY_BAR = 60.0
WRONG_BAR = 1.0
#: Words that are no place by themselves, and regions in which no country is named.
NO_PLACE = re.compile(
    r"remote|hybrid|on-?site|head ?quarters?|\bhq\b|office|anywhere|worldwide|global|various|multiple"
    r"|locations?|fully|home|based|\d+|distributed|flexible|virtual",
    re.IGNORECASE,
)
WIDE = re.compile(
    r"european union|\beu\b|europe|emea|apac|latam|\bamericas\b|(?:north|south|latin|central) america|namer"
    r"|\basia\b|\bafrica\b(?<!south africa)|middle east|nordics|dach|mena|benelux|central|eastern|western"
    r"|\b(?:utc|gmt|cet|est|pst)\b.*",
    re.IGNORECASE,
)
MONEY = re.compile(r"[$€£]\s?\d{2,3}(?:[.,]\d{3}|\s?[kK]\b)|[$€£]\s?\d{2,3}(?:\.\d\d)?\s?(?:/|per |an )\s?h")
PAY_WORDS = re.compile(
    r"salary|base pay|pay range|compensation|hourly|per hour|\bote\b|per year|annually|gehalt|salaire",
    re.IGNORECASE,
)
PAY_WITHIN = 80


class Component(msgspec.Struct, rename="camel"):
    compensation_type: str | None = None
    min_value: float | None = None
    max_value: float | None = None


class Compensation(msgspec.Struct, rename="camel"):
    summary_components: list[Component] = []


class Postal(msgspec.Struct, rename="camel"):
    address_country: str | None = None


class Address(msgspec.Struct, rename="camel"):
    postal_address: Postal | None = None


class Raw(msgspec.Struct, rename="camel"):
    id: str
    title: str = ""
    location: str | None = None
    address: Address | None = None
    should_display_compensation_on_job_postings: bool | None = None
    compensation: Compensation | None = None

    @property
    def stated_place(self) -> str:
        postal = self.address.postal_address if self.address else None
        return f"{self.location or ''} {(postal.address_country if postal else None) or ''}"

    @property
    def states_pay(self) -> bool:
        told = self.compensation.summary_components if self.compensation else []
        return self.should_display_compensation_on_job_postings is not False and any(
            each.compensation_type == "Salary" and (each.min_value or each.max_value) for each in told
        )


class OnlyId(msgspec.Struct):
    id: str


class Board(msgspec.Struct):
    jobs: list[msgspec.Raw]


class Judged(msgspec.Struct, frozen=True):
    raw: Raw
    listing: Listing
    text: str
    normal: Normal
    seconds: float


def resident_mb() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def tables() -> list[Measure]:
    before, start = resident_mb(), time.process_time()
    cities.load()
    countries.load()
    seconds = time.process_time() - start
    return [
        Measure("tables of places: memory", round(resident_mb() - before, 1), "MB"),
        Measure("tables of places: loading, once a process", round(seconds, 2), "s"),
    ]


def judged(files: Sequence[Path], now: datetime, errors: list[str]) -> Iterator[Judged]:
    for file in files:
        body = file.read_bytes()
        raws = {each.id.lower(): each for each in rows(file, body)}
        reading = read_board(Answer(url=file.name, status=200, body=body))
        errors += [file.name] * (len(raws) - len(reading.listings))
        for listing in reading.listings:
            description = described(listing.description or "")
            text = description.text if description else ""
            start = time.process_time()
            try:
                told = normal(listing, text, now)
            except Exception as error:  # noqa: BLE001 - the measure is that there is none
                errors.append(f"{file.name}: {listing.vendor_id}: {error!r}")
                continue
            yield Judged(raws[listing.vendor_id], listing, text, told, time.process_time() - start)


def rows(file: Path, body: bytes) -> Iterator[Raw]:
    """The rows of a board; a row with an odd field counts, and states nothing."""
    try:
        jobs = msgspec.json.decode(body, type=Board).jobs
    except msgspec.MsgspecError as error:
        print(f"{file.name} is no board: {error}", file=sys.stderr)
        return
    for job in jobs:
        try:
            yield msgspec.json.decode(job, type=Raw)
        except msgspec.MsgspecError:
            yield Raw(id=msgspec.json.decode(job, type=OnlyId).id)


def share(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 100.0


def places(all_: Sequence[Judged]) -> list[Measure]:
    stated = [each for each in all_ if re.search(r"\w{2}", NO_PLACE.sub(" ", each.raw.stated_place))]
    in_a_country = [
        each
        for each in stated
        if re.search(r"\w{2}", WIDE.sub(" ", NO_PLACE.sub(" ", each.raw.stated_place)))
    ]
    found = sum(bool(each.normal.countries) for each in in_a_country)
    wide = [each for each in stated if each not in in_a_country]
    for each in in_a_country:
        if not each.normal.countries:
            print(f"no country: {each.raw.stated_place!r} {each.listing.places}", file=sys.stderr)
    return [
        Measure("postings that state a place", len(in_a_country), "postings"),
        Measure(
            "country resolved, where a place is stated",
            share(found, len(in_a_country)),
            "%",
            COUNTRY_BAR,
            at_least=True,
        ),
        Measure("postings that state only a region", len(wide), "postings"),
        Measure(
            "region named, where only that is stated",
            share(sum(bool(each.normal.places) for each in wide), len(wide)),
            "%",
        ),
    ]


def states_pay_in_text(text: str) -> bool:
    """Money, and words of pay right before or after it."""
    return any(
        PAY_WORDS.search(text[max(match.start() - PAY_WITHIN, 0) : match.end() + PAY_WITHIN])
        for match in MONEY.finditer(text)
    )


def pays(all_: Sequence[Judged], now: datetime) -> list[Measure]:
    in_fields = [each for each in all_ if each.raw.states_pay]
    found = sum(each.normal.pay is not None for each in in_fields)
    in_text = [each for each in all_ if not each.raw.states_pay and states_pay_in_text(each.text)]
    found_in_text = sum(each.normal.pay is not None for each in in_text)
    both = [(each, text_pay(each, now)) for each in in_fields]
    read = [(each, pay) for each, pay in both if pay is not None and each.listing.pay is not None]
    wrong = [(each, pay) for each, pay in read if each.listing.pay and contradicts(pay, each.listing.pay)]
    same = sum(
        pay.low == each.listing.pay.low and pay.high == each.listing.pay.high
        for each, pay in read
        if each.listing.pay
    )
    for each, pay in wrong:
        print(f"wrong: {each.raw.title}: text {pay} field {each.listing.pay}", file=sys.stderr)
    return [
        Measure("postings that state pay in fields", len(in_fields), "postings"),
        Measure(
            "pay found, where fields state it",
            share(found, len(in_fields)),
            "%",
            FIELD_PAY_BAR,
            at_least=True,
        ),
        Measure("postings that state pay only in text", len(in_text), "postings"),
        Measure(
            "pay found, where only text states it",
            share(found_in_text, len(in_text)),
            "%",
            TEXT_PAY_BAR,
            at_least=True,
        ),
        Measure("pay stated in both, read from the text", len(read), "postings"),
        Measure("both ends as in the field", share(same, len(read)), "%"),
        Measure("text contradicts the field", share(len(wrong), len(read)) if read else 0.0, "%", WRONG_BAR),
    ]


def text_pay(each: Judged, now: datetime) -> Pay | None:
    without = msgspec.structs.replace(each.listing, pay=None)
    return normal(without, each.text, now).pay


def contradicts(pay: Pay, field: Pay) -> bool:
    """Another currency or period, or amounts that do not meet."""
    if pay.currency not in {None, field.currency} or pay.interval not in {None, field.interval}:
        return True
    low, high = pay.low or pay.high or 0, pay.high or pay.low or 0
    least, most = field.low or field.high or 0, field.high or field.low or 0
    return high < least or low > most


def measure(asked: Asked) -> list[Measure]:
    if asked.folder is None or not asked.folder.is_dir():
        sys.exit("usage: python -m benchmarks.postings DIR: a folder of raw Ashby boards (*.json)")
    now = datetime.now(UTC)
    files = sorted(asked.folder.rglob("*.json"))[: QUICK_BOARDS if asked.quick else None]
    loading = tables()
    errors: list[str] = []
    all_ = list(judged(files, now, errors))
    for error in errors:
        print(error, file=sys.stderr)
    total = len(all_) + len(errors)
    return [
        Measure("boards", len(files), "boards"),
        Measure("postings", total, "postings"),
        Measure("normalised without error", share(len(all_), total), "%", 100.0, at_least=True),
        *places(all_),
        *pays(all_, now),
        Measure("time", round(1e3 * sum(each.seconds for each in all_) / max(len(all_), 1), 3), "ms each"),
        *loading,
    ]


if __name__ == "__main__":
    main(__doc__ or "", measure)
