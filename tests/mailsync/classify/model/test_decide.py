"""What the model may say at all, whatever it believes."""

import pytest
from fixtures.mail import mail

from mailsync.classify.model import decide as model
from mailsync.classify.model.labels import LABELS, NOISE, Label
from mailsync.parse.message import parse_message

TEXT = "Shall we make it Friday at three instead?"


@pytest.mark.parametrize("label", sorted(NOISE))
def test_what_a_person_wrote_is_never_called_noise(label: Label, monkeypatch: pytest.MonkeyPatch):
    believed = dict.fromkeys(LABELS, 0.0) | {label: 1.0}
    monkeypatch.setattr(type(model.weights()), "probabilities", lambda *_: believed)
    said = model.decide(parse_message(mail(TEXT, subject="Friday", sender="Club <news@club.example>")))
    assert said is not None
    assert said.kind == "not_job_related"
    from_a_person = parse_message(mail(TEXT, subject="Friday", sender="Ada Linden <ada@club.example>"))
    assert model.decide(from_a_person) is None
