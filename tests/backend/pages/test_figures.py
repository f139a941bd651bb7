"""Figures: pictures with a text beside them, and unknown as unknown."""

import httpx2
from fixtures.html import see
from fixtures.people import FixedClock
from fixtures.samples import Samples, day


async def test_without_applications_it_says_what_to_do(client: httpx2.AsyncClient):
    page = await see(client, "/applications/figures")
    assert page.text(".empty-title") == "Nothing to count yet."
    assert not page.has("svg[role=img]")


async def test_every_picture_is_told_in_words_and_as_a_table(
    client: httpx2.AsyncClient, samples: Samples, clock: FixedClock
):
    clock.at = day(20)
    answer = "UPDATE standings SET answered_at = %s WHERE application_id = %s"
    for number in range(6):
        samples.rows(answer, day(6 + number), samples.application(f"A{number}", applied=2))
    samples.rows(answer, day(4), samples.application("No start", applied=None))
    samples.application("Waits", applied=9)
    samples.application("Long ago", applied=day(-400))
    page = await see(client, "/applications/figures")
    assert page.texts(".figure") == ["9", "7", "7 days"]
    pictures = page.all("svg[role=img]")
    assert len(pictures) == 2
    for picture in pictures:
        names = str(picture.attributes["aria-labelledby"]).split()
        assert all(page.one(f"#{name}").text() for name in names)
    assert "7 applications were sent and 7 applications were answered" in page.text("#weeks-says")
    assert "Half came within 7 days." in page.text("#days-says")
    weeks = page.texts("#weeks-table tbody tr")
    assert len(weeks) == 26
    assert weeks[:4] == ["16 Mar 2026 0 0", "9 Mar 2026 1 3", "2 Mar 2026 6 4", "23 Feb 2026 0 0"]
    assert page.texts("#days-table tbody tr")[:3] == [
        "0\u20133 days 0",
        "4\u20137 days 4",
        "8\u201314 days 2",
    ]
    said = page.texts("section.card p.small")
    assert "1 application has no known date and is not in the picture." in said
    assert "1 application was sent before these 26 weeks." in said
    assert "1 answer has no known start and is not in the picture." in said


async def test_too_few_answers_have_no_median(client: httpx2.AsyncClient, samples: Samples):
    samples.application("Waits", applied=1)
    page = await see(client, "/applications/figures")
    assert page.text(".figure .unknown") == "unknown"
    assert page.text(".empty-title") == "No answer with a known start yet."
    assert not page.has(".median")


async def test_nothing_of_another_account_is_counted(other_client: httpx2.AsyncClient, samples: Samples):
    samples.application("Mine")
    assert (await see(other_client, "/applications/figures")).has(".empty")


async def test_what_counts_by_its_receipt_is_marked_as_such(client: httpx2.AsyncClient, samples: Samples):
    answer = "UPDATE standings SET began_at = %s, answered_at = %s WHERE application_id = %s"
    received = samples.application("Contoso", "Writer", applied=None)
    unheard = samples.application("Fabrikam", "Pilot", applied=None)
    samples.rows(answer, day(1), day(2), received)
    page = await see(client, "/applications/figures")
    assert "Of 1 application the day is not known; it counts by the first receipt." in page.text("#figures")
    assert "1 answer is counted from the receipt" in page.text("#figures")
    assert "1 application has no known date" in page.text("#figures")
    listed = await see(client, "/applications")
    said = "by 1 Mar 2026 (receipt)"
    assert said in listed.text(f"[data-row='{received}']")
    assert said in (await see(client, f"/applications/{received}")).text("#timeline")
    assert "day of applying unknown" in (await see(client, f"/applications/{unheard}")).text("#timeline")
    merge = await see(client, f"/applications/{unheard}/merge")
    assert f"applied {said}" in merge.text("main")
