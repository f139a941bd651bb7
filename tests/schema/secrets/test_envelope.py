"""A sealed secret opens only where it belongs, with the key it names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.ids import AccountId
from schema.secrets.envelope import Keys, KeyUnknown, Sealed, SecretDamaged, opened, seal

ADA, BEN = AccountId(1), AccountId(2)
KEYS = Keys("new", {"old": b"o" * 32, "new": b"n" * 32})


@given(st.binary(max_size=4096))
def test_what_was_sealed_opens(secret: bytes):
    assert opened(KEYS, ADA, "gmail.token", seal(KEYS, ADA, "gmail.token", secret)) == secret


def test_sealing_uses_the_current_key_and_never_the_same_bytes_twice():
    first, second = seal(KEYS, ADA, "a", b"s"), seal(KEYS, ADA, "a", b"s")
    assert first.key_id == "new"
    assert first.ciphertext != second.ciphertext


def test_an_older_key_still_opens():
    sealed = seal(Keys("old", {"old": b"o" * 32}), ADA, "a", b"s")
    assert opened(KEYS, ADA, "a", sealed) == b"s"


@pytest.mark.parametrize(("account", "name"), [(BEN, "a"), (ADA, "b")])
def test_a_row_moved_elsewhere_does_not_open(account: AccountId, name: str):
    with pytest.raises(SecretDamaged):
        opened(KEYS, account, name, seal(KEYS, ADA, "a", b"s"))


def test_a_changed_byte_does_not_open():
    sealed = seal(KEYS, ADA, "a", b"secret")
    damaged = Sealed(
        key_id=sealed.key_id,
        nonce=sealed.nonce,
        ciphertext=sealed.ciphertext[:-1] + bytes([sealed.ciphertext[-1] ^ 1]),
    )
    with pytest.raises(SecretDamaged):
        opened(KEYS, ADA, "a", damaged)


def test_a_key_we_lack_is_named():
    sealed = seal(KEYS, ADA, "a", b"s")
    with pytest.raises(KeyUnknown, match="new"):
        opened(Keys("old", {"old": b"o" * 32}), ADA, "a", sealed)


def test_keys_do_not_show_themselves():
    assert "n" * 8 not in repr(KEYS)
    assert "n" * 8 not in str(KEYS)
