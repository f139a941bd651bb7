"""The profile's form: all faults at once, nothing typed lost, two edits side by side, and a way back."""

import httpx2
import msgspec
import pytest
from fixtures.app import PAGE
from fixtures.html import Seen, follow, see, send, submit
from fixtures.people import FixedClock

from backend.pages.profile_fields import GROUPS, SINGLE
from extension_api.profiles.store import current_profile, revisions, save_profile
from extension_api.profiles.types import (
    Address,
    Education,
    EqualOpportunity,
    Language,
    Links,
    Phone,
    Profile,
    Salary,
    Work,
    WorkRight,
)
from schema.db import Database
from schema.ids import AccountId

WHOLE = Profile(
    first_name="Ada",
    middle_name="A.",
    last_name="Lovelace",
    preferred_name="Ada",
    pronouns="she/her",
    email="ada@example.org",
    phone=Phone(country="GB", number="20 7946 0018"),
    address=Address(
        street="1 St James",
        street_2="Flat 2",
        city="London",
        region="Greater London",
        postal_code="SW1",
        country="GB",
    ),
    links=Links(
        linkedin="https://linkedin.example/ada",
        github="https://github.example/ada",
        website="https://ada.example",
        portfolio="https://ada.example/work",
        twitter="https://x.example/ada",
    ),
    headline="Programmer",
    summary="First line.\n\nSecond paragraph with <b>angle brackets</b>.",
    work=[
        Work(
            company="Engines",
            title="Programmer",
            location="London",
            start="1842-05",
            is_current=True,
            summary="G",
        ),
        Work(company="Babbage", title="Translator", start="1840", end="1842-01-02"),
    ],
    education=[
        Education(school="Home", degree="BA", field_of_study="Maths", start="1830", end="1835", grade="1st")
    ],
    skills=["Notes", "Analysis, deep"],
    languages=[Language(name="English", fluency="native"), Language(name="French")],
    work_rights=[
        WorkRight(country="GB", authorised=True, needs_sponsorship=False),
        WorkRight(country="US", authorised=False),
    ],
    notice_period="3 months",
    salary=Salary(amount=90_000, currency="GBP", interval="month"),
    equal_opportunity=EqualOpportunity(
        gender="female", hispanic_or_latino="no", race="white", veteran="not_a_veteran", disability="declined"
    ),
)


class Kept:
    """The profile of one account, past the pages."""

    def __init__(self, database: Database, clock: FixedClock, account: AccountId) -> None:
        self.database, self.clock, self.account = database, clock, account

    async def now(self) -> tuple[int, Profile]:
        async with self.database.as_account(self.account) as unit:
            current = await current_profile(unit)
        return current.revision, current.profile

    async def save(self, profile: Profile, revision: int = 0) -> int:
        async with self.database.as_account(self.account) as unit:
            saved = await save_profile(
                unit, revision=revision, profile=profile, origin="extension", now=self.clock.now()
            )
        return saved.revision

    async def origins(self) -> list[str]:
        async with self.database.as_account(self.account) as unit:
            return [entry.origin for entry in await revisions(unit)]


@pytest.fixture
def kept(database: Database, clock: FixedClock, account: AccountId) -> Kept:
    return Kept(database, clock, account)


def test_the_form_has_a_field_for_every_fact():
    named = set(SINGLE) | {
        f"{group.name}.{field.name}" for group in GROUPS.values() for field in group.fields
    }
    assert named == set(facts_of(Profile))


def facts_of(cls: type) -> list[str]:
    found: list[str] = []
    for field in msgspec.structs.fields(cls):
        info = msgspec.inspect.type_info(field.type)
        part = next(
            (t for t in getattr(info, "types", [info]) if isinstance(t, msgspec.inspect.StructType)), None
        )
        items = getattr(getattr(info, "type", info), "item_type", None)
        part = part or (items if isinstance(items, msgspec.inspect.StructType) else None)
        found += [f"{field.name}.{name}" for name in facts_of(part.cls)] if part else [field.name]
    return found


async def test_a_profile_sent_as_it_stands_changes_nothing(client: httpx2.AsyncClient, kept: Kept):
    await kept.save(WHOLE)
    page = await see(client, "/profile")
    assert page.status == 200
    answer = await submit(client, page, "/profile")
    assert "Nothing had changed" in (await follow(client, answer)).text(".flash")
    assert await kept.now() == (1, WHOLE)


async def test_a_first_profile_is_saved_with_a_plain_form(client: httpx2.AsyncClient, kept: Kept):
    page = await see(client, "/profile")
    answer = await submit(
        client,
        page,
        "/profile",
        **{
            "first_name": " Ada ",
            "work[0].company": "Engines",
            "work[0].is_current": "1",
            "address.country": "germany",
            "links.github": "github.com/ada",
            "skills": "Notes\n\n Analysis ",
        },
    )
    shown = await follow(client, answer)
    assert "Profile saved." in shown.text(".flash")
    assert not shown.has(".flash form"), "there is nothing before the first version"
    assert await kept.now() == (
        1,
        Profile(
            first_name="Ada",
            work=[Work(company="Engines", is_current=True)],
            address=Address(country="DE"),
            links=Links(github="https://github.com/ada"),
            skills=["Notes", "Analysis"],
        ),
    )
    assert await kept.origins() == ["form"]


async def test_every_fault_is_named_at_once_beside_its_field(client: httpx2.AsyncClient, kept: Kept):
    page = await see(client, "/profile")
    answer = await submit(
        client,
        page,
        "/profile",
        **{
            "first_name": "kept",
            "email": "nobody",
            "phone.number": "call me",
            "links.website": "not a link",
            "address.country": "Atlantis",
            "work[0].company": "Engines",
            "work[0].start": "2024-13",
            "salary.amount": "much",
            "salary.currency": "EUR",
            "languages[0].fluency": "fluent",
        },
    )
    assert answer.status == 400
    links = [a.attributes["href"] for a in answer.all("#faults a")]
    assert set(links) == {
        "#f-email",
        "#f-phone.number",
        "#f-links.website",
        "#f-address.country",
        "#f-work[0].start",
        "#f-salary.amount",
        "#f-languages[0].name",
    }
    assert len(answer.all(".field .fault")) == len(links)
    for link in links:
        field = answer.tree.css_first(f'[id="{str(link)[1:]}"]')
        assert field is not None
        assert field.attributes["aria-invalid"] == "true"
        assert answer.has(f'[id="{str(field.attributes["aria-describedby"]).split()[-1]}"]')
    assert "Position 1: From" in answer.text("#faults")
    assert answer.form("/profile").fields["address.country"] == ["Atlantis"]
    assert answer.form("/profile").fields["first_name"] == ["kept"]
    assert await kept.now() == (0, Profile())


async def test_an_entry_is_added_and_removed_without_scripts_and_without_saving(
    client: httpx2.AsyncClient, kept: Kept
):
    await kept.save(WHOLE)
    page = await see(client, "/profile")
    more = await submit(client, page, "/profile", add="work", first_name="Changed")
    assert more.status == 200
    assert "Nothing is saved yet" in more.text(".notice.warn")
    assert len(more.all("#work .entry")) == 3
    assert more.form("/profile").fields["first_name"] == ["Changed"]
    less = await submit(client, more, "/profile", remove="work[0]")
    assert len(less.all("#work .entry")) == 1
    assert less.form("/profile").fields["work[0].company"] == ["Babbage"]
    assert await kept.now() == (1, WHOLE)
    await submit(client, less, "/profile")
    _, profile = await kept.now()
    assert [work.company for work in profile.work] == ["Babbage"]
    assert profile.first_name == "Changed"


async def test_blank_entries_in_between_are_dropped(client: httpx2.AsyncClient, kept: Kept):
    fields = {
        "revision": "0",
        "work[0].company": " ",
        "work[7].company": "Second",
        "work[3].company": "First",
    }
    assert (await send(client, "/profile", **fields)).status == 303
    assert [work.company for work in (await kept.now())[1].work] == ["First", "Second"]


async def test_saving_can_be_undone_and_the_undoing_too(client: httpx2.AsyncClient, kept: Kept):
    await kept.save(WHOLE)
    page = await see(client, "/profile")
    shown = await follow(client, await submit(client, page, "/profile", first_name="Augusta"))
    assert (await kept.now())[1].first_name == "Augusta"
    back = await follow(client, await submit(client, shown, "/profile/undo"))
    assert await kept.now() == (3, WHOLE)
    await submit(client, back, "/profile/undo")
    assert (await kept.now())[1].first_name == "Augusta"
    assert await kept.origins() == ["undo", "undo", "form", "extension"]


async def stale(client: httpx2.AsyncClient, kept: Kept, theirs: Profile, **mine: str) -> Seen:
    """Both edit version 1: the other side saves `theirs`, then this form is sent."""
    await kept.save(WHOLE)
    page = await see(client, "/profile")
    await kept.save(theirs, revision=1)
    return await submit(client, page, "/profile", **mine)


async def test_a_conflict_shows_both_values_and_loses_neither(client: httpx2.AsyncClient, kept: Kept):
    theirs = msgspec.structs.replace(
        WHOLE, first_name="Theirs", headline="Their headline", work=WHOLE.work[:1]
    )
    page = await stale(client, kept, theirs, first_name="Mine", **{"links.github": "https://mine.example"})
    assert page.status == 409
    rows = {tuple(row.text(separator="|").split()) for row in page.all(".sides tbody tr")}
    assert len(rows) == 4
    table = {
        node.css_first("th").text(): [cell.text(separator=" ").split() for cell in node.css("td")]
        for node in page.all(".sides tbody tr")
    }
    assert table["First name"] == [["Mine", "in", "the", "form"], ["Theirs"]]
    assert table["Headline"] == [["Programmer"], ["Their", "headline", "in", "the", "form"]]
    assert table["GitHub"][0][0] == "https://mine.example"
    assert "Babbage" in " ".join(table["Experience"][0])
    assert await kept.now() == (2, theirs)
    again = await submit(client, page, "/profile")
    assert again.status == 303
    revision, profile = await kept.now()
    assert revision == 3
    assert (profile.first_name, profile.headline) == ("Mine", "Their headline")
    assert profile.links.github == "https://mine.example"
    assert len(profile.work) == 1


async def test_undoing_after_a_newer_edit_changes_nothing(client: httpx2.AsyncClient, kept: Kept):
    await kept.save(WHOLE)
    await kept.save(Profile(first_name="B"), revision=1)
    await kept.save(Profile(first_name="C"), revision=2)
    answer = await send(client, "/profile/undo", revision="2", to_revision="1")
    assert "nothing was undone" in (await follow(client, answer)).text(".flash.refused")
    assert (await kept.now())[1].first_name == "C"


async def test_versions_list_every_state_and_lead_back(client: httpx2.AsyncClient, kept: Kept):
    await kept.save(WHOLE)
    await kept.save(Profile(first_name="B"), revision=1)
    page = await see(client, "/profile/versions")
    assert page.texts("li strong") == ["Version 2", "Version 1"]
    assert len(page.all("li form")) == 1
    await submit(client, page, "/profile/undo")
    assert await kept.now() == (3, WHOLE)


async def test_going_back_to_a_version_that_never_was_is_missing(client: httpx2.AsyncClient, kept: Kept):
    await kept.save(WHOLE)
    assert (await send(client, "/profile/undo", revision="1", to_revision="9")).status == 404


async def test_the_export_is_a_download_of_json_resume(client: httpx2.AsyncClient, kept: Kept):
    await kept.save(WHOLE)
    answer = await client.get("/profile/resume.json", headers=PAGE)
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["content-disposition"] == 'attachment; filename="resume.json"'
    assert answer.json()["basics"]["name"] == "Ada A. Lovelace"
    assert "female" not in answer.text


async def test_another_account_has_its_own(other_client: httpx2.AsyncClient, kept: Kept):
    await kept.save(WHOLE)
    assert "Lovelace" not in (await see(other_client, "/profile")).answer.text
    assert (await send(other_client, "/profile/undo", revision="1", to_revision="1")).status == 404


@pytest.mark.parametrize("revision", ["", "-1", "x", "9999999999", "1e3"])
async def test_a_broken_revision_is_refused(client: httpx2.AsyncClient, revision: str):
    page = await send(client, "/profile", revision=revision, first_name="Ada")
    assert page.status == 400
    assert (await send(client, "/profile/undo", revision="1", to_revision=revision)).status == 400


async def test_a_megabyte_and_a_nul_in_a_name_are_answered(client: httpx2.AsyncClient, kept: Kept):
    page = await send(client, "/profile", revision="0", first_name="x" * 1_000_000)
    assert page.status == 400
    assert "At most 200" in page.text("#faults") or "at most 200" in page.text("#faults")
    assert (await send(client, "/profile", revision="0", first_name="A\x00da")).status == 303
    assert (await kept.now())[1].first_name == "Ada"


async def test_another_site_cannot_save_it(client: httpx2.AsyncClient, kept: Kept):
    headers = PAGE | {"origin": "https://evil.example"}
    answer = await client.post("/profile", data={"revision": "0", "first_name": "E"}, headers=headers)
    assert answer.status_code == 403
    assert await kept.now() == (0, Profile())
