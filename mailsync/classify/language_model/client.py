"""The only file that talks to a language model: one question, one whole answer, or why there is none.

Every try and every wait spends one budget, so that a server that hangs, drips or asks to wait costs no more
than the settings allow. Retries are ours; a key that is refused and credit that is used up end the asking. No
proxy and no variable of the library is read from the environment, and nothing a server says is logged.

A try that was cut off may have been paid for without an answer: nobody knows. It carries `custom_id`, which
the provider keeps beside the request, and which the log names before the request is sent.
"""

import asyncio
import logging
import random
import ssl
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

import httpx2
import msgspec
import openai
import structlog

from mailsync.classify.language_model.budget import Budget
from mailsync.classify.language_model.completion import Completion, answered
from mailsync.classify.language_model.types import Answered, AnswerForm, Question, Trouble, TroubleKind
from schema.clock import Clock
from schema.settings import ModelSettings

log = structlog.get_logger()
# Asked to, the library writes whole requests, the mail in them included.
logging.getLogger("openai").setLevel(logging.WARNING)

_MOST_BYTES = 4 * 1024 * 1024
_SENT_HEADERS = frozenset(
    ("accept", "accept-encoding", "authorization", "connection", "content-length", "content-type", "host",
     "user-agent", "x-client-request-id")
)  # fmt: skip


class _TooLarge(Exception):
    """The answer is larger than any answer is."""


@asynccontextmanager
async def open_asker(
    settings: ModelSettings, clock: Clock, form: AnswerForm
) -> AsyncGenerator["Asker", None]:
    """Asks for answers of this form, within the times and the length the settings state."""
    async with (
        httpx2.AsyncClient(
            trust_env=False,
            follow_redirects=False,
            verify=_tls(),
            timeout=httpx2.Timeout(settings.read_seconds, connect=settings.connect_seconds),
            event_hooks={"request": [_only_ours], "response": [_limited]},
        ) as http,
        openai.AsyncOpenAI(
            api_key=settings.key,
            base_url=settings.url,
            max_retries=0,
            http_client=http,
            # Set here, it wins over whatever the environment has for the library.
            default_headers={"Authorization": f"Bearer {settings.key}"},
        ) as client,
    ):
        yield Asker(client, settings, clock, form)


class Asker:
    """Satisfies `Ask`."""

    def __init__(
        self, client: openai.AsyncOpenAI, settings: ModelSettings, clock: Clock, form: AnswerForm
    ) -> None:
        self._client = client
        self._form = {
            "type": "json_schema",
            "json_schema": {"name": form.name, "strict": True, "schema": form.schema},
        }
        self._settings = settings
        self._clock = clock

    async def __call__(self, question: Question, /) -> Answered | Trouble:
        jitter = random.Random().random  # noqa: S311 - spreads retries, guards nothing
        budget = Budget(self._settings.total_seconds, time.monotonic, jitter)
        while True:
            budget.tries += 1
            found = await self._try(question, budget)
            if isinstance(found, Answered) or found.kind not in ("throttled", "unavailable"):
                return found
            wait = budget.wait(found.wait_seconds)
            if wait is None:
                return found
            await asyncio.sleep(wait)

    async def _try(self, question: Question, budget: Budget) -> Answered | Trouble:
        custom_id = f"{question.key}-{uuid.uuid4().hex[:12]}"
        asked_at = self._clock.now()
        log.info("a language model is asked", request=custom_id)
        try:
            async with asyncio.timeout(budget.left()):
                response = await self._sent(question, custom_id)
            completion = msgspec.json.decode(response.content, type=Completion)
        except openai.APIStatusError as error:
            return _refused(error)
        except (openai.APIConnectionError, httpx2.HTTPError, TimeoutError, OSError, _TooLarge):
            return Trouble(kind="unavailable")
        except (msgspec.DecodeError, UnicodeDecodeError, httpx2.InvalidURL):
            return Trouble(kind="unavailable")
        request_id = response.headers.get("x-request-id") or completion.id
        return answered(completion, custom_id=custom_id, request_id=request_id, asked_at=asked_at)

    async def _sent(self, question: Question, custom_id: str) -> httpx2.Response:
        """The answer as it came: the library itself takes whatever a server calls a completion for one."""
        body: dict[str, object] = {
            "model": self._settings.name,
            "messages": [
                {"role": "system", "content": question.instructions},
                {"role": "user", "content": question.content},
            ],
            "response_format": self._form,
            self._settings.tokens_field: self._settings.answer_tokens,
        }
        return await self._client.post(
            "/chat/completions",
            cast_to=httpx2.Response,
            body=body,
            options={"headers": {"X-Client-Request-Id": custom_id}},
        )


_BY_STATUS: dict[int, TroubleKind] = {
    401: "key_refused",
    402: "out_of_credit",
    403: "key_refused",
    404: "not_there",
    408: "unavailable",
    409: "unavailable",
    425: "unavailable",
    429: "throttled",
}
_FIRST_SERVER_FAULT = 500
_NO_CREDIT = ("insufficient_quota", "billing_hard_limit_reached")
_REDIRECTS = range(300, 400)


def _refused(error: openai.APIStatusError) -> Trouble:
    status = error.status_code
    wait_seconds = _wait_seconds(error.response.headers)
    if error.code in _NO_CREDIT or error.type in _NO_CREDIT:
        return Trouble(kind="out_of_credit", wait_seconds=wait_seconds)
    if status >= _FIRST_SERVER_FAULT:
        return Trouble(kind="unavailable", wait_seconds=wait_seconds)
    kind: TroubleKind = "not_there" if status in _REDIRECTS else "request_refused"
    return Trouble(kind=_BY_STATUS.get(status, kind), wait_seconds=wait_seconds)


_LONGEST_WAIT = 86_400.0


def _wait_seconds(headers: httpx2.Headers) -> float | None:
    """Seconds the provider asks to wait, a day at most. Dates are rare here and not read."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        text = headers.get(name, "").strip()
        if text.isascii() and text.replace(".", "", 1).isdigit():
            return min(float(text[:20]) / unit, _LONGEST_WAIT)
    return None


async def _only_ours(request: httpx2.Request) -> None:
    """The library adds what it knows of this machine, and headers of the environment."""
    for name in [name for name in request.headers if name.lower() not in _SENT_HEADERS]:
        del request.headers[name]


async def _limited(response: httpx2.Response) -> None:
    stream = response.stream
    if isinstance(stream, httpx2.AsyncByteStream):
        response.stream = _Limited(stream)


class _Limited(httpx2.AsyncByteStream):
    """An answer as long as it is not larger than any answer is."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for chunk in self._stream:
            seen += len(chunk)
            if seen > _MOST_BYTES:
                raise _TooLarge
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


@cache
def _tls() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=False)
