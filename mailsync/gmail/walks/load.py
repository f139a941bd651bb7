"""Reads the file that says what is looked for first, and the sending domains that are known anyway."""

import tomllib
from pathlib import Path

import msgspec

from mailsync.classify.senders import sending_domains
from mailsync.gmail.walks.rules import decode_hiring, hiring_queries
from schema.errors import Refusal

_SHIPPED = Path(__file__).with_name("hiring.toml")


class HiringFileUnusable(Refusal):
    """The file that says which mail is looked for first cannot be used."""

    code = "hiring_file_unusable"
    kind = "unavailable"


def queries_of(path: str) -> list[str]:
    """The hiring-shaped queries, from the file at `path` or, when it is empty, from ours."""
    place = Path(path).expanduser() if path else _SHIPPED
    try:
        hiring = decode_hiring(place.read_bytes())
    except OSError as error:
        raise HiringFileUnusable(f"{place} cannot be read: {error.strerror}.") from error
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise HiringFileUnusable(f"{place} is not as hiring.toml: {error}") from error
    return hiring_queries(hiring, sending_domains("ats", "vendor"))
