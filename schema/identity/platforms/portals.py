"""Job portals that show postings of many employers, and boards embedded in an employer's own page.

Data only. A posting on a portal is a copy with its own id, never the same row as the employer's original.
"""

from schema.identity.shapes import Platform

PLATFORMS = (
    Platform(
        name="linkedin",
        domains=("linkedin.com",),
        postings=(
            "[*.]linkedin.com/[comm/]jobs/view/{id:long}/*",
            "[*.]linkedin.com/[comm/]jobs/view/*-{id:long}/*",
            "[*.]linkedin.com/[comm/]jobs/*?currentJobId={id:long}",
        ),
        posting="www.linkedin.com/jobs/view/{id}",
    ),
    Platform(
        name="indeed",
        domains=("indeed.com",),
        postings=("[*.]indeed.com/*?jk={id:hex}", "[*.]indeed.com/*?vjk={id:hex}"),
        posting="www.indeed.com/viewjob?jk={id}",
    ),
    Platform(
        name="glassdoor",
        domains=("glassdoor.com", "glassdoor.de", "glassdoor.ca", "glassdoor.fr", "co.uk"),
        postings=(
            "[*.]glassdoor.(com|de|ca|fr|co.uk)/*?jl={id:long}",
            "[*.]glassdoor.(com|de|ca|fr|co.uk)/*?jobListingId={id:long}",
        ),
        posting="www.glassdoor.com/job-listing/?jl={id}",
    ),
    Platform(
        name="dice",
        domains=("dice.com",),
        postings=("[www.]dice.com/job-detail/{id:uuid}/*",),
        posting="www.dice.com/job-detail/{id}",
    ),
    Platform(
        name="wellfound",
        domains=("wellfound.com", "angel.co"),
        postings=("[www.](wellfound.com|angel.co)/[l/]jobs/{id:long}[-*]/*",),
        posting="wellfound.com/jobs/{id}",
    ),
    Platform(
        name="ycombinator",
        domains=("workatastartup.com",),
        postings=("[www.]workatastartup.com/jobs/{id:number}/*",),
        posting="www.workatastartup.com/jobs/{id}",
    ),
    Platform(
        name="welcometothejungle",
        domains=("welcometothejungle.com",),
        postings=("[www.]welcometothejungle.com/{locale/}companies/{board}/jobs/{slug}",),
        posting="www.welcometothejungle.com/companies/{board}/jobs/{slug}",
        vendor_id="",
        boards=("[www.]welcometothejungle.com/{locale/}companies/{board}[/jobs]",),
        board="www.welcometothejungle.com/companies/{board}/jobs",
    ),
)

#: Boards shown inside a page of the employer: the parameter alone names the posting, whatever the host.
EMBEDDED = (
    Platform(
        name="greenhouse",
        domains=("",),
        postings=("*/*?gh_jid={id:long}",),
        posting="boards.greenhouse.io/embed/job_app?token={id}",
    ),
    Platform(
        name="ashby",
        domains=("",),
        # Ashby has no address without the board, so the employer's page stays the way to get there.
        postings=("*/*?ashby_jid={id:uuid}",),
        posting="{page}?ashby_jid={id}",
    ),
    Platform(
        name="jobvite",
        domains=("",),
        postings=("*/*?jvi={id:code}[(,|%2C)*]",),
        posting="app.jobvite.com/j?cj={id}",
    ),
)
