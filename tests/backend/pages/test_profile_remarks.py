"""What a JSON Resume file could not give, told in the words of the form."""

import pytest

from backend.pages.profile_remarks import Told, place_of, sorted_out
from extension_api.profiles.json_resume.node import NO_PLACE, Remark


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("work[0].endDate", "Position 1, To"),
        ("work[1].start", "Position 2, From"),
        ("work[0].highlights[3]", "Position 1, What you did"),
        ("work[0].url", "Position 1, Url"),
        ("education[0].studyType", "School 1, Degree"),
        ("languages[1].fluency", "Language 2, How well"),
        ("skills[2].level", "Skill 3, Level"),
        ("basics.name", "Name"),
        ("basics.image", "Image"),
        ("basics.label", "Headline"),
        ("basics.location.countryCode", "Country"),
        ("basics.profiles[0]", "Link 1"),
        ("links.website", "Website"),
        ("work", "Experience"),
        ("volunteerWork", "Volunteer work"),
        ("file", "File"),
    ],
)
def test_a_part_of_the_file_is_called_as_in_the_form(path: str, place: str):
    assert place_of(path) == place


def test_doubts_stand_apart_from_what_has_no_place():
    found = sorted_out(
        [
            Remark(path="work[0].endDate", why="No end."),
            Remark(path="awards", why=NO_PLACE),
            Remark(path="awards", why=NO_PLACE),
        ]
    )
    assert found.look == [Told(place="Position 1, To", why="No end.")]
    assert found.no_place == ["Awards"]
