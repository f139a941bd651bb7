"""Who allowed what to whom: clients, codes, refresh and access tokens, and the ways they die."""

import random
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field, replace
from hashlib import sha256

from emulators.gmail.clock import Clock

GMAIL = "https://www.googleapis.com/auth/gmail."
READONLY = f"{GMAIL}readonly"
METADATA = f"{GMAIL}metadata"
EVERYTHING = "https://mail.google.com/"
CODE_LIFETIME = 600
TESTING_LIFETIME = 7 * 86_400
ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
# Google writes the short names of OpenID in long form where it says what was granted.
LONG_NAMES = {
    "email": "https://www.googleapis.com/auth/userinfo.email",
    "profile": "https://www.googleapis.com/auth/userinfo.profile",
}


@dataclass(frozen=True)
class Client:
    """`redirects` empty: an installed client, which may use any loopback address."""

    id: str
    secret: str
    redirects: tuple[str, ...] = ()

    def may_return_to(self, address: str) -> bool:
        if self.redirects:
            return address in self.redirects
        return address.startswith(("http://127.0.0.1", "http://localhost", "http://[::1]"))


@dataclass(frozen=True)
class Consent:
    """What a person answered, bound to how the question was asked."""

    client_id: str
    email: str
    scopes: tuple[str, ...]
    redirect_uri: str
    challenge: str = ""
    challenge_method: str = "plain"
    offline: bool = False
    nonce: str = ""
    given_at: float = 0.0

    def verified_by(self, verifier: str) -> bool:
        if not self.challenge:
            return True
        if self.challenge_method != "S256":
            return verifier == self.challenge
        digest = sha256(verifier.encode()).digest()
        return urlsafe_b64encode(digest).rstrip(b"=").decode() == self.challenge


@dataclass
class Grant:
    client_id: str
    email: str
    scopes: tuple[str, ...]
    given_at: float
    refresh_tokens: list[str] = field(default_factory=list)
    dead: bool = False


@dataclass(frozen=True)
class Access:
    grant: Grant
    scopes: tuple[str, ...]
    until: float


class Grants:
    """Every grant of the emulator. The attributes without underscore are the knobs."""

    def __init__(self, clock: Clock, seed: int = 0) -> None:
        self.clients: dict[str, Client] = {}
        self.access_lifetime = 3_599.0
        self.refresh_lifetime: float | None = None
        self.rotates = False
        self.most_refresh_tokens = 100
        self._clock = clock
        self._chance = random.Random(seed)
        self._codes: dict[str, Consent] = {}
        self._used: dict[str, Grant] = {}
        self._grants: list[Grant] = []
        self._by_refresh: dict[str, Grant] = {}
        self._access: dict[str, Access] = {}

    def code_for(self, consent: Consent) -> str:
        code = f"4/0A{self._random(70)}"
        self._codes[code] = replace(consent, given_at=self._clock.now())
        return code

    def take_code(self, code: str) -> Consent | None:
        """A code is good once, for ten minutes; who shows it again ends what it gave."""
        if code in self._used:
            self.kill(self._used[code])
        consent = self._codes.pop(code, None)
        fresh = consent is not None and consent.given_at + CODE_LIFETIME > self._clock.now()
        return consent if fresh else None

    def consented(self, consent: Consent, code: str) -> Grant:
        grant = Grant(consent.client_id, consent.email, consent.scopes, self._clock.now())
        self._grants.append(grant)
        self._used[code] = grant
        return grant

    def refresh_token(self, grant: Grant) -> str:
        token = f"1//0{self._random(98)}"
        grant.refresh_tokens.append(token)
        self._by_refresh[token] = grant
        self._forget_oldest(grant)
        return token

    def _forget_oldest(self, grant: Grant) -> None:
        """One client may hold so many refresh tokens of a person; the oldest dies without a word."""
        pairs = [
            (each, token)
            for each in self._grants
            if (each.client_id, each.email) == (grant.client_id, grant.email)
            for token in each.refresh_tokens
        ]
        for each, token in pairs[: -self.most_refresh_tokens]:
            each.refresh_tokens.remove(token)
            del self._by_refresh[token]

    def access_token(self, grant: Grant, scopes: tuple[str, ...]) -> str:
        token = f"ya29.a0{self._random(120)}"
        self._access[token] = Access(grant, scopes, self._clock.now() + self.access_lifetime)
        return token

    def refreshed(self, token: str) -> Grant | None:
        grant = self._by_refresh.get(token)
        if grant is None or grant.dead:
            return None
        if self.refresh_lifetime is not None and grant.given_at + self.refresh_lifetime <= self._clock.now():
            return None
        return grant

    def rotated(self, token: str, grant: Grant) -> str | None:
        if not self.rotates:
            return None
        grant.refresh_tokens.remove(token)
        del self._by_refresh[token]
        return self.refresh_token(grant)

    def opened_by(self, token: str) -> Access | None:
        access = self._access.get(token)
        alive = access is not None and not access.grant.dead and access.until > self._clock.now()
        return access if alive else None

    def revoke(self, token: str) -> bool:
        """By refresh or access token: the whole grant of that person to that client ends."""
        grant = self._by_refresh.get(token)
        if grant is None and token in self._access:
            grant = self._access[token].grant
        if grant is None or grant.dead:
            return False
        for each in self._grants:
            if (each.client_id, each.email) == (grant.client_id, grant.email):
                self.kill(each)
        return True

    def kill(self, grant: Grant) -> None:
        grant.dead = True

    def revoke_person(self, email: str) -> int:
        """The person removed the access on their account page."""
        alive = [grant for grant in self._grants if grant.email == email and not grant.dead]
        for grant in alive:
            self.kill(grant)
        return len(alive)

    def password_changed(self, email: str) -> None:
        """Ends exactly the grants that reach into mail."""
        for grant in self._grants:
            if grant.email == email and any(scope.startswith((GMAIL, EVERYTHING)) for scope in grant.scopes):
                self.kill(grant)

    def expire_access(self) -> None:
        """Every access token is over, whatever its holder believes."""
        self._access.clear()

    def alive(self, email: str) -> int:
        """Refresh tokens of that person that still work."""
        return sum(
            len(grant.refresh_tokens) for grant in self._grants if grant.email == email and not grant.dead
        )

    def granted_before(self, client_id: str, email: str) -> tuple[str, ...]:
        scopes = [
            scope
            for grant in self._grants
            if (grant.client_id, grant.email, grant.dead) == (client_id, email, False)
            for scope in grant.scopes
        ]
        return tuple(dict.fromkeys(scopes))

    def _random(self, length: int) -> str:
        return "".join(self._chance.choices(ALPHABET, k=length))
