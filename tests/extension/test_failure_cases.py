"""What people report of form fillers that fail, one test for each, on the rebuilt forms and by the real plan.

Left out are cases of the extension around the engine: frames from elsewhere and the browser's permissions.
"""

from typing import Any

import pytest
from extension.live.results import opened, result
from playwright.async_api import Browser

from benchmarks.forms.person import PERSON, planned
from extension_api.answers.rules import plan
from extension_api.profiles.types import EqualOpportunity, Profile
from extension_api.protocol import FieldDescription, PlannedField

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def asked(label: str, kind: str = "text", **more: Any) -> dict[str, Any]:
    return {"key": "k", "label": label, "kind": kind, **more}


def planned_one(label: str, kind: str = "text", **more: Any) -> dict[str, Any]:
    return planned([asked(label, kind, **more)])[0]


async def test_01_a_list_that_shows_text_has_something_chosen(browser: Browser):
    judged, _, _ = await result(browser, "ashby")
    assert {"location_q", "country_q"} <= set(judged.right)


async def test_02_the_opposite_option_is_not_taken_for_how_it_begins():
    options = ["I am not authorized", "Not applicable", "No longer", "Yes, with sponsorship"]
    line = planned_one("Do you require sponsorship to work in the United Kingdom?", "select", options=options)
    assert line["action"] == "leave"
    options = ["Select", "No longer", "No", "Yes"]
    line = planned_one("Do you require sponsorship to work in the United Kingdom?", "select", options=options)
    assert line["option"] == "No"


async def test_03_an_answer_in_other_words_is_found_among_the_options():
    line = planned_one(
        "Degree", "select", section="Education", options=["High School", "Bachelors", "Masters"]
    )
    assert line["option"] == "Bachelors"


@pytest.mark.parametrize(
    ("label", "right"),
    [
        ("Are you legally authorized to work in the United Kingdom?", "Yes"),
        ("Are you authorized to work in the United Kingdom without sponsorship?", "Yes"),
        ("Do you require sponsorship to work in the United Kingdom?", "No"),
        ("Will you now or in the future require sponsorship to work in the United States?", "Yes"),
        ("Are you legally authorized to work in the United States?", "No"),
        ("Are you authorized to work in the United States without sponsorship?", "No"),
        ("Are you not authorized to work in the United Kingdom?", None),
        ("Are you authorized to work here?", None),
    ],
)
async def test_04_legal_questions_are_answered_right_or_not_at_all(label: str, right: str | None):
    assert planned_one(label, "radio", options=["Yes", "No"])["option"] == right


async def test_05_a_school_picker_is_searched_picked_and_closed(browser: Browser):
    judged, _, _ = await result(browser, "workday")
    assert "education-0--school" in judged.right
    assert judged.open_lists == 0


async def test_07_first_and_last_name_are_told_apart_by_a_controls_name_alone():
    first, last = planned([asked("", name="first_name"), asked("", name="lastName") | {"key": "l"}])
    assert (first["value"], last["value"]) == ("Morgan", "Reyes")


@pytest.mark.parametrize(
    "label",
    [
        "Reference name",
        "Emergency contact name",
        "Do any of your relatives work here? Name them",
        "Name of your referrer",
        "Manager's name",
        "Name of your school",
    ],
)
async def test_08_the_own_name_goes_into_no_box_about_others(label: str):
    assert planned_one(label)["value"] not in {"Morgan", "Reyes", "Morgan Reyes", "Mo"}


async def test_09_values_lost_when_the_page_wakes_up_are_there_in_the_end(browser: Browser):
    judged, _, _ = await result(browser, "ashby", "?late")
    assert (judged.missed, judged.wrong, judged.untrue) == ([], [], [])


async def test_10_a_second_run_says_that_everything_is_there_already(browser: Browser):
    page, done, _ = await opened(browser, "greenhouse_old")
    told = await page.evaluate(
        "async (lines) => (await engine.fill(lines, new Map(), () => {})).outcomes", list(done.lines.values())
    )
    again = {one["key"] for one in told if one["outcome"] == "already"}
    filled = {key for key, (outcome, _) in done.outcomes.items() if outcome == "filled"}
    assert again == {key for key in filled if not key.startswith("file:")}
    await page.close()


@pytest.mark.parametrize(
    ("name", "code", "number"),
    [
        ("workday", "phoneNumber--countryPhoneCode", "phoneNumber--phoneNumber"),
        ("workable", "phone_country", "phone"),
        ("rippling", "phone_country", "phone_number"),
        ("greenhouse", "country", "phone"),
    ],
)
async def test_11_a_phones_country_is_chosen_and_not_typed_into_its_number(
    browser: Browser, name: str, code: str, number: str, npm_folder: object
):
    judged, _, _ = await result(browser, name)
    assert {code, number} <= set(judged.right)


async def test_12_fields_in_shadow_roots_are_filled_the_closed_ones_too(browser: Browser):
    judged, _, _ = await result(browser, "smartrecruiters")
    assert {"first-name-input", "city-input", "website-input"} <= set(judged.right)


@pytest.mark.parametrize("name", ["teamtailor", "icims", "jobvite"])
async def test_13_search_sign_in_and_newsletter_are_left_alone(browser: Browser, name: str):
    judged, done, _ = await result(browser, name)
    assert judged.traps == []
    names = {one["name"] for one in done.fields.values()}
    assert not {"full_email", "email_alert", "searchKeyword", "login", "jv-alert"} & names


@pytest.mark.parametrize("name", ["breezy", "bamboohr", "ashby", "workday", "personio", "jobvite"])
async def test_14_a_trap_is_neither_told_nor_touched(browser: Browser, name: str):
    judged, done, _ = await result(browser, name)
    assert judged.traps == []
    names = {one["name"] for one in done.fields.values()}
    assert not {"hp_1", "leave_blank", "company_url", "website_hp", "website", "urlaub", "jv-hp"} & names


async def test_15_no_list_is_left_open_over_its_neighbours(browser: Browser, npm_folder: object):
    for name in ("greenhouse", "ashby", "rippling", "bamboohr", "successfactors"):
        judged, _, _ = await result(browser, name)
        assert judged.open_lists == 0, name


async def test_16_the_word_captcha_in_a_pages_settings_stops_nothing(browser: Browser, npm_folder: object):
    for name in ("greenhouse", "lever"):
        judged, _, _ = await result(browser, name)
        assert judged.missed == [], name


async def test_17_choices_that_guard_against_robots_are_set_without_a_press(browser: Browser):
    judged, _, _ = await result(browser, "lever")
    assert {"cards[a][field0]", "cards[a][field1]"} <= set(judged.right)
    assert "captcha" not in judged.traps


async def test_18_what_a_page_reads_from_the_resume_does_not_stand(browser: Browser):
    judged, _, _ = await result(browser, "lever")
    assert {"name", "email", "phone", "resume"} <= set(judged.right)


async def test_19_a_platform_is_known_under_any_address(browser: Browser):
    for name in ("lever", "workday", "teamtailor", "breezy"):
        _, _, platform = await result(browser, name)
        assert platform == name


@pytest.mark.parametrize("name", ["ashby", "lever", "rippling", "personio", "icims"])
async def test_20_no_consent_is_given_for_the_person(browser: Browser, name: str):
    judged, done, _ = await result(browser, name)
    assert judged.traps == []
    consents = [key for key, line in done.lines.items() if line["reason"] == "consent"]
    assert consents
    assert {done.outcomes[key] for key in consents} == {("left", "consent")}


async def test_21_a_month_is_never_off_by_one(browser: Browser):
    judged, _, _ = await result(browser, "successfactors")
    assert "start_0" in judged.right, "its list gives January the value 0"
    judged, _, _ = await result(browser, "workday")
    assert {"work-0--startDate", "work-1--startDate", "work-1--endDate"} <= set(judged.right)


async def test_22_no_language_is_claimed_beyond_the_profile(browser: Browser):
    _, done, _ = await result(browser, "teamtailor")
    claims = [one for one in done.lines.values() if "[1][boolean]" in one["key"]]
    assert [one["action"] for one in claims] == ["leave"]


@pytest.mark.parametrize(
    "wording",
    ["I don't wish to answer", "Decline To Self Identify", "Prefer not to say", "I choose not to disclose"],
)
async def test_23_not_wanting_to_say_is_found_in_every_wording(wording: str):
    declining = _with_choice(EqualOpportunity(gender="declined"))
    field = FieldDescription(key="k", label="Gender", kind="select", options=["Male", "Female", wording])
    [line] = plan([field], declining, [])
    assert line.option == wording
    [line] = plan([field], PERSON, [])
    assert isinstance(line, PlannedField)
    assert line.action == "leave", "without a choice of the person's nothing is said"


def _with_choice(choice: EqualOpportunity) -> Profile:
    return Profile(first_name="Morgan", equal_opportunity=choice)


@pytest.mark.parametrize("name", ["icims", "workable", "successfactors", "greenhouse_old"])
async def test_25_no_link_that_runs_a_script_and_no_save_is_pressed(browser: Browser, name: str):
    judged, _, _ = await result(browser, name)
    assert judged.traps == []
