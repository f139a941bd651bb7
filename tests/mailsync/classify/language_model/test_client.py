"""The client against a provider that misbehaves in every way, over real HTTP."""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest
from emulators import language_model as emulated
from emulators.language_model import Provider, Request, answer, event
from fixtures.people import FixedClock
from fixtures.worker import until
from msgspec.structs import replace

from mailsync.classify.language_model.client import open_asker
from mailsync.classify.language_model.prompt import answer_form
from mailsync.classify.language_model.types import Answered, Question, Trouble
from pipeline.usage.types import Tokens
from schema.settings import ModelSettings

QUESTION = Question(
    key="k" * 32,
    instructions="Read.",
    content="===== e-mail 1 begins =====\ncanary-mail\n===== e-mail 1 ends =====",
)
T = TypeVar("T")
SAID = answer(event("rejection", "no"))


async def _now(value: T) -> T:
    return value


AskOnce = Callable[..., Awaitable[Answered | Trouble]]


@pytest.fixture
def ask(model_settings: ModelSettings, clock: FixedClock) -> AskOnce:
    async def once(**changed: object) -> Answered | Trouble:
        async with open_asker(replace(model_settings, **changed), clock, answer_form()) as asker:
            return await asker(QUESTION)

    return once


async def trouble(ask: AskOnce, **changed: object) -> str:
    found = await ask(**changed)
    assert isinstance(found, Trouble)
    return found.kind


async def test_a_whole_answer_comes_with_its_ids_and_its_count(
    provider: Provider, ask: AskOnce, clock: FixedClock
):
    provider.answers = [emulated.says(SAID)]
    found = await ask()
    assert isinstance(found, Answered)
    assert json.loads(found.text) == SAID
    assert (found.ended, found.request_id, found.asked_at) == ("complete", "req_1", clock.now())
    assert found.tokens == Tokens(input=1000, cached=400, output=100, reasoning=20)
    assert found.custom_id == provider.asked[0].custom_id
    assert found.custom_id.startswith(QUESTION.key)


async def test_what_a_compatible_server_does_not_tell_is_unknown(provider: Provider, ask: AskOnce):
    provider.usage, provider.tells_request_ids = None, False
    found = await ask()
    assert isinstance(found, Answered)
    assert found.tokens == Tokens()
    assert found.request_id == "chatcmpl-1"
    provider.usage = {"prompt_tokens": -1, "completion_tokens": 10**12, "prompt_tokens_details": None}
    found = await ask()
    assert isinstance(found, Answered)
    assert found.tokens == Tokens()


async def test_nothing_of_this_machine_or_its_environment_is_sent(
    provider: Provider, ask: AskOnce, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer wrong\nX-Canary: environment")
    monkeypatch.setenv("OPENAI_ORG_ID", "canary-org")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "canary-project")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "canary-admin")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    assert isinstance(await ask(), Answered)
    (request,) = provider.asked
    assert "canary" not in json.dumps(request.headers)
    assert not [name for name in request.headers if name.startswith("x-stainless")]
    assert request.body.keys() == {"model", "messages", "response_format", "max_completion_tokens"}


async def test_the_limit_of_an_answer_goes_by_the_name_the_server_knows(provider: Provider, ask: AskOnce):
    await ask(answer_tokens=333)
    await ask(answer_tokens=333, tokens_field="max_tokens")
    assert [each.body.get("max_completion_tokens") for each in provider.asked] == [333, None]
    assert [each.body.get("max_tokens") for each in provider.asked] == [None, 333]


@pytest.mark.parametrize(
    ("answering", "ended"),
    [
        (emulated.writes('{"events": [', "length"), "cut_off"),
        (emulated.declines, "declined"),
        (emulated.writes(None, "content_filter"), "filtered"),
        (emulated.writes("gibberish"), "complete"),
        (emulated.status(200, {"choices": []}), "complete"),
    ],
)
async def test_an_answer_that_is_no_reading_is_still_an_answer_and_not_asked_for_again(
    provider: Provider, ask: AskOnce, answering: emulated.Answering, ended: str
):
    provider.answers = [answering]
    found = await ask()
    assert isinstance(found, Answered)
    assert found.ended == ended
    assert len(provider.asked) == 1


@pytest.mark.parametrize(
    ("answering", "kind"),
    [
        (emulated.no_credit, "out_of_credit"),
        (emulated.bad_key, "key_refused"),
        (emulated.status(403), "key_refused"),
        (emulated.status(402), "out_of_credit"),
        (emulated.unfit, "request_refused"),
        (emulated.status(404), "not_there"),
        (emulated.status(302, Location="http://127.0.0.1:1/"), "not_there"),
    ],
)
async def test_a_refusal_that_waiting_does_not_change_is_not_tried_again(
    provider: Provider, ask: AskOnce, answering: emulated.Answering, kind: str
):
    provider.answers = [answering]
    assert await trouble(ask) == kind
    assert len(provider.asked) == 1


@pytest.mark.parametrize(
    "answering",
    [
        emulated.status(500),
        emulated.status(503, b"not json"),
        emulated.status(529),
        emulated.throttled("0"),
        emulated.a_page,
        emulated.breaks_off,
        emulated.endless,
    ],
)
async def test_a_passing_trouble_is_tried_again_within_the_budget(
    provider: Provider, ask: AskOnce, answering: emulated.Answering
):
    provider.answers = [answering, emulated.says(SAID)]
    assert isinstance(await ask(), Answered)
    assert len(provider.asked) == 2
    assert provider.asked[0].custom_id != provider.asked[1].custom_id


async def test_the_wait_a_provider_asks_for_is_kept(provider: Provider, ask: AskOnce):
    provider.answers = [emulated.throttled("1.2"), emulated.says(SAID)]
    begun = time.monotonic()
    assert isinstance(await ask(), Answered)
    assert time.monotonic() - begun >= 1.2


async def test_a_wait_beyond_the_budget_is_handed_on_at_once(provider: Provider, ask: AskOnce):
    provider.answers = [emulated.throttled("120")]
    begun = time.monotonic()
    assert await ask() == Trouble(kind="throttled", wait_seconds=120)
    assert time.monotonic() - begun < 6
    assert len(provider.asked) == 1


async def test_a_server_that_hangs_costs_no_more_than_the_budget(provider: Provider, ask: AskOnce):
    provider.answers = [emulated.hangs] * 4
    begun = time.monotonic()
    assert await trouble(ask, total_seconds=1.0, read_seconds=30.0) == "unavailable"
    assert 1 <= time.monotonic() - begun < 10


async def test_a_silent_read_ends_before_the_budget_does_and_is_tried_again(provider: Provider, ask: AskOnce):
    provider.answers = [emulated.hangs, emulated.says(SAID)]
    assert isinstance(await ask(read_seconds=0.3), Answered)


async def test_a_server_that_drips_costs_no_more_than_the_budget(provider: Provider, ask: AskOnce):
    provider.answers = [emulated.drips] * 4
    begun = time.monotonic()
    assert await trouble(ask, total_seconds=1.0, read_seconds=0.5) == "unavailable"
    assert 1 <= time.monotonic() - begun < 10
    assert len(provider.asked) == 1


async def test_a_server_that_is_not_there_is_unavailable(ask: AskOnce):
    assert await trouble(ask, url="http://127.0.0.1:1/v1", total_seconds=1.0) == "unavailable"


async def test_nothing_that_was_sent_or_said_reaches_the_log(
    provider: Provider, ask: AskOnce, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
):
    def echoes(handler: emulated.Handler, request: Request) -> None:
        handler.send(400, emulated.error(f"canary-answer {request.body}", "invalid_prompt"))

    provider.answers = [echoes, emulated.says(SAID)]
    with caplog.at_level(logging.INFO):
        await ask()
        await ask()
    printed = capsys.readouterr()
    logged = caplog.text + printed.out + printed.err
    assert "a language model is asked" in logged
    assert "canary" not in logged
    assert emulated.KEY not in logged


async def test_a_cancelled_question_leaves_nothing_behind(provider: Provider, ask: AskOnce):
    provider.answers = [emulated.hangs]
    asking = asyncio.create_task(ask())
    await until(lambda: _now(provider.asked or None), 5, "the question is there")
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
