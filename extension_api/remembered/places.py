"""A place in the list of answers as opaque text. Pure; it carries nothing secret and opens nothing."""

import base64

import msgspec

from extension_api.remembered.types import Place
from schema.errors import Invalid
from schema.text import clean


def told(place: Place) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(place)).decode().rstrip("=")


def place_of(text: str) -> Place | None:
    """The place, None for the top of the list; raises `Invalid` for anything else."""
    if not text:
        return None
    try:
        raw = base64.urlsafe_b64decode(text.encode("ascii") + b"==")
        return msgspec.json.decode(clean(raw.decode()), type=Place)
    except (ValueError, msgspec.DecodeError) as error:
        raise Invalid("This is not a place in this list; start again from its top.", field="after") from error
