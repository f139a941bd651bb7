"""Parameters that say how somebody came to a page and never which page it is. Data and one question; pure."""

_PREFIXES = (
    "utm_",
    "hsa_",
    "mtm_",
    "pk_",
    "piwik_",
    "vero_",
    "_hs",
    "rx_",
    "lever-",
    "__jv",
    "trk_",
    "_branch",
    "ga_",
)
_NAMES = frozenset({
    # advertisers and mail senders
    "gclid", "gbraid", "wbraid", "gclsrc", "dclid", "fbclid", "msclkid", "yclid", "ttclid", "twclid",
    "li_fat_id", "igshid", "mc_cid", "mc_eid", "mkt_tok", "_ga", "_gl", "_ke", "ncid", "cmpid",
    "campaign", "campaignid", "s_cid", "elqtrackid", "elqtrack", "spm", "trk", "trkemail", "trackingid",
    "tracking", "lipi", "midtoken", "midsig", "otptoken", "eid", "refid", "sid_tracking",
    # where an applicant came from
    "ref", "referrer", "referer", "referral", "source", "src", "sourcetype", "source_id", "sourceid",
    "gh_src", "gh_sid", "jobsource", "job_source", "jobboard", "jobboardsource", "applysource",
    "recruitmentsource", "iis", "iisn", "iisp", "codes", "feedid", "jobpipeline", "dcr_id", "dcr_ci",
    "tm_job", "tm_event", "tm_company", "bid", "via", "origin", "ccuid", "mode_source",
    # the frame a board is shown in
    "in_iframe", "needsredirect", "hashed", "embed", "ashby_embed", "share", "shared_via",
})  # fmt: skip


def is_tracking(name: str) -> bool:
    lowered = name.lower()
    return lowered in _NAMES or lowered.startswith(_PREFIXES)
