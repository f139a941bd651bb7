"""The only file that talks to the Gmail API: synchronous calls for one thread each, answers as structs.

The library's own batches always go to Google's address. So the service is built from the description that the
library carries, with our root in it. It never retries, sends no token of its own, and reads no network to be
built. Every refusal becomes a `GmailTrouble`; in a batch each part has its own.
"""

import json
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from http.client import HTTPException
from typing import Protocol, cast
from urllib.parse import urlsplit

import httplib2
from googleapiclient.discovery import build_from_document  # pyright: ignore[reportUnknownVariableType]
from googleapiclient.discovery_cache import get_static_doc  # pyright: ignore[reportUnknownVariableType]
from googleapiclient.errors import BatchError, HttpError
from googleapiclient.http import HttpRequest

from mailsync.gmail.answers.rules import GmailTrouble, trouble, unreachable
from mailsync.gmail.shapes import (
    AliasesShape,
    HistoryShape,
    LabelsShape,
    ListShape,
    NumberedShape,
    Part,
    ProfileShape,
    RawShape,
    ShapeT,
    decoded,
    history_id_of,
    history_page_of,
    letter_of,
    letter_of_shape,
    list_page_of,
    profile_of,
)
from mailsync.gmail.types import (
    GmailId,
    HistoryPage,
    Label,
    ListPage,
    Profile,
)
from schema.clock import Clock
from schema.errors import Refusal

PAGE = 500
_ME = "me"
_NETWORK = (OSError, HTTPException, httplib2.HttpLib2Error)
# A batch whose answer lacks a part, or is none.
_BROKEN_BATCH = (BatchError, KeyError, ValueError)


class ProxyUnusable(Refusal):
    """A proxy is set for the way to Google, but the library that would use it is missing: install PySocks."""

    code = "proxy_unusable"
    kind = "unavailable"


class _Bearer(httplib2.Http):
    """Connections of one thread. The token is put on here, so that the library never refreshes by itself."""

    token = ""

    def request(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, uri: str, method: str = "GET", body: object = None, headers: object = None, **more: object
    ) -> object:
        own = {**cast("dict[str, str]", headers or {}), "authorization": f"Bearer {self.token}"}
        ask = cast("Callable[..., object]", super().request)  # pyright: ignore[reportUnknownMemberType]
        return ask(uri, method=method, body=body, headers=own, **more)


class _Answer(Protocol):
    status: int | str

    def get(self, name: str, default: str | None) -> str | None: ...


class _Batch(Protocol):
    def add(self, request: HttpRequest, request_id: str) -> None: ...
    def execute(self, http: httplib2.Http) -> None: ...


class _Resource(Protocol):
    """What the library makes at run time, as far as it is used here."""

    def users(self) -> "_Resource": ...
    def messages(self) -> "_Resource": ...
    def labels(self) -> "_Resource": ...
    def history(self) -> "_Resource": ...
    def settings(self) -> "_Resource": ...
    def sendAs(self) -> "_Resource": ...  # noqa: N802
    def list(self, **options: object) -> HttpRequest: ...
    def get(self, **options: object) -> HttpRequest: ...
    def getProfile(self, **options: object) -> HttpRequest: ...  # noqa: N802
    def new_batch_http_request(self, callback: Callable[..., None]) -> _Batch: ...


@cache
def _service(root: str) -> _Resource:
    document = json.loads(get_static_doc("gmail", "v1") or "{}")
    document.update(rootUrl=f"{root}/", baseUrl=f"{root}/")
    document.pop("mtlsRootUrl", None)
    # With an address of its own it would look for Google's credentials of this machine.
    return cast("_Resource", build_from_document(document, http=httplib2.Http()))


class GmailClient:
    """Gmail at one root. For any thread; blocks."""

    def __init__(self, root: str, timeout_seconds: float, clock: Clock) -> None:
        self._root = root.rstrip("/")
        self._timeout = timeout_seconds
        self._clock = clock
        self._own = threading.local()
        self._has_batches = True
        self._opened: list[_Bearer] = []

    def close(self) -> None:
        """Close the connections of all threads; a thread that waits hears that its line is cut."""
        for http in self._opened:
            for connection in http.connections.values():
                # Closing alone would not wake a thread that waits for Google, and it would then ask again.
                connection.connect = _is_closed
                with suppress(OSError, AttributeError):
                    connection.sock.shutdown(socket.SHUT_RDWR)
            http.close()

    def require_a_way(self) -> None:
        """Raises `ProxyUnusable`: the library would go past a proxy it cannot use, without a word."""
        parts = urlsplit(self._root)
        info = httplib2.proxy_info_from_environment("https" if parts.scheme == "https" else "http")
        applies = getattr(info, "applies_to", _nowhere)(parts.hostname or "")
        if applies and getattr(httplib2, "socks", None) is None:
            raise ProxyUnusable

    def profile(self, token: str) -> Profile:
        """Raises `GmailTrouble`, as all here. A server without profiles is asked for its newest mail."""
        try:
            found = self._asked(token, _service(self._root).users().getProfile(userId=_ME), ProfileShape)
        except GmailTrouble as error:
            if error.kind != "missing":
                raise
            return Profile(address="", history_id=self._newest_history_id(token))
        return profile_of(found)

    def send_as(self, token: str) -> list[str]:
        """Further addresses the person writes from."""
        request = _service(self._root).users().settings().sendAs().list(userId=_ME)
        try:
            found = self._asked(token, request, AliasesShape)
        except GmailTrouble as error:
            if error.kind in {"missing", "scope", "refused"}:
                return []
            raise
        return sorted({alias.sendAsEmail.lower() for alias in found.sendAs if alias.sendAsEmail})

    def labels(self, token: str) -> list[Label]:
        found = self._asked(token, _service(self._root).users().labels().list(userId=_ME), LabelsShape)
        return [Label(label_id=label.id, name=label.name, own=label.type == "user") for label in found.labels]

    def listed(
        self, token: str, *, query: str, labels: Sequence[str], include_spam: bool, page: str | None
    ) -> ListPage:
        options: dict[str, object] = {"userId": _ME, "maxResults": PAGE}
        if query:
            options["q"] = query
        if labels:
            options["labelIds"] = list(labels)
        if include_spam:
            options["includeSpamTrash"] = True
        if page:
            options["pageToken"] = page
        return list_page_of(
            self._asked(token, _service(self._root).users().messages().list(**options), ListShape)
        )

    def history(self, token: str, *, start: str, page: str | None) -> HistoryPage:
        options: dict[str, object] = {"userId": _ME, "maxResults": PAGE, "startHistoryId": start}
        if page:
            options["pageToken"] = page
        return history_page_of(
            self._asked(token, _service(self._root).users().history().list(**options), HistoryShape)
        )

    def letters(self, token: str, ids: Sequence[GmailId]) -> dict[GmailId, Part]:
        """Each id's message or its own trouble; an id without an answer is missing from the result."""
        if len(ids) > 1 and self._has_batches:
            try:
                return self._batch(token, ids)
            except GmailTrouble as error:
                if error.kind != "missing":
                    raise
                self._has_batches = False
        return self._one_by_one(token, ids)

    def _one_by_one(self, token: str, ids: Sequence[GmailId]) -> dict[GmailId, Part]:
        found: dict[GmailId, Part] = {}
        for gmail_id in ids:
            try:
                found[gmail_id] = letter_of_shape(self._asked(token, self._get(gmail_id), RawShape), gmail_id)
            except GmailTrouble as error:
                found[gmail_id] = error
                if error.kind != "missing":
                    break
        return found

    def _batch(self, token: str, ids: Sequence[GmailId]) -> dict[GmailId, Part]:
        found: dict[GmailId, Part] = {}

        def heard(number: str, answer: bytes | None, error: HttpError | None) -> None:
            gmail_id = ids[int(number)]
            found[gmail_id] = self._told(error) if error is not None else letter_of(answer or b"", gmail_id)

        batch = _service(self._root).new_batch_http_request(callback=heard)
        for number, gmail_id in enumerate(ids):
            batch.add(self._get(gmail_id), request_id=str(number))
        self._sent(lambda: batch.execute(http=self._http(token)))
        return found

    def _get(self, gmail_id: GmailId) -> HttpRequest:
        request = _service(self._root).users().messages().get(userId=_ME, id=gmail_id, format="raw")
        request.postproc = _untouched
        return request

    def _newest_history_id(self, token: str) -> str:
        page = self.listed(token, query="", labels=(), include_spam=False, page=None)
        if not page.items:
            return "1"
        request = (
            _service(self._root)
            .users()
            .messages()
            .get(userId=_ME, id=page.items[0].gmail_id, format="minimal")
        )
        return history_id_of(self._asked(token, request, NumberedShape).historyId)

    def _asked(self, token: str, request: HttpRequest, shape: type[ShapeT]) -> ShapeT:
        request.postproc = _untouched
        execute = cast("Callable[..., object]", request.execute)  # pyright: ignore[reportUnknownMemberType]
        answer = self._sent(lambda: execute(http=self._http(token), num_retries=0))
        return decoded(cast("bytes", answer), shape)

    def _sent(self, send: Callable[[], object]) -> object:
        try:
            return send()
        except HttpError as error:
            raise self._told(error) from None
        except (*_NETWORK, *_BROKEN_BATCH) as error:
            raise unreachable() from error

    def _told(self, error: HttpError) -> GmailTrouble:
        answer = cast("_Answer", error.resp)
        after = answer.get("retry-after", None)
        return trouble(int(answer.status), error.content, after, now=self._clock.now())

    def _http(self, token: str) -> _Bearer:
        http: _Bearer | None = getattr(self._own, "http", None)
        if http is None:
            http = self._own.http = _Bearer(timeout=self._timeout)
            # Nothing is to be followed to another place: the token would go there too.
            http.follow_redirects = False
            self._opened.append(http)
        http.token = token
        return http


def _is_closed() -> None:
    raise OSError("the client was closed")


def _nowhere(host: str) -> bool:  # noqa: ARG001
    return False


def _untouched(response: object, content: bytes) -> bytes:  # noqa: ARG001
    return content
