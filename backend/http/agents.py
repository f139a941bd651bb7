"""A browser by the name people know, out of its User-Agent. Pure; a guess, shown only to its owner."""

_BROWSERS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Vivaldi/", "Vivaldi"),
    ("Firefox/", "Firefox"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def browser(agent: str) -> str:
    """`Firefox on Linux`; the agent itself when it is no browser we know."""
    name = next((told for mark, told in _BROWSERS if mark in agent), None)
    system = next((told for mark, told in _SYSTEMS if mark in agent), None)
    if name is None:
        return agent
    return f"{name} on {system}" if system else name
