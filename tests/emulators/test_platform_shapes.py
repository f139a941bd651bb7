"""Emulated platforms and the adapters that read them know no field that no captured board has."""

import json
from pathlib import Path

import msgspec
import pytest
from emulators.boards import ashby_job
from emulators.greenhouse import greenhouse_job
from emulators.lever import lever_job
from emulators.workable import workable_account, workable_job

from pipeline.sources.adapters import ashby, greenhouse, lever, workable

Shape = dict[str, set[str]]

#: Told by the platforms' manuals; the captures are older, or of boards that do not use them.
DOCUMENTED = {
    "ashby": {"": {"workplaceType"}},
    "greenhouse": {"": {"pay_input_ranges"}},
    "lever": {},
    "workable": {},
}
EMULATED = {
    "ashby": ashby_job("Pilot"),
    "greenhouse": greenhouse_job("Pilot"),
    "lever": lever_job("Pilot"),
    "workable": workable_job("Pilot"),
}
READ: dict[str, type[msgspec.Struct]] = {
    "ashby": ashby._Job,
    "greenhouse": greenhouse._Job,
    "lever": lever._Job,
    "workable": workable._Job,
}


def captured(shared_data: Path, platform: str) -> list[dict[str, object]]:
    files = sorted((shared_data / "ats" / platform).glob("*.json"))
    boards = [json.loads(file.read_bytes()) for file in files]
    return [
        job for board in boards for job in (board if isinstance(board, list) else board.get("jobs", [board]))
    ]


def shape(value: object, path: str = "") -> Shape:
    """The names of fields under every path; members of a list stand under one."""
    if isinstance(value, list):
        return merged(shape(each, f"{path}[]") for each in value)
    if not isinstance(value, dict):
        return {}
    inner = merged(shape(each, f"{path}.{name}") for name, each in value.items())
    return merged(({path: set(value)}, inner))


def merged(shapes: object) -> Shape:
    whole: Shape = {}
    for each in shapes:  # type: ignore[attr-defined]
        for path, names in each.items():
            whole.setdefault(path, set()).update(names)
    return whole


@pytest.mark.parametrize("platform", sorted(EMULATED))
def test_failure_20_emulated_rows_have_only_field_names_of_captured_ones(shared_data, platform):
    known = merged(shape(job) for job in captured(shared_data, platform))
    for path, names in shape(EMULATED[platform]).items():
        assert names <= known[path], path


@pytest.mark.parametrize("platform", sorted(READ))
def test_failure_20_adapters_read_only_field_names_of_captured_rows(shared_data, platform):
    known = merged([*(shape(job) for job in captured(shared_data, platform)), DOCUMENTED[platform]])
    assert set(READ[platform].__struct_encode_fields__) <= known[""]


def test_an_emulated_row_has_every_field_that_all_captured_rows_have(shared_data):
    for platform, job in EMULATED.items():
        always = set.intersection(*(set(each) for each in captured(shared_data, platform)))
        assert always <= set(job), platform


def test_the_document_around_workables_rows_is_the_platforms(shared_data):
    (file,) = (shared_data / "ats" / "workable").glob("*candidatezero*")
    assert json.loads(file.read_bytes()).keys() == json.loads(workable_account()).keys()
