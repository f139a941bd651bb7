"""Platforms as they spell themselves, for people; programs keep to the names in `platforms/`. Pure."""

_OWN = {
    "bamboohr": "BambooHR",
    "smartrecruiters": "SmartRecruiters",
    "jazzhr": "JazzHR",
    "linkedin": "LinkedIn",
    "ycombinator": "Y Combinator",
    "welcometothejungle": "Welcome to the Jungle",
    "icims": "iCIMS",
    "successfactors": "SuccessFactors",
    "ukg": "UKG",
    "adp": "ADP",
    "join": "JOIN",
}


def spelled(platform: str) -> str:
    """`Ashby` for `ashby`, `iCIMS` for `icims`."""
    return _OWN.get(platform) or platform[:1].upper() + platform[1:]
