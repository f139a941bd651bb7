"""What an act on many tasks came to, in words for a terminal or as JSON."""

import msgspec

from pipeline.worker.operations.types import BulkResult
from schema.errors import Refusal


def told(result: BulkResult, done: str, *, dry_run: bool, as_json: bool) -> int:
    """Print the counts, and each refusal with its count. Raises `Refusal` when anything was refused."""
    if as_json:
        print(msgspec.json.encode(result).decode())
    else:
        print(f"{result.done} {'would be ' if dry_run else ''}{done}, {result.refused_count} refused")
        for refused in result.refused:
            print(f"{refused.count:>6}  {refused.code}: {refused.example}")
    if result.refused:
        asked = result.done + result.refused_count
        raise Refusal(f"not {done}: {result.refused_count} of {asked}; the list says why, an example each.")
    return 0
