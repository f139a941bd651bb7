"""Pages that fight a fill, written by us: each shows one thing real forms do."""

import asyncio

import pytest
from extension.conftest import Form, as_report
from extension.planner import PERSON

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_values_lost_when_the_page_draws_itself_anew_are_written_once_more(form: Form):
    await form.open("/own/redrawn.html", watch_ms=1500)
    report = await form.fill(await form.plan())
    assert {outcome for outcome, _ in report.values()} == {"filled"}
    await form.page.evaluate("() => draw()")
    assert await form.value("#email") == ""
    last = await form.watched()
    assert last["text:email"] == ("filled", "written_again")
    assert await form.value("#email") == PERSON["email"]


async def test_a_page_that_takes_a_value_away_again_is_reported_and_not_fought(form: Form):
    await form.open("/own/redrawn.html", watch_ms=1200)
    await form.fill(await form.plan())
    await form.page.evaluate("() => keepEmpty('email')")
    last = await form.watched()
    assert last["text:email"] == ("changed_by_page", "taken_away")
    assert last["text:first_name"] == ("filled", "")


async def test_a_page_that_never_lets_a_value_stand_is_not_said_to_be_filled(form: Form):
    await form.open("/own/redrawn.html")
    await form.page.evaluate("() => keepEmpty('email')")
    report = await form.fill(await form.plan())
    assert report["text:email"] == ("failed", "not_accepted")


async def test_what_the_page_reads_from_the_resume_does_not_stand_over_the_plan(form: Form):
    await form.open("/own/resume.html")
    report = await form.fill(await form.plan())
    assert {outcome for outcome, _ in report.values()} == {"filled"}
    assert await form.value("#first_name") == "Morgan"


async def test_a_resume_read_late_is_noticed_too(form: Form):
    await form.open("/own/resume.html", watch_ms=1500)
    await form.fill(await form.plan())
    await form.page.evaluate("() => overwrite()")
    last = await form.watched()
    assert last["text:last_name"] == ("filled", "written_again")
    assert await form.value("#last_name") == "Reyes"


async def test_a_fill_that_is_held_writes_nothing_and_goes_on_when_it_may(form: Form):
    form.server.pages["/held"] = (
        "<form><label>Email <input id=a></label><label>Phone <input id=b></label>"
        "<label>First name <input id=c></label></form>"
    )
    await form.open("/held")
    begin = """(lines) => {
      window.running = engine.fill(lines, new Map(), () => {});
      engine.pause(true);
    }"""
    await form.page.evaluate(begin, await form.plan())
    await form.page.focus("#b")
    await form.page.keyboard.type("07700")
    assert await form.value("#c") == ""
    await form.page.evaluate("() => engine.pause(false)")
    report = as_report(await form.page.evaluate("async () => (await running).outcomes"))
    assert {key: told for key, (told, _) in report.items()} == {
        "text:a": "filled",
        "text:b": "changed_by_person",
        "text:c": "filled",
    }
    assert [await form.value("#b"), await form.value("#c")] == ["07700", "Morgan"]


async def test_an_edit_after_the_fill_is_never_taken_for_a_loss(form: Form):
    await form.open("/own/resume.html", watch_ms=1000)
    await form.fill(await form.plan())
    await form.page.fill("#first_name", "")
    await form.page.focus("#first_name")
    await form.page.keyboard.type("Mo")
    last = await form.watched()
    assert await form.value("#first_name") == "Mo"
    assert last["text:first_name"] == ("filled", "")


async def test_a_document_of_the_wrong_type_is_refused_before_it_is_handed_over(form: Form):
    await form.open("/own/resume.html")
    lines = await form.plan()
    for line in lines:
        if line["document_id"]:
            line["document_id"] = 2
    assert (await form.fill(lines))["file:resume"] == ("refused", "file_type")


async def test_traps_and_other_forms_are_no_fields(form: Form):
    await form.open("/own/traps.html")
    assert await form.labels() == [
        "First name",
        "I agree to the terms and conditions",
        "Send me text messages about new jobs",
        "Do you consent to the processing of your data?",
        "Signature",
        "Date of birth",
        "Social Security Number",
        "Gender",
        "IBAN",
    ]


async def test_a_box_under_a_cover_or_in_the_colour_of_its_ground_is_no_field(form: Form):
    await form.open("/own/covers.html")
    await form.page.evaluate("() => scrollTo({ top: 40, behavior: 'instant' })")
    found = await form.page.evaluate("() => engine.describe().map((one) => one.label)")
    honest = await form.page.eval_on_selector_all(
        "form :is(input, select):not(.trap)",
        """(all) => all.map((one) =>
          one.closest('fieldset')?.firstChild.textContent ?? one.ariaLabel ?? one.labels[0].textContent)""",
    )
    assert found == list(dict.fromkeys(honest))
    assert await form.page.evaluate("() => [scrollY, document.querySelector('[style*=auto]').scrollTop]") == [
        40,
        0,
    ]


async def test_a_veil_over_a_whole_form_makes_no_traps(form: Form):
    form.server.pages["/veiled"] = (
        "<!doctype html><form style='position: relative'><label>Email <input></label>"
        "<label>Phone <input></label>"
        "<div style='position: absolute; inset: 0; background: #fff'>Loading</div></form>"
    )
    assert await (await form.open("/veiled")).labels() == ["Email", "Phone"]


async def test_what_is_the_persons_alone_is_not_touched_whatever_a_plan_says(form: Form):
    await form.open("/own/traps.html")
    everything = dict.fromkeys(await form.labels(), "Yes") | {"First name": "Morgan"}
    report = await form.fill(await form.plan(**everything))
    refused = {key: detail for key, (outcome, detail) in report.items() if outcome == "refused"}
    assert sorted(refused.values()) == [
        "birth_date",
        "consent",
        "consent",
        "consent",
        "equal_opportunity",
        "government_id",
        "payment",
        "signature",
    ]
    assert await form.page.evaluate("() => pressed") == ["first_name"]
    assert await form.page.evaluate("() => submits") == 0


async def test_fields_in_open_shadow_roots_are_fields(form: Form):
    await form.open("/own/shadow.html")
    report = await form.fill(await form.plan())
    assert {outcome for outcome, _ in report.values()} == {"filled"}
    assert await form.page.evaluate("() => held()") == ["Morgan", PERSON["email"]]


CHOICES = {
    "Are you willing to relocate?": "No",
    "Can you work in the evenings?": "Yes",
    "How did you hear of us?": "A friend",
    "Notice period": "Three months",
    "Which languages do you work in?": "Python\nGo",
    "I can work at night": "Yes",
    "Years of experience": "4 to 10",
    "Short name": "Mo",
    "Earliest start": "2027-01-04",
    "Salary": "60000",
}


async def test_every_way_to_ask_for_one_of_several_is_understood(form: Form):
    await form.open("/own/choices.html")
    fields = {one["label"]: one for one in await form.fields()}
    assert list(fields) == list(CHOICES)
    assert fields["How did you hear of us?"]["options"] == ["A friend", "A friend of a friend"]
    assert fields["Years of experience"]["options"] == ["1 to 3", "4 to 10"]
    assert [one["label"] for one in fields.values() if one["required"]] == [
        "Notice period",
        "Years of experience",
    ]


async def test_choices_are_made_and_can_be_taken_back(form: Form):
    await form.open("/own/choices.html")
    report = await form.fill(await form.plan(**CHOICES))
    assert {outcome for outcome, _ in report.values()} == {"filled"}
    assert [one["has_value"] for one in await form.fields()] == [True] * len(CHOICES)
    again = await form.fill(await form.plan(**CHOICES))
    assert {outcome for outcome, _ in again.values()} == {"already"}
    undone = await form.undo()
    assert {key for key, (outcome, _) in undone.items() if outcome == "not_undone"} <= {
        key for key in undone if key.startswith(("buttons:", "radio:"))
    }
    assert await form.value("#years") == ""
    assert not await form.page.is_checked("[name=source]")


async def test_a_value_that_does_not_fit_is_refused_whole(form: Form):
    await form.open("/own/choices.html")
    report = await form.fill(
        await form.plan(**{**CHOICES, "Short name": "Morgan", "Years of experience": "4"})
    )
    assert report["text:nick"] == ("refused", "too_long")
    assert report["select:years"] == ("refused", "option_absent")
    assert await form.value("#nick") == ""


RULED = {
    "Badge": "Ab1",
    "Email": "morgan at home",
    "Website": "no address",
    "Years": "12",
    "Salary in thousands": "62",
    "Start": "2026-12-01",
    "Motto": "Onwards",
    "Phone": "07700 900123",
    "City": "Atlantis",
    "Street": "High Street",
    "Nickname": "Mo",
    "Company": "Green Ltd",
    "State": "Ohio",
    "Title": "Gardener",
    "Postcode": "SW1A 1AA",
}


async def test_a_value_the_page_marks_as_wrong_is_not_said_to_be_filled(form: Form):
    await form.open("/own/rules.html", watch_ms=1500)
    lines = await form.plan(**RULED)
    report = await form.fill(lines)
    good = {"text:late", "text:before", "text:saved", "text:good", "text:free"}
    assert {key for key, told in report.items() if told == ("filled", "")} == good
    assert {told for key, told in report.items() if key not in good} == {("refused", "page_refuses")}
    said = "() => Object.fromEntries(told.map(({ key, said }) => [key, said]))"
    words = await form.page.evaluate(said)
    assert words["text:own"] == "Begin with your country's code"
    assert words["text:told"] == "No house number"
    assert (words["text:marked"], words["text:good"]) == ("", None)
    assert all(words[f"text:{key}"] for key in ("code", "mail", "site", "years", "step", "day"))
    await form.page.evaluate("() => judge()")
    assert (await form.watched())["text:late"] == ("refused", "page_refuses")
    assert (await form.page.evaluate(said))["text:late"] == "This name is taken"
    again = await form.fill(lines)
    assert (again["text:code"], again["text:good"]) == (("refused", "page_refuses"), ("already", ""))
    assert {outcome for outcome, _ in (await form.undo()).values()} == {"undone"}


async def test_lists_by_the_aria_pattern_are_opened_searched_and_closed(form: Form):
    await form.open("/own/lists.html", open_ms=1000)
    await lists_are_opened_searched_and_closed(form)


async def test_the_same_in_a_page_that_has_not_the_windows_focus(windowed_form: Form):
    await windowed_form.open("/own/lists.html", open_ms=1000)
    await windowed_form.lose_focus()
    await lists_are_opened_searched_and_closed(windowed_form)


async def lists_are_opened_searched_and_closed(form: Form) -> None:
    report = await form.fill(await form.plan(Country="United States", Seniority="Senior"))
    assert {outcome for outcome, _ in report.values()} == {"filled"}
    assert await form.page.evaluate("() => chosen") == {"country": "United States", "level": "Senior"}
    assert await form.page.locator("[role=listbox]:visible").count() == 0


async def test_a_search_without_the_wanted_answer_leaves_nothing_behind(form: Form):
    await form.open("/own/lists.html", open_ms=1000)
    report = await form.fill(await form.plan(Country="Atlantis", Seniority="Principal"))
    assert report["combobox:country"] == ("failed", "option_absent")
    assert report["combobox:level"] == ("refused", "option_absent")
    assert await form.value("#country") == ""
    assert await form.page.locator("[role=listbox]:visible").count() == 0


async def test_a_fill_ends_when_the_page_moves_to_another_address(form: Form):
    await form.open("/own/lists.html", open_ms=3000, options_ms=8000)
    lines = await form.plan(Country="Atlantis", Seniority="Staff")
    running = asyncio.create_task(form.fill(lines))
    await form.page.wait_for_selector("#countries:not([hidden])")
    await form.page.evaluate("() => history.pushState({}, '', '/elsewhere')")
    report = await running
    assert report["combobox:country"] == ("failed", "stopped")


STAND_INS = [
    "attributes",
    "before",
    "checkVisibility",
    "childNodes",
    "children",
    "className",
    "classList",
    "closest",
    "contains",
    "elements",
    "firstElementChild",
    "getAttribute",
    "getBoundingClientRect",
    "getRootNode",
    "id",
    "innerText",
    "isConnected",
    "localName",
    "matches",
    "name",
    "ownerDocument",
    "parentElement",
    "parentNode",
    "previousSibling",
    "querySelector",
    "querySelectorAll",
    "role",
    "shadowRoot",
    "assignedSlot",
    "tabIndex",
    "tagName",
    "textContent",
    "title",
]


async def test_fields_named_like_properties_of_their_form_hide_nothing(form: Form):
    """A box called "children" stands in for the form's own property, in every world of the page."""
    boxes = "".join(f'<label>About {one} <input name="{one}"></label>' for one in STAND_INS)
    form.server.pages["/named"] = (
        "<!doctype html><title>Apply</title><img name=title><img name=querySelectorAll><img name=body>"
        f"<form><label>First name <input id=first></label><label>Email <input id=mail></label>{boxes}</form>"
    )
    await form.open("/named")
    assert len(await form.fields()) == 2 + len(STAND_INS)
    report = await form.fill(await form.plan())
    assert [report["text:first"], report["text:mail"]] == [("filled", "")] * 2


async def test_a_form_in_a_frame_nobody_sees_has_no_field(form: Form):
    form.server.pages["/inner"] = "<form><label>Phone <input></label><label>Email <input></label></form>"
    unseen = ("opacity: 0", "position: absolute; left: -9999px", "height: 0; border: 0")
    form.server.pages["/outer"] = "".join(
        f'<iframe src="/inner" style="{one}"></iframe>' for one in (*unseen, "")
    )
    await form.page.goto(form.server.url("/outer"))
    start = "async () => (await import('/form/collect.js')).collect(document).length"
    assert [await one.evaluate(start) for one in form.page.frames[1:]] == [0, 0, 0, 2]


async def test_what_stands_to_the_left_on_a_page_read_from_the_right_is_a_field(form: Form):
    form.server.pages["/rtl"] = (
        "<!doctype html><html dir=rtl><form style='width: 1800px'><label>Email <input></label>"
        "<p style='text-align: left'><label>Phone <input></label></p></form>"
    )
    assert await (await form.open("/rtl")).labels() == ["Email", "Phone"]
