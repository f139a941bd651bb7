"""The emulated platform looks like the real one, so that tests on it say something about the real one."""

import json

import pytest
from emulators.boards import ashby_board, ashby_job, salary


def kinds(value: object) -> object:
    """The shape of a JSON value: field names and types, lists by their first member."""
    if isinstance(value, dict):
        return {name: kinds(inner) for name, inner in value.items()}
    return type(value).__name__


@pytest.fixture
def captured(shared_data) -> list[dict[str, object]]:
    files = sorted((shared_data / "ats" / "ashby").glob("*.json"))
    return [job for file in files for job in json.loads(file.read_bytes())["jobs"]]


def test_an_emulated_job_has_the_fields_of_a_captured_one(captured):
    emulated = json.loads(ashby_board(ashby_job("Pilot")))["jobs"][0]
    without_pay = [job for job in captured if not job["compensation"]["summaryComponents"]]  # type: ignore[index]
    assert any(kinds(job)["compensation"] == kinds(emulated)["compensation"] for job in without_pay)  # type: ignore[index]
    assert {frozenset(job) for job in captured} == {frozenset(emulated)}


def test_emulated_pay_has_the_fields_of_captured_pay(captured):
    (component,) = salary(1, 2)["summaryComponents"]  # type: ignore[misc]
    shapes = {
        frozenset(each)
        for job in captured
        for each in job["compensation"]["summaryComponents"]  # type: ignore[index]
    }
    assert shapes == {frozenset(component)}


def test_the_document_around_the_jobs_is_the_platforms(shared_data):
    file = next((shared_data / "ats" / "ashby").glob("*.json"))
    assert json.loads(file.read_bytes()).keys() == json.loads(ashby_board()).keys()
