"""One secret, sealed: AES-256-GCM under a named key, bound to its account and its name. Pure.

A row moved to another account or another name does not open. No key and no secret has a readable repr.
"""

import secrets

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from schema.errors import Refusal
from schema.ids import AccountId

KEY_BYTES = 32
NONCE_BYTES = 12


class KeyUnknown(Refusal):
    """A stored secret was sealed with a key this installation does not have; restore the key file."""

    code = "key_unknown"
    kind = "unavailable"


class SecretDamaged(Refusal):
    """A stored secret does not open with its key; enter it again."""

    code = "secret_damaged"
    kind = "unavailable"


class Keys:
    """Keys by id, one of them current: it seals, the others only open what is older."""

    def __init__(self, current: str, by_id: dict[str, bytes]) -> None:
        self.current = current
        self._by_id = dict(by_id)

    def __repr__(self) -> str:
        return f"Keys(current={self.current!r}, ids={sorted(self._by_id)})"

    @property
    def ids(self) -> list[str]:
        return list(self._by_id)

    def key(self, key_id: str) -> bytes:
        found = self._by_id.get(key_id)
        if found is None:
            raise KeyUnknown(f"A stored secret needs the key {key_id}, which is not among the keys.")
        return found


class Sealed(msgspec.Struct, frozen=True, kw_only=True):
    key_id: str
    nonce: bytes
    ciphertext: bytes


def seal(keys: Keys, account_id: AccountId, name: str, secret: bytes) -> Sealed:
    """`secret` under the current key."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    bound = _bound(account_id, name, keys.current)
    sealed = AESGCM(keys.key(keys.current)).encrypt(nonce, secret, bound)
    return Sealed(key_id=keys.current, nonce=nonce, ciphertext=sealed)


def opened(keys: Keys, account_id: AccountId, name: str, sealed: Sealed) -> bytes:
    """What was sealed for this account and name. Raises `KeyUnknown` or `SecretDamaged`."""
    cipher = AESGCM(keys.key(sealed.key_id))
    try:
        return cipher.decrypt(sealed.nonce, sealed.ciphertext, _bound(account_id, name, sealed.key_id))
    except InvalidTag as error:
        raise SecretDamaged from error


def _bound(account_id: AccountId, name: str, key_id: str) -> bytes:
    return f"jobtrail:{account_id}:{name}:{key_id}".encode()
