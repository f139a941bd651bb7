"""Recruiting parts of large personnel suites: one host per tenant, requisition numbers instead of ids.

Data, and the one rule a pattern cannot say: Workday numbers second copies of a requisition.
"""

from schema.identity.requisitions import without_copy
from schema.identity.shapes import Groups, Platform


def _without_copy(groups: Groups) -> Groups:
    return {**groups, "id": without_copy(groups["id"])}


_JOB = "/(job|details)/[*/]{title_}{id:requisition}[/apply[/*]]"
_ORACLE_SITE = "{board:hosts}.oraclecloud.com/hcmUI/CandidateExperience/*/sites/{site:exact}"
_CAREER = "(career|careers|sfcareer/jobreqcareer|sfcareer/jobreqcareerpvt)"
PLATFORMS = (
    Platform(
        name="workday",
        domains=("myworkdayjobs.com",),
        postings=(
            "{tenant:tenant}{cell:cell}.myworkdayjobs.com/wday/cxs/*/{site:exact}/job/[*/]{title_}{id:requisition}",
            "{tenant:tenant}{cell:cell}.myworkdayjobs.com/{locale/}{site:exact}" + _JOB,
        ),
        posting="{tenant}{cell}.myworkdayjobs.com/{site}/job/{id}",
        vendor_id="{tenant}/{id}",
        requisition="{id}",
        boards=(
            "{tenant:tenant}{cell:cell}.myworkdayjobs.com/wday/cxs/*/{site:exact}/jobs",
            "{tenant:tenant}{cell:cell}.myworkdayjobs.com/{locale/}{site:exact}[/jobs]",
        ),
        board="{tenant}{cell}.myworkdayjobs.com/{site}",
        # A tenant answers at its own data centre only.
        board_name="{tenant}{cell}/{site}",
        tidy=_without_copy,
    ),
    Platform(
        name="workday",
        domains=("myworkdaysite.com",),
        # The same tenants under their other host; written as the first one.
        postings=("[*.]{cell:shard}.myworkdaysite.com/{locale/}recruiting/{tenant}/{site:exact}" + _JOB,),
        posting="{tenant}.{cell}.myworkdayjobs.com/{site}/job/{id}",
        vendor_id="{tenant}/{id}",
        requisition="{id}",
        boards=("[*.]{cell:shard}.myworkdaysite.com/{locale/}recruiting/{tenant}/{site:exact}[/jobs]",),
        board="{tenant}.{cell}.myworkdayjobs.com/{site}",
        board_name="{tenant}.{cell}/{site}",
        tidy=_without_copy,
    ),
    Platform(
        name="icims",
        domains=("icims.com",),
        postings=("{board:tenant}.icims.com/jobs/{id:number}/*",),
        posting="{board}.icims.com/jobs/{id}/job",
        vendor_id="{board}/{id}",
        boards=("{board:tenant}.icims.com/[jobs[/search|/intro]]",),
        board="{board}.icims.com/jobs",
    ),
    Platform(
        name="oracle",
        domains=("oraclecloud.com",),
        postings=(_ORACLE_SITE + "/(job|jobs[/preview]|requisitions[/preview])/{id:mark}/*",),
        posting="{board}.oraclecloud.com/hcmUI/CandidateExperience/en/sites/{site}/job/{id}",
        vendor_id="{board}/{id}",
        requisition="{id}",
        boards=(_ORACLE_SITE + "[/requisitions|/jobs]",),
        board="{board}.oraclecloud.com/hcmUI/CandidateExperience/en/sites/{site}",
    ),
    Platform(
        name="successfactors",
        domains=("successfactors.com", "successfactors.eu"),
        postings=(
            "{place:hosts}/" + _CAREER + "?company={board}&career_job_req_id={id:number}",
            "{place:hosts}/" + _CAREER + "?company={board}&jobId={id:number}",
        ),
        posting="{place}/sfcareer/jobreqcareer?company={board}&jobId={id}",
        vendor_id="{board}/{id}",
        requisition="{id}",
    ),
    Platform(
        name="successfactors",
        domains=("createyourowncareer.com",),
        # Career sites of one group on one host, told apart by their first segment.
        postings=("{place:hosts}/{site:exact}/job/{title:exact}/{id:number}/*",),
        posting="{place}/{site}/job/{title}/{id}",
        vendor_id="{place}/{id}",
        boards=("{place:hosts}/{site:exact}[/search|/tile-search-results]",),
        board="{place}/{site}/tile-search-results",
        board_name="{place}/{site}",
    ),
    Platform(
        name="taleo",
        domains=("taleo.net",),
        postings=(
            "{board:tenant}.taleo.net/careersection/{section:mark}/job(detail|apply).ftl?job={id:mark}",
        ),
        posting="{board}.taleo.net/careersection/{section}/jobdetail.ftl?job={id}",
        vendor_id="{board}/{id}",
        requisition="{id}",
    ),
    Platform(
        name="eightfold",
        domains=("eightfold.ai",),
        postings=(
            "{board:tenant}.eightfold.ai/careers/job/{id:number}[-*]/*",
            "{board:tenant}.eightfold.ai/careers[/*]?pid={id:number}",
        ),
        posting="{board}.eightfold.ai/careers/job/{id}",
        vendor_id="{board}/{id}",
        boards=("{board:tenant}.eightfold.ai/careers",),
        board="{board}.eightfold.ai/careers",
    ),
    Platform(
        name="paylocity",
        domains=("paylocity.com",),
        postings=(
            "recruiting.paylocity.com/(R|r)ecruiting/(J|j)obs/(Details|Apply|details|apply)/{id:number}/*",
        ),
        posting="recruiting.paylocity.com/Recruiting/Jobs/Details/{id}",
    ),
    Platform(
        name="ukg",
        domains=("ultipro.com", "ukg.net"),
        postings=(
            "{place:hosts}/{board}/JobBoard/{site:uuid}/(OpportunityDetail|OpportunityApply)?opportunityId={id:uuid}",
        ),
        posting="{place}/{board}/JobBoard/{site}/OpportunityDetail?opportunityId={id}",
        boards=("{place:hosts}/{board}/JobBoard/{site:uuid}",),
        board="{place}/{board}/JobBoard/{site}",
    ),
    Platform(
        name="adp",
        domains=("adp.com",),
        postings=("workforcenow.adp.com/*?cid={cid:uuid}&jobId={id:number}",),
        posting="workforcenow.adp.com/mascsr/default/mdf/recruitment/recruitment.html?cid={cid}&jobId={id}",
        vendor_id="{cid}/{id}",
    ),
    Platform(
        name="dayforce",
        domains=("dayforcehcm.com",),
        postings=("jobs.dayforcehcm.com/{locale/}{board}/{site:exact}/jobs/{id:number}/*",),
        posting="jobs.dayforcehcm.com/{board}/{site}/jobs/{id}",
        vendor_id="{board}/{id}",
        boards=("jobs.dayforcehcm.com/{locale/}{board}/{site:exact}",),
        board="jobs.dayforcehcm.com/{board}/{site}",
    ),
)

#: Career sites that SuccessFactors runs under a host of the employer; only the address of their list tells.
OWN_HOSTS = (
    Platform(
        name="successfactors",
        domains=("",),
        postings=(),
        posting="",
        boards=("{place:hosts}/tile-search-results",),
        board="{place}/tile-search-results",
        board_name="{place}",
    ),
    Platform(
        name="successfactors",
        domains=("",),
        postings=(),
        posting="",
        boards=("{place:hosts}/{site:exact}/tile-search-results",),
        board="{place}/{site}/tile-search-results",
        board_name="{place}/{site}",
    ),
)
