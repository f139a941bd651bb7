"""What Workday's rows and pages say, in the catalog's words. Pure.

Lists tell no date but "Posted 5 Days Ago", which changes by itself and names no day: it is neither read nor
part of what makes a row another one. "7 Locations" is a count and no place; `remoteType` is a label that the
employer chose, kept as it is and understood only where it can mean one thing.
"""

import hashlib
import re
from collections.abc import Iterable
from datetime import date
from urllib.parse import quote, urlsplit

import msgspec

from pipeline.sources.adapters.labels import employment_called, workplace_called
from pipeline.sources.reading import told_in_parts
from pipeline.sources.rows import NotReadable, Row, fitted, row_of
from pipeline.sources.rules import usable_id
from pipeline.sources.types import Listing, PlaceHint, Posted
from schema.identity.requisitions import without_copy
from schema.identity.urls import posting_url

_BOARD = re.compile(r"([a-z0-9_-]{1,100}?(?:\.wd[0-9]{1,4})?)/([^/]{1,150})")
_COUNT = re.compile(r"[0-9]{1,4} \w{1,30}")
_AGO = re.compile(r"\s*Posted\b", re.IGNORECASE)
_PLAUSIBLE = range(1990, 2100)


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """One career site of one tenant, at its data centre."""

    host: str
    tenant: str
    name: str

    @property
    def api(self) -> str:
        return f"https://{self.host}/wday/cxs/{self.tenant}/{quote(self.name, safe='')}"

    def page(self, path: str) -> str:
        return f"https://{self.host}/{quote(self.name, safe='')}{path}"

    def path_in(self, url: str | None) -> str | None:
        """What `page` was given to make this address."""
        parts = urlsplit(url or "")
        start = f"/{quote(self.name, safe='')}"
        if parts.netloc != self.host or not parts.path.startswith(f"{start}/"):
            return None
        return parts.path.removeprefix(start)


class PathRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a list; its path is what tells it from the others of its site."""

    path: str
    listing: Listing


class _Posting(msgspec.Struct, frozen=True, rename="camel"):
    external_path: str
    title: str = ""
    locations_text: str | None = None
    time_type: str | None = None
    remote_type: str | None = None
    bullet_fields: list[str] = []


class _Country(msgspec.Struct, frozen=True, rename="camel"):
    descriptor: str | None = None
    alpha2_code: str | None = None


class _Requisitioned(msgspec.Struct, frozen=True):
    country: _Country | None = None


class _Info(msgspec.Struct, frozen=True, rename="camel"):
    title: str = ""
    job_description: str | None = None
    location: str | None = None
    additional_locations: list[str] = []
    country: _Country | None = None
    job_requisition_location: _Requisitioned | None = None
    start_date: str | None = None
    time_type: str | None = None
    remote_type: str | None = None
    job_req_id: str | None = None
    external_url: str | None = None
    posted: bool | None = None


class _Organization(msgspec.Struct, frozen=True):
    name: str | None = None


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A posting's own page. `is_posted` False: Workday says itself that it is not shown any more."""

    listing: Listing
    is_posted: bool
    odd_fields: int


def site_of(board: str) -> Site | None:
    """`board` as `schema/identity` spells it: "tenant.wd5/Site"."""
    found = _BOARD.fullmatch(board)
    if found is None:
        return None
    place = found[1]
    return Site(host=f"{place}.myworkdayjobs.com", tenant=place.partition(".")[0], name=found[2])


def path_row(site: Site, row: Row) -> tuple[PathRow | None, int]:
    """A row of a list, and how many of its fields were odd; None for one without a path or an identity."""
    job, odd = fitted(row, _Posting)
    if job is None or not job.external_path.startswith("/"):
        return None, odd
    url = site.page(job.external_path)
    vendor_id, requisition = _identity(site, url, job.bullet_fields)
    if vendor_id is None:
        return None, odd
    listing = Listing(
        vendor_id=vendor_id,
        record=row.without(),
        fingerprint=_fingerprint(row, job.bullet_fields),
        title=job.title,
        requisition_id=requisition,
        locations=_places(job.locations_text),
        workplace=workplace_called(job.remote_type),
        workplace_signals=_signals(job.remote_type),
        employment_type=employment_called(job.time_type),
        # The address as the list gives it: the canonical one leaves out what its page is found by.
        apply_url=url,
        page_url=url,
    )
    return PathRow(path=job.external_path, listing=listing), odd


def once_each(rows: Iterable[PathRow]) -> tuple[Listing, ...]:
    """One listing a requisition: a tenant may put one out several times, for several places."""
    found: dict[str, Listing] = {}
    for row in rows:
        here = found.get(row.listing.vendor_id)
        found[row.listing.vendor_id] = row.listing if here is None else _joined(here, row.listing)
    return tuple(found.values())


def page_of(site: Site, body: bytes) -> Page | None:
    """The page of one posting; None for what is none."""
    try:
        answer = row_of(body)
        row = row_of(bytes(answer.fields["jobPostingInfo"]))
    except (NotReadable, KeyError):
        return None
    info, odd = fitted(row, _Info)
    if info is None or not (info.title or info.job_req_id):
        return None
    url = info.external_url or ""
    vendor_id, requisition = _identity(site, url, [info.job_req_id or ""])
    listing = Listing(
        vendor_id=vendor_id or "",
        record=row.without("jobDescription"),
        fingerprint=row.fingerprint_without("postedOn"),
        title=info.title,
        requisition_id=requisition or info.job_req_id,
        company=_employer(answer),
        locations=tuple(dict.fromkeys(_stripped([info.location or "", *info.additional_locations]))),
        places=_hints(info),
        workplace=workplace_called(info.remote_type),
        workplace_signals=_signals(info.remote_type),
        employment_type=employment_called(info.time_type),
        posted=_posted(info.start_date),
        page_url=url or None,
        description=info.job_description,
    )
    return Page(listing=listing, is_posted=info.posted is not False, odd_fields=odd)


def _identity(site: Site, url: str, numbers: list[str]) -> tuple[str | None, str | None]:
    """As everything else reads it out of an address; by its own last part where there is no number in it."""
    named = posting_url(url)
    if named is not None and named.platform == "workday" and named.vendor_id is not None:
        return usable_id(named.vendor_id), named.requisition
    last = url.rpartition("/")[2]
    number = next((each for each in numbers if each and last.endswith(each)), None)
    return usable_id(f"{site.tenant}/{without_copy(last)}") if last else None, number


def _fingerprint(row: Row, bullets: list[str]) -> str:
    lasting = [bullet for bullet in bullets if not _AGO.match(bullet)]
    told = [row.fingerprint_without("postedOn", "bulletFields"), *lasting]
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()


def _joined(first: Listing, copy: Listing) -> Listing:
    prints = sorted((first.fingerprint, copy.fingerprint))
    return msgspec.structs.replace(
        first,
        locations=tuple(dict.fromkeys((*first.locations, *copy.locations))),
        workplace=first.workplace if first.workplace == copy.workplace else None,
        workplace_signals=tuple(dict.fromkeys((*first.workplace_signals, *copy.workplace_signals))),
        fingerprint=hashlib.sha256("".join(prints).encode()).hexdigest(),
    )


def _places(text: str | None) -> tuple[str, ...]:
    named = (text or "").strip()
    return () if not named or _COUNT.fullmatch(named) else (named,)


def _signals(label: str | None) -> tuple[str, ...]:
    return (f"remoteType={label.strip()}",) if label and label.strip() else ()


def _employer(answer: Row) -> str | None:
    named = answer.fields.get("hiringOrganization")
    try:
        return None if named is None else msgspec.json.decode(named, type=_Organization).name
    except msgspec.MsgspecError:
        return None


def _hints(info: _Info) -> tuple[PlaceHint, ...]:
    """The first place with the country that Workday tells of it; of the others it tells none."""
    others = (PlaceHint(text=name) for name in _stripped(info.additional_locations))
    return told_in_parts((PlaceHint(text=(info.location or "").strip(), country=_country(info)), *others))


def _country(info: _Info) -> str | None:
    shown = None if info.country is None else info.country.descriptor
    asked = None if info.job_requisition_location is None else info.job_requisition_location.country
    if asked is not None and (shown is None or asked.descriptor in {None, shown}):
        return asked.alpha2_code or asked.descriptor or shown
    return shown


def _stripped(names: Iterable[str]) -> Iterable[str]:
    return (name.strip() for name in names if name.strip())


def _posted(text: str | None) -> Posted | None:
    """The day from which this putting out is shown: a requisition that was put out again looks new."""
    try:
        on = date.fromisoformat((text or "")[:10])
    except ValueError:
        return None
    return Posted(meaning="last_published", on=on) if on.year in _PLAUSIBLE else None
