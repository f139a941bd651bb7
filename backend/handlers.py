"""Which function does which kind of task. A worker claims only the kinds listed here."""

from pipeline.worker.types import Handlers
from schema.settings import Settings


def handlers(_settings: Settings) -> Handlers:
    """Every handler of this release."""
    return {}
