"""Places out of what a platform shows. Pure."""

from pipeline.normal.types import Place
from pipeline.sources.types import Listing


def places_of(listing: Listing, title: str) -> tuple[Place, ...]:
    """Every place the posting names, in its order."""
    del title
    return tuple(Place(text=text) for text in listing.locations)
