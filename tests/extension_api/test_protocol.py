"""The wire protocol: its limits hold, unknown keys are named, the committed declarations fit."""

from pathlib import Path

import msgspec
import pytest

from extension_api import typescript
from extension_api.protocol import MAX_FIELDS, PlannedField, Resolve, Submitted

FIELD = {"key": "a", "label": "First name", "kind": "text"}


def decoded(fields: list[dict], **more: object) -> Resolve:
    body = {"url": "https://example.org/apply", "fields": fields, **more}
    return msgspec.json.decode(msgspec.json.encode(body), type=Resolve)


def test_the_committed_declarations_are_the_generated_ones():
    committed = Path(__file__).parents[2] / "extension" / "protocol.d.ts"
    assert committed.read_text() == typescript.declarations()


def test_a_field_needs_only_key_label_and_kind():
    assert decoded([FIELD]).fields[0].options == []


def test_as_many_fields_as_the_limit_are_taken():
    assert len(decoded([FIELD] * MAX_FIELDS).fields) == MAX_FIELDS


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ([FIELD] * 301, "$.fields"),
        ([FIELD | {"label": "x" * 2001}], "$.fields[0].label"),
        ([FIELD | {"options": ["x"] * 401}], "$.fields[0].options"),
        ([FIELD | {"kind": "canvas"}], "$.fields[0].kind"),
        ([FIELD | {"value": "secret"}], "unknown field `value`"),
    ],
)
def test_what_breaks_a_limit_is_refused_by_its_place(fields: list[dict], where: str):
    with pytest.raises(msgspec.ValidationError) as refused:
        decoded(fields)
    assert where in str(refused.value)


def test_a_time_without_a_zone_is_refused():
    body = (
        b'{"url":"https://x.example","submitted_at":"2026-03-02T09:00:00","evidence":{"kind":"person_said"}}'
    )
    with pytest.raises(msgspec.ValidationError, match="submitted_at"):
        msgspec.json.decode(body, type=Submitted)


def test_what_the_server_tells_always_carries_every_key():
    told = PlannedField(key="a", action="leave", rule="none", confidence=0.0, reason="consent", say="Left.")
    assert set(msgspec.to_builtins(told)) == set(PlannedField.__struct_fields__)
