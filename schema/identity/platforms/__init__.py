"""The table of platforms whose addresses name a posting or a board; one file per family of platforms."""

from schema.identity.platforms import hosted, portals, suites
from schema.identity.shapes import Shape, by_domain

PLATFORMS = (*hosted.PLATFORMS, *suites.PLATFORMS, *portals.PLATFORMS)
_BY_DOMAIN = by_domain(PLATFORMS)
_ANYWHERE = by_domain((*portals.EMBEDDED, *suites.OWN_HOSTS))[""]


def shapes_for(host: str) -> tuple[Shape, ...]:
    """Shapes worth trying, in order: those of the host's last two labels, then what may stand on any host."""
    return (*_BY_DOMAIN.get(".".join(host.split(".")[-2:]), ()), *_ANYWHERE)
