"""What a command about boards does when nobody can be asked."""

import pytest

from backend.cli.source_acts import agreed
from pipeline.previews.types import Preview
from pipeline.sources.types import Evidence, PullProblem


@pytest.mark.parametrize(
    ("problem", "is_added"),
    [(None, True), ("unreachable", True), ("board_unknown", False), ("not_a_board", False)],
)  # fmt: skip
def test_a_script_adds_no_board_that_its_platform_does_not_know(problem: PullProblem | None, is_added: bool):
    coverage = "failed" if problem else "complete"
    found = Preview(coverage=coverage, evidence=Evidence(problem=problem), listings=0, admitted=0)
    assert agreed(found) is is_added
