"""Refusals that only HTTP knows: who may come in by which door. The domain's own stand in `schema.errors`."""

from schema.errors import Refusal


class SignInNeeded(Refusal):
    """Sign in first."""

    code = "sign_in_needed"
    kind = "unauthenticated"


class OperatorsOnly(Refusal):
    """Only the owner of this Jobtrail can do this."""

    code = "operators_only"
    kind = "forbidden"


class LoopbackOnly(Refusal):
    """This is answered only on the machine that runs Jobtrail."""

    code = "loopback_only"
    kind = "forbidden"


class FromElsewhere(Refusal):
    """Another site sent this request; nothing was changed."""

    code = "cross_site_request"
    kind = "forbidden"


class ForeignHost(Refusal):
    """Jobtrail is not reached under this name; JOBTRAIL_HTTP_PUBLIC_URL says which name is right."""

    code = "foreign_host"
    kind = "forbidden"


class WrongMediaType(Refusal):
    """The body is not in a form this address reads."""

    code = "unsupported_media_type"
    kind = "unsupported"


class TooLarge(Refusal):
    """What was sent is larger than this address takes; nothing was changed."""

    code = "too_large"
    kind = "too_large"


class Malformed(Refusal):
    """The request cannot be read."""

    code = "malformed"


class TookTooLong(Refusal):
    """The database took too long to answer; nothing was changed."""

    code = "took_too_long"
    kind = "unavailable"
