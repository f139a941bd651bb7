"""What the model may say at all, whatever it believes."""

from fixtures.mail import mail

from mailsync.classify.model.decide import decide
from mailsync.parse.message import parse_message

ABOUT_NO_JOB = "The garden club meets on Saturday. Bring a spade, seedlings and a cake for the raffle.\n" * 3


def test_what_a_person_wrote_is_never_called_noise():
    from_a_list = parse_message(mail(ABOUT_NO_JOB, subject="Garden club", sender="Club <news@club.example>"))
    from_bo = parse_message(mail(ABOUT_NO_JOB, subject="Garden club", sender="Bo Linden <bo@club.example>"))
    said = decide(from_a_list)
    assert said is not None
    assert said.kind == "not_job_related"
    assert decide(from_bo) is None
