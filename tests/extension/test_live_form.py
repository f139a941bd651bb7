"""The live copy of a hiring form: React holds the truth, so what counts is React's state."""

from pathlib import Path

import pytest
import pytest_asyncio
from extension.conftest import Form
from extension.planner import PERSON
from playwright.async_api import CDPSession

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ANSWERS = {
    "Will you now or in the future require sponsorship for a visa to remain in your current location?": "No",
    "Are you legally authorized to work in the country where this role is based?": "Yes",
    "Have you previously worked at or consulted for GitLab?": "No",
    "Are you currently based in the San Francisco Bay Area?": "No",
    "Why do you want to work here?": "The work is real.",
}
RIGHT = {
    "first_name": "Morgan",
    "last_name": "Reyes",
    "email": PERSON["email"],
    "phone": PERSON["phone"],
    "question_37197588002": PERSON["linkedin"],
    "question_37197589002": "Morgan",
    "candidate-location": "London, England, United Kingdom",
    "country": "United Kingdom",
    "question_37197590002": "United Kingdom",
    "question_37197594002": "No",
    "question_1": "Yes",
    "question_37197595002": "No",
    "resume": PERSON["resume"],
    "q_essay": "The work is real.",
    "bay": "No",
}

FRAMES = """(count) => new Promise((done) => {
  const next = () => (count-- > 0 ? requestAnimationFrame(next) : done());
  next();
})"""


@pytest_asyncio.fixture(loop_scope="session")
async def live(form: Form, live_form: dict[str, Path]) -> Form:
    return await opened(form, live_form)


async def opened(form: Form, live_form: dict[str, Path]) -> Form:
    form.server.pages |= live_form
    await form.open("/", open_ms=1200)
    await form.page.wait_for_selector("#application-form")
    return form


async def state(form: Form) -> dict[str, str]:
    kept = await form.page.evaluate("() => window.__state")
    return {name: value for name, value in kept.items() if value}


async def test_every_field_is_committed_to_the_forms_own_state_and_the_report_agrees(live: Form):
    report = await live.fill(await live.plan(**ANSWERS))
    assert await state(live) == RIGHT, report
    said = {key.split(":", 1)[1] for key, (outcome, _) in report.items() if outcome == "filled"}
    assert len(said) == len(RIGHT)
    assert {name for name in RIGHT if name != "bay"} <= said
    assert await live.page.locator("[role=listbox]").count() == 0, "no list is left open"
    typed = await live.page.eval_on_selector_all(
        "input[role=combobox]", "(all) => all.map((one) => one.value)"
    )
    assert set(typed) == {""}, "and no text in a filter"
    again = await live.fill(await live.plan(**ANSWERS))
    assert {outcome for outcome, _ in again.values()} == {"already", "left"}
    assert await state(live) == RIGHT, "filling again changes nothing"


async def test_an_option_that_only_begins_alike_or_fits_several_is_never_chosen(live: Form):
    lines = await live.plan(**{"Country": "United", "Location (City)": "London"})
    keys = ("combobox:country", "combobox:candidate-location")
    report = await live.fill([one for one in lines if one["key"] in keys])
    assert report == dict.fromkeys(keys, ("failed", "option_absent"))
    assert not {"country", "candidate-location"} & (await state(live)).keys()
    assert await live.page.locator("[role=listbox]").count() == 0


async def test_undo_takes_everything_back_that_the_page_lets_go(live: Form):
    await live.page.fill("#q_essay", "I wrote this.")
    await live.fill(await live.plan(**ANSWERS))
    report = await live.undo()
    kept = await state(live)
    stuck = {key.split(":", 1)[1] for key, (outcome, _) in report.items() if outcome == "not_undone"}
    assert kept.pop("q_essay") == "I wrote this."
    assert {name for name in kept if name != "bay"} <= stuck
    assert not {"first_name", "email", "phone", "resume"} & kept.keys()


async def test_what_the_person_entered_before_is_kept(live: Form):
    await live.page.fill("#first_name", "Mo")
    await live.page.click("#country")
    await live.page.keyboard.type("Canada")
    await live.page.keyboard.press("Enter")
    report = await live.fill(await live.plan(**ANSWERS))
    assert report["text:first_name"] == ("kept", "has_value")
    assert report["combobox:country"] == ("kept", "has_value")
    assert await state(live) == RIGHT | {"first_name": "Mo", "country": "Canada"}


async def test_an_edit_by_the_person_during_the_fill_wins(live: Form):
    lines = await live.plan(**ANSWERS)
    await live.page.evaluate(
        "(lines) => { window.running = engine.fill(lines, new Map(), () => {}); }", lines
    )
    await live.page.focus("#q_essay")
    await live.page.keyboard.press("Control+a")
    await live.page.keyboard.insert_text("My own words.")  # key by key a busy machine makes pauses of it
    outcomes = await live.page.evaluate("async () => (await running).outcomes")
    essay = next(one for one in outcomes if one["key"] == "textarea:q_essay")
    assert (await state(live))["q_essay"] == "My own words."
    assert essay["outcome"] in {"changed_by_person", "kept"}


async def test_focus_and_scroll_are_given_back(live: Form):
    live.is_spent = True
    await live.page.set_viewport_size({"width": 800, "height": 300})
    await live.page.focus("#email")
    await live.page.keyboard.type("m")
    await live.page.keyboard.press("Backspace")
    before = await live.page.evaluate(
        "() => { scrollTo(0, 120); return [document.activeElement.id, scrollY]; }"
    )
    await live.fill(await live.plan(**ANSWERS))
    await live.page.evaluate(FRAMES, 40)  # lists of this form scroll by animation, after they were closed
    assert await live.page.evaluate("() => [document.activeElement.id, scrollY]") == before
    await live.page.mouse.move(400, 150)
    for _ in range(20):  # one turn of the wheel can be lost while a busy machine still draws
        await live.page.mouse.wheel(0, 80)
        await live.page.evaluate(FRAMES, 20)
        if await live.page.evaluate("() => scrollY > 150"):
            return
    raise AssertionError("the page does not scroll for its person")


async def test_a_press_of_the_person_elsewhere_keeps_the_focus_and_costs_no_field(live: Form):
    lines = await live.plan(**ANSWERS)
    await live.page.evaluate(
        "(lines) => { window.running = engine.fill(lines, new Map(), () => {}); }", lines
    )
    await live.page.wait_for_function("() => document.querySelector('#candidate-location').value !== ''")
    await live.page.click("#question_37197588002", force=True)
    await live.page.evaluate("() => running")
    assert await live.page.evaluate("() => document.activeElement.id") == "question_37197588002"
    assert await state(live) == {name: value for name, value in RIGHT.items() if name != "resume"}


async def test_lists_open_in_a_page_that_has_not_the_windows_focus(
    windowed_form: Form, live_form: dict[str, Path]
):
    live = await opened(windowed_form, live_form)
    await live.lose_focus()
    await live.fill(await live.plan(**ANSWERS))
    assert await state(live) == RIGHT


async def test_stopping_ends_the_fill_where_it_stands(live: Form):
    lines = await live.plan(**ANSWERS)
    outcomes = await live.page.evaluate(
        """async (lines) => {
          const running = engine.fill(lines, new Map(), () => {});
          engine.stop();
          return (await running).outcomes;
        }""",
        lines,
    )
    assert {one["detail"] for one in outcomes if one["outcome"] == "failed"} == {
        "stopped",
        "nothing_to_write",
    }


async def test_three_hundred_fields_cost_less_than_a_second_of_the_page(form: Form):
    rows = "".join(f'<p><label for="q{n}">Question {n}</label><input id="q{n}"></p>' for n in range(300))
    form.server.pages["/many"] = f"<!doctype html><form>{rows}</form>"
    await form.open("/many")
    session = await form.page.context.new_cdp_session(form.page)
    await session.send("Performance.enable", {"timeDomain": "threadTicks"})  # whatever else the machine does
    before = await task_seconds(session)
    lines = await form.plan(**{f"Question {n}": f"Answer {n}" for n in range(300)})
    report = await form.fill(lines)
    assert {outcome for outcome, _ in report.values()} == {"filled"}
    spent = await task_seconds(session) - before
    assert 0.005 < spent < 1


async def task_seconds(session: CDPSession) -> float:
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    return next(one["value"] for one in metrics if one["name"] == "TaskDuration")
