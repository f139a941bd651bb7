"""The benchmark of reading holds a labelled folder to its bars, French by itself."""

import json
from pathlib import Path

from fixtures.mail import mail

from benchmarks.mail.reading import quality, speed

FRENCH = "Bonjour Ada, nous avons bien reçu votre candidature pour le poste de boulanger. Merci à vous."


def test_a_labelled_folder_is_held_to_its_bars(tmp_path: Path):
    (tmp_path / "one.eml").write_bytes(mail(FRENCH, subject="Votre candidature"))
    (tmp_path / "two.eml").write_bytes(mail(FRENCH, subject="Votre candidature"))
    rows = [("one.eml", "acknowledgement"), ("two.eml", "rejection"), ("gone.eml", "none")]
    lines = [json.dumps({"file": file, "label": label}) for file, label in rows]
    (tmp_path / "labels.jsonl").write_text("\n".join(lines))
    found = {measure.name: measure for measure in quality(tmp_path)}
    assert found["lines not judged"].value == 1
    assert found["refusals read as good news"].holds is False
    assert found["acknowledgement in French, recall"].holds is True
    assert found["rejection in French, recall"].holds is False
    assert "role right" not in found


def test_speed_is_of_whole_messages():
    found = {measure.name: measure.value for measure in speed([mail("Hello.")] * 5, quick=True)}
    assert found["parse and read, one core"] > 0
    assert found["parse and read, p50"] <= found["parse and read, p99"]
