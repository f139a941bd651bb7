"""Which platform a host belongs to, where the platform may be one that is never read. Pure.

The list of what may be read is `registry.POLICY`; this file knows their hosts, so that no pasted address, no
redirect and no wrong row leads there.
"""

import re

from schema.identity.urls import posting_url

_HOSTS: dict[str, str] = {
    "smartrecruiters.com": "smartrecruiters",
    "bamboohr.com": "bamboohr",
    "breezy.hr": "breezy",
    "oraclecloud.com": "oracle",
    "recruitee.com": "recruitee",
    "lnkd.in": "linkedin",
}
# These have a domain in most countries, and each country its own shape of it.
_EVERYWHERE = re.compile(r"(?:^|\.)(linkedin|indeed|glassdoor)\.(?:com?\.)?[a-z]{2,3}$")
_ORACLE_PATHS = ("/hcmui/candidateexperience", "/hcmrestapi/")


def platform_of(host: str, target: str, url: str) -> str | None:
    """The platform that is asked by this address, as `schema/identity` names it; None when none is known.

    `target` is path and query. An employer's own host shows its platform by the path.
    """
    labels = host.split(".")
    for count in range(2, len(labels) + 1):
        if (platform := _HOSTS.get(".".join(labels[-count:]))) is not None:
            return platform
    if found := _EVERYWHERE.search(host):
        return found[1]
    if target.lower().startswith(_ORACLE_PATHS):
        return "oracle"
    named = posting_url(url)
    return None if named is None else named.platform
