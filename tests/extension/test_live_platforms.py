"""The rebuilt forms of fifteen platforms, filled by the server's own plan for one fictional person."""

import pytest
from extension.live.results import opened, result
from playwright.async_api import Browser

from benchmarks.forms.rebuilt import rebuilt_forms

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

NAMES = rebuilt_forms()
PLATFORM = {name: name.removesuffix("_old") for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
async def test_a_platforms_form_is_filled_right_and_truly_told(
    browser: Browser, name: str, npm_folder: object
):
    judged, _, platform = await result(browser, name)
    assert (judged.wrong, judged.missed) == ([], [])
    assert (judged.traps, judged.submits, judged.open_lists) == ([], 0, 0)
    assert judged.dropdowns_committed == judged.dropdowns
    assert judged.untrue == []
    assert platform == PLATFORM[name], "known by its marks: the address is nobody's"


async def test_a_question_that_an_answer_reveals_is_planned_too(browser: Browser, npm_folder: object):
    _, done, _ = await result(browser, "greenhouse")
    assert done.outcomes["text:question_107"] == ("left", "legal_question")
    assert done.fields["text:question_107"]["label"] == "Which visa category do you hold?"


async def test_options_carried_by_the_page_are_told_before_a_list_is_opened(
    browser: Browser, npm_folder: object
):
    _, done, _ = await result(browser, "greenhouse")
    assert done.fields["combobox:question_104[]"]["options"] == ["Python", "Go", "Rust"]
    assert done.fields["combobox:question_104[]"]["type"] == "react-select-multi"


async def test_several_answers_are_chosen_in_one_list_and_taken_back(browser: Browser, npm_folder: object):
    page, _, _ = await opened(browser, "greenhouse")
    line = {"key": "combobox:question_104[]", "action": "fill", "value": None, "option": None}
    line |= {"options": ["Python", "Rust"], "document_id": None, "reason": None}
    told = await page.evaluate(
        "async (line) => (await engine.fill([line], new Map(), () => {})).outcomes", line
    )
    assert told == [{"key": line["key"], "outcome": "filled", "detail": ""}]
    assert (await page.evaluate("() => window.__state"))["question_104[]"] == "Python\nRust"
    again = await page.evaluate(
        "async (line) => (await engine.fill([line], new Map(), () => {})).outcomes", line
    )
    assert again[0]["outcome"] == "already"
    await page.close()


async def test_each_step_of_a_wizard_is_read_and_told_by_itself(browser: Browser):
    _, done, _ = await result(browser, "workday")
    steps = {key.split("/")[0] for key in done.outcomes if key[0].isdigit()}
    assert steps == {"1", "2", "3"}
    assert [key for key in done.outcomes if key.endswith("text:firstName")] == ["text:firstName"]


async def test_rows_are_added_for_each_position_and_school_and_no_more(browser: Browser):
    judged, done, _ = await result(browser, "workday")
    assert {"work-0--jobTitle", "work-1--jobTitle", "education-0--school"} <= set(judged.right)
    assert not [key for key in done.outcomes if "work-2" in key or "education-1" in key]
    assert "Certifications" not in judged.traps
