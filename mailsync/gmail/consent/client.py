"""The only file that talks to Google's consent endpoints: codes, refreshes, revocation, identity. Blocks.

Tokens travel in bodies, never in addresses. The libraries write bodies into their debug logs; those are
silenced here. Plain HTTP is taken to this machine only.
"""

import logging
import os
from collections.abc import Callable
from typing import Literal, Protocol, TypeVar, cast

import msgspec
import requests
from google_auth_oauthlib.flow import Flow
from oauthlib.oauth2 import OAuth2Error
from oauthlib.oauth2.rfc6749.errors import InvalidGrantError

from mailsync.gmail.consent.rules import is_loopback
from mailsync.gmail.consent.types import SCOPES, Identity, OAuthClient, Tokens
from schema.errors import Refusal
from schema.settings import GmailSettings

for _name in ("requests_oauthlib", "oauthlib", "urllib3", "googleapiclient", "google_auth_httplib2"):
    logging.getLogger(_name).setLevel(logging.WARNING)

Failure = Literal["invalid_grant", "client_refused", "code_refused", "unreachable"]
ResultT = TypeVar("ResultT")
_OK = 200


class ConsentFailed(Exception):
    """Google's consent endpoints did not do what was asked; the kind says why."""

    def __init__(self, kind: Failure) -> None:
        super().__init__(kind)
        self.kind: Failure = kind


class AddressUnsafe(Refusal):
    """An address of Google's endpoints is plain HTTP and not on this machine."""

    code = "oauth_address_unsafe"


class _Userinfo(msgspec.Struct, frozen=True):
    sub: str = ""
    id: str = ""
    email: str = ""


class _Token(msgspec.Struct, frozen=True):
    access_token: str
    refresh_token: str | None = None
    expires_in: float | None = None
    scope: str | list[str] = ""


class _Session(Protocol):
    scope: object

    def refresh_token(self, url: str, **options: object) -> object: ...


class _Flow(Protocol):
    """What the library's flow offers, as far as it is used here."""

    oauth2session: _Session

    def authorization_url(self, **options: object) -> tuple[str, str]: ...
    def fetch_token(self, **options: object) -> object: ...


class ConsentClient:
    """Google's consent endpoints as these settings name them. For any thread."""

    def __init__(self, settings: GmailSettings) -> None:
        self._settings = settings
        for url in (settings.auth_url, settings.token_url, settings.revoke_url, settings.userinfo_url):
            _require_safe(url)

    def consent_url(
        self, client: OAuthClient, *, redirect_url: str, state: str, code_verifier: str, address: str
    ) -> str:
        """The page on which the person decides; it is always shown, or no refresh token would come."""
        flow = self._flow(client, redirect_url=redirect_url, code_verifier=code_verifier)
        hint = {"login_hint": address} if address else {}
        url, _ = flow.authorization_url(
            state=state, access_type="offline", prompt="consent", include_granted_scopes="false", **hint
        )
        return url

    def tokens(self, client: OAuthClient, *, code: str, redirect_url: str, code_verifier: str) -> Tokens:
        """What the code is worth. Raises `ConsentFailed`."""
        flow = self._flow(client, redirect_url=redirect_url, code_verifier=code_verifier)
        return _tokens(
            _asked(
                lambda: flow.fetch_token(
                    code=code, include_client_id=True, timeout=self._settings.timeout_seconds
                ),
                refused="code_refused",
            )
        )

    def refreshed(self, client: OAuthClient, refresh_token: str) -> Tokens:
        """A new access token; Google may hand out a new refresh token with it. Raises `ConsentFailed`."""
        session = self._flow(client).oauth2session
        session.scope = None
        return _tokens(
            _asked(
                lambda: session.refresh_token(
                    self._settings.token_url,
                    refresh_token=refresh_token,
                    client_id=client.client_id,
                    client_secret=client.client_secret,
                    timeout=self._settings.timeout_seconds,
                ),
                refused="invalid_grant",
            )
        )

    def identity(self, access_token: str) -> Identity:
        """Raises `ConsentFailed`."""
        bearer = {"Authorization": f"Bearer {access_token}"}
        try:
            answer = requests.get(
                self._settings.userinfo_url, headers=bearer, timeout=self._settings.timeout_seconds
            )
            found = msgspec.json.decode(answer.content, type=_Userinfo)
        except (requests.RequestException, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ConsentFailed("unreachable") from error
        if answer.status_code != _OK or not found.email:
            raise ConsentFailed("code_refused")
        return Identity(google_id=found.sub or found.id, address=found.email.lower())

    def revoke(self, token: str) -> bool:
        """Whether Google knows the grant no longer: given back now, or dead before."""
        try:
            answer = requests.post(
                self._settings.revoke_url, data={"token": token}, timeout=self._settings.timeout_seconds
            )
        except requests.RequestException:
            return False
        return answer.status_code in {_OK, 400}

    def _flow(self, client: OAuthClient, *, redirect_url: str = "", code_verifier: str = "") -> _Flow:
        written = {
            "client_id": client.client_id,
            "client_secret": client.client_secret,
            "auth_uri": self._settings.auth_url,
            "token_uri": self._settings.token_url,
        }
        flow = Flow.from_client_config(  # pyright: ignore[reportUnknownMemberType]
            {"web": written},
            list(SCOPES),
            redirect_uri=redirect_url or None,
            code_verifier=code_verifier or None,
            autogenerate_code_verifier=False,
        )
        return cast("_Flow", flow)


def _asked(ask: Callable[[], object], *, refused: Failure) -> object:
    try:
        return ask()
    except Warning as warning:
        # The library's way to say that other scopes were granted; the token is in it.
        return cast("object", getattr(warning, "token", None))
    except InvalidGrantError as error:
        raise ConsentFailed(refused) from error
    except OAuth2Error as error:
        # A trouble of Google's own comes in the shape of its other interfaces, where this is an object.
        code: object = error.error
        is_passing = not isinstance(code, str) or code in _PASSING
        kind: Failure = "unreachable" if is_passing else "client_refused"
        raise ConsentFailed(kind) from error
    except (requests.RequestException, ValueError) as error:
        raise ConsentFailed("unreachable") from error


_PASSING = frozenset(("server_error", "temporarily_unavailable", "missing_token", "internal_failure"))


def _tokens(answer: object) -> Tokens:
    try:
        found = msgspec.convert(answer, _Token)
    except msgspec.ValidationError as error:
        raise ConsentFailed("unreachable") from error
    scopes = found.scope.split() if isinstance(found.scope, str) else found.scope
    return Tokens(
        access=found.access_token,
        refresh=found.refresh_token,
        lives_seconds=found.expires_in,
        scopes=tuple(scopes),
    )


def _require_safe(url: str) -> None:
    if url.startswith("https://"):
        return
    if not is_loopback(url):
        raise AddressUnsafe(f"{url} is plain HTTP; only addresses of this machine may be.")
    # The library's own switch, read from the environment at each call: it knows no other way to be told.
    os.environ.setdefault("OAUTHLIB_INSECURE_TRANSPORT", "1")
