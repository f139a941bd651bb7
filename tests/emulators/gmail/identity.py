"""Who the person is, as Google tells it: the signed `id_token`, the keys to check it, and userinfo."""

import json
from base64 import urlsafe_b64encode
from functools import cache
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from emulators.gmail.grants import LONG_NAMES, Consent
from emulators.gmail.mailbox import Mailbox

KEY_ID = "emulated-1"


@cache
def _key() -> RSAPrivateKey:
    return generate_private_key(public_exponent=65_537, key_size=2_048)


def _part(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def _number(value: int) -> str:
    return _part(value.to_bytes((value.bit_length() + 7) // 8, "big"))


def keys() -> dict[str, object]:
    public = _key().public_key().public_numbers()
    numbers = {"n": _number(public.n), "e": _number(public.e)}
    return {"keys": [{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": KEY_ID, **numbers}]}


def id_token(consent: Consent, mailbox: Mailbox, access_token: str, now: float) -> str:
    claims: dict[str, object] = {
        "iss": "https://accounts.google.com",
        "azp": consent.client_id,
        "aud": consent.client_id,
        "sub": mailbox.subject,
        "at_hash": _part(sha256(access_token.encode()).digest()[:16]),
        "iat": int(now),
        "exp": int(now) + 3_600,
    }
    if may_tell_address(consent.scopes):
        claims |= {"email": mailbox.email, "email_verified": True}
    if consent.nonce:
        claims["nonce"] = consent.nonce
    head = _part(json.dumps({"alg": "RS256", "kid": KEY_ID, "typ": "JWT"}).encode())
    signed = f"{head}.{_part(json.dumps(claims).encode())}"
    return f"{signed}.{_part(_key().sign(signed.encode(), PKCS1v15(), SHA256()))}"


def may_tell_address(scopes: tuple[str, ...]) -> bool:
    return LONG_NAMES["email"] in scopes or "email" in scopes


def userinfo(mailbox: Mailbox, scopes: tuple[str, ...], *, old: bool) -> dict[str, object]:
    """Version 2 says `id` and `verified_email` where version 3 says `sub` and `email_verified`."""
    told: dict[str, object] = {"id" if old else "sub": mailbox.subject}
    if may_tell_address(scopes):
        told |= {"email": mailbox.email, "verified_email" if old else "email_verified": True}
    return told
