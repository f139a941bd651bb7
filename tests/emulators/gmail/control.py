"""What a test does to the emulator: one verb a method, the same in this process and over HTTP.

Every verb takes and gives plain values, so that `RemoteControl` can carry them. `email` None is the first
person's mailbox.
"""

import functools
import random
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from http.client import HTTPConnection
from typing import ParamSpec, TypeVar
from urllib.parse import urlsplit

import msgspec
from emulators.gmail.faults import Fault
from emulators.gmail.grants import LONG_NAMES, READONLY, Client, Consent
from emulators.gmail.oauth import OAuth, Person
from emulators.gmail.quota import COSTS
from emulators.gmail.wire import Answer, Request, as_json
from emulators.gmail.world import EMAIL, INSTALLED, World

P = ParamSpec("P")
R = TypeVar("R")
SCOPES = ("openid", LONG_NAMES["email"], READONLY)


def locked(verb: Callable[P, R]) -> Callable[P, R]:
    @functools.wraps(verb)
    def act(*args: P.args, **kwargs: P.kwargs) -> R:
        with args[0]._world.lock:  # type: ignore[attr-defined]
            return verb(*args, **kwargs)

    return act


class Control:
    def __init__(self, world: World, oauth: OAuth) -> None:
        self._world = world
        self._oauth = oauth

    # Mail.

    @locked
    def deliver(
        self,
        raw: bytes,
        labels: Sequence[str] = ("INBOX", "UNREAD"),
        internal_date: int | None = None,
        thread_id: str | None = None,
        email: str | None = None,
    ) -> str:
        """The id of the new message; the date is in milliseconds since 1970."""
        mailbox = self._world.mailbox(email)
        return mailbox.deliver(raw, labels, internal_date=internal_date, thread_id=thread_id).id

    @locked
    def deliver_many(
        self,
        raws: Sequence[bytes],
        first_date: int | None = None,
        step: int = 60_000,
        labels: Sequence[str] = ("INBOX",),
        email: str | None = None,
    ) -> list[str]:
        """Oldest first, so many milliseconds apart."""
        mailbox = self._world.mailbox(email)
        start = int(self._world.clock.now() * 1000) - step * len(raws) if first_date is None else first_date
        return [
            mailbox.deliver(raw, labels, internal_date=start + step * index).id
            for index, raw in enumerate(raws)
        ]

    @locked
    def delete(self, message_id: str, email: str | None = None) -> None:
        self._world.mailbox(email).delete(message_id)

    @locked
    def trash(self, message_id: str, email: str | None = None) -> None:
        self._world.mailbox(email).trash(message_id)

    @locked
    def untrash(self, message_id: str, email: str | None = None) -> None:
        self._world.mailbox(email).untrash(message_id)

    @locked
    def relabel(
        self, message_id: str, add: Sequence[str] = (), remove: Sequence[str] = (), email: str | None = None
    ) -> None:
        self._world.mailbox(email).relabel(message_id, add, remove)

    @locked
    def save_draft(self, raw: bytes, replacing: str | None = None, email: str | None = None) -> str:
        return self._world.mailbox(email).save_draft(raw, replacing).id

    @locked
    def send_draft(self, message_id: str, email: str | None = None) -> str:
        return self._world.mailbox(email).send_draft(message_id).id

    @locked
    def add_label(self, name: str, email: str | None = None) -> str:
        return self._world.mailbox(email).add_label(name)

    # Lists and history.

    @locked
    def expire_history(self, email: str | None = None) -> None:
        self._world.mailbox(email).history.expire()

    @locked
    def history_knobs(
        self,
        *,
        retention: float | None = None,
        hollow_pages: int | None = None,
        disorder: int | None = None,
        email: str | None = None,
    ) -> None:
        """`hollow_pages`: so many pages come with a token and no records. `disorder` is a seed; 0 ends it."""
        history = self._world.mailbox(email).history
        if retention is not None:
            history.retention = retention
        if hollow_pages is not None:
            history.hollow_pages = hollow_pages
        if disorder is not None:
            history.disorder = random.Random(disorder) if disorder else None

    @locked
    def expire_pages(self) -> None:
        """Every page token handed out so far is dead."""
        self._world.pages.clear()

    @locked
    def list_knobs(
        self, *, page_lifetime: float | None = None, lying: str | None = None, index_lag: float | None = None
    ) -> None:
        world = self._world
        world.page_lifetime = world.page_lifetime if page_lifetime is None else page_lifetime
        world.lying = lying or world.lying  # type: ignore[assignment]
        if index_lag is not None:
            for mailbox in world.mailboxes.values():
                mailbox.index_lag = index_lag

    # Time, quota and faults.

    @locked
    def advance(self, seconds: float) -> None:
        self._world.clock.advance(seconds)

    @locked
    def stand_still(self, at: float | None = None) -> None:
        """The clock stops (at that second) and moves by `advance` only."""
        self._world.clock.stand_still(at)

    def now(self) -> float:
        return self._world.clock.now()

    @locked
    def set_quota(self, *, costs: str | None = None, **limits: object) -> None:
        """`costs` "2026" or "older"; the limits are the fields of `quota.Limits`, None for none."""
        quota = self._world.quota
        quota.costs = COSTS[costs] if costs else quota.costs
        quota.limits = replace(quota.limits, **limits)  # type: ignore[arg-type]

    @locked
    def fault(
        self,
        match: str,
        kind: str | Callable[[Request], Answer],
        times: int | None = 1,
        after: int = 0,
        seconds: float = 0.0,
        retry_after: int | None = None,
    ) -> None:
        self._world.faults.add(Fault(match, kind, times, after, seconds, retry_after))

    @locked
    def clear_faults(self) -> None:
        self._world.faults.clear()

    def held(self) -> int:
        """How many calls wait in a `hold`."""
        return self._world.faults.holding

    def release(self) -> None:
        self._world.faults.release()

    # People and their grants.

    @locked
    def add_account(self, email: str, aliases: Sequence[str] = ()) -> None:
        self._world.add_mailbox(email).aliases = list(aliases)

    @locked
    def add_client(self, client_id: str, secret: str, redirects: Sequence[str] = ()) -> None:
        self._world.grants.clients[client_id] = Client(client_id, secret, tuple(redirects))

    @locked
    def answer_consent(
        self, email: str | None = None, *, allows: bool = True, scopes: Sequence[str] | None = None
    ) -> None:
        """From now on the consent page answers itself, as this person, with these of the asked scopes."""
        self._oauth.person = Person(email or EMAIL, allows, None if scopes is None else tuple(scopes))

    @locked
    def show_consent(self) -> None:
        """The consent page waits for a browser again."""
        self._oauth.person = None

    @locked
    def grant(
        self, scopes: Sequence[str] = SCOPES, client_id: str = INSTALLED.id, email: str | None = None
    ) -> dict[str, str]:
        """Tokens without the way through the consent page."""
        grants = self._world.grants
        named = tuple(scopes)
        given = grants.consented(Consent(client_id, email or EMAIL, named, ""), "")
        return {
            "access_token": grants.access_token(given, named),
            "refresh_token": grants.refresh_token(given),
        }

    @locked
    def revoke(self, email: str | None = None) -> int:
        return self._world.grants.revoke_person(email or EMAIL)

    @locked
    def change_password(self, email: str | None = None) -> None:
        self._world.grants.password_changed(email or EMAIL)

    @locked
    def expire_access(self) -> None:
        self._world.grants.expire_access()

    @locked
    def grant_knobs(
        self,
        *,
        access_lifetime: float | None = None,
        refresh_lifetime: float | None = None,
        rotates: bool | None = None,
        most_refresh_tokens: int | None = None,
    ) -> None:
        """`refresh_lifetime` is what the Testing mode of a consent screen does: 7 days from consent."""
        knobs = {
            "access_lifetime": access_lifetime,
            "refresh_lifetime": refresh_lifetime,
            "rotates": rotates,
            "most_refresh_tokens": most_refresh_tokens,
        }
        for name, value in knobs.items():
            if value is not None:
                setattr(self._world.grants, name, value)

    # What there is and what happened.

    @locked
    def mailbox(self, email: str | None = None) -> dict[str, list[str]]:
        """Every message with its labels, oldest first."""
        held = sorted(self._world.mailbox(email).messages.values(), key=lambda message: message.place)
        return {message.id: sorted(message.labels) for message in held}

    @locked
    def digests(self, email: str | None = None) -> dict[str, str]:
        """SHA-256 of every message's exact bytes."""
        held = self._world.mailbox(email).messages
        return {each: sha256(message.raw).hexdigest() for each, message in held.items()}

    @locked
    def history_id(self, email: str | None = None) -> str:
        return str(self._world.mailbox(email).history.current)

    @locked
    def fetches(self, email: str | None = None) -> dict[str, int]:
        """How often the whole of each message was sent (full or raw, cut answers not counted)."""
        return {
            each: count for (owner, each), count in self._world.fetched.items() if owner == (email or EMAIL)
        }

    @locked
    def calls(self, operation: str | None = None, since: int = 0) -> list[dict[str, object]]:
        """Every call in order, `world.Call` as a dictionary."""
        return [asdict(each) for each in self._world.calls[since:] if operation in {None, each.operation}]

    @locked
    def forget_calls(self) -> None:
        self._world.calls.clear()
        self._world.fetched.clear()

    @locked
    def meters(self, email: str | None = None) -> dict[str, int]:
        """Units in the last minute, refusals for quota, most calls at once, refresh tokens alive."""
        world, name = self._world, email or EMAIL
        return {
            "units": world.quota.spent(name, world.clock.now()),
            "refused": world.quota.refused,
            "most_at_once": world.quota.most_at_once,
            "refresh_tokens": world.grants.alive(name),
        }


VERBS = frozenset(name for name in vars(Control) if not name.startswith("_"))


def carried(value: object) -> object:
    """Bytes go over JSON as `{"base64": ...}`."""
    if isinstance(value, bytes):
        return {"base64": b64encode(value).decode()}
    return [carried(each) for each in value] if isinstance(value, list | tuple) else value


def unpacked(value: object) -> object:
    if isinstance(value, dict) and value.keys() == {"base64"}:
        return b64decode(value["base64"])
    return [unpacked(each) for each in value] if isinstance(value, list) else value


def by_http(control: Control, request: Request) -> Answer:
    """`POST /control/<verb>` with the arguments as a JSON object; the answer is `{"result": ...}`."""
    verb = request.path.rpartition("/")[2]
    if verb not in VERBS:
        return as_json({"error": f"no verb {verb}", "verbs": sorted(VERBS)}, 404)
    try:
        given = {name: unpacked(value) for name, value in request.json().items()}
        return as_json({"result": getattr(control, verb)(**given)})
    except (TypeError, ValueError, KeyError) as error:
        return as_json({"error": f"{type(error).__name__}: {error}"}, 400)


class RemoteControl:
    """The verbs of `Control`, by name and keyword, on an emulator in another process."""

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url).netloc

    def __getattr__(self, verb: str) -> Callable[..., object]:
        if verb not in VERBS:
            raise AttributeError(verb)
        return functools.partial(self._call, verb)

    def _call(self, verb: str, **given: object) -> object:
        connection = HTTPConnection(self._address, timeout=60)
        try:
            body = msgspec.json.encode({name: carried(value) for name, value in given.items()})
            connection.request("POST", f"/control/{verb}", body, {"Content-Type": "application/json"})
            answered = msgspec.json.decode(connection.getresponse().read())
        finally:
            connection.close()
        if "error" in answered:
            raise ValueError(answered["error"])
        return answered["result"]
