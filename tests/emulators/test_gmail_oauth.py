"""Consent, tokens and their deaths, driven by google-auth-oauthlib and google-auth."""

import re
from base64 import urlsafe_b64decode
from urllib.parse import parse_qs, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers
from cryptography.hazmat.primitives.hashes import SHA256
from emulators.gmail.grants import METADATA, READONLY, TESTING_LIFETIME
from emulators.gmail.letters import letter
from emulators.gmail.program import client, credentials, reason
from emulators.gmail.world import EMAIL, INSTALLED, WEB
from google.auth import jwt
from google.auth.exceptions import RefreshError
from google.auth.transport.requests import AuthorizedSession
from google.auth.transport.requests import Request as Transport
from google_auth_oauthlib.flow import Flow
from googleapiclient.errors import HttpError
from oauthlib.oauth2 import InvalidGrantError, OAuth2Error

ADDRESS = "https://www.googleapis.com/auth/userinfo.email"
SCOPES = ["openid", ADDRESS, READONLY]
BACK = "http://127.0.0.1:9/back"


@pytest.fixture(autouse=True)
def plain_http(monkeypatch):
    """oauthlib wants TLS; the emulator has none."""
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")
    monkeypatch.setenv("OAUTHLIB_RELAX_TOKEN_SCOPE", "1")


def flow_of(gmail, who=INSTALLED, kind="installed", back=BACK, scopes=SCOPES):
    known = {"client_id": who.id, "client_secret": who.secret}
    places = {"auth_uri": f"{gmail.url}/o/oauth2/v2/auth", "token_uri": f"{gmail.url}/token"}
    return Flow.from_client_config({kind: {**known, **places}}, scopes=scopes, redirect_uri=back)


class Staying(HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def visit(url, form=None):
    """Status, place it leads to, and page, as a browser that follows nothing."""
    asked = Request(url, data=form.encode() if form else None)
    try:
        answered = build_opener(Staying).open(asked, timeout=10)
    except OSError as error:
        answered = error
    with answered:
        return answered.status, answered.headers.get("Location", ""), answered.read().decode()


def returned(url):
    return {name: values[0] for name, values in parse_qs(urlsplit(visit(url)[1]).query).items()}


def consented(gmail, **asked):
    """A flow that has its tokens."""
    gmail.control.answer_consent()
    flow = flow_of(gmail)
    url, state = flow.authorization_url(prompt="consent", **asked)
    told = returned(url)
    assert told["state"] == state
    flow.fetch_token(code=told["code"])
    return flow


def refused(gmail, holder):
    """The error an attempt to refresh ends in."""
    with requests.Session() as session, pytest.raises(RefreshError) as error:
        holder.refresh(Transport(session))
    assert not error.value.retryable
    return error.value.args[1]["error"]


def refresh(holder):
    with requests.Session() as session:
        holder.refresh(Transport(session))


def test_consent_code_token_refresh_and_revocation(gmail):
    gmail.control.deliver(letter("One"))
    holder = consented(gmail).credentials
    assert set(holder.granted_scopes) == set(SCOPES) and holder.refresh_token
    with client(gmail.url, holder) as google:
        assert google.users().getProfile(userId="me").execute()["messagesTotal"] == 1
    before = holder.token
    refresh(holder)
    assert holder.token != before
    assert (
        requests.post(f"{gmail.url}/revoke", data={"token": holder.refresh_token}, timeout=5).status_code
        == 200
    )
    assert refused(gmail, holder) == "invalid_grant"
    again = requests.post(f"{gmail.url}/revoke", data={"token": holder.refresh_token}, timeout=5)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_token")
    with (
        client(gmail.url, credentials(gmail.url, {"access_token": holder.token})) as google,
        pytest.raises(RefreshError),
    ):
        google.users().getProfile(userId="me").execute()


def test_a_person_allows_or_denies_on_the_page(gmail):
    gmail.control.add_account("jo@gmail.example")
    url, state = flow_of(gmail).authorization_url(login_hint=EMAIL)
    status, _, page = visit(url)
    assert status == 200 and "jo@gmail.example" in page and READONLY in page
    asked = re.search(r'name="asked" value="([^"]*)"', page).group(1).replace("&amp;", "&")
    answers = {"asked": asked, "account": "jo@gmail.example", "scope": READONLY}
    allowed = requests.post(url, data={**answers, "decision": "allow"}, allow_redirects=False, timeout=5)
    told = parse_qs(urlsplit(allowed.headers["Location"]).query)
    assert told["state"] == [state] and told["scope"] == [READONLY] and "code" in told
    denied = requests.post(url, data={**answers, "decision": "deny"}, allow_redirects=False, timeout=5)
    assert parse_qs(urlsplit(denied.headers["Location"]).query) == {
        "error": ["access_denied"],
        "state": [state],
    }


def test_a_partial_grant_comes_back_with_fewer_scopes_and_no_mail(gmail):
    gmail.control.answer_consent(scopes=["openid", ADDRESS])
    flow = flow_of(gmail)
    flow.fetch_token(code=returned(flow.authorization_url()[0])["code"])
    assert READONLY not in flow.credentials.granted_scopes
    with client(gmail.url, flow.credentials) as google, pytest.raises(HttpError) as error:
        google.users().getProfile(userId="me").execute()
    assert error.value.status_code == 403 and reason(error.value) == "insufficientPermissions"


def test_a_code_is_good_once_and_showing_it_again_ends_the_grant(gmail):
    gmail.control.answer_consent()
    flow = flow_of(gmail)
    code = returned(flow.authorization_url()[0])["code"]
    flow.fetch_token(code=code)
    first = flow.credentials
    with pytest.raises(InvalidGrantError):
        flow.fetch_token(code=code)
    assert refused(gmail, first) == "invalid_grant"


def test_a_code_dies_after_ten_minutes(gmail):
    gmail.control.answer_consent()
    flow = flow_of(gmail)
    code = returned(flow.authorization_url()[0])["code"]
    gmail.control.advance(601)
    with pytest.raises(InvalidGrantError):
        flow.fetch_token(code=code)


@pytest.mark.parametrize("verifier", ["x" * 60, None])
def test_a_code_is_bound_to_its_verifier(gmail, verifier):
    gmail.control.answer_consent()
    flow = flow_of(gmail)
    code = returned(flow.authorization_url()[0])["code"]
    flow.code_verifier = verifier
    with pytest.raises(InvalidGrantError, match="code verifier"):
        flow.fetch_token(code=code)


def test_a_code_is_bound_to_the_address_it_went_to(gmail):
    gmail.control.answer_consent()
    flow = flow_of(gmail)
    code = returned(flow.authorization_url()[0])["code"]
    flow.redirect_uri = f"{BACK}/elsewhere"
    with pytest.raises(OAuth2Error, match="redirect_uri_mismatch"):
        flow.fetch_token(code=code)


@pytest.mark.parametrize("in_body", [True, False])
def test_the_client_shows_its_secret_in_the_body_or_by_basic(gmail, in_body):
    gmail.control.answer_consent()
    flow = flow_of(gmail)
    code = returned(flow.authorization_url()[0])["code"]
    flow.fetch_token(code=code, include_client_id=in_body)
    assert flow.credentials.token


def test_a_wrong_secret_is_an_invalid_client(gmail):
    holder = credentials(gmail.url, gmail.control.grant())
    holder._client_secret = "guess"
    assert refused(gmail, holder) == "invalid_client"


def test_a_web_client_returns_to_its_registered_address_only(gmail):
    gmail.control.answer_consent()
    good = flow_of(gmail, WEB, "web", WEB.redirects[0])
    assert "code" in returned(good.authorization_url()[0])
    for wrong in (f"{WEB.redirects[0]}/more", BACK):
        status, place, page = visit(flow_of(gmail, WEB, "web", wrong).authorization_url()[0])
        assert (status, place) == (400, "") and "redirect_uri_mismatch" in page


def test_only_the_first_consent_brings_a_refresh_token_unless_asked_anew(gmail):
    gmail.control.answer_consent()
    flows = [flow_of(gmail) for _ in range(3)]
    for flow, asked in zip(flows, ({}, {}, {"prompt": "consent"}), strict=True):
        flow.fetch_token(code=returned(flow.authorization_url(**asked)[0])["code"])
    assert [bool(flow.credentials.refresh_token) for flow in flows] == [True, False, True]


def test_who_the_person_is_comes_signed_and_by_userinfo(gmail):
    gmail.control.add_account("jo@gmail.example")
    gmail.control.answer_consent("jo@gmail.example")
    flow = flow_of(gmail)
    flow.fetch_token(code=returned(flow.authorization_url(nonce="n-1")[0])["code"])
    claims = jwt.decode(flow.credentials.id_token, verify=False)
    assert (claims["email"], claims["aud"], claims["nonce"]) == ("jo@gmail.example", INSTALLED.id, "n-1")
    with AuthorizedSession(flow.credentials) as session:
        told = session.get(f"{gmail.url}/v1/userinfo").json()
    assert (told["sub"], told["email"]) == (claims["sub"], "jo@gmail.example")


def test_the_signature_of_the_person_is_good(gmail):
    def number(text):
        return int.from_bytes(urlsafe_b64decode(text + "=="), "big")

    token = consented(gmail).credentials.id_token
    signed, _, signature = token.rpartition(".")
    key = requests.get(f"{gmail.url}/oauth2/v3/certs", timeout=5).json()["keys"][0]
    public = RSAPublicNumbers(number(key["e"]), number(key["n"])).public_key()
    public.verify(urlsafe_b64decode(signature + "=="), signed.encode(), PKCS1v15(), SHA256())


def test_a_dead_access_token_is_401_with_googles_words(gmail):
    token = gmail.control.grant()["access_token"]
    gmail.control.advance(3_600)
    where = f"{gmail.url}/gmail/v1/users/me/profile"
    answered = requests.get(where, headers={"Authorization": f"Bearer {token}"}, timeout=5)
    assert answered.status_code == 401 and answered.json()["error"]["errors"][0]["reason"] == "authError"
    assert answered.headers["WWW-Authenticate"].endswith('error="invalid_token"')
    assert requests.get(where, timeout=5).json()["error"]["errors"][0]["reason"] == "required"


def test_googles_client_refreshes_and_asks_again_after_a_401(gmail, google):
    gmail.control.expire_access()
    assert google.users().getProfile(userId="me").execute()
    assert [call["status"] for call in gmail.control.calls()] == [401, 200, 200]
    assert [call["operation"] for call in gmail.control.calls()] == ["getProfile", "token", "getProfile"]


def test_rotation_gives_a_new_refresh_token_and_ends_the_old(gmail):
    gmail.control.grant_knobs(rotates=True)
    holder = credentials(gmail.url, gmail.control.grant())
    old = holder.refresh_token
    refresh(holder)
    assert holder.refresh_token != old
    refresh(holder)
    assert (
        refused(gmail, credentials(gmail.url, {"access_token": "", "refresh_token": old})) == "invalid_grant"
    )


def test_a_grant_of_testing_mode_dies_a_week_after_consent_whatever_its_use(gmail):
    gmail.control.grant_knobs(refresh_lifetime=TESTING_LIFETIME)
    flow = consented(gmail)
    assert flow.oauth2session.token["refresh_token_expires_in"] == TESTING_LIFETIME - 1
    gmail.control.advance(TESTING_LIFETIME - 60)
    refresh(flow.credentials)
    gmail.control.advance(61)
    assert refused(gmail, flow.credentials) == "invalid_grant"


@pytest.mark.parametrize("death", ["revoke", "change_password"])
def test_a_person_ends_a_grant_without_telling_us(gmail, death):
    tokens = gmail.control.grant()
    getattr(gmail.control, death)()
    with client(gmail.url, credentials(gmail.url, tokens)) as google, pytest.raises(RefreshError):
        google.users().getProfile(userId="me").execute()


def test_a_new_password_leaves_grants_alone_that_read_no_mail(gmail):
    holder = credentials(gmail.url, gmail.control.grant(["openid"]))
    gmail.control.change_password()
    refresh(holder)
    assert holder.token


def test_the_oldest_of_too_many_refresh_tokens_dies(gmail):
    gmail.control.grant_knobs(most_refresh_tokens=2)
    first, second, third = (credentials(gmail.url, gmail.control.grant()) for _ in range(3))
    assert refused(gmail, first) == "invalid_grant"
    refresh(second)
    refresh(third)
    assert gmail.control.meters()["refresh_tokens"] == 2


def test_the_narrow_scope_takes_bodies_and_queries_from_the_wide_one(gmail):
    message_id = gmail.control.deliver(letter("One"))
    with client(gmail.url, credentials(gmail.url, gmail.control.grant([READONLY, METADATA]))) as google:
        messages = google.users().messages()
        assert messages.get(userId="me", id=message_id, format="metadata").execute()
        for asked in (
            messages.list(userId="me", q="harbour"),
            messages.get(userId="me", id=message_id, format="raw"),
        ):
            with pytest.raises(HttpError) as error:
                asked.execute()
            assert error.value.status_code == 403


def test_the_token_endpoint_fails_on_request(gmail):
    holder = credentials(gmail.url, gmail.control.grant())
    gmail.control.fault("^token ", "invalid_grant")
    assert refused(gmail, holder) == "invalid_grant"
    refresh(holder)
    assert msgspec.json.decode(visit(f"{gmail.url}/.well-known/openid-configuration")[2])["token_endpoint"]
