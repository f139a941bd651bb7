"""A worker runs the kinds it is set to run, and a wrong name is refused before anything connects."""

import pytest

from backend.handlers import KINDS, handlers
from schema.settings import BadSetting, Settings, WorkerSettings
from schema.tasks import CATALOGUE


def kinds(setting: str) -> set[str]:
    return {payload.KIND for payload in handlers(Settings(worker=WorkerSettings(kinds=setting)))}


def test_every_kind_of_the_product_has_a_handler():
    assert kinds("") == {kind for kind, payload in CATALOGUE.items() if payload.__module__ == "schema.tasks"}


def test_only_the_named_kinds_are_run():
    assert kinds(" mail.import.v1, match.account.v1,") == {"mail.import.v1", "match.account.v1"}


def test_a_minus_leaves_a_kind_out():
    assert kinds("-mail.import.v1") == kinds("") - {"mail.import.v1"}


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("mail.import", "is no kind of task"),
        ("--mail.import.v1", "is no kind of task"),
        ("mail.import.v1,-mail.import.v1", "leaves this worker nothing to do"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_by_its_name(setting: str, says: str):
    with pytest.raises(BadSetting, match=says) as refused:
        kinds(setting)
    assert refused.value.field == KINDS
