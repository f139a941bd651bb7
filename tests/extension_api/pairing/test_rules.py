"""Codes, names, origins and bearer headers, without a database."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension_api.pairing.rules import (
    ALPHABET,
    DeviceNameEmpty,
    DeviceUnknown,
    NotAnExtension,
    bearer_token,
    code_as_shown,
    code_as_typed,
    device_name,
    extension_origin,
    hashed,
)

CODES = st.text(ALPHABET, min_size=8, max_size=8)


@given(CODES)
def test_a_shown_code_reads_back_however_it_is_typed(code: str):
    shown = code_as_shown(code)
    assert len(shown) == 9
    for typed in (shown, shown.lower(), f"  {shown} ", code, shown.replace("-", " - ")):
        assert code_as_typed(typed) == code


@given(st.text())
def test_any_text_is_a_code_that_can_be_hashed(text: str):
    assert len(hashed(code_as_typed(text))) == 64


def test_no_two_characters_of_the_alphabet_are_taken_for_one_another():
    assert not set("01OILSUAE5") & set(ALPHABET)


@pytest.mark.parametrize("name", ["", "  ", "\x00", " \n\t"])
def test_a_device_without_a_name_is_refused(name: str):
    with pytest.raises(DeviceNameEmpty):
        device_name(name)


def test_a_name_is_kept_in_one_line_without_nul():
    assert device_name(" My\x00 laptop\n(work) ") == "My laptop (work)"


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "",
        "null",
        "https://evil.example",
        "chrome-extension://",
        "chrome-extension://ab/c",
        "moz-extension://a b",
        "xchrome-extension://abc",
        "chrome-extension://abc\n",
    ],
)
def test_only_an_extension_is_an_extension(origin: str | None):
    with pytest.raises(NotAnExtension):
        extension_origin(origin)


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Basic abc", "Bearer a b", "Bearer a\x00b"]
)
def test_a_header_without_a_token_is_an_unknown_device(header: str | None):
    with pytest.raises(DeviceUnknown):
        bearer_token(header)


def test_the_scheme_of_the_header_has_no_case():
    assert bearer_token("bearer abc") == "abc"
