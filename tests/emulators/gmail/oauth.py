"""Google's OAuth endpoints: the consent page, the token endpoint, revocation, and who the person is."""

from base64 import b64decode
from dataclasses import dataclass
from html import escape
from urllib.parse import parse_qs, unquote, urlencode

from emulators.gmail import identity
from emulators.gmail.clock import Clock
from emulators.gmail.grants import LONG_NAMES, Consent, Grant, Grants
from emulators.gmail.mailbox import Mailbox
from emulators.gmail.refusals import unauthorized, unknown_address
from emulators.gmail.wire import Answer, Request, as_json, page, redirect

AUTH_PATHS = ("/o/oauth2/v2/auth", "/o/oauth2/auth")


@dataclass(frozen=True)
class Person:
    """Answers consent without a browser: which account, and which of the asked scopes; None is all."""

    email: str
    allows: bool = True
    scopes: tuple[str, ...] | None = None


class OAuth:
    def __init__(self, grants: Grants, mailboxes: dict[str, Mailbox], clock: Clock) -> None:
        self.person: Person | None = None
        self.url = ""
        self._grants = grants
        self._mailboxes = mailboxes
        self._clock = clock

    def answer(self, request: Request) -> Answer:
        path = request.path
        if path in AUTH_PATHS:
            return self._decide(request) if request.method == "POST" else self._ask(request)
        plain = {"/.well-known/openid-configuration": self._discovery, "/oauth2/v3/certs": identity.keys}
        if path in plain:
            return as_json(plain[path]())
        return self._by_machine(request)

    def _by_machine(self, request: Request) -> Answer:
        if request.path in {"/token", "/oauth2/token"} and request.method == "POST":
            return self._token(request)
        if request.path in {"/revoke", "/oauth2/revoke"}:
            return self._revoke(request)
        if request.path in {"/oauth2/v2/userinfo", "/oauth2/v3/userinfo", "/v1/userinfo"}:
            return self._userinfo(request)
        return unknown_address()

    def _discovery(self) -> dict[str, object]:
        names = {
            "authorization_endpoint": AUTH_PATHS[0],
            "token_endpoint": "/token",
            "revocation_endpoint": "/revoke",
            "userinfo_endpoint": "/v1/userinfo",
            "jwks_uri": "/oauth2/v3/certs",
        }
        return {
            "issuer": "https://accounts.google.com",
            **{key: self.url + path for key, path in names.items()},
        }

    # The person's side.

    def _ask(self, request: Request) -> Answer:
        wrong = self._wrong_question(request)
        if wrong:
            return page(f"<h1>Access blocked: Authorization Error</h1><p>Error {wrong}</p>", 400)
        if self.person is not None:
            person = self.person
            scopes = tuple(request.first("scope").split()) if person.scopes is None else person.scopes
            return self._return(request.query, person.email, person.allows, scopes)
        return page(self._consent_page(request))

    def _wrong_question(self, request: Request) -> str:
        client = self._grants.clients.get(request.first("client_id"))
        if client is None:
            return "401: invalid_client"
        if not client.may_return_to(request.first("redirect_uri")):
            return "400: redirect_uri_mismatch"
        if request.first("response_type") != "code" or not request.first("scope"):
            return "400: invalid_request"
        return ""

    def _consent_page(self, request: Request) -> str:
        hint = request.first("login_hint")
        chosen = hint if hint in self._mailboxes else next(iter(self._mailboxes))
        accounts = "".join(
            f'<label><input type="radio" name="account" value="{escape(email)}"'
            f"{' checked' if email == chosen else ''}>{escape(email)}</label>"
            for email in self._mailboxes
        )
        scopes = "".join(
            f'<label><input type="checkbox" name="scope" value="{scope}" checked>{scope}</label>'
            for scope in escape(request.first("scope")).split()
        )
        asked = escape(request.target.partition("?")[2])
        return (
            "<!DOCTYPE html><title>Sign in - Google Accounts</title><h1>Choose an account</h1>"
            f'<form method="post"><input type="hidden" name="asked" value="{asked}">{accounts}{scopes}'
            '<button name="decision" value="allow">Allow</button>'
            '<button name="decision" value="deny">Deny</button></form>'
        )

    def _decide(self, request: Request) -> Answer:
        form = parse_qs(request.body.decode(), keep_blank_values=True)
        asked = parse_qs(form["asked"][0], keep_blank_values=True)
        allowed = form.get("decision", [""])[0] == "allow"
        return self._return(asked, form["account"][0], allowed, tuple(form.get("scope", ())))

    def _return(
        self, asked: dict[str, list[str]], email: str, allowed: bool, scopes: tuple[str, ...]
    ) -> Answer:
        back = asked["redirect_uri"][0]
        state = {"state": asked["state"][0]} if "state" in asked else {}
        if not allowed or not scopes:
            return redirect(f"{back}?{urlencode({'error': 'access_denied', **state})}")
        consent = self._consent(asked, email, scopes)
        told = {"code": self._grants.code_for(consent), "scope": " ".join(consent.scopes), "authuser": "0"}
        return redirect(f"{back}?{urlencode({**state, **told, 'prompt': 'consent'})}")

    def _consent(self, asked: dict[str, list[str]], email: str, scopes: tuple[str, ...]) -> Consent:
        def one(name: str) -> str:
            return asked.get(name, [""])[0]

        granted = [LONG_NAMES.get(scope, scope) for scope in scopes]
        earlier = self._grants.granted_before(one("client_id"), email)
        if one("include_granted_scopes") == "true":
            granted += earlier
        return Consent(
            client_id=one("client_id"),
            email=email,
            scopes=tuple(dict.fromkeys(granted)),
            redirect_uri=one("redirect_uri"),
            challenge=one("code_challenge"),
            challenge_method=one("code_challenge_method") or "plain",
            # Without `prompt=consent` only the first consent of a person brings a refresh token.
            offline=one("access_type") == "offline" and (not earlier or "consent" in one("prompt")),
            nonce=one("nonce"),
        )

    # The program's side.

    def _token(self, request: Request) -> Answer:
        form = request.form
        client_id, secret = _client_of(request)
        client = self._grants.clients.get(client_id)
        if client is None:
            return _no("invalid_client", "The OAuth client was not found.", 401)
        if secret != client.secret:
            return _no("invalid_client", "Unauthorized" if secret else "client_secret is missing.", 401)
        if form.get("grant_type") == "authorization_code":
            return self._exchange(client_id, form)
        if form.get("grant_type") == "refresh_token":
            return self._refresh(client_id, form)
        return _no("unsupported_grant_type", f"Invalid grant_type: {form.get('grant_type', '')}")

    def _exchange(self, client_id: str, form: dict[str, str]) -> Answer:
        code = form.get("code", "")
        consent = self._grants.take_code(code)
        if consent is None or consent.client_id != client_id:
            return _no(
                "invalid_grant", "Malformed auth code." if not code.startswith("4/") else "Bad Request"
            )
        if form.get("redirect_uri") != consent.redirect_uri:
            return _no("redirect_uri_mismatch", "Bad Request")
        if not consent.verified_by(form.get("code_verifier", "")):
            fault = "Invalid code verifier." if form.get("code_verifier") else "Missing code verifier."
            return _no("invalid_grant", fault)
        grant = self._grants.consented(consent, code)
        refresh = self._grants.refresh_token(grant) if consent.offline else None
        return self._tokens(grant, grant.scopes, refresh, consent)

    def _refresh(self, client_id: str, form: dict[str, str]) -> Answer:
        token = form.get("refresh_token", "")
        grant = self._grants.refreshed(token)
        if grant is None or grant.client_id != client_id:
            return _no(
                "invalid_grant",
                "Token has been expired or revoked." if token.startswith("1//") else "Bad Request",
            )
        wanted = (
            tuple(LONG_NAMES.get(scope, scope) for scope in form.get("scope", "").split()) or grant.scopes
        )
        if not set(wanted) <= set(grant.scopes):
            return _no("invalid_scope", "Bad Request")
        again = Consent(client_id, grant.email, grant.scopes, "")
        return self._tokens(grant, wanted, self._grants.rotated(token, grant), again)

    def _tokens(self, grant: Grant, scopes: tuple[str, ...], refresh: str | None, consent: Consent) -> Answer:
        access = self._grants.access_token(grant, scopes)
        told: dict[str, object] = {
            "access_token": access,
            "expires_in": int(self._grants.access_lifetime),
            "scope": " ".join(scopes),
            "token_type": "Bearer",
        }
        if refresh:
            told["refresh_token"] = refresh
            if self._grants.refresh_lifetime is not None:
                told["refresh_token_expires_in"] = int(self._grants.refresh_lifetime) - 1
        if "openid" in scopes:
            told["id_token"] = identity.id_token(
                consent, self._mailboxes[grant.email], access, self._clock.now()
            )
        return as_json(told, Cache_Control="no-cache, no-store, max-age=0, must-revalidate")

    def _revoke(self, request: Request) -> Answer:
        token = request.form.get("token") or request.first("token")
        return as_json({}) if self._grants.revoke(token) else _no("invalid_token", "Token expired or revoked")

    def _userinfo(self, request: Request) -> Answer:
        access = self._grants.opened_by(bearer(request))
        if access is None:
            return unauthorized(missing=not bearer(request))
        mailbox = self._mailboxes[access.grant.email]
        return as_json(identity.userinfo(mailbox, access.scopes, old="v2" in request.path))


def bearer(request: Request) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else request.first("access_token")


def _client_of(request: Request) -> tuple[str, str]:
    """By HTTP Basic or in the form, as RFC 6749 allows both."""
    kind, _, content = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "basic":
        name, _, secret = b64decode(content).decode().partition(":")
        return unquote(name), unquote(secret)
    return request.form.get("client_id", ""), request.form.get("client_secret", "")


def _no(error: str, description: str, status: int = 400) -> Answer:
    return as_json({"error": error, "error_description": description}, status)
