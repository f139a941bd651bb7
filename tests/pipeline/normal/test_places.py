"""Places out of what boards show: what is certain is told, what can lie in two countries is left open."""

import pytest

from pipeline.normal.places import places_of
from pipeline.normal.types import Place
from pipeline.sources.types import Listing, PlaceHint


def read(*locations: str, title: str = "Cook", places: tuple[PlaceHint, ...] = ()) -> list[Place]:
    listing = Listing(
        vendor_id="1", record=b"{}", fingerprint="f", title=title, locations=locations, places=places
    )
    return list(places_of(listing, title))


def parts(*locations: str, title: str = "Cook") -> list[tuple[str | None, str | None, str | None]]:
    return [(each.city, each.region, each.country) for each in read(*locations, title=title)]


@pytest.mark.parametrize(
    ("text", "city", "region", "country"),
    [
        ("Lyon", "Lyon", None, "FR"),
        ("\U0001f1ec\U0001f1e7 London", "London", None, "GB"),
        ("Remote \U0001f1e9\U0001f1ea", None, None, "DE"),
        ("remote, us", None, None, "US"),
        ("SF HQ", "San Francisco", "California", "US"),
        ("Hybrid (LA)", None, None, "US"),
        ("New Orleans, LA", "New Orleans", "Louisiana", "US"),
        ("Puerto Rico", None, None, "PR"),
        ("Austin, TX", "Austin", "Texas", "US"),
        ("Austin, Texas, United States", "Austin", "Texas", "US"),
        ("USA, Texas, Austin", "Austin", "Texas", "US"),
        ("US-TX-Austin", "Austin", "Texas", "US"),
        ("USA.TX.Austin", "Austin", "Texas", "US"),
        ("Austin TX 78701", "Austin", "Texas", "US"),
        ("Austin (HQ)", "Austin", "Texas", "US"),
        ("Austin Office", "Austin", "Texas", "US"),
        ("Hybrid - Austin", "Austin", "Texas", "US"),
        ("Austin, 3 days in the office", "Austin", "Texas", "US"),
        ("AU2-Austin - 12 Some Street", "Austin", "Texas", "US"),
        ("Remote (Austin, TX only)", "Austin", "Texas", "US"),
        ("Clinton, NJ", "Clinton", "New Jersey", "US"),
        ("San Mateo, San Mateo County, California, United States", "San Mateo", "California", "US"),
        ("München", "Munich", None, "DE"),
        ("Muenchen, Bayern", "Munich", "Bavaria", "DE"),
        ("Köln", "Köln", None, "DE"),
        ("Wien", "Vienna", None, "AT"),
        ("Genève", "Geneva", None, "CH"),
        ("Den Haag", "The Hague", None, "NL"),
        ("Lisboa", "Lisbon", None, "PT"),
        ("Warszawa, Polska", "Warsaw", None, "PL"),
        ("Ciudad de México", "Mexico City", None, "MX"),
        ("東京", "Tokyo", None, "JP"),
        ("Frankfurt/Main", "Frankfurt am Main", None, "DE"),
        ("10115 Berlin, Deutschland", "Berlin", None, "DE"),
        ("Berlin, Berlin, Germany", "Berlin", None, "DE"),
        ("London SW1A 1AA", "London", None, "GB"),
        ("Dublin Ireland", "Dublin", None, "IE"),
        ("Dublin, OH", "Dublin", "Ohio", "US"),
        ("Paris, TX", "Paris", "Texas", "US"),
        ("Sydney NSW", "Sydney", "New South Wales", "AU"),
        ("Perth, WA", "Perth", "Western Australia", "AU"),
        ("Toronto, ON, Canada", "Toronto", "Ontario", "CA"),
        ("Canada - Quebec", None, "Quebec", "CA"),
        ("Bengaluru, Karnataka, India", "Bengaluru", "Karnataka", "IN"),
        ("IND-Bengaluru", "Bengaluru", None, "IN"),
        ("Washington, D.C.", "Washington", "District of Columbia", "US"),
        ("New York, New York", "New York City", "New York", "US"),
        ("NYC", "New York City", "New York", "US"),
        ("San Francisco Bay Area", None, "California", "US"),
        ("East Coast", None, None, "US"),
        ("Texas", None, "Texas", "US"),
        ("US Remote", None, None, "US"),
        ("Remote, U.S.", None, None, "US"),
        ("Remote within Germany", None, None, "DE"),
        ("Anywhere in the United Kingdom", None, None, "GB"),
        ("Northeast US", None, None, "US"),
        ("Allemagne", None, None, "DE"),
        ("Frankreich", None, None, "FR"),
        ("Singapore", "Singapore", None, "SG"),
        ("Mexico", None, None, "MX"),
        ("Bosnia and Herzegovina", None, None, "BA"),
        ("Tel Aviv, IL", "Tel Aviv", None, "IL"),
        ("Bogotá, CO", "Bogotá", None, "CO"),
        ("Denver, CO", "Denver", "Colorado", "US"),
        ("Wilmington, DE", "Wilmington", "Delaware", "US"),
        ("Chennai, IN", "Chennai", None, "IN"),
        ("St. Louis", "St. Louis", "Missouri", "US"),
        ("Saint Louis, MO", "St. Louis", "Missouri", "US"),
        ("Los Angeles (LA)", "Los Angeles", "California", "US"),
        ("Manchester", "Manchester", None, "GB"),
        ("EMEA", None, "EMEA", None),
        ("Remote - Europe", None, "Europe", None),
        ("European Union", None, "Europe", None),
        ("D-A-CH", None, "DACH", None),
        ("UK and Ireland", None, "UK and Ireland", None),
    ],
)
def test_one_place_is_read_in_its_parts(text: str, city: str | None, region: str | None, country: str | None):
    assert parts(text) == [(city, region, country)]


@pytest.mark.parametrize(
    "text",
    ["Remote", "Fully remote", "HQ", "Headquarters", "7 Locations", "Home Office", "Hybrid", "CET +/- 3", ""],
)
def test_what_is_no_place_is_none(text: str):
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "countries"),
    [
        ("London | Paris | New York, NY", ["GB", "FR", "US"]),
        ("London • Paris", ["GB", "FR"]),
        ("Lyon; Madrid", ["FR", "ES"]),
        ("Lyon / Madrid", ["FR", "ES"]),
        ("New York OR London", ["US", "GB"]),
        ("Portland, OR or Seattle, WA", ["US", "US"]),
        ("London, Paris, Berlin", ["GB", "FR", "DE"]),
        ("London, United Kingdom, Paris, France", ["GB", "FR"]),
        ("Germany, France, Spain", ["DE", "FR", "ES"]),
        ("Paris, United States", ["FR", "US"]),
        ("Zürich & Basel", ["CH", "CH"]),
        ("Hamburg oder Wien", ["DE", "AT"]),
        ("US, UK, Canada", ["US", "GB", "CA"]),
    ],
)
def test_lists_are_read_place_by_place(text: str, countries: list[str]):
    assert [each.country for each in read(text)] == countries


def test_two_cities_of_a_country_stay_two_though_one_is_a_region_as_well():
    assert [each.city for each in read("Berlin, Hamburg, München")] == ["Berlin", "Hamburg", "Munich"]


def test_failure_15_a_code_or_a_name_of_two_countries_is_settled_by_what_stands_beside():
    assert parts("Tbilisi, Georgia") == [("Tbilisi", None, "GE")]
    assert parts("Atlanta, Georgia") == [("Atlanta", "Georgia", "US")]
    assert parts("San Jose, CA") == [("San Jose", "California", "US")]
    assert parts("Vancouver, CA") == [("Vancouver", "British Columbia", "CA")]
    assert (
        parts("Georgia") == parts("CA") == parts("Ontario, CA") == parts("Cambridge") == [(None, None, None)]
    )
    assert parts("Cambridge", "Boston, MA")[0] == ("Cambridge", "Massachusetts", "US")
    assert parts("Remote, CA", "Toronto, Canada")[0] == (None, None, "CA")


def test_failure_15_remote_first_in_a_list_erases_no_place_and_alone_is_not_the_world():
    assert parts("Remote, Poland") == [(None, None, "PL")]
    assert parts("Remote", "Kraków") == [("Kraków", None, "PL")]
    assert parts("Remote / San Francisco / New York") == [
        ("San Francisco", "California", "US"),
        ("New York City", "New York", "US"),
    ]
    assert parts("Remote", title="Cook [Remote-US]") == [(None, None, "US")]
    assert parts("Remote", title="Cook - Germany") == [(None, None, "DE")]
    assert parts("Remote", title="Cook (EMEA)") == [(None, "EMEA", None)]
    assert parts("Remote", title="Cook") == []


@pytest.mark.parametrize(
    "title",
    [
        "Cook, AI",
        "Cook - IT",
        "Cook (QA)",
        "Cook - AI/ML",
        "Cook (BS/MS)",
        "Cook (Java)",
        "Cook (Grad)",
        "Cook (SIP)",
        "Market Cook (MI)",
        "Cook (Evergreen)",
        "Cook (Rust, Solana)",
        "Cook (Spring 2027)",
        "Cook, Apex",
        "Cook (Ovens - New York)",
    ],
)
def test_what_is_a_place_elsewhere_is_none_in_a_title(title: str):
    assert parts("Remote", title=title) == []


@pytest.mark.parametrize(
    ("title", "place"),
    [
        ("Cook (NY)", (None, "New York", "US")),
        ("Cook | UK", (None, None, "GB")),
        ("Cook - Vice Chef - Montana", (None, "Montana", "US")),
        ("Cook - Aurora, CO", ("Aurora", "Colorado", "US")),
        ("Chief Cook / Wilmington, DE", ("Wilmington", "Delaware", "US")),
        ("Cook (Spring, TX)", ("Spring", "Texas", "US")),
        ("Cook / Mexico City, MX", ("Mexico City", None, "MX")),
        ("Cook (Lyon, France)", ("Lyon", None, "FR")),
        ("Cook, Scotland", (None, "Scotland", "GB")),
    ],
)
def test_a_title_names_a_place_as_places_are_written(title: str, place: tuple[str | None, ...]):
    assert parts("Remote", title=title) == [place]


def test_a_short_name_in_another_language_is_a_word_of_ours():
    assert parts("My Office") == [(None, None, None)]
    assert parts("Đức") == [(None, None, None)]
    assert parts("Việt Nam") == [(None, None, "VN")]


def test_countries_joined_by_a_slash_are_no_time_zones():
    assert [each.country for each in read("Remote (ES/PT)")] == ["ES", "PT"]
    assert read("Remote (ET/PT)") == read("Remote (CT/PT)") == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Greenwich, CT", ("Greenwich", "Connecticut", "US")),
        ("Manchester, CT", ("Manchester", "Connecticut", "US")),
        ("US (ET, CT, MT)", (None, None, "US")),
        ("Remote US (CT)", (None, None, "US")),
    ],
)
def test_a_state_after_a_town_is_no_time_zone(text: str, place: tuple[str | None, ...]):
    assert parts(text) == [place]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Globex Campus Berlin", ("Berlin", None, "DE")),
        ("Northwind Germany GmbH", (None, None, "DE")),
        ("Globex UK Ltd", (None, None, "GB")),
        ("Globex Texas Offsite", (None, "Texas", "US")),
        ("Harbour Tower New York", ("New York City", "New York", "US")),
        ("Paris 9e", ("Paris", None, "FR")),
        ("Sydney CBD", ("Sydney", "New South Wales", "AU")),
        ("San Francisco (SoMa)", ("San Francisco", "California", "US")),
        ("Lisbon (Santos)", ("Lisbon", None, "PT")),
        ("東京都港区", ("Tokyo", None, "JP")),
        ("上海市徐汇区", ("Shanghai", None, "CN")),
        ("서울특별시 마포구", ("Seoul", None, "KR")),
        ("القاهرة، مصر", ("Cairo", None, "EG")),
        ("\u0423\u0434\u0430\u043b\u0451\u043d\u043d\u043e, Россия", (None, None, "RU")),
    ],
)
def test_the_place_in_the_name_of_an_office_or_of_a_part_of_a_town(text: str, place: tuple[str | None, ...]):
    assert parts(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "Globex Tower",
        "Rue de Madrid 4",
        "Berliner Straße 5",
        "Houston Street Lab",
        "Phoenix House",
        "Columbia Tower",
        "Garden City Mall",
        "Old Town",
        "Central Region",
        "Team Falcon",
    ],
)
def test_what_only_sounds_like_a_place_is_none(text: str):
    assert [each.country for each in read(text)] == [None]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Lima, LI, Peru", ("Lima", None, "PE")),
        ("Monterrey, NL, Mexico", ("Monterrey", None, "MX")),
        ("Valencia, CA", ("Valencia", "California", "US")),
        ("Healdsburg, CA", ("Healdsburg", "California", "US")),
        ("Georgetown, DE", (None, None, None)),
        ("Chennai, TN", ("Chennai", "Tamil Nadu", "IN")),
        ("Westport, CT", ("Westport", "Connecticut", "US")),
        ("Londres", ("London", None, "GB")),
        ("St. Gallen", ("Sankt Gallen", None, "CH")),
        ("Kanton Bern", ("Bern", None, "CH")),
        ("Canton, OH", ("Canton", "Ohio", "US")),
        ("County Cork", ("Cork", None, "IE")),
        ("Orange County, CA", (None, "California", "US")),
        ("臺北", ("Taipei", None, "TW")),
        ("Lagos Island", ("Lagos", None, "NG")),
    ],
)
def test_codes_and_other_names_put_no_place_abroad(text: str, place: tuple[str | None, ...]):
    assert parts(text)[:1] == [place]
    assert {each.country for each in read(text)} == {place[2]}


def test_states_that_share_their_codes_with_others_settle_each_other():
    assert parts("Remote, CA or WA") == [(None, "California", "US"), (None, "Washington", "US")]


@pytest.mark.parametrize("word", ["Mobile", "Reading", "Nice", "Orange", "Split"])
def test_a_city_that_is_a_word_needs_support(word: str):
    assert parts(word) == [(None, None, None)]
    assert parts("Remote", title=f"Engineer - {word}") == []


def test_a_city_that_is_a_word_is_one_with_support():
    assert parts("Mobile, AL") == [("Mobile", "Alabama", "US")]
    assert parts("Reading, UK") == [("Reading", None, "GB")]
    assert parts("Nice, France") == [("Nice", None, "FR")]
    assert parts("Split, Croatia") == [("Split", None, "HR")]
    assert parts("Orange, CA") == [("Orange", "California", "US")]
    hint = PlaceHint(text="Mobile", city="Mobile", region="AL", country="United States")
    assert read("Mobile", places=(hint,)) == [
        Place(text="Mobile", city="Mobile", region="Alabama", country="US")
    ]


@pytest.mark.parametrize(
    ("hint", "place"),
    [
        (
            PlaceHint(text="Main office", city="Kraków", region="Małopolska", country="pl"),
            ("Kraków", "Małopolska", "PL"),
        ),
        (
            PlaceHint(text="Remote", city="San Francisco", region="California", country="USA"),
            (None, None, "US"),
        ),
        (PlaceHint(text="EMEA", city="Frankfurt", country="Germany"), (None, "EMEA", "DE")),
        (
            PlaceHint(text="Bay Area", city="Oakland", region="CA", country="US"),
            ("Oakland", "California", "US"),
        ),
        (PlaceHint(text="Hong Kong", country="Singapore"), ("Hong Kong", None, "HK")),
        (PlaceHint(text="Remote", country="European Union"), (None, "Europe", None)),
        (
            PlaceHint(text="Waterloo", city="Waterloo", region="Ontario", country="Canada"),
            ("Waterloo", "Ontario", "CA"),
        ),
        (PlaceHint(text="Cambridge", country="gb"), ("Cambridge", None, "GB")),
        (
            PlaceHint(text="London", city="London", region="ON", country="CA"),
            ("London", "Ontario", "CA"),
        ),
        (PlaceHint(text="London", city="London", country="United States"), ("London", None, "GB")),
        (PlaceHint(text="Remote", country="United Sates"), (None, None, "US")),
        (PlaceHint(text="Office", country="Unites Kingdom"), (None, None, "GB")),
        (PlaceHint(text="Main office", country="Nigerria"), (None, None, "NG")),
        (PlaceHint(text="", city="Ghent", country="BE"), ("Gent", None, "BE")),
        (PlaceHint(text="US", city="United States", country="United States"), (None, None, "US")),
        (
            PlaceHint(text="Smallville", city="Smallville", region="KS", country="US"),
            ("Smallville", "Kansas", "US"),
        ),
    ],
)
def test_an_address_fills_what_the_text_leaves_open_and_never_overrules_it(
    hint: PlaceHint, place: tuple[str | None, ...]
):
    (found,) = read(hint.text, places=(hint,))
    assert (found.city, found.region, found.country) == place


@pytest.mark.parametrize("country", ["Moonbase One", "Austrialia Minor", "Remote Anywhere", "x" * 39])
def test_a_country_field_that_names_none_is_none(country: str):
    assert [each.country for each in read("Office", places=(PlaceHint(text="Office", country=country),))] in (
        [],
        [None],
    )


def test_an_address_in_several_countries_is_in_all_of_them():
    told = read("Moonbase", places=(PlaceHint(text="Moonbase", country="US, Canada"),))
    assert [(each.text, each.country) for each in told] == [("Moonbase", "US"), ("Moonbase", "CA")]


def test_the_text_is_kept_as_it_was_shown_and_each_place_stands_once():
    assert [each.text for each in read("*HQ - San Francisco, CA", "San Francisco")] == [
        "*HQ - San Francisco, CA"
    ]
    assert [each.text for each in read("Lyon or Madrid")] == ["Lyon", "Madrid"]
    assert [each.text for each in read("Building Seven")] == ["Building Seven"]
